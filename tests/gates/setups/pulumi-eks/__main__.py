"""A cluster by Pulumi's own component for EKS, with NodePools and what platforms put on a cluster."""

import pulumi
import pulumi_eks as eks
import pulumi_kubernetes as k8s
from pulumi_cutlist.plan import NodePlan

SOURCES = ["pools.yaml", "app.yaml"]
cluster = eks.Cluster(
    "shop",
    version="1.34",
    authentication_mode=eks.AuthenticationMode.API,
    private_subnet_ids=["subnet-1", "subnet-2"],
    public_access_cidrs=["203.0.113.0/24"],
    skip_default_node_group=True,
    create_oidc_provider=True,
)
provider = k8s.Provider("shop", kubeconfig=cluster.kubeconfig_json)
opts = pulumi.ResourceOptions(provider=provider)
k8s.helm.v3.Release(
    "cert-manager",
    name="cert-manager",
    namespace="cert-manager",
    create_namespace=True,
    chart="cert-manager",
    version="v1.18.2",
    repository_opts={"repo": "https://charts.jetstack.io"},
    values={"crds": {"enabled": True}},
    opts=opts,
)
NodePlan("nodes", {"region": "us-west-2", "sources": SOURCES})
k8s.yaml.v2.ConfigGroup("pools", files=["pools.yaml"], opts=opts)
k8s.yaml.v2.ConfigFile("app", file="app.yaml", opts=opts)
