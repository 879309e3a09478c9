"""Add-ons and NodePools on a cluster that is there: charts, Argo CD, ConfigMaps, a command, texts of manifests."""

from pathlib import Path

import pulumi
import pulumi_kubernetes as k8s
from pulumi_cutlist.plan import NodePlan

config = pulumi.Config()
provider = k8s.Provider("shop", kubeconfig=config.require_secret("kubeconfig"))
opts = pulumi.ResourceOptions(provider=provider)
namespace = k8s.core.v1.Namespace("platform", metadata={"name": "platform"}, opts=opts)
k8s.core.v1.ConfigMap(
    "dns",
    metadata={"name": "dns", "namespace": "platform"},
    data={"Corefile": ".:53 {\n  forward . /etc/resolv.conf\n}\n"},
    opts=opts,
)
k8s.core.v1.Secret(
    "registry",
    metadata={"name": "registry", "namespace": "platform"},
    string_data={"token": config.require_secret("token")},
    opts=opts,
)
k8s.rbac.v1.ClusterRole(
    "viewer",
    metadata={"name": "nodepool-viewer"},
    rules=[{"api_groups": ["karpenter.sh"], "resources": ["nodepools", "nodeclaims"], "verbs": ["get", "list", "watch"]}],
    opts=opts,
)
k8s.helm.v4.Chart(
    "metrics-server",
    chart="metrics-server",
    version="3.13.0",
    repository_opts={"repo": "https://example.com/charts"},
    opts=opts,
)
k8s.apiextensions.CustomResource(
    "apps",
    api_version="argoproj.io/v1alpha1",
    kind="Application",
    metadata={"name": "apps", "namespace": "argocd"},
    spec={"project": "default", "source": {"repoURL": "https://git.example.com/apps.git", "path": "prod"}},
    opts=opts,
)
SOURCES = ["pools.yaml", "app.yaml"]
NodePlan("nodes", {"region": "us-west-2", "sources": SOURCES})
k8s.yaml.v2.ConfigGroup("pools", yaml=Path("pools.yaml").read_text(encoding="utf-8"), opts=opts)
k8s.apps.v1.Deployment(
    "web",
    metadata={"name": "web", "namespace": "shop"},
    spec={
        "replicas": 4,
        "selector": {"match_labels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "registry.example.com/web:1.4.2"}]},
        },
    },
    opts=pulumi.ResourceOptions(provider=provider, ignore_changes=["spec.replicas"]),
)
