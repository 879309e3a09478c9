// A whole cluster with Karpenter: network, EKS, Karpenter, a NodePool and its node class.
package main

import (
	"example.com/cutlist/sdk/go/cutlist"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

var discovered = pulumi.StringMap{"karpenter.sh/discovery": pulumi.String("shop")}

func requirement(key string, values ...string) cutlist.NodePoolManifestSpecTemplateSpecRequirementsItemArgs {
	return cutlist.NodePoolManifestSpecTemplateSpecRequirementsItemArgs{
		Key:      pulumi.String(key),
		Operator: pulumi.String("In"),
		Values:   pulumi.ToStringArray(values),
	}
}

func nodeClass() cutlist.EC2NodeClassManifestArgs {
	return cutlist.EC2NodeClassManifestArgs{
		ApiVersion: pulumi.String("karpenter.k8s.aws/v1"),
		Kind:       pulumi.String("EC2NodeClass"),
		Metadata:   cutlist.EC2NodeClassManifestMetadataArgs{Name: pulumi.String("default")},
		Spec: cutlist.EC2NodeClassManifestSpecArgs{
			Role: pulumi.String("KarpenterNodeRole-shop"),
			AmiSelectorTerms: cutlist.EC2NodeClassManifestSpecAmiSelectorTermsItemArray{
				cutlist.EC2NodeClassManifestSpecAmiSelectorTermsItemArgs{Alias: pulumi.String("al2023@v20260625")},
			},
			SubnetSelectorTerms: cutlist.EC2NodeClassManifestSpecSubnetSelectorTermsItemArray{
				cutlist.EC2NodeClassManifestSpecSubnetSelectorTermsItemArgs{Tags: discovered},
			},
			SecurityGroupSelectorTerms: cutlist.EC2NodeClassManifestSpecSecurityGroupSelectorTermsItemArray{
				cutlist.EC2NodeClassManifestSpecSecurityGroupSelectorTermsItemArgs{Tags: discovered},
			},
		},
	}
}

func nodePool() cutlist.NodePoolManifestArgs {
	return cutlist.NodePoolManifestArgs{
		ApiVersion: pulumi.String("karpenter.sh/v1"),
		Kind:       pulumi.String("NodePool"),
		Metadata:   cutlist.NodePoolManifestMetadataArgs{Name: pulumi.String("general")},
		Spec: cutlist.NodePoolManifestSpecArgs{
			Template: cutlist.NodePoolManifestSpecTemplateArgs{
				Spec: cutlist.NodePoolManifestSpecTemplateSpecArgs{
					NodeClassRef: cutlist.NodePoolManifestSpecTemplateSpecNodeClassRefArgs{
						Group: pulumi.String("karpenter.k8s.aws"),
						Kind:  pulumi.String("EC2NodeClass"),
						Name:  pulumi.String("default"),
					},
					Requirements: cutlist.NodePoolManifestSpecTemplateSpecRequirementsItemArray{
						requirement("karpenter.k8s.aws/instance-category", "c", "m", "r"),
						requirement("kubernetes.io/arch", "amd64", "arm64"),
						requirement("karpenter.sh/capacity-type", "spot", "on-demand"),
					},
				},
			},
			Limits: pulumi.Map{"cpu": pulumi.String("100")},
		},
	}
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := cutlist.NewKarpenterCluster(ctx, "shop", &cutlist.KarpenterClusterArgs{
			ClusterName:       "shop",
			Region:            "us-west-2",
			AccountId:         pulumi.String("111122223333"),
			KubernetesVersion: pulumi.StringRef("1.35"),
			// Who runs Pulumi.
			Admins: map[string]pulumi.StringInput{"deployer": pulumi.String("arn:aws:iam::111122223333:role/Deployer")},
			// The office.
			PublicAccessCidrs: []pulumi.StringInput{pulumi.String("203.0.113.0/24")},
			NodeClasses:       []cutlist.EC2NodeClassManifestInput{nodeClass()},
			NodePools:         []cutlist.NodePoolManifestInput{nodePool()},
		})
		if err != nil {
			return err
		}
		ctx.Export("endpoint", shop.Endpoint)
		return nil
	})
}
