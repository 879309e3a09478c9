"""A node class, a NodePool and the plan of the nodes that they will give a workload."""

import pulumi
from pulumi_cutlist.kubernetes import EC2NodeClass, NodePool
from pulumi_cutlist.plan import NodePlan

import cutlist

default_class = cutlist.EC2NodeClass(name="default", role="KarpenterNodeRole-demo", ami="al2023@v20260625", discovery="demo")
general_pool = cutlist.NodePool(
    name="general",
    node_class=default_class,
    requirements={
        "karpenter.k8s.aws/instance-category": ["c", "m", "r"],
        "kubernetes.io/arch": ["amd64", "arm64"],
        "karpenter.sh/capacity-type": ["spot", "on-demand"],
    },
    limits={"cpu": 100},
)
web = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {
        "replicas": 6,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {
                "containers": [
                    {
                        "name": "web",
                        "image": "registry.example.com/web:1.0.0",
                        "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}},
                    }
                ]
            },
        },
    },
}

nodes = NodePlan("nodes", {"region": "us-west-2", "manifests": [default_class.manifest(), general_pool.manifest(), web]})
node_class = EC2NodeClass("default", {"manifest": default_class})
NodePool("general", {"manifest": general_pool, "node_class_name": node_class.object_name})

pulumi.export("nodePools", nodes.node_pools)
pulumi.export("totals", nodes.totals)
