"""The default consolidation policy of EKS Auto Mode, which depends on the cluster's version of Kubernetes.

"Starting with EKS 1.37, newly created Auto Mode Node Pools default to Balanced": docs.aws.amazon.com/eks/latest/userguide/
auto-change.html, entry of 2026-10-01. NodePools that were stored before keep their policy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from cutlist.api import AutoNodeClass, NodePool
from cutlist.core.karpenter.versions import Minor

_BALANCED_SINCE: Final = Minor(1, 37)
_MINOR: Final = re.compile(r"v?(\d+)\.(\d+)(?:\.|$)", re.ASCII)


def with_default_policies(pools: Iterable[NodePool], kubernetes: str) -> tuple[NodePool, ...]:
    """Return the NodePools as a cluster of a version such as `1.37` or `v1.37.1-eks-1a2b3c4` stores them.

    Those of Auto Mode without a consolidation policy get its default; without a version, all are unchanged.
    """
    minor = _minor(kubernetes)
    if minor is None or minor < _BALANCED_SINCE:
        return tuple(pools)
    return tuple(p.with_policy("Balanced") if p.node_class_ref.kind == AutoNodeClass.KIND else p for p in pools)


def newest_version(versions: Iterable[str]) -> str:
    """Return the version with the highest minor among those of nodes; empty if none can be read."""
    readable = [(minor, version) for version in versions if (minor := _minor(version)) is not None]
    return max(readable, default=(None, ""))[1]


def _minor(version: str) -> Minor | None:
    match = _MINOR.match(version)
    return Minor(int(match[1]), int(match[2])) if match is not None else None
