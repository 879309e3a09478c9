"""What the stand-in providers answer: outputs that a cloud computes, replies to lookups, inputs that force a replacement.

Values are made up and of the right form. `{name}` and `{type}` stand for the resource's name and the last part of its type.
A stack that needs more of a cloud gets one more line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

ACCOUNT: Final = "111122223333"

COMPUTED: Final[Mapping[str, Mapping[str, Any]]] = {
    "azure-native:containerservice:ManagedCluster": {
        "name": "{name}",
        "fqdn": "{name}.hcp.japaneast.azmk8s.io",
        "currentKubernetesVersion": "1.33.5",
        "nodeResourceGroup": "MC_rg-shop_shop_japaneast",
        "identityProfile": {"kubeletidentity": {"clientId": "client", "objectId": "object", "resourceId": "resource"}},
    },
    "azure-native:managedidentity:UserAssignedIdentity": {"principalId": "principal-{name}", "clientId": "client-{name}"},
    "eks:index:Cluster": {
        "core": {"vpcId": "vpc-{name}"},
        "kubeconfigJson": "{}",
        "clusterSecurityGroupId": "sg-{name}",
        "oidcProviderArn": f"arn:aws:iam::{ACCOUNT}:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
        "oidcProviderUrl": "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
        "oidcIssuer": "oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
    },
}
"""Computed outputs of types whose row in tests/account has none."""

CALLER: Final = "aws:index/getCallerIdentity:getCallerIdentity"
ADD_ON: Final = "aws:eks/getAddonVersion:getAddonVersion"
_COREDNS: Final = {"1.33": "1.13", "1.34": "1.13", "1.35": "1.14", "1.36": "1.14"}


def default_version(add_on: str, kubernetes: str) -> str:
    """Return the version of an add-on that EKS would make the default for a minor version of Kubernetes: another for each."""
    minor = kubernetes.partition(".")[2]
    lines = {"kube-proxy": f"{kubernetes}.{minor}", "coredns": f"{_COREDNS.get(kubernetes, '1.11')}.{minor}"}
    return f"v{lines.get(add_on, f'1.20.{minor}')}-eksbuild.1"


INVOKES: Final[Mapping[str, Mapping[str, Any]]] = {
    CALLER: {
        "accountId": ACCOUNT,
        "arn": f"arn:aws:sts::{ACCOUNT}:assumed-role/Deployer/stand-in",
        "id": ACCOUNT,
        "userId": "AROASTANDIN:stand-in",
    },
    ADD_ON: {"mostRecent": False, "id": "add-on"},
    "aws:eks/getClusterVersions:getClusterVersions": {"clusterVersions": [{"clusterVersion": "1.36", "clusterType": "eks"}]},
    "aws:iam/getSessionContext:getSessionContext": {"issuerArn": f"arn:aws:iam::{ACCOUNT}:role/Deployer"},
    "aws:index/getPartition:getPartition": {
        "dnsSuffix": "amazonaws.com",
        "id": "aws",
        "partition": "aws",
        "reverseDnsPrefix": "com.amazonaws",
    },
    "azure-native:containerservice:listManagedClusterUserCredentials": {
        "kubeconfigs": [{"name": "clusterUser", "value": "e30="}],
    },
    "aws:index/getRegion:getRegion": {"id": "us-west-2", "region": "us-west-2", "name": "us-west-2", "description": "Oregon"},
}
"""Replies to lookups and to methods of components, by token. Any other token is refused, so that a new lookup is noticed."""

REPLACING: Final = frozenset({"account", "cluster", "region"})
"""Inputs that cannot be changed in place, of resources without a row: those that our own code provides."""
