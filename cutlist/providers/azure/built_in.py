"""The objects that AKS creates with Node Auto Provisioning: two NodePools, and two classes (spec: azure 2.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.built_in import AKS_CLASSES, AKS_POOLS, SYSTEM_SURGE, chosen_names
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import Disruption, NodeClassRef
from cutlist.api.read import NodeClass
from cutlist.core.labels import ARCH, AZURE_GROUP, CAPACITY_TYPE, ON_DEMAND, OS
from cutlist.core.requirement import Expression
from cutlist.core.services import AKS, BASE, BuiltInPool
from cutlist.core.taints import Taint
from cutlist.providers.azure.labels import MODE, SKU_FAMILY, SYSTEM, USER

_GB: Final = 128
_VNET: Final = "VnetDNS"
_PODS: Final = "ClusterCoreDNS"


def built_in_pools(names: Iterable[str] = AKS_POOLS) -> tuple[NodePool, ...]:
    """Return those of AKS's NodePools that are named, sorted by name. Raises InputError for an unknown name (Z-24)."""
    known = {pool.name: pool for pool in AKS.pools}
    return tuple(_pool(known[name]) for name in chosen_names(names, AKS_POOLS, "AKS"))


def _pool(made: BuiltInPool) -> NodePool:
    """Return a NodePool as AKS makes it since 2026-07-17: each has the label of its mode, so that no pod of the cluster's own
    software makes a node for users (Z-75)."""
    surge = made.name == SYSTEM_SURGE
    return NodePool(
        name=made.name,
        node_class=NodeClassRef(group=AZURE_GROUP, kind=AKSNodeClass.KIND, name=made.class_name),
        requirements=(
            Expression(ARCH, "In", ("amd64",)),
            Expression(OS, "In", ("linux",)),
            Expression(CAPACITY_TYPE, "In", (ON_DEMAND,)),
            Expression(SKU_FAMILY, "In", ("D",)),
        ),
        labels={MODE: SYSTEM if surge else USER},
        taints=(Taint("CriticalAddonsOnly", "NoSchedule", "true"),) if surge else None,
        expire_after="Never",
        disruption=Disruption(consolidate_after="0s", consolidation_policy="WhenEmptyOrUnderutilized"),
    )


def built_in_class(name: str, sku: str = BASE) -> AKSNodeClass:
    """Return an AKSNodeClass that AKS makes in a cluster of a SKU (Z-76)."""
    form = next(form for form in AKS.class_forms if form.sku == sku)
    spec: dict[str, Any] = {"imageFamily": form.image_family, "osDiskSizeGB": _GB}
    if form.local_dns:
        spec["localDNS"] = {
            "mode": form.local_dns,
            "vnetDNSOverrides": [_override(".", _VNET), _override("cluster.local", _PODS)],
            "kubeDNSOverrides": [_override(".", _PODS), _override("cluster.local", _PODS)],
        }
    return AKSNodeClass.from_manifest(
        {"apiVersion": f"{AZURE_GROUP}/v1beta1", "kind": AKSNodeClass.KIND, "metadata": {"name": name}, "spec": spec}
    )


def made_classes(pools: Iterable[NodePool], classes: Iterable[NodeClass], sku: str) -> Iterator[AKSNodeClass]:
    """Yield the classes that NodePools refer to, that AKS makes in a cluster of a SKU, and that are not given."""
    given = {(c.KIND, c.name) for c in classes}
    names = {p.node_class_ref.name for p in pools if p.node_class_ref.group == AZURE_GROUP}
    yield from (built_in_class(n, sku) for n in sorted(names & set(AKS_CLASSES)) if (AKSNodeClass.KIND, n) not in given)


def _override(zone: str, destination: str) -> dict[str, Any]:
    """Return how names of a zone are resolved by AKS's default: those of the cluster by CoreDNS, others by the network."""
    return {
        "zone": zone,
        "queryLogging": "Error",
        "protocol": "PreferUDP" if zone == "." else "ForceTCP",
        "forwardDestination": destination,
        "forwardPolicy": "Sequential",
        "maxConcurrent": 1000,
        "cacheDuration": "3600s",
        "serveStaleDuration": "3600s",
        "serveStale": "Immediate",
    }
