"""The permissions of nodes: AWS's own policies, and Cutlist's statements for clusters with IPv6 (spec: 2.2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.infrastructure.iam.documents import Document, Statement
from cutlist.infrastructure.names import ClusterFacts

WORKER: Final = "AmazonEKSWorkerNodePolicy"
PULL: Final = "AmazonEC2ContainerRegistryPullOnly"
CNI: Final = "AmazonEKS_CNI_Policy"
SESSIONS: Final = "AmazonSSMManagedInstanceCore"


class NodeNeed(StrEnum):
    """Needs of a cluster's nodes beyond joining it and pulling images."""

    CNI = "cni"
    """vpc-cni has no identity and uses the node's."""
    CNI_IPV6 = "cni-ipv6"
    """The same in a cluster with IPv6."""
    SESSIONS = "sessions"
    """Shells through Systems Manager."""


@dataclass(frozen=True, slots=True)
class _Named:
    policy: str
    needs: NodeNeed | None = None


_POLICIES: Final = (_Named(WORKER), _Named(PULL), _Named(CNI, NodeNeed.CNI), _Named(SESSIONS, NodeNeed.SESSIONS))
_READS: Final = tuple(
    f"ec2:{action}" for action in ("DescribeInstances", "DescribeTags", "DescribeNetworkInterfaces", "DescribeInstanceTypes")
)


def node_policies(needs: Collection[NodeNeed]) -> tuple[str, ...]:
    """Return the names of AWS's own policies for the role of nodes."""
    return tuple(named.policy for named in _POLICIES if named.needs is None or named.needs in needs)


def node_document(facts: ClusterFacts, needs: Collection[NodeNeed]) -> Document | None:
    """Return Cutlist's own document for the role of nodes, or None if none is needed. AWS has no policy for vpc-cni with
    IPv6."""
    return ipv6_cni_document(facts) if NodeNeed.CNI_IPV6 in needs else None


def ipv6_cni_document(facts: ClusterFacts) -> Document:
    """Return the permissions of vpc-cni in a cluster with IPv6, on nodes or as its own identity."""
    interfaces = (facts.arn("ec2", "network-interface/*", region="*", account="*"),)
    return Document(
        (
            Statement("AssignAddresses", ("ec2:AssignIpv6Addresses", *_READS), ("*",)),
            Statement("TagInterfaces", ("ec2:CreateTags",), interfaces),
        )
    )
