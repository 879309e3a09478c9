"""NodePools on Azure checked against images, quotas and unknown facts about sizes (spec: azure 6.1, 6.6, A.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.nodepool import NodePool
from cutlist.catalog.regions import LocationCatalog
from cutlist.catalog.sizes import Size
from cutlist.core.bits import bits
from cutlist.core.labels import AZURE, CAPACITY_TYPE, ON_DEMAND, SPOT
from cutlist.core.notes import Note
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.azure.figures import ALL_QUOTA
from cutlist.planning.model import PlannedNode
from cutlist.planning.pool_findings import named
from cutlist.providers.azure.exclusions import starts
from cutlist.providers.azure.labels import ULTRA_SSD
from cutlist.providers.azure.launch import demands_ultra
from cutlist.providers.azure.observed import SPOT_QUOTA, Observed
from cutlist.providers.azure.offerings import OFFERING_LABELS
from cutlist.providers.azure.profile import NodeProfile
from cutlist.providers.azure.settings import AzureSettings
from cutlist.scheduling.nodeclaimtemplate import pool_requirements
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.read import Workloads


def image_findings(allowed: AllowedTypes, catalog: LocationCatalog, settings: AzureSettings) -> Iterator[Note]:
    """Yield the sizes of a NodePool that no image of its class starts; Karpenter may pick one and fail, over and over."""
    if not isinstance(allowed.node_class, AKSNodeClass) or not allowed.mask:
        return
    profile = NodeProfile.of(allowed.node_class, settings)
    sizes = [catalog.machines[t.name] for t in allowed.types]
    without = [size.name for size in sizes if not starts(size, profile)]
    if without:
        which = "none" if len(without) == len(sizes) else f"not {len(without):,}"
        text = f"NodePool {allowed.pool.name}: the images of AKSNodeClass {allowed.node_class.name} start {which} of its sizes"
        yield Note("no-image", f"{text} ({named(without)}); a claim for one of them never becomes a node")


def quota_findings(allowed: AllowedTypes, catalog: LocationCatalog, observed: Observed) -> Iterator[Note]:
    """Yield the quota families that have too few vCPUs left for sizes that the NodePool would take on demand."""
    on_demand = allowed.wanted.get(CAPACITY_TYPE)
    if not observed.quota_left or (on_demand is not None and not on_demand.has(ON_DEMAND)):
        return
    # The capacity types of a size depend on the quota itself, so they are not checked.
    meant = allowed.instance_types.compatible(allowed.wanted.without(*OFFERING_LABELS))
    sizes = [catalog.machines[allowed.instance_types.types[i].name] for i in bits(meant)]
    short = [size for size in sizes if _is_short(size, observed)]
    if not short:
        return
    left = {size.family: observed.left(size.family) for size in short}
    families = ", ".join(f"{family} ({vcpus} left)" for family, vcpus in sorted(left.items()))
    where = f"NodePool {allowed.pool.name}: quotas of vCPUs leave"
    if len(short) == len(sizes):
        yield Note("quota-used-up", f"{where} none of its sizes on demand: {families}")
        return
    kept = f"{where} {len(sizes) - len(short):,} of {len(sizes):,} of its sizes on demand: {families}"
    yield Note("quota", f"{kept}, too few for {named(size.name for size in short)}")


def _is_short(size: Size, observed: Observed) -> bool:
    left = observed.left(size.family) if size.family else None
    return left is not None and left < size.vcpus


def quota_warnings(catalog: LocationCatalog, observed: Observed, nodes: Sequence[PlannedNode]) -> list[Note]:
    """Return the quotas that all nodes of a plan together exceed; nodes beyond a quota fail to launch."""
    wanted: dict[str, int] = {}
    for node in nodes:
        size = catalog.machines[node.instance_type]
        for quota in (size.family if node.capacity_type == ON_DEMAND else SPOT_QUOTA, ALL_QUOTA):
            wanted[quota] = wanted.get(quota, 0) + node.count * size.vcpus
    warnings = []
    for quota, vcpus in sorted(wanted.items()):
        left = observed.left(quota) if quota else None
        if left is not None and vcpus > left:
            kind = SPOT if quota == SPOT_QUOTA else "all" if quota == ALL_QUOTA else "on-demand"
            text = f"{kind} nodes of the plan have {vcpus} vCPUs of the quota {quota}, which has {left} left"
            warnings.append(Note("quota-exceeded", f"{text}; the last of them fail to launch and other sizes are tried"))
    return warnings


def ultra_warnings(pools: Iterable[NodePool], workloads: Workloads) -> list[Note]:
    """Return a warning for workloads that need ultra disks and so get no node: no record says which sizes support them (spec:
    azure A.4)."""
    asking = [f"NodePool {pool.name}" for pool in pools if demands_ultra(pool_requirements(pool, AZURE))]
    asking += [group.workload for group in workloads.groups if demands_ultra(strict_requirements(group.pod, AZURE))]
    if not asking:
        return []
    text = (
        f"which sizes take ultra disks in which zone is not known, so none is assumed to, and {named(asking)} finds none here"
    )
    return [Note("ultra-disks-unknown", f"{text}: a node with {ULTRA_SSD} may still come")]
