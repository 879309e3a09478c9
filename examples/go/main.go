// A node class, a NodePool and the plan of the nodes that they will give a workload.
package main

import (
	"example.com/cutlist/sdk/go/cutlist"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type object = map[string]interface{}
type list = []interface{}

var discovered = list{object{"tags": object{"karpenter.sh/discovery": "demo"}}}

var defaultClass = object{
	"apiVersion": "karpenter.k8s.aws/v1",
	"kind":       "EC2NodeClass",
	"metadata":   object{"name": "default"},
	"spec": object{
		"role":                       "KarpenterNodeRole-demo",
		"amiSelectorTerms":           list{object{"alias": "al2023@v20260625"}},
		"subnetSelectorTerms":        discovered,
		"securityGroupSelectorTerms": discovered,
	},
}

var generalPool = object{
	"apiVersion": "karpenter.sh/v1",
	"kind":       "NodePool",
	"metadata":   object{"name": "general"},
	"spec": object{
		"template": object{
			"spec": object{
				"nodeClassRef": object{"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
				"requirements": list{
					object{"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": list{"c", "m", "r"}},
					object{"key": "kubernetes.io/arch", "operator": "In", "values": list{"amd64", "arm64"}},
					object{"key": "karpenter.sh/capacity-type", "operator": "In", "values": list{"spot", "on-demand"}},
				},
			},
		},
		"limits": object{"cpu": "100"},
	},
}

var web = object{
	"apiVersion": "apps/v1",
	"kind":       "Deployment",
	"metadata":   object{"name": "web"},
	"spec": object{
		"replicas": 6,
		"selector": object{"matchLabels": object{"app": "web"}},
		"template": object{
			"metadata": object{"labels": object{"app": "web"}},
			"spec": object{
				"containers": list{object{
					"name":      "web",
					"image":     "registry.example.com/web:1.0.0",
					"resources": object{"requests": object{"cpu": "500m", "memory": "1Gi"}},
				}},
			},
		},
	},
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		nodes, err := cutlist.NewNodePlan(ctx, "nodes", &cutlist.NodePlanArgs{
			Region:    "us-west-2",
			Manifests: []map[string]interface{}{defaultClass, generalPool, web},
		})
		if err != nil {
			return err
		}
		nodeClass, err := cutlist.NewEC2NodeClass(ctx, "default", &cutlist.EC2NodeClassArgs{Manifest: defaultClass})
		if err != nil {
			return err
		}
		_, err = cutlist.NewNodePool(ctx, "general", &cutlist.NodePoolArgs{
			Manifest:      generalPool,
			NodeClassName: nodeClass.ObjectName,
		})
		if err != nil {
			return err
		}
		ctx.Export("nodePools", nodes.NodePools)
		ctx.Export("totals", nodes.Totals)
		return nil
	})
}
