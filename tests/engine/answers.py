"""What the stand-in providers answer: outputs that a cloud computes, replies to lookups, inputs that force a replacement.

Values are made up and of the right form. `{name}` and `{type}` stand for the resource's name and the last part of its type.
A stack that needs more of a cloud gets one more line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

ACCOUNT: Final = "111122223333"

COMPUTED: Final[Mapping[str, Mapping[str, Any]]] = {
    "aws:cloudwatch/eventRule:EventRule": {"arn": f"arn:aws:events:us-west-2:{ACCOUNT}:rule/{{name}}"},
    "aws:ec2/securityGroup:SecurityGroup": {"arn": f"arn:aws:ec2:us-west-2:{ACCOUNT}:security-group/sg-{{name}}"},
    "aws:ec2/vpc:Vpc": {"arn": f"arn:aws:ec2:us-west-2:{ACCOUNT}:vpc/vpc-{{name}}", "defaultSecurityGroupId": "sg-{name}"},
    "aws:eks/cluster:Cluster": {
        "arn": f"arn:aws:eks:us-west-2:{ACCOUNT}:cluster/{{name}}",
        "endpoint": "https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com",
        "certificateAuthority": {"data": "c3RhbmQtaW4="},
        "identities": [{"oidcs": [{"issuer": "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF"}]}],
        "vpcConfig": {"clusterSecurityGroupId": "sg-{name}", "vpcId": "vpc-{name}"},
        "platformVersion": "eks.1",
        "status": "ACTIVE",
    },
    "aws:iam/role:Role": {"arn": f"arn:aws:iam::{ACCOUNT}:role/{{name}}", "uniqueId": "AROA{name}"},
    "aws:sqs/queue:Queue": {
        "arn": f"arn:aws:sqs:us-west-2:{ACCOUNT}:{{name}}",
        "url": f"https://sqs.us-west-2.amazonaws.com/{ACCOUNT}/{{name}}",
    },
    "azure-native:containerservice:ManagedCluster": {
        "name": "{name}",
        "fqdn": "{name}.hcp.japaneast.azmk8s.io",
        "currentKubernetesVersion": "1.33.5",
        "nodeResourceGroup": "MC_rg-shop_shop_japaneast",
        "identityProfile": {"kubeletidentity": {"clientId": "client", "objectId": "object", "resourceId": "resource"}},
    },
    "azure-native:managedidentity:UserAssignedIdentity": {"principalId": "principal-{name}", "clientId": "client-{name}"},
    "eks:index:Cluster": {
        "kubeconfigJson": "{}",
        "clusterSecurityGroupId": "sg-{name}",
        "oidcProviderArn": f"arn:aws:iam::{ACCOUNT}:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
        "oidcProviderUrl": "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
        "oidcIssuer": "oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
    },
}
"""Computed outputs by type."""

COMPUTED_BY_PACKAGE: Final[Mapping[str, Mapping[str, Any]]] = {
    "aws": {"arn": f"arn:aws:stand-in:us-west-2:{ACCOUNT}:{{type}}/{{name}}"},
}
"""Computed outputs of all other types of a package."""

CALLER: Final = "aws:index/getCallerIdentity:getCallerIdentity"
INVOKES: Final[Mapping[str, Mapping[str, Any]]] = {
    CALLER: {
        "accountId": ACCOUNT,
        "arn": f"arn:aws:sts::{ACCOUNT}:assumed-role/Deployer/stand-in",
        "id": ACCOUNT,
        "userId": "AROASTANDIN:stand-in",
    },
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

REPLACING: Final = frozenset({"apiVersion", "kind", "metadata.name", "metadata.namespace", "name", "clusterName", "cidrBlock"})
"""Inputs that cannot be changed in place."""

REPLACING_BY_TYPE: Final[Mapping[str, frozenset[str]]] = {
    "aws:eks/nodeGroup:NodeGroup": frozenset(
        {
            "amiType",
            "capacityType",
            "diskSize",
            "instanceTypes",
            "nodeGroupName",
            "nodeGroupNamePrefix",
            "nodeRoleArn",
            "subnetIds",
        }
    ),
}
"""Further ones of a type."""

OWN_NAMES: Final[Mapping[str, str]] = {"aws:eks/nodeGroup:NodeGroup": "nodeGroupName"}
"""The input with a resource's own name, by type: while it stays as it is, the provider deletes before it replaces."""
