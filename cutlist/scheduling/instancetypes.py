"""Instance types as bits: a set of types is one integer, and a query about types is an `&` of a few of them.

Bit i is the i-th type of the list the index was built from. Amounts are integers in nano-units.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Final, cast

from cutlist.core.bits import bits
from cutlist.core.identity import SameObject
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.min_values import counted_values
from cutlist.providers.type_list import SoldTypeList, TypeList, type_list
from cutlist.scheduling.declared_labels import DeclaredLabels
from cutlist.scheduling.resource_thresholds import AllocatableLayer, PlainLayer, ResourceThreshold, threshold_of
from cutlist.scheduling.sold_types import SoldTypes

_Bought = tuple[tuple[int, list[Offering]], ...]
_IsSold = Callable[[Offering], bool]
LAUNCH_ORDER: Final = (RESERVED, SPOT, ON_DEMAND)
"""The capacity types in the order in which a launch prefers them."""


class InstanceTypeIndex:
    """A list of instance types, indexed by the properties that scheduling looks for.

    Of types outside `relevant`, which no NodePool may launch, only names and labels are indexed: they are in no layer, and no
    price and no amount of them is known.
    """

    __slots__ = (
        "_capacity",
        "_limited",
        "_offered",
        "_prices",
        "_reserved",
        "_worst",
        "by_name",
        "everything",
        "has_reserved",
        "karpenter",
        "labels",
        "layers",
        "numbers",
        "offering_keys",
        "relevant",
        "sold",
        "types",
        "well_known",
    )

    def __init__(
        self,
        types: Sequence[InstanceType],
        well_known: frozenset[str],
        karpenter: Baseline = DEFAULT,
        launched: Collection[Requirements] | None = None,
    ) -> None:
        """Index types. If `launched` are the requirements of all claims that the index is used for, types that are compatible
        with none of them are not relevant."""
        self.types = type_list(types)
        self.karpenter = karpenter
        self.well_known = well_known
        self.numbers, self.by_name = self.types.sold.numbers, self.types.sold.by_name
        self.labels = DeclaredLabels.of(self.types)
        self.everything = self.labels.everything
        self.relevant = self.everything if launched is None else reduce(or_, map(self.compatible, launched), 0)
        replace = karpenter.does(Behaviour.OFFERING_OVERRIDES_REPLACE)
        self.sold = SoldTypes.of(self.types.sold, self.relevant)
        self.layers = _layers(self.types, self.relevant, self.sold, overrides_replace=replace)
        offers = {o for layer in self.layers for o in layer.offers}
        self.offering_keys = tuple(sorted({key for o in offers for key in o}))
        self.has_reserved = any(CAPACITY_TYPE in o and o[CAPACITY_TYPE].has(RESERVED) for o in offers)
        limited = karpenter.does(Behaviour.ATTACH_LIMITS_ON_NEW_CLAIMS)
        self._limited = _attach_limits(self.types.sold) if limited else {}
        self._offered: dict[tuple[Requirement | None, ...], tuple[int, ...]] = {}
        self._capacity: dict[str, ResourceThreshold] = {}
        self._prices: dict[tuple[Requirement | None, ...], Mapping[int, float]] = {}
        self._worst: dict[tuple[Requirement | None, ...], dict[int, float]] = {}
        self._reserved: tuple[tuple[int, Offering], ...] | None = None

    def named(self, names: Iterable[str]) -> int:
        """Return the types of these names, as far as they are in the list."""
        return reduce(or_, (1 << self.numbers[name] for name in names if name in self.numbers), 0)

    def declared(self, key: str) -> dict[Requirement, int]:
        """Return what the types declare about a label: each distinct requirement with the types that have it."""
        return self.labels.declared(key)

    def matching(self, wanted: Requirement) -> int:
        """Return the types that may have a label as wanted; a type that declares nothing about the label passes (spec 2.6)."""
        return self.labels.matching(wanted)

    def compatible(self, wanted: Requirements) -> int:
        """Return the types whose labels are compatible with all requirements."""
        return self.labels.compatible(wanted)

    def offered(self, wanted: Requirements) -> tuple[int, ...]:
        """Return for each layer the types that have an available offering compatible with the requirements."""
        # Most requirements are about keys that no offering has; sets that differ only in those have one answer.
        relevant = tuple(wanted.get(key) for key in self.offering_keys)
        cached = self._offered.get(relevant)
        if cached is None:
            cached = self._offered[relevant] = tuple(self._offered_in(layer, wanted) for layer in self.layers)
        return cached

    def _offered_in(self, layer: AllocatableLayer, wanted: Requirements) -> int:
        mask = 0
        for offer, types in layer.offers.items():
            if mask | types != mask and wanted.compatible(offer, self.well_known):  # some of its types are not found yet
                mask |= types
        return mask

    def holding(self, amounts: Mapping[str, int]) -> int:
        """Return the types with at least this much for pods, in any layer."""
        holding = 0
        for layer in self.layers:
            fitting = layer.alive
            for resource, amount in amounts.items():
                fitting &= layer.threshold(resource).at_least(amount)
            holding |= fitting
        return holding

    def within_capacity(self, resource: str, limit: int) -> int:
        """Return the types whose whole capacity of a resource is at most this; without the resource it is 0 (S-70)."""
        return self._capacities(resource).at_most(limit)

    def largest_capacity(self, resource: str, mask: int) -> int:
        """Return the most of a resource that any of some types has, or 0 for none."""
        return self._capacities(resource).largest(mask) or 0

    def _capacities(self, resource: str) -> ResourceThreshold:
        cached = self._capacity.get(resource)
        if cached is None:
            column, less = self.types.amounts.capacity(resource)
            cached = self._capacity[resource] = threshold_of(column, self.relevant).less(less)
        return cached

    def distinct_values(self, wanted: Requirement, mask: int) -> int:
        """Return how many values some types declare for a label that a claim restricts: all of them (S-78), or only those that
        the claim allows (V15-1)."""
        # Values are united over the types that are left: minValues counts distinct values, not types.
        declared = frozenset[str]().union(*(r.values for r, types in self.declared(wanted.key).items() if types & mask))
        return len(counted_values(declared, wanted, self.karpenter))

    @property
    def limits_attachments(self) -> bool:
        """Tell whether some type limits how many volumes are attached, and this Karpenter obeys that."""
        return bool(self._limited)

    def attaching(self, volumes: Mapping[str, int]) -> int:
        """Return the types that may attach this many volumes of each CSI driver (V15-12)."""
        mask = self.everything
        for driver, count in volumes.items():
            for limit, types in self._limited.get(driver, {}).items():
                if limit < count:
                    mask &= ~types
        return mask

    def attach_limits_of(self, instance_type: str) -> Mapping[str, int]:
        """Return the limits of a type by driver, if this Karpenter obeys them; none for an unlisted type."""
        number = self.numbers.get(instance_type)
        return self.types[number].attach_limits if self._limited and number is not None else {}

    @property
    def reserved(self) -> tuple[tuple[int, Offering], ...]:
        """Return the reserved offerings, available or not, each with the number of its type."""
        if self._reserved is None:
            self._reserved = tuple((index, o) for index in self.types.sold.reserving for o in self.types[index].reserved)
        return self._reserved

    def prices(self, wanted: Requirements) -> Mapping[int, float]:
        """Return by type the lowest known price of an available offering compatible with the requirements (S-119)."""
        relevant = tuple(wanted.get(key) for key in self.offering_keys)
        cached = self._prices.get(relevant)
        if cached is None:
            cached = self._prices[relevant] = _lowest_prices(SameObject(self._bought_as(wanted)))
        return cached

    def worst_prices(self, wanted: Requirements) -> Mapping[int, float]:
        """Return by type the highest price at which it may be launched (spec: disruption 5.3).

        That is the most expensive offering of the first available capacity type: reserved, spot, on-demand.
        """
        relevant = tuple(wanted.get(key) for key in self.offering_keys)
        cached = self._worst.get(relevant)
        if cached is None:
            cached = self._worst[relevant] = {}
            for index, offerings in self._bought_as(wanted):
                sold = {o.capacity_type for o in offerings}
                # The launch tries one capacity type after the other, so more expensive ones behind the first do not count.
                first = next((kind for kind in LAUNCH_ORDER if kind in sold), None)
                prices = [o.price or 0.0 for o in offerings if o.capacity_type == first]
                if prices:
                    cached[index] = max(prices)
        return cached

    def _bought_as(self, wanted: Requirements) -> _Bought:
        """Return by type the available offerings that are compatible with the requirements, without full reservations where
        these are listed as available (V15-4)."""
        sold = launchable if self.karpenter.does(Behaviour.RESERVATION_FULL_IS_AVAILABLE) else available
        usable = frozenset(o for layer in self.layers for o in layer.offers if wanted.compatible(o, self.well_known))
        return _bought(self.types.sold, self.relevant, usable, sold)


@lru_cache(maxsize=64)
def _bought(sold: SoldTypeList, relevant: int, usable: frozenset[Requirements], is_sold: _IsSold) -> _Bought:
    """Return the same for all node classes that sell alike."""
    open_ones = ((i, [o for o in sold.offerings[i] if is_sold(o) and o.requirements in usable]) for i in bits(relevant))
    return tuple((index, offerings) for index, offerings in open_ones if offerings)


@lru_cache(maxsize=64)
def _lowest_prices(bought: SameObject) -> Mapping[int, float]:
    """Return by type the lowest known price of its offerings."""
    prices = ((index, [o.price for o in offerings if o.price is not None]) for index, offerings in cast("_Bought", bought.of))
    return {index: min(known) for index, known in prices if known}


def available(offering: Offering) -> bool:
    """Tell whether an offering is listed as available."""
    return offering.available


def launchable(offering: Offering) -> bool:
    """Tell whether a node can be launched with an offering now."""
    return offering.launchable


def _attach_limits(sold: SoldTypeList) -> dict[str, dict[int, int]]:
    """Return for each CSI driver the types by their limit."""
    limits: dict[str, dict[int, int]] = {}
    for index, by_driver in sold.attach_limits.items():
        for driver, limit in by_driver.items():
            by_limit = limits.setdefault(driver, {})
            by_limit[limit] = by_limit.get(limit, 0) | 1 << index
    return limits


def _layers(types: TypeList, relevant: int, sold: SoldTypes, *, overrides_replace: bool) -> tuple[AllocatableLayer, ...]:
    layers: list[AllocatableLayer] = [PlainLayer(types, relevant, sold.plain)]
    # A type has one entry for each kind of overrides; layer n holds the nth kind of every type, so layers stay few.
    for depth in range(max(map(len, sold.changing.values()), default=0)):
        amounts: dict[int, Mapping[str, int]] = {}
        offers: dict[Requirements, int] = {}
        for index, kinds in sold.changing.items():
            if depth < len(kinds):
                amounts[index] = types[index].allocatable(kinds[depth][0], overrides_replace=overrides_replace)
                for o in kinds[depth]:
                    offers[o.requirements] = offers.get(o.requirements, 0) | 1 << index
        layers.append(AllocatableLayer(amounts, offers))
    return tuple(layers)


class InstanceTypeIndexes:
    """The types of NodePools by name. Each list of types is indexed when it is first needed.

    Pools that share a list share the index, with all that is cached in it; so do the latest plans of a process. With
    `launched`, the requirements of new claims by NodePool, types that no pool may launch are indexed by name and labels alone.
    """

    __slots__ = ("_cached", "_launched", "karpenter", "types")

    def __init__(
        self,
        types: Mapping[str, Sequence[InstanceType]],
        karpenter: Baseline = DEFAULT,
        launched: Mapping[str, Requirements] | None = None,
    ) -> None:
        self.types = types
        self.karpenter = karpenter
        self._launched: dict[SameObject, set[Requirements]] = {}
        for pool, requirements in (launched or {}).items():
            self._launched.setdefault(SameObject(types.get(pool, ())), set()).add(requirements)
        self._cached: dict[tuple[SameObject, frozenset[str]], InstanceTypeIndex] = {}

    def of(self, pool: str, well_known: frozenset[str]) -> InstanceTypeIndex:
        """Return the index of a NodePool whose controller knows these labels, or an empty one for a pool that has no types."""
        listed = self.types.get(pool, ())
        key = SameObject(listed), well_known  # equal lists that are not the same object are rare, and comparing them is costly
        cached = self._cached.get(key)
        if cached is None:
            launched = self._launched.get(SameObject(listed))
            of_pools = None if launched is None else frozenset(launched)
            cached = self._cached[key] = _index(SameObject(listed), well_known, self.karpenter, of_pools)
        return cached


@lru_cache(maxsize=1024)
def _index(
    listed: SameObject, well_known: frozenset[str], karpenter: Baseline, launched: frozenset[Requirements] | None
) -> InstanceTypeIndex:
    return InstanceTypeIndex(cast("Sequence[InstanceType]", listed.of), well_known, karpenter, launched)
