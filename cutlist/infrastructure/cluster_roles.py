"""The roles of a cluster itself: who may take them on and what they may do (spec: aws-infrastructure 1.3 to 1.6, 2.2, 9.2).

Documents are plain data, policies are the names of AWS's own ones. The roles of Karpenter and of its nodes are not here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from cutlist.infrastructure.names import ClusterFacts

Document = dict[str, Any]

CLUSTER: Final = ("AmazonEKSClusterPolicy",)
AUTO_CLUSTER: Final = (
    "AmazonEKSClusterPolicy",
    "AmazonEKSComputePolicy",
    "AmazonEKSBlockStoragePolicy",
    "AmazonEKSLoadBalancingPolicy",
    "AmazonEKSNetworkingPolicy",
)
AUTO_NODE: Final = ("AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly")
SYSTEM_NODE: Final = ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly")
FARGATE: Final = ("AmazonEKSFargatePodExecutionRolePolicy",)
CNI: Final = "AmazonEKS_CNI_Policy"

_KEY_USE: Final = ("kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey")
_EKS_TAG: Final = "eks:eks-cluster-name"


def cluster_trust() -> Document:
    """Trust of a cluster's role."""
    return trust("eks.amazonaws.com")


def auto_cluster_trust() -> Document:
    """Trust of the role of a cluster in Auto Mode: there EKS tags its sessions, which takes one more action."""
    return trust("eks.amazonaws.com", "sts:TagSession")


def node_trust(facts: ClusterFacts) -> Document:
    """Trust of a role that EC2 instances have."""
    return trust(facts.node_principal)


def fargate_trust(facts: ClusterFacts) -> Document:
    """Trust of the role by which Fargate starts pods, for profiles of this cluster alone."""
    document = trust("eks-fargate-pods.amazonaws.com")
    profiles = facts.arn("eks", f"fargateprofile/{facts.cluster}/*")
    document["Statement"][0]["Condition"] = {"ArnLike": {"aws:SourceArn": profiles}}
    return document


def pod_identity_trust(facts: ClusterFacts) -> Document:
    """Trust of a role that a service account gets by Pod Identity, for this cluster alone."""
    document = trust("pods.eks.amazonaws.com", "sts:TagSession")
    document["Statement"][0]["Condition"] = {
        "StringEquals": {"aws:SourceAccount": facts.account},
        "ArnEquals": {"aws:SourceArn": facts.cluster_arn},
    }
    return document


def web_identity_trust(provider_arn: str, issuer: str, namespace: str, service_account: str) -> Document:
    """Trust of a role that one service account takes on by the cluster's OIDC provider. `issuer` may begin with https://."""
    host = issuer.removeprefix("https://")  # the condition's key has no scheme
    statement = {
        "Effect": "Allow",
        "Principal": {"Federated": provider_arn},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {
            "StringEquals": {
                f"{host}:aud": "sts.amazonaws.com",
                f"{host}:sub": f"system:serviceaccount:{namespace}:{service_account}",
            }
        },
    }
    return document(statement)


def key_use(key_arn: str) -> Document:
    """What the cluster's role may do with the key that encrypts its secrets."""
    return document({"Effect": "Allow", "Action": list(_KEY_USE), "Resource": key_arn})


def key_policy(facts: ClusterFacts, deployers: Iterable[str]) -> Document:
    """Policy of that key: the account decides by IAM, and those who make clusters may use and manage the key.

    EKS asks for grants in the name of whoever makes the cluster, so that without the second statement the cluster is refused.
    """
    account = {
        "Sid": "AccountDecidesByIAM",
        "Effect": "Allow",
        "Principal": {"AWS": facts.arn("iam", "root", region="")},
        "Action": "kms:*",
        "Resource": "*",
    }
    deploying = {
        "Sid": "DeployersUseAndManage",
        "Effect": "Allow",
        "Principal": {"AWS": sorted(deployers)},
        "Action": [*_KEY_USE, "kms:CreateGrant", "kms:PutKeyPolicy", "kms:ScheduleKeyDeletion", "kms:CancelKeyDeletion"],
        "Resource": "*",
    }
    return document(account, deploying)


def cni_over_ipv6(facts: ClusterFacts) -> Document:
    """What the VPC CNI may do in an IPv6 cluster, for which AWS has no policy of its own."""
    reads = ["DescribeInstances", "DescribeTags", "DescribeNetworkInterfaces", "DescribeInstanceTypes"]
    interfaces = facts.arn("ec2", "network-interface/*", region="*", account="*")
    return document(
        {"Effect": "Allow", "Action": ["ec2:AssignIpv6Addresses", *(f"ec2:{read}" for read in reads)], "Resource": "*"},
        {"Effect": "Allow", "Action": "ec2:CreateTags", "Resource": interfaces},
    )


def auto_mode_tagging() -> Document:
    """What the role of a cluster in Auto Mode may do besides, so that resources get tags of your own.

    AWS's own policies admit EKS's tags alone. Every action is bound to the cluster's own name, which EKS puts on its session.
    """
    own = {f"aws:RequestTag/{_EKS_TAG}": f"${{aws:PrincipalTag/{_EKS_TAG}}}"}
    present = {"aws:RequestTag/eks:kubernetes-node-class-name": "*", "aws:RequestTag/eks:kubernetes-node-pool-name": "*"}
    creates = {
        "Compute": ["ec2:CreateFleet", "ec2:RunInstances", "ec2:CreateLaunchTemplate"],
        "Storage": ["ec2:CreateVolume", "ec2:CreateSnapshot"],
        "Networking": ["ec2:CreateNetworkInterface"],
        "LoadBalancers": [
            "elasticloadbalancing:CreateLoadBalancer",
            "elasticloadbalancing:CreateTargetGroup",
            "elasticloadbalancing:CreateListener",
            "elasticloadbalancing:CreateRule",
            "ec2:CreateSecurityGroup",
        ],
    }
    statements = [
        {"Sid": sid, "Effect": "Allow", "Action": actions, "Resource": "*", "Condition": {"StringEquals": dict(own)}}
        for sid, actions in creates.items()
    ]
    statements[0]["Condition"] = {"StringEquals": dict(own), "StringLike": present}
    return document(*statements)


def trust(service: str, *more_actions: str) -> Document:
    """A trust document for one service of AWS."""
    actions = ["sts:AssumeRole", *more_actions]
    return document({"Effect": "Allow", "Principal": {"Service": service}, "Action": actions})


def document(*statements: dict[str, Any]) -> Document:
    """A policy document of statements."""
    return {"Version": "2012-10-17", "Statement": list(statements)}
