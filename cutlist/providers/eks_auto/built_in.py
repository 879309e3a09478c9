"""The objects that EKS creates in Auto Mode: two NodePools and the NodeClass that they use (spec: api-objects 8.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.autonodeclass_rules import MANAGED_BY_EKS, MANAGED_CLASS
from cutlist.api.built_in import AUTO_POOLS, GENERAL_PURPOSE, SYSTEM, chosen_names
from cutlist.api.ec2nodeclass_fields import SecurityGroupSelectorTerm, SubnetSelectorTerm
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import Budget, Disruption, NodeClassRef
from cutlist.core.karpenter.versions import Minor
from cutlist.core.labels import ARCH, AUTO_GROUP, CAPACITY_TYPE, MANAGED_BY, ON_DEMAND, OS
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint

# Only the cluster knows the real value; no plan depends on it.
DEFAULT_ROLE: Final = "AmazonEKSAutoNodeRole"
_ARCHITECTURES: Final[Mapping[str, tuple[str, ...]]] = {GENERAL_PURPOSE: ("amd64",), SYSTEM: ("amd64", "arm64")}
_TAINTS: Final = {SYSTEM: (Taint("CriticalAddonsOnly", "NoSchedule", ""),)}
_BALANCED_SINCE: Final = Minor(1, 37)
_MINOR: Final = re.compile(r"v?(\d+)\.(\d+)(?:\.|$)", re.ASCII)


def built_in_pools(names: Iterable[str] = AUTO_POOLS) -> tuple[NodePool, ...]:
    """Return the built-in NodePools that are switched on, sorted by name. Raises InputError for an unknown name."""
    return tuple(_pool(name) for name in chosen_names(names, AUTO_POOLS, "EKS Auto Mode"))


def _pool(name: str) -> NodePool:
    return NodePool(
        name=name,
        node_class=NodeClassRef(group=AUTO_GROUP, kind="NodeClass", name=MANAGED_CLASS),
        requirements=(
            Expression(CAPACITY_TYPE, "In", (ON_DEMAND,)),
            Expression(f"{AUTO_GROUP}/instance-category", "In", ("c", "m", "r")),
            Expression(f"{AUTO_GROUP}/instance-generation", "Gt", ("4",)),
            Expression(ARCH, "In", _ARCHITECTURES[name]),
            Expression(OS, "In", ("linux",)),
        ),
        taints=_TAINTS.get(name),
        expire_after="336h",
        termination_grace_period="24h0m0s",
        disruption=Disruption(
            consolidate_after="30s", consolidation_policy="WhenEmptyOrUnderutilized", budgets=(Budget(nodes="10%"),)
        ),
        pool_labels={MANAGED_BY: MANAGED_BY_EKS},
    )


def managed_class(
    role: str = DEFAULT_ROLE,
    subnet_selector_terms: Sequence[SubnetSelectorTerm] | None = None,
    security_group_selector_terms: Sequence[SecurityGroupSelectorTerm] | None = None,
) -> AutoNodeClass:
    """Return the NodeClass `default`, which exists while a built-in NodePool is switched on.

    Without terms, it selects the cluster's own subnets and security group.
    """
    of_cluster = {"aws:eks:cluster-name": "*"}
    return AutoNodeClass(
        name=MANAGED_CLASS,
        role=role,
        subnet_selector_terms=subnet_selector_terms or [SubnetSelectorTerm(tags=of_cluster)],
        security_group_selector_terms=security_group_selector_terms or [SecurityGroupSelectorTerm(tags=of_cluster)],
        labels={MANAGED_BY: MANAGED_BY_EKS},
    )


def with_default_policies(pools: Iterable[NodePool], kubernetes: str) -> tuple[NodePool, ...]:
    """Return the NodePools as a cluster of a version such as `1.37` or `v1.37.1-eks-1a2b3c4` stores them.

    Those of Auto Mode without a consolidation policy get its default; without a version, all are unchanged. "Starting with EKS
    1.37, newly created Auto Mode Node Pools default to Balanced": docs.aws.amazon.com/eks/latest/userguide/auto-change.html,
    entry of 2026-10-01. NodePools that were stored before keep their policy.
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
