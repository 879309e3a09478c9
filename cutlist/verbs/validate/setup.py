"""What traps are looked for in without a plan: NodePools with the machines that they allow, in a region or anywhere."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutlist.api.assumed_classes import AssumedClass
from cutlist.api.external_classes import is_known_class
from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass, Objects
from cutlist.catalog.embedded import all_machines, all_sizes, load_chosen
from cutlist.catalog.machines import Machine
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.catalog.sizes import Size
from cutlist.documents.document import Document
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.planning.traps import PoolSetup, Setup, overlaid_resources
from cutlist.providers.anywhere import types_anywhere
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.inputs import is_ready
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.workloads.read import Workloads


@dataclass(frozen=True, slots=True)
class Sold:
    """Where machines are sold: a region with its catalogue, or anywhere without a region."""

    region: str
    catalog: str | os.PathLike[str] | None

    def here(self) -> AnyRegion | None:
        """Return the region, or None without one. Raises InputError for an unknown one."""
        return load_chosen(self.catalog, self.region) if self.region else None

    def machines(self) -> Mapping[str, Machine]:
        """Return the machines of EC2: all that are known without a region, or for a location of Azure."""
        here = self.here()
        return all_machines() if here is None or is_azure(here) else here.machines

    def sizes(self) -> Mapping[str, Size]:
        """Return the sizes of Azure: all that are known without a region, or for one of AWS."""
        here = self.here()
        return here.machines if here is not None and is_azure(here) else all_sizes()


def setup_of(objects: Objects, workloads: Workloads, documents: Sequence[Document], sold: Sold) -> Setup:
    """Return the input of validation as traps see it. A class that is elsewhere is assumed to be one with defaults."""
    classes = node_classes_by_pool(objects.node_pools, (*objects.node_classes, *objects.aks_node_classes))
    types: dict[tuple[str, str], Sequence[InstanceType]] = {}
    pools = []
    for pool in sorted(filter(is_ready, objects.node_pools), key=lambda pool: pool.name):
        node_class = classes.get(pool.name) or _assumed(pool)
        if node_class is None:
            continue
        key = (node_class.KIND, node_class.name)
        if key not in types:
            types[key] = types_anywhere(node_class, sold.machines, sold.sizes)
        pools.append(PoolSetup.of_types(pool, node_class, types[key]))
    overlaid = overlaid_resources(map(NodeOverlay.of, objects.node_overlays))
    return Setup(tuple(pools), workloads, _readable(documents, workloads), overlaid=overlaid)


def _assumed(pool: NodePool) -> NodeClass | None:
    """Return a class with defaults for a NodePool whose class is elsewhere, or None for a kind that is not known."""
    ref = pool.node_class_ref
    return AssumedClass(ref.name).node_class(ref.kind, ref.name) if is_known_class(ref.group, ref.kind) else None


def _readable(documents: Sequence[Document], workloads: Workloads) -> tuple[Document, ...]:
    """Return the documents if their workloads have no mistake, none otherwise."""
    return tuple(documents) if workloads.groups or workloads.daemons else ()
