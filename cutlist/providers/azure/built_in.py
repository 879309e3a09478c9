"""The objects that AKS creates with Node Auto Provisioning: two NodePools with their classes (spec: azure 2.6)."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.api import AKSNodeClass, Disruption, NodeClassRef, NodePool
from cutlist.api.built_in import AKS_POOLS, SYSTEM_SURGE, chosen_names
from cutlist.core.labels import ARCH, AZURE_GROUP, CAPACITY_TYPE, ON_DEMAND, OS
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint
from cutlist.providers.azure.labels import MODE, SKU_FAMILY, SYSTEM


def built_in_pools(names: Iterable[str] = AKS_POOLS) -> tuple[NodePool, ...]:
    """Return those of AKS's NodePools that are named, sorted by name. Raises InputError for an unknown name (Z-24)."""
    return tuple(_pool(name) for name in chosen_names(names, AKS_POOLS, "AKS"))


def _pool(name: str) -> NodePool:
    surge = name == SYSTEM_SURGE
    return NodePool(
        name=name,
        node_class=NodeClassRef(group=AZURE_GROUP, kind=AKSNodeClass.KIND, name=name),
        requirements=(
            Expression(ARCH, "In", ("amd64",)),
            Expression(OS, "In", ("linux",)),
            Expression(CAPACITY_TYPE, "In", (ON_DEMAND,)),
            Expression(SKU_FAMILY, "In", ("D",)),
        ),
        labels={MODE: SYSTEM} if surge else None,
        taints=(Taint("CriticalAddonsOnly", "NoSchedule", "true"),) if surge else None,
        expire_after="Never",
        disruption=Disruption(consolidate_after="0s", consolidation_policy="WhenEmptyOrUnderutilized"),
    )


def built_in_class(name: str) -> AKSNodeClass:
    """Return the AKSNodeClass of a built-in NodePool, which has its name."""
    return AKSNodeClass(name=name, image_family="Ubuntu", os_disk_size_gb=128)
