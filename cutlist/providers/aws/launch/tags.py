"""Tags of everything that a launch makes (spec: AWS 6.3, 8.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cutlist.core.labels import AWS_GROUP, NODEPOOL
from cutlist.infrastructure.names import EKS_CLUSTER_TAG

if TYPE_CHECKING:
    from cutlist.api import EC2NodeClass

NODE_CLASS: Final = f"{AWS_GROUP}/ec2nodeclass"
_KEPT_FOR_KARPENTER: Final = frozenset((NODEPOOL, EKS_CLUSTER_TAG, NODE_CLASS, "karpenter.sh/nodeclaim"))
_OWNED_BY_CLUSTER: Final = re.compile(r"kubernetes\.io/cluster/[0-9A-Za-z][A-Za-z0-9\-_]*", re.ASCII)


def refused_tags(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The keys that a launch refuses; the API server refuses a few more (A-71)."""
    return tuple(sorted(k for k in tags if k in _KEPT_FOR_KARPENTER or _OWNED_BY_CLUSTER.fullmatch(k)))


def launch_tags(node_class: EC2NodeClass, node_pool: str, cluster: str) -> dict[str, str]:
    """The NodeClass' tags overlaid by those by which Karpenter knows its own."""
    return {
        **node_class.tags,
        f"kubernetes.io/cluster/{cluster}": "owned",
        NODEPOOL: node_pool,
        EKS_CLUSTER_TAG: cluster,
        NODE_CLASS: node_class.name,
    }
