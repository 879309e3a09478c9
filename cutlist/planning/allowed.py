"""The instance types that a NodePool may launch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass
from cutlist.catalog.prices import Price
from cutlist.core.identity import SameObject
from cutlist.core.labels import ON_DEMAND, SPOT, LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.devices.slices import DynamicResources
from cutlist.planning.controllers import registry_of
from cutlist.planning.model import PoolTypes, TypeRow
from cutlist.planning.model.os_disk import OsDisk
from cutlist.planning.model.pool_types import DeviceCount
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.type_list import ChosenTypes
from cutlist.scheduling.instancetypes import InstanceTypeIndex, InstanceTypeIndexes
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements, prefilter

_PRODUCT: Final = "productName"
"""The attribute by which drivers name the product of a device."""


@dataclass(frozen=True, slots=True)
class AllowedTypes:
    """A NodePool with the types of its node class; `mask` are those that it may launch, and `types` the same as a list, which
    all NodePools with the same types share.

    `wanted` are the requirements of a new claim; `node_class` is None when it is not in the input.
    """

    pool: NodePool
    node_class: NodeClass | None
    instance_types: InstanceTypeIndex
    wanted: Requirements
    registry: LabelRegistry
    mask: int
    types: ChosenTypes


def launched_requirements(pools: Iterable[NodePool]) -> dict[str, Requirements]:
    """Return the requirements of a new claim of each NodePool, by its name."""
    return {pool.name: fresh_requirements(pool, registry_of((pool,))) for pool in pools}


def allowed_types(
    pools: Iterable[NodePool], indexes: InstanceTypeIndexes, classes: Mapping[str, NodeClass]
) -> list[AllowedTypes]:
    """Return the types that each NodePool may launch, by name. `indexes` and `classes` are by NodePool."""
    allowed = []
    shared: dict[tuple[SameObject, int], ChosenTypes] = {}
    for pool in sorted(pools, key=lambda p: p.name):
        registry = registry_of((pool,))
        index, wanted = indexes.of(pool.name, registry.well_known), fresh_requirements(pool, registry)
        mask = prefilter(index, wanted)
        alike = SameObject(index), mask
        if alike not in shared:
            shared[alike] = ChosenTypes(index.types, mask)
        allowed.append(AllowedTypes(pool, classes.get(pool.name), index, wanted, registry, mask, shared[alike]))
    return allowed


def pool_types(allowed: AllowedTypes, os_disk: Callable[[str], tuple[OsDisk | None, Price | None]]) -> PoolTypes:
    """Return the types of a NodePool, cheapest first, with the amounts that pods may use and both prices.

    `os_disk` has by the name of a type the OS disk of its nodes and the price of it, if it depends on the type.
    """
    rows = [
        _row(t, offerings, *os_disk(t.name)) for t, offerings in open_offerings(allowed.types, allowed.wanted, allowed.registry)
    ]
    rows.sort(key=lambda r: (min((p.usd_per_hour or inf for p in (r.on_demand, r.spot) if p), default=inf), r.name))
    return PoolTypes(allowed.pool.name, tuple(rows), len(rows))


def _row(t: InstanceType, offerings: Sequence[Offering], os_disk: OsDisk | None, disk_price: Price | None) -> TypeRow:
    return TypeRow(
        name=t.name,
        cpu=t.capacity.get("cpu", 0),
        memory=t.capacity.get("memory", 0),
        allocatable=dict(sorted(t.allocatable().items())),
        zones=tuple(sorted({o.zone for o in offerings})),
        on_demand=_lowest(offerings, ON_DEMAND),
        spot=_lowest(offerings, SPOT),
        os_disk=os_disk,
        os_disk_price=disk_price,
        devices=tuple(_devices(t.dynamic_resources)) or None,
    )


def _devices(resources: DynamicResources) -> Iterator[DeviceCount]:
    """Yield the devices of a type by driver, in order; the product is named where all are of the same."""
    for driver, count in sorted(resources.counts().items()):
        listed = [device for template in resources.slices if template.driver == driver for device in template.devices]
        products = {device.attributes[_PRODUCT].value for device in listed if _PRODUCT in device.attributes}
        yield DeviceCount(driver, count, str(*products) if len(products) == 1 else "")


def _lowest(offerings: Iterable[Offering], capacity_type: str) -> Price | None:
    """Return what the offering costs that Karpenter ranks first, or None if it is unknown."""
    priced = [o for o in offerings if o.capacity_type == capacity_type and o.price is not None]
    cheapest = min(priced, key=lambda o: o.price or 0.0, default=None)
    return None if cheapest is None else cheapest.paid


def open_offerings(
    types: Iterable[InstanceType], requirements: Requirements, registry: LabelRegistry
) -> Iterator[tuple[InstanceType, list[Offering]]]:
    """Yield types, each with its available offerings that the requirements allow."""
    allows: dict[Requirements, bool] = {}  # thousands of offerings share a dozen sets of labels
    for t in types:
        offerings = []
        for o in t.offerings:
            if o.available:
                if o.requirements not in allows:
                    allows[o.requirements] = requirements.compatible(o.requirements, registry.well_known)
                if allows[o.requirements]:
                    offerings.append(o)
        yield t, offerings
