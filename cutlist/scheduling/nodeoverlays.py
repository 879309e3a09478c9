"""NodeOverlays: prices and capacity that replace those of the cloud (spec: scheduling 3.8; S-43 to S-46)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, cast

from cutlist.api import nodeoverlay
from cutlist.api.nodeoverlay_rules import managed_resources
from cutlist.api.nodepool import NodePool
from cutlist.api.terms import term_problems
from cutlist.core.bits import bits
from cutlist.core.identity import SameObject
from cutlist.core.labels import NODEPOOL, LabelRegistry
from cutlist.core.requirement import Expression, Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType, Offering

CONFLICT: Final = "conflict with another overlay"

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class NodeOverlay:
    """A NodeOverlay as scheduling sees it.

    `price` is the text of `price` or `priceAdjustment`, empty for none; `capacity` is in nano-units.
    """

    name: str
    requirements: tuple[Expression, ...] = ()
    price: str = ""
    capacity: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    weight: int = 0

    @staticmethod
    def of(overlay: nodeoverlay.NodeOverlay) -> NodeOverlay:
        """Return scheduling's view of an overlay object."""
        return NodeOverlay(
            overlay.name,
            overlay.requirements,
            overlay.price or overlay.price_adjustment or "",
            {resource: amount.nanos for resource, amount in overlay.capacity.items()},
            overlay.weight,
        )

    def problems(self, registry: LabelRegistry) -> list[str]:
        """Return why the controller ignores the overlay as a whole, or an empty list if it does not.

        The object was checked against all other rules when it was read; which keys and resources are accepted depends on the
        controller.
        """
        problems = [problem for e in self.requirements for problem in term_problems(e, registry)]
        return problems + [text for _, text in managed_resources(self.capacity, registry)]


@dataclass(frozen=True, slots=True)
class OverlaidTypes:
    """Each NodePool's instance types with overlays applied, and the reason for each overlay without any effect."""

    types: Mapping[str, Sequence[InstanceType]]
    rejected: Mapping[str, str] = field(default_factory=dict)


def overlay(
    overlays: Iterable[NodeOverlay],
    pools: Iterable[NodePool],
    types: Mapping[str, Sequence[InstanceType]],
    registry: LabelRegistry,
) -> OverlaidTypes:
    """Apply overlays to the types of all NodePools: those of higher weight first, then in reverse alphabetical order.

    Pools that shared a list and get the same changes share the new one. The latest answers of a process are kept: a plan asks
    again for each further price of its nodes, and a search for NodePools that differ in their requirements, which no overlay
    sees (spec 3.8).
    """
    given = tuple(pools)
    listed = tuple(SameObject(types.get(pool.name, ())) for pool in given)
    named = tuple((pool.name, frozenset(pool.labels.items())) for pool in given)
    changed, rejected = _overlaid(tuple(map(SameObject, overlays)), named, listed, SameObject(registry))
    return OverlaidTypes({**types, **changed}, rejected)


_NameAndLabels = tuple[str, frozenset[tuple[str, str]]]
"""All of a NodePool that an overlay sees besides its types."""


@lru_cache(maxsize=8)
def _overlaid(
    overlays: tuple[SameObject, ...], pools: tuple[_NameAndLabels, ...], listed: tuple[SameObject, ...], registry: SameObject
) -> tuple[Mapping[str, Sequence[InstanceType]], Mapping[str, str]]:
    """Return the changed types of NodePools, which have the listed ones, and why overlays are rejected."""
    known = cast("LabelRegistry", registry.of)
    overlaid_pools = [
        _OverlaidPool(name, dict(labels), cast("Sequence[InstanceType]", types.of), known)
        for (name, labels), types in zip(pools, listed, strict=True)
    ]
    rejected: dict[str, str] = {}
    given = [cast("NodeOverlay", node_overlay.of) for node_overlay in overlays]
    for node_overlay in sorted(sorted(given, key=lambda o: o.name, reverse=True), key=lambda o: -o.weight):
        problems = node_overlay.problems(known)
        if problems:
            rejected[node_overlay.name] = "; ".join(problems)
            continue
        wanted = Requirements.of_expressions(node_overlay.requirements, known)
        # All pools are asked before any is changed: a conflict in one of them rejects the overlay as a whole.
        matches = [(overlaid, overlaid.matching(wanted)) for overlaid in overlaid_pools]
        if any(overlaid.conflicts(node_overlay, matched) for overlaid, matched in matches):
            rejected[node_overlay.name] = CONFLICT
            continue
        for overlaid, matched in matches:
            overlaid.store(node_overlay, matched)
    shared: dict[tuple[SameObject, tuple[_Update, ...]], Sequence[InstanceType]] = {}
    changed = {}
    for overlaid in overlaid_pools:
        key = SameObject(overlaid.types), overlaid.updates()
        if key not in shared:
            shared[key] = overlaid.applied()
        changed[overlaid.name] = shared[key]
    return changed, rejected


def adjusted_price(price: float, change: str) -> float:
    """Return a price after an overlay's `price` or `priceAdjustment`.

    Text without a sign replaces the price, `+0.5` and `-0.5` add, `+10%` and `-10%` multiply; an adjusted price never falls
    below 0. An empty text changes nothing. Raises ValueError for text that is not a number, which validated overlays never
    have.
    """
    if not change:
        return price
    if change[0] not in "+-":
        return float(change)
    by = float(change.removesuffix("%"))
    adjusted = price * (1 + by / 100) if change.endswith("%") else price + by
    return adjusted if adjusted >= 0 else 0.0


_Update = tuple[int, tuple[tuple[str, str], ...], tuple[tuple[str, int], ...]]
_Matched = Mapping[int, Sequence[Offering]]


@dataclass(slots=True)
class _Change:
    """The effect of overlays on one type of one NodePool.

    `prices` are price texts with their weights, by the printed requirements of the offering, by which Karpenter distinguishes
    offerings. `capacities` are those of the overlays as they were applied; of the last one the weight counts as well.
    """

    prices: dict[str, tuple[str, int]] = field(default_factory=dict)
    capacities: list[Mapping[str, int]] = field(default_factory=list)
    capacity_weight: int | None = None

    @property
    def capacity(self) -> dict[str, int]:
        """Return the amounts: one that was set before wins, since overlays come by descending weight."""
        return {resource: amount for of in reversed(self.capacities) for resource, amount in of.items()}

    def applied(self, t: InstanceType) -> InstanceType:
        return replace(
            t,
            capacity={**t.capacity, **self.capacity},
            offerings=tuple(map(self._priced, t.offerings)),
            capacity_overlaid=t.capacity_overlaid or bool(self.capacities),
        )

    def _priced(self, offering: Offering) -> Offering:
        """Return an offering that is ranked by its new price, and among equal prices as before (Z-52). Karpenter's copy loses
        the overrides of the offering's capacity (spec 3.8)."""
        change, _ = self.prices.get(str(offering.requirements), ("", 0))
        if not change:
            return offering
        # An adjustment of an unknown price is unknown; a replacement is not.
        known = offering.price is not None or change[0] not in "+-"
        return Offering(
            offering.requirements,
            adjusted_price(offering.price or 0.0, change) if known else None,
            offering.available,
            offering.reservation_capacity,
            price_overlaid=True,
            basis=offering.basis,
            fee=offering.fee,
            list_price=offering.list_price if offering.price_overlaid else offering.price,
            rank=offering.rank,
        )


class _OverlaidPool:
    """A NodePool with its types, and the changes that overlays make so far."""

    __slots__ = ("_changes", "_held", "_indexes", "_well_known", "name", "types")

    def __init__(self, name: str, labels: Mapping[str, str], types: Sequence[InstanceType], registry: LabelRegistry) -> None:
        self.name = name
        self.types = types
        own = Requirements((Requirement(NODEPOOL, False, frozenset((name,))),))
        self._held = own & Requirements.of_labels(labels, registry)
        self._well_known = registry.well_known
        self._changes: dict[int, _Change] = {}
        self._indexes: dict[str, tuple[dict[str, int], int]] = {}

    def matching(self, wanted: Requirements) -> _Matched:
        """Return the types that an overlay concerns, each with the offerings that it means, available or not."""
        offers: dict[Requirements, bool] = {}
        matches = {}
        for index in bits(self._candidates(wanted)):
            t = self.types[index]
            if self._labels_match(t, wanted):
                for o in t.offerings:
                    if o.requirements not in offers:
                        offers[o.requirements] = wanted.compatible(o.requirements, self._well_known)
                matching = [o for o in t.offerings if offers[o.requirements]]
                if matching:
                    matches[index] = matching
        return matches

    def conflicts(self, node_overlay: NodeOverlay, matched: _Matched) -> bool:
        """Tell whether an overlay of the same weight has set something that this one would set as well (S-44)."""
        for index, offerings in matched.items():
            change = self._changes.get(index)
            if change is None:
                continue
            weights = (change.prices.get(str(o.requirements), ("", None))[1] for o in offerings)
            if node_overlay.price and any(weight == node_overlay.weight for weight in weights):
                return True
            is_equal = change.capacity_weight == node_overlay.weight
            if is_equal and not change.capacities[-1].keys().isdisjoint(node_overlay.capacity):
                return True
        return False

    def store(self, node_overlay: NodeOverlay, matched: _Matched) -> None:
        """Record what an overlay changes: the first one to set a value wins (S-45, S-46)."""
        for index, offerings in matched.items():
            change = self._changes.setdefault(index, _Change())
            if node_overlay.price:
                for printed in {str(o.requirements) for o in offerings}:
                    # The earlier price stays, but takes over the weight: so a third overlay conflicts with the latest one only.
                    price, _ = change.prices.get(printed, (node_overlay.price, 0))
                    change.prices[printed] = price, node_overlay.weight
            if node_overlay.capacity:
                change.capacities.append(node_overlay.capacity)
                change.capacity_weight = node_overlay.weight

    def updates(self) -> tuple[_Update, ...]:
        """Return all changes in a form that can be compared."""
        return tuple(
            (i, tuple(sorted((o, text) for o, (text, _) in c.prices.items())), tuple(sorted(c.capacity.items())))
            for i, c in sorted(self._changes.items())
        )

    def applied(self) -> Sequence[InstanceType]:
        """Return the types with all changes, or the original list if nothing changes."""
        if not self._changes:
            return self.types
        return tuple(self._changes[i].applied(t) if i in self._changes else t for i, t in enumerate(self.types))

    def _candidates(self, wanted: Requirements) -> int:
        """Return as a mask the types that an overlay may concern: thousands of overlays may each name a few types."""
        candidates = (1 << len(self.types)) - 1
        for key, requirement in wanted.items():
            if requirement.complement or not requirement.values:
                continue
            by_value, others = self._index(key)
            for value in requirement.values:
                others |= by_value.get(value, 0)
            candidates &= others
        return candidates

    def _index(self, key: str) -> tuple[dict[str, int], int]:
        """Return the types by each value of a label, and those that may have any value, as masks."""
        if key not in self._indexes:
            by_value: dict[str, int] = {}
            others = 0
            for number, t in enumerate(self.types):
                own = t.requirements.get(key)
                if own is None or own.complement or not own.values:
                    others |= 1 << number
                    continue
                for value in own.values:
                    by_value[value] = by_value.get(value, 0) | 1 << number
            self._indexes[key] = by_value, others
        return self._indexes[key]

    def _labels_match(self, t: InstanceType, wanted: Requirements) -> bool:
        requirements = (r for key in wanted for r in (self._held.get(key), t.requirements.get(key)) if r is not None)
        return Requirements(requirements).compatible(wanted)
