"""The instance types that NodePools allow, and findings about NodePools that do not depend on pods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.catalog.ages import PRICE_AGE, PriceAge
from cutlist.catalog.prices import Price
from cutlist.core.notes import Note, notes_in_order
from cutlist.core.records import HIDDEN, SPARSE, After, Key, computed
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.planning.allowed import AllowedTypes as AllowedPool
from cutlist.planning.allowed import allowed_types, launched_requirements, pool_types
from cutlist.planning.cloud import Cloud
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PoolTypes
from cutlist.planning.model.os_disk import OsDisk
from cutlist.planning.notes import node_pool_notes
from cutlist.planning.pool_types import instance_types_by_pool, node_classes_by_pool
from cutlist.planning.services import service_notes
from cutlist.scheduling.instancetypes import InstanceTypeIndexes


@dataclass(frozen=True, slots=True)
class AllowedTypes:
    """Which instance types each NodePool allows, cheapest first.

    At most `limit` of each NodePool are listed, 0 for all; `notes` are findings about the NodePools.
    """

    region: str
    pools: Annotated[tuple[PoolTypes, ...], HIDDEN]
    notes: Annotated[tuple[Note, ...], Key("findings")] = ()
    limit: Annotated[int, HIDDEN] = 0
    price_age: Annotated[PriceAge | None, SPARSE, PRICE_AGE] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="region")
    def listed(self) -> Annotated[tuple[PoolTypes, ...], Key("nodePools")]:
        """Return the NodePools with the types that are listed."""
        if not self.limit:
            return self.pools
        return tuple(PoolTypes(pool.node_pool, pool.types[: self.limit], pool.total) for pool in self.pools)


def types(inputs: PlanInputs) -> tuple[PoolTypes, ...]:
    """Return the instance types that each NodePool may launch, cheapest first, by name of the NodePool.

    >>> from cutlist import EC2NodeClass, NodePool, plan_inputs, types
    >>> default = EC2NodeClass(name="default", role="KarpenterNodeRole-demo", ami="al2023@latest", discovery="demo")
    >>> two_types = {"node.kubernetes.io/instance-type": ["m5.large", "c5.large"]}
    >>> small = NodePool(name="small", node_class=default, requirements=two_types)
    >>> (allowed,) = types(plan_inputs([small], region="us-west-2"))
    >>> [(row.name, row.on_demand.usd_per_hour) for row in allowed.types]
    [('c5.large', 0.085), ('m5.large', 0.096)]
    """
    classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
    allowed = allowed_types(inputs.node_pools, _indexes(inputs), classes)
    return tuple(pool_types(pool, _os_disks(pool, inputs.cloud)) for pool in allowed)


def _os_disks(pool: AllowedPool, cloud: Cloud) -> Callable[[str], tuple[OsDisk | None, Price | None]]:
    """Return what gives the OS disk of a NodePool's types and its price, where that depends on the type."""
    disks, prices = cloud.os_disks(pool.node_class), cloud.disk_prices(pool.node_class)
    return lambda name: (None, None) if (disk := disks(name)) is None else (disk, prices(name))


def pool_notes(inputs: PlanInputs) -> tuple[Note, ...]:
    """Return findings about NodePools and node classes that do not depend on pods; a plan has them among its notes."""
    classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
    return notes_in_order([*inputs.warnings, *service_notes(inputs), *node_pool_notes(inputs, _indexes(inputs), classes)])


def _indexes(inputs: PlanInputs) -> InstanceTypeIndexes:
    types = instance_types_by_pool(inputs.node_pools, inputs.node_classes, inputs.cloud)
    return InstanceTypeIndexes(types, inputs.options.karpenter, launched_requirements(inputs.node_pools))
