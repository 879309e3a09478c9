"""What NodePools may launch, computed once for all that are alike but for their names and limits."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from cutlist.api.read import NodeClass
from cutlist.core.identity import OncePerObject, SameObject
from cutlist.core.labels import (
    ARCH,
    AUTO_GPU_NAME,
    AUTO_GROUP,
    AWS_GPU_NAME,
    AWS_GROUP,
    AZURE_GPU_NAME,
    AZURE_GROUP,
    ON_DEMAND,
    SPOT,
)
from cutlist.planning.allowed import AllowedTypes, open_offerings
from cutlist.planning.cloud import Cloud, DiskPrices
from cutlist.planning.model.extended import ACCELERATORS
from cutlist.providers.instance_types import InstanceType, Offering

_FAMILIES: Final = (f"{AWS_GROUP}/instance-family", f"{AUTO_GROUP}/instance-family", f"{AZURE_GROUP}/sku-series")
_CATEGORIES: Final = (f"{AWS_GROUP}/instance-category", f"{AUTO_GROUP}/instance-category", f"{AZURE_GROUP}/sku-family")
_GENERATIONS: Final = (f"{AWS_GROUP}/instance-generation", f"{AUTO_GROUP}/instance-generation", f"{AZURE_GROUP}/sku-version")
_GPU_NAMES: Final = (AWS_GPU_NAME, AUTO_GPU_NAME, AZURE_GPU_NAME)
"""The labels of each provider."""
_WITHOUT_PRICE: Final = frozenset(
    (
        *("detailedMonitoring", "instanceProfile", "kubelet", "metadataOptions", "role"),
        *("securityGroupSelectorTerms", "subnetSelectorTerms", "tags", "userData"),
    )
)
"""The members of a node class that have nothing to do with disks."""


class Sold(NamedTuple):
    """A type that a pool may launch, with its allowed offerings."""

    type: InstanceType
    offerings: Sequence[Offering]


@dataclass(frozen=True, slots=True)
class Supply:
    """What a NodePool may launch, whatever its name and limits are: the same for pools of equal requirements and class."""

    sold: tuple[Sold, ...]
    highest_prices: tuple[tuple[InstanceType, float | None], ...]
    families: frozenset[str]
    categories: frozenset[str]
    generations: frozenset[str]
    architectures: frozenset[str]
    zones: tuple[str, ...]
    unpriced: int
    lowered_by: float
    spot_types: int
    on_demand_types: int
    accelerated: bool

    @staticmethod
    def of(allowed: AllowedTypes, cloud: Cloud) -> Supply:
        """Return what a NodePool may launch."""
        sold = tuple(Sold(*type_sold) for type_sold in open_offerings(allowed.types, allowed.wanted, allowed.registry))
        disk_prices = cloud.disk_prices(allowed.node_class)
        families, categories, generations, architectures = (
            _labels(keys, sold) for keys in (_FAMILIES, _CATEGORIES, _GENERATIONS, (ARCH,))
        )
        return Supply(
            sold,
            tuple((type_sold.type, _highest_price(type_sold, disk_prices)) for type_sold in sold),
            families,
            categories,
            generations,
            architectures,
            tuple(sorted({o.zone for type_sold in sold for o in type_sold.offerings if o.zone})),
            sum(_most_expensive(type_sold.offerings) is None for type_sold in sold),
            max((_lowered(o) for type_sold in sold for o in type_sold.offerings), default=0.0),
            _bought_as(SPOT, sold),
            _bought_as(ON_DEMAND, sold),
            bool(sold) and all(_has_accelerator(type_sold.type) for type_sold in sold),
        )

    @property
    def highest_price(self) -> float:
        """Return the highest price of a type, in USD per hour; 0 if no type has one."""
        return max((price for _, price in self.highest_prices if price is not None), default=0.0)

    def highest_per_unit(self, resource: str) -> float | None:
        """Return the highest price of a unit of a resource, in USD per hour and nano; None if a type with a price has none of
        it: such a type can be launched without end, whatever the limit."""
        held = [(price, t.capacity.get(resource, 0)) for t, price in self.highest_prices if price is not None]
        return max(price / amount for price, amount in held) if held and all(amount for _, amount in held) else None


class Supplies:
    """Gives what each NodePool may launch; of equal ones the first alone is computed.

    Labels that no offering has, such as a team's, and what of a node class has no price, such as its tags, make no difference:
    a repository has thousands of NodePools that differ in these alone.
    """

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._known: dict[Hashable, Supply] = {}
        self._keys: dict[SameObject, tuple[str, ...]] = {}
        self._disks: dict[SameObject, str] = {}
        self.highest_per_unit: OncePerObject[float | None] = OncePerObject(Supply.highest_per_unit)

    def of(self, allowed: AllowedTypes) -> Supply:
        """Return what a NodePool may launch."""
        wanted = tuple(allowed.wanted.get(key) for key in self._keys_of(allowed))
        alike = _alike(allowed), self._disks_of(allowed.node_class), allowed.mask, wanted
        if alike not in self._known:
            self._known[alike] = Supply.of(allowed, self._cloud)
        return self._known[alike]

    def _keys_of(self, allowed: AllowedTypes) -> tuple[str, ...]:
        """Return the labels of offerings: no other requirement chooses among the offerings of a type."""
        sold = allowed.instance_types.types.sold
        known = SameObject(sold)
        if known not in self._keys:
            offered = {o.requirements for offerings in sold.offerings for o in offerings}
            self._keys[known] = tuple(sorted({key for requirements in offered for key in requirements}))
        return self._keys[known]

    def _disks_of(self, node_class: NodeClass | None) -> str:
        """Return what of a class may decide the price of a node's disks, as a key."""
        if node_class is None:
            return ""
        same = SameObject(node_class)
        if same not in self._disks:
            spec = node_class.manifest()["spec"]
            self._disks[same] = repr({key: value for key, value in spec.items() if key not in _WITHOUT_PRICE})
        return self._disks[same]


def _alike(allowed: AllowedTypes) -> Hashable:
    """Return what the types of NodePools have in common that have the same prices, and as much of what is limited."""
    types = allowed.instance_types.types
    return SameObject(types.sold), tuple((name, types.amounts.capacity(name)) for name in sorted(allowed.pool.limits))


def _lowered(offering: Offering) -> float:
    """Return by how much an overlay lowers a price, in percent; 0 where none does."""
    if not offering.price_overlaid or not offering.list_price or offering.price is None:
        return 0.0
    return max(0.0, round(100 * (1 - offering.price / offering.list_price), 3))


def _labels(keys: Sequence[str], sold: Iterable[Sold]) -> frozenset[str]:
    """Return the values that types have for any of these labels."""
    requirements = (type_sold.type.requirements.get(key) for type_sold in sold for key in keys)
    return frozenset().union(*(r.values for r in requirements if r is not None and not r.complement))


def _highest_price(sold: Sold, disk_prices: DiskPrices) -> float | None:
    machine, disks = _most_expensive(sold.offerings), disk_prices(sold.type.name)
    return machine + disks.usd_per_hour if machine is not None and disks is not None else machine


def _most_expensive(offerings: Iterable[Offering]) -> float | None:
    """Return the highest price of some offerings, or None if one has no price.

    A NodeOverlay that raises a price represents other costs of a machine, such as a licence.
    """
    costs = [None if o.cost is None else max(o.cost, o.overlay_price or 0.0) for o in offerings]
    known = [cost for cost in costs if cost is not None]
    return max(known) if known and len(known) == len(costs) else None


def _bought_as(capacity_type: str, sold: Iterable[Sold]) -> int:
    return sum(any(o.capacity_type == capacity_type for o in type_sold.offerings) for type_sold in sold)


def _has_accelerator(machine: InstanceType) -> bool:
    """Tell whether a type has an accelerator, or a part of one, which is too little for a device plugin to count."""
    return any(machine.capacity.get(name) for name in ACCELERATORS) or any(
        (named := machine.requirements.get(key)) is not None and not named.is_negative for key in _GPU_NAMES
    )
