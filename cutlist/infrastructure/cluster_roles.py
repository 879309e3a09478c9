"""The roles of a cluster itself: who may assume them, and their permissions (spec: aws-infrastructure 1.3 to 1.6, 2.2, 6, 9.2).

Policies are names of AWS's own. The roles of Karpenter and of its nodes are not here.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from cutlist.infrastructure.iam.documents import EVERYTHING, Condition, Document, Operator, Principal, Statement
from cutlist.infrastructure.iam.node import PULL, WORKER
from cutlist.infrastructure.iam.table import equals
from cutlist.infrastructure.iam.trust import account_decides, service_trust
from cutlist.infrastructure.names import EKS_CLUSTER_TAG, ClusterFacts

CLUSTER: Final = ("AmazonEKSClusterPolicy",)
AUTO_CLUSTER: Final = (
    "AmazonEKSClusterPolicy",
    "AmazonEKSComputePolicy",
    "AmazonEKSBlockStoragePolicy",
    "AmazonEKSLoadBalancingPolicy",
    "AmazonEKSNetworkingPolicy",
)
AUTO_NODE: Final = ("AmazonEKSWorkerNodeMinimalPolicy", PULL)
SYSTEM_NODE: Final = (WORKER, PULL)
FARGATE: Final = ("AmazonEKSFargatePodExecutionRolePolicy",)

_EKS: Final = "eks.amazonaws.com"
_KEY_USE: Final = ("kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey")
_KEY_MANAGEMENT: Final = ("kms:CreateGrant", "kms:PutKeyPolicy", "kms:ScheduleKeyDeletion", "kms:CancelKeyDeletion")
_CREATES: Final = {
    "Compute": ("ec2:CreateFleet", "ec2:RunInstances", "ec2:CreateLaunchTemplate"),
    "Storage": ("ec2:CreateVolume", "ec2:CreateSnapshot"),
    "Networking": ("ec2:CreateNetworkInterface",),
    "LoadBalancers": (
        "elasticloadbalancing:CreateLoadBalancer",
        "elasticloadbalancing:CreateTargetGroup",
        "elasticloadbalancing:CreateListener",
        "elasticloadbalancing:CreateRule",
        "ec2:CreateSecurityGroup",
    ),
}


def cluster_trust() -> Document:
    """Return the trust of a cluster's role."""
    return service_trust("EKSClusterAssumeRole", _EKS)


def auto_cluster_trust() -> Document:
    """Return the trust of the role of a cluster in Auto Mode: there, EKS also tags its sessions, which needs another action."""
    return service_trust("EKSClusterAssumeRole", _EKS, ("sts:TagSession",))


def fargate_trust(facts: ClusterFacts) -> Document:
    """Return the trust of the role by which Fargate starts pods, for profiles of this cluster only."""
    profiles = facts.arn("eks", f"fargateprofile/{facts.cluster}/*")
    of_cluster = (Condition(Operator.ARN_LIKE, "aws:SourceArn", (profiles,)),)
    return service_trust("EKSFargateAssumeRole", "eks-fargate-pods.amazonaws.com", conditions=of_cluster)


def key_permissions(key_arn: str) -> Document:
    """Return the permissions of the cluster's role on the key that encrypts its secrets."""
    return Document((Statement("UseKeyOfSecrets", _KEY_USE, (key_arn,)),))


def key_policy(facts: ClusterFacts, deployers: Iterable[str]) -> Document:
    """Return the policy of that key: the account decides through IAM, and those who make clusters may use and manage the key.

    EKS requests grants on behalf of the caller that creates the cluster, so without the second statement the cluster is
    refused.
    """
    deploying = Principal("AWS", tuple(sorted(deployers)))
    return Document(
        (
            account_decides(facts),
            Statement("DeployersUseAndManage", (*_KEY_USE, *_KEY_MANAGEMENT), EVERYTHING, principals=(deploying,)),
        )
    )


def auto_mode_tagging() -> Document:
    """Return the additional permissions of a cluster's role in Auto Mode for your own tags on resources. AWS's own policies
    allow only EKS's tags. Every action is bound to the cluster's own name, which EKS puts on its session.
    """
    own = equals(f"aws:RequestTag/{EKS_CLUSTER_TAG}", f"${{aws:PrincipalTag/{EKS_CLUSTER_TAG}}}")
    of_nodes = tuple(
        Condition(Operator.STRING_LIKE, f"aws:RequestTag/eks:kubernetes-node-{what}-name", ("*",)) for what in ("class", "pool")
    )
    return Document(
        tuple(
            Statement(sid, actions, EVERYTHING, (own, *(of_nodes if sid == "Compute" else ())))
            for sid, actions in _CREATES.items()
        )
    )


SPOT_SERVICE: Final = "spot.amazonaws.com"
"""The service that needs a role before EC2 sells spot instances to an account; the same name in every partition."""
SPOT_ROLE: Final = "AWSServiceRoleForEC2Spot"


class SpotRoleMode(StrEnum):
    """What a stack does about that role: nothing; own it, which only one stack in an account may do; or make sure that it
    exists."""

    SKIP = "skip"
    CREATE = "create"
    ENSURE = "ensure"
