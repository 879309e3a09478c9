"""The types and offerings of a claim that are sent to EC2, after seven filters (spec: AWS 5.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.labels import AWS, AWS_GROUP, ON_DEMAND, RESERVED, SPOT
from cutlist.core.quantity import fits
from cutlist.providers.aws.capacity import GAUDI, NEURON, NEURON_CORE
from cutlist.providers.aws.launch.claim import ClaimRequirements, Refusal
from cutlist.providers.aws.offerings import CAPACITY_BLOCK, Reservation
from cutlist.providers.instance_types import AMD_GPU, NVIDIA_GPU, InstanceType, Offering
from cutlist.providers.min_values import lacking_values

MAX_TYPES: Final = 60  # a fleet request names at most this many types
_SIZE: Final = f"{AWS_GROUP}/instance-size"
_ACCELERATORS: Final = (NVIDIA_GPU, AMD_GPU, NEURON, NEURON_CORE, GAUDI)
# The order of preference at equal prices.
_RESERVATION_KINDS: Final = (("default", False), (CAPACITY_BLOCK, False), ("default", True))


@dataclass(frozen=True, slots=True)
class RemainingType:
    """An instance type with its remaining offerings."""

    type: InstanceType
    offerings: tuple[Offering, ...]


Types = Sequence[RemainingType]
Filter = Callable[[Types, ClaimRequirements], Types]


@dataclass(frozen=True, slots=True)
class FilteredTypes:
    """The remaining types, cheapest first, the names of the types that each filter dropped, and a `refusal` if no type is
    left."""

    remaining: tuple[RemainingType, ...]
    dropped: Mapping[str, tuple[str, ...]]
    refusal: Refusal | None = None


def launch_filters(
    types: Iterable[InstanceType],
    wanted: ClaimRequirements,
    requests: Mapping[str, int],
    karpenter: Baseline,
    *,
    strict_min_values: bool,
) -> FilteredTypes:
    """Return the result of all filters on the types of a NodeClass. `requests` are in nano-units."""
    everything = [RemainingType(t, t.offerings) for t in types]
    usable = [r for r in everything if _usable(r.type, wanted, requests)]
    after = narrowed(usable, wanted, karpenter, strict_min_values=strict_min_values)
    return FilteredTypes(after.remaining, {"compatible": removed(everything, usable), **after.dropped}, after.refusal)


def narrowed(types: Types, wanted: ClaimRequirements, karpenter: Baseline, *, strict_min_values: bool) -> FilteredTypes:
    """Return the result of the filters after the first, on types that fit the claim and have an open offering for it.

    With `strict_min_values`, the remaining types must have the number of values that the claim demands, as this Karpenter
    counts them (V15-1).
    """
    dropped: dict[str, tuple[str, ...]] = {}
    for name, step in _FILTERS.items():
        if not types:
            break
        before, types = types, step(types, wanted)
        if len(types) < len(before):
            dropped[name] = removed(before, types)
    if not types:
        return FilteredTypes((), dropped, Refusal.no_capacity("all requested instance types were unavailable during launch"))
    left = [r.type for r in types]
    missed = sorted(lacking_values(wanted.requirements, left, karpenter)) if strict_min_values else []
    if missed:
        text = f"minValues requirement is not met for label(s) (label(s)=[{' '.join(missed)}])"
        return FilteredTypes((), dropped, Refusal.no_capacity(f"among the {len(types)} instance types of the request, {text}"))
    return FilteredTypes(tuple(types), dropped)


def cheapest_open(remaining: RemainingType, wanted: ClaimRequirements) -> float:
    """Return the lowest price per hour of the type for the claim in any capacity type; infinite if it is not available."""
    return min((_price(o) for o in wanted.open(remaining.offerings)), default=math.inf)


def removed(before: Iterable[RemainingType], after: Iterable[RemainingType]) -> tuple[str, ...]:
    """Return the names of the types that a step removed, in order."""
    names = {r.type.name for r in after}
    return tuple(r.type.name for r in before if r.type.name not in names)


def is_exotic(t: InstanceType) -> bool:
    """Tell whether it is bare metal, or has GPUs or accelerators that Kubernetes counts. EFA, FPGA and fractions of GPUs do not
    make it exotic (A-53).
    """
    sizes = t.requirements.get_or_any(_SIZE).values
    return any("metal" in size for size in sizes) or has_accelerator(t)


def has_accelerator(t: InstanceType) -> bool:
    """Tell whether it has GPUs or accelerators that Kubernetes counts."""
    return any(t.capacity.get(resource, 0) for resource in _ACCELERATORS)


def _usable(t: InstanceType, wanted: ClaimRequirements, requests: Mapping[str, int]) -> bool:
    """Apply filter 1: labels fit, and some open offering has room for the requests."""
    if not wanted.requirements.compatible(t.requirements, AWS.well_known):
        return False
    plain: bool | None = None
    for offering in wanted.open(t.offerings):
        if offering.capacity_override or offering.overhead_override:
            if fits(requests, t.allocatable(offering)):
                return True
        elif plain is None:
            plain = fits(requests, t.allocatable())
            if plain:
                return True
    return False


def _one_reservation_kind(types: Types, wanted: ClaimRequirements) -> Types:
    """Apply filter 2: a fleet has one market, so only the kind of reservation with the cheapest offering stays (A-56)."""
    if not wanted.allows(RESERVED):
        return types
    cheapest: dict[tuple[str, bool], float] = {}
    having: dict[tuple[str, bool], set[str]] = {}
    for r in types:
        for offering in wanted.reserved(r.offerings):
            kind = Reservation.of(offering).kind
            cheapest[kind] = min(_price(offering), cheapest.get(kind, math.inf))
            having.setdefault(kind, set()).add(r.type.name)
    if not cheapest:
        return types
    chosen = min(cheapest, key=lambda kind: (cheapest[kind], _preference(kind)))
    return [
        RemainingType(r.type, tuple(o for o in _reserved(r.offerings) if Reservation.of(o).kind == chosen))
        for r in types
        if r.type.name in having[chosen]
    ]


def _one_capacity_block(types: Types, wanted: ClaimRequirements) -> Types:
    """Apply filter 3: a fleet takes one capacity block, the cheapest."""
    if not wanted.allows(RESERVED):
        return types
    blocks = [
        (_price(offering), number, r, offering)
        for number, r in enumerate(types)
        for offering in wanted.reserved(r.offerings)
        if Reservation.of(offering).type == CAPACITY_BLOCK
    ]
    if not blocks:
        return types
    _, _, r, offering = min(blocks, key=lambda b: b[:2])
    return [RemainingType(r.type, (offering,))]


def _one_reservation_a_pool(types: Types, wanted: ClaimRequirements) -> Types:
    """Apply filter 4: of several reservations of a type in a zone, only the one with the most room stays; if any type is
    reserved, the others are dropped."""
    if not wanted.allows(RESERVED):
        return types
    kept: list[RemainingType] = []
    for r in types:
        by_zone: dict[str, Offering] = {}
        for offering in wanted.reserved(r.offerings):
            present = by_zone.get(offering.zone)
            if present is None or offering.reservation_capacity > present.reservation_capacity:
                by_zone[offering.zone] = offering
        if by_zone:
            kept.append(RemainingType(r.type, tuple(by_zone.values())))
    return kept or types


def _without_exotic(types: Types, wanted: ClaimRequirements) -> Types:
    """Apply filter 5: exotic types only if nothing else is left; if minValues counts types, all stay (A-53)."""
    return types if wanted.has_min_values else [r for r in types if not is_exotic(r.type)] or types


def _without_expensive_spot(types: Types, wanted: ClaimRequirements) -> Types:
    """Apply filter 6: no spot offering above the cheapest on-demand price of any type; an equal price stays (A-54)."""
    limit = spot_limit(types, wanted)
    if limit is None:
        return types
    cut = [RemainingType(r.type, tuple(o for o in r.offerings if o.capacity_type != SPOT or _price(o) <= limit)) for r in types]
    return [r for r in cut if r.offerings]


def spot_limit(types: Types, wanted: ClaimRequirements) -> float | None:
    """Return the price above which spot is not requested, or None if filter 6 is skipped."""
    if wanted.has_min_values or not (wanted.allows(SPOT) and wanted.allows(ON_DEMAND)):
        return None
    on_demand, spot = math.inf, False
    for r in types:
        for offering in wanted.open(r.offerings):
            kind = offering.capacity_type
            if kind == ON_DEMAND:
                on_demand = min(on_demand, _price(offering))
            spot = spot or kind == SPOT
    return on_demand if spot and on_demand < math.inf else None


def _cheapest_first(types: Types, wanted: ClaimRequirements) -> Types:
    """Apply filter 7: the 60 cheapest types by their cheapest offering; Karpenter leaves the order of equal ones open, here the
    name decides (A-52)."""
    return sorted(types, key=lambda r: (cheapest_open(r, wanted), r.type.name))[:MAX_TYPES]


_FILTERS: Final[Mapping[str, Filter]] = {
    "reservation kind": _one_reservation_kind,
    "capacity block": _one_capacity_block,
    "reserved": _one_reservation_a_pool,
    "exotic": _without_exotic,
    "expensive spot": _without_expensive_spot,
    "cap": _cheapest_first,
}


def _reserved(offerings: Iterable[Offering]) -> list[Offering]:
    return [o for o in offerings if o.capacity_type == RESERVED]


def _preference(kind: tuple[str, bool]) -> int:
    return _RESERVATION_KINDS.index(kind) if kind in _RESERVATION_KINDS else len(_RESERVATION_KINDS)


def _price(offering: Offering) -> float:
    return offering.price or 0.0
