"""The market of a plan: what NodePools may launch, each type for each way to buy it, with the room that DaemonSets leave.
Limits, minValues and the number of types in a launch are left out: they can only remove nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import NodeClassRef
from cutlist.core.bits import bits
from cutlist.core.identity import OncePerObject, SameObject
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import RESERVED, ZONE
from cutlist.core.quantity import merge, subtract
from cutlist.core.requirement_index import RequirementIndex
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint
from cutlist.optimization.best_offers import Comparable, best_offers
from cutlist.optimization.certain_daemons import CertainDaemons
from cutlist.optimization.demand import Demand, placed_demands
from cutlist.optimization.exotic_types import NeverLaunched, asked_labels
from cutlist.optimization.offers import Offer, without_worse
from cutlist.optimization.placement_rules import spread_zones
from cutlist.optimization.supply import Amounts, Market, Option, disks_price, existing_options, merged, static_options
from cutlist.planning.pass_inputs import PassInputs
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.type_list import ChosenTypes, TypeList
from cutlist.scheduling.dynamicresources.device_amounts import device_amounts
from cutlist.scheduling.inputs import takes_part
from cutlist.scheduling.nodeclaimtemplate import DaemonPods, NodeClaimTemplate, fresh_requirements, in_order, prefilter
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.workloads.pod_requirements import strict_requirements


def market_of(parts: Sequence[PassInputs], demands: Sequence[Demand], *, only_best: bool = False) -> Market:
    """Return the market of demands: the offers of all controllers' NodePools, and the existing nodes. With `only_best`,
    NodePools and types are left out whose nodes are no better than others, which the quick bound would ignore."""
    passes = [part.passes for part in parts]
    empty = Market.of(demands, device_amounts(passes, (batch.pod for batch in passes[0].batches)))
    fixed, options = 0.0, list(existing_options(parts[0], empty))
    for part in parts:
        paid, static = static_options(part, empty)
        fixed += paid
        options += (*static, *merged(pool_options(part, empty, only_best=only_best)))
    return replace(empty, options=tuple(option for option in options if option.suits), fixed=fixed)


def placed_market(
    parts: Sequence[PassInputs], pending: Mapping[str, int], *, in_zones: bool, only_best: bool = False
) -> Market:
    """Return the market of all pods except those that stay pending, given as numbers by workload, with the options in each zone
    if asked for and pods are spread over zones; `only_best` as in `market_of`."""
    zones = spread_zones(parts) if in_zones else ()
    demands = placed_demands(parts[0].passes, pending, zones)
    return _with_zones(market_of(parts, demands, only_best=only_best), parts, zones)


def _with_zones(market: Market, parts: Sequence[PassInputs], zones: Sequence[str]) -> Market:
    """Return a market with the options in each of these zones, if pods have to be spread over them."""
    if not any(demand.in_each_zone for demand in market.demands):
        return market
    registry = parts[0].passes.registry

    def options(zone: str) -> tuple[Option, ...]:
        there = Requirements.of_labels({ZONE: zone}, registry)
        ways = ([way & there for way in of.ways if way.get_or_any(ZONE).has(zone)] for of in market.demands)
        there_only = [replace(of, ways=tuple(w)) for of, w in zip(market.demands, ways, strict=True)]
        # Without their zone, options of zones with the same prices are equal.
        return tuple(option._replace(zone="") for option in market_of(parts, there_only).options)

    return replace(market, in_zones=tuple(map(options, zones)))


def pool_options(part: PassInputs, market: Market, *, only_best: bool = False) -> Iterator[Option]:
    """Yield the nodes that the NodePools of a controller may launch for some demand, as far as their prices are known; of those
    of one type with the same room for the same pods only the cheapest. `only_best` as in `market_of`.

    Of NodePools that offer the same to the same demands, the nodes of the first are enough.
    """
    offers, offered = _KnownOffers(part, market), dict[Hashable, tuple[str, _PoolKind, _Suited]]()
    for pool in in_order(p for p in part.passes.pools if takes_part(p)):
        kind, suited = offers.of(pool)
        offered.setdefault((kind, suited.of_demand), (pool.name, kind, suited))
    chosen = list(offered.values())
    if only_best:
        chosen = best_offers(chosen, lambda of: _alike(*of[1:]), lambda of: _comparable(part, market, of[0], of[1]))
    listed = offers.best if only_best else offers.listed
    for name, kind, suited in chosen:
        yield from _options(name, listed(kind), suited, market)


def _alike(kind: _PoolKind, suited: _Suited) -> Hashable:
    """Return what NodePools have in common of which one may be no better than another."""
    besides = (SameObject(cast("TypeList", kind.types.of).sold), kind.held, kind.daemons, kind.labels)
    return (*besides, kind.node_class.group, kind.limits, kind.mask, kind.has_min_values, suited.of_demand)


def _comparable(part: PassInputs, market: Market, pool: str, kind: _PoolKind) -> Comparable | None:
    """Return what the nodes of a NodePool have, compared with others that are alike; None if nothing can be said."""
    types = cast("TypeList", kind.types.of)
    disks = {disks_price(part, pool, name) for name in ChosenTypes(types, kind.mask).names}
    if len(disks) != 1:
        return None
    daemons = merge(*(pod.requests for pod in part.passes.daemons))
    return Comparable.of(types, kind.mask, disks.pop(), market, daemons)


def _options(name: str, listed: Sequence[Sequence[Offer]], suited: _Suited, market: Market) -> Iterator[Option]:
    """Yield the options of a NodePool, from what it offers by type."""
    fitting: dict[tuple[int, Amounts], int] = {}
    for of_type in listed:
        cheapest: dict[tuple[Amounts, int, int | None], Offer] = {}
        for offer in of_type:
            among = suited.demands(offer.held)
            if (among, offer.room) not in fitting:
                fitting[among, offer.room] = market.fitting(among, offer.room)
            if suits := fitting[among, offer.room]:
                key = offer.room, suits, offer.most
                before = cheapest.get(key)
                if before is None or (offer.price, offer.place) < (before.price, before.place):
                    cheapest[key] = offer
        for (room, suits, most), offer in cheapest.items():
            yield Option(offer.price, room, suits, name, offer.instance_type, offer.capacity_type, offer.zone, most)


class _Ways:
    """The ways in which the nodes of demands may be labelled, with the number of the demand of each."""

    def __init__(self, market: Market, known: frozenset[str]) -> None:
        self._ways = [(number, way) for number, demand in enumerate(market.demands) for way in demand.ways]
        self._index = RequirementIndex([way for _, way in self._ways], known)

    def compatible_with(self, wanted: Requirements) -> Iterator[tuple[int, Requirements]]:
        """Yield the ways that the nodes of a NodePool may meet, by demand."""
        return (self._ways[place] for place in self._index.compatible_with(wanted))


class _Suited:
    """Which demands suit a NodePool: the different sets of requirements that they and it have together, and the numbers of
    these sets for each demand, as bits."""

    def __init__(self, taints: Sequence[Taint], wanted: Requirements, ways: _Ways, market: Market) -> None:
        held_by: dict[Requirements, int] = {}
        of_demand: dict[int, int] = {}
        for number, way in ways.compatible_with(wanted):
            if number in of_demand or market.demands[number].tolerates(taints):
                held = held_by.setdefault(wanted & way, len(held_by))
                of_demand[number] = of_demand.get(number, 0) | 1 << held
        self.held = tuple(held_by)
        self.of_demand = tuple(of_demand.items())
        self._demands: dict[int, int] = {0: 0}

    def demands(self, held: int) -> int:
        """Return the demands whose pods may run where the labels meet these sets."""
        if held not in self._demands:
            self._demands[held] = sum(1 << number for number, of_demand in self.of_demand if of_demand & held)
        return self._demands[held]


@dataclass(frozen=True, slots=True)
class _PoolKind:
    """What the offers of a NodePool follow from: equal ones are those of many NodePools.

    `held` are sets of requirements, each with the types that it allows as bits, and only with the labels that offerings have.
    """

    types: SameObject
    mask: int
    held: tuple[tuple[int, Requirements], ...]
    daemons: tuple[int, ...]
    labels: Requirements
    node_class: NodeClassRef
    limits: frozenset[str]
    has_min_values: bool


class _KnownOffers:
    """What NodePools offer, worked out once for all that offer the same."""

    def __init__(self, part: PassInputs, market: Market) -> None:
        passes = part.passes
        self._part, self._market = part, market
        self._daemons, self._space = DaemonPods(passes.daemons, passes.registry), RequirementSpace(passes.registry.well_known)
        self._daemon_keys = _keys_of([strict_requirements(pod, passes.registry) for pod in self._daemons.pods])
        self._ways = _Ways(market, passes.registry.well_known)
        self._never = NeverLaunched(asked_labels(passes))
        self._sold_keys = OncePerObject(_keys_of_offerings)
        self._listed: dict[_PoolKind, list[list[Offer]]] = {}
        self._sold: dict[tuple[Hashable, ...], list[Offer]] = {}
        self._best: dict[_PoolKind, list[list[Offer]]] = {}
        self._pools: dict[_PoolKind, NodeClaimTemplate] = {}

    def of(self, pool: NodePool) -> tuple[_PoolKind, _Suited]:
        """Return the kind of a NodePool, and which demands suit it."""
        registry = self._part.passes.registry
        wanted = fresh_requirements(pool, registry)
        index = self._part.tables.of(pool.name, registry.well_known)
        # Without limits: a bound may ignore a rule, but not add one.
        template = NodeClaimTemplate(0, pool, index, prefilter(index, wanted), self._space.number(wanted))
        suited = _Suited(pool.taints, wanted, self._ways, self._market)
        sold = self._sold_keys(index.types.sold.offerings)
        kind = _PoolKind(
            SameObject(index.types),
            template.mask,
            tuple((index.compatible(held), _only(held, sold)) for held in suited.held),
            tuple(self._daemons.running_on(template, self._space)),
            _only(wanted, self._daemon_keys),
            pool.node_class_ref,
            frozenset(pool.limits),
            any(entry.min_values is not None for entry in pool.requirements),
        )
        self._pools.setdefault(kind, template)
        return kind, suited

    def listed(self, kind: _PoolKind) -> list[list[Offer]]:
        """Return what NodePools of a kind offer, by type."""
        if kind not in self._listed:
            self._listed[kind] = [offers for offers in self._offers(kind) if offers]
        return self._listed[kind]

    def best(self, kind: _PoolKind) -> list[list[Offer]]:
        """Return what NodePools of a kind offer, without what is no better than something else."""
        if kind not in self._best:
            self._best[kind] = without_worse(self.listed(kind))
        return self._best[kind]

    def _offers(self, kind: _PoolKind) -> Iterator[list[Offer]]:
        part, template = self._part, self._pools[kind]
        running, labels = CertainDaemons(kind.labels, kind.daemons, self._daemons), _Labels(kind, template)
        never = self._never.of(template)
        for number in bits(template.mask):
            if labelled := labels.of_type(number):
                rooms = _Rooms(template, number, running, self._market)
                disks = disks_price(part, template.name, rooms.type.name)
                yield self._cheapest(rooms, labels, labelled, disks, is_never=number in never)

    def _cheapest(self, rooms: _Rooms, labels: _Labels, labelled: int, disks: float, *, is_never: bool) -> list[Offer]:
        """Return the cheapest offer of a type for each room and each combination of sets of requirements."""
        t, room = rooms.type, rooms.only
        if room is None:
            return _cheapest(t, labels, labelled, disks, rooms.of, is_never=is_never)
        # Node classes that sell a type in the same way differ in its room alone.
        key = SameObject(t.offerings), t.name, labels.of_offerings, labelled, disks, is_never
        if key not in self._sold:
            self._sold[key] = _cheapest(t, labels, labelled, disks, lambda _: (), is_never=is_never)
        return [
            Offer(place, held, room, price, t.name, capacity_type, zone, most)
            for place, held, _, price, _, capacity_type, zone, most in self._sold[key]
        ]


def _cheapest(
    t: InstanceType,
    labels: _Labels,
    labelled: int,
    disks: float,
    room_of: Callable[[Offering], Amounts],
    *,
    is_never: bool,
) -> list[Offer]:
    cheapest: dict[tuple[Amounts, int, int | None], Offer] = {}
    for place, offering in enumerate(t.offerings):
        held = labels.of_offering(offering) & labelled
        cost = offering.cost if held else None
        if cost is None or (is_never and offering.capacity_type != RESERVED):
            continue
        room = room_of(offering)
        # Units of a reservation are cheap and few: without their number a bound would count on any number of them.
        most = offering.reservation_capacity if offering.capacity_type == RESERVED else None
        before = cheapest.get((room, held, most))
        if before is None or cost + disks < before.price:
            offer = Offer(place, held, room, cost + disks, t.name, offering.capacity_type, offering.zone, most)
            cheapest[room, held, most] = offer
    return list(cheapest.values())


class _Labels:
    """Which sets of requirements of a kind of NodePools the labels of its types and of their offerings meet, as bits."""

    def __init__(self, kind: _PoolKind, template: NodeClaimTemplate) -> None:
        self._known = template.instance_types.well_known
        self._held = kind.held
        self.of_offerings = tuple(held for _, held in kind.held)
        self._offers: dict[Requirements, int] = {}

    def of_type(self, number: int) -> int:
        """Return the sets that the labels of the type of a number meet."""
        return sum((types >> number & 1) << n for n, (types, _) in enumerate(self._held))

    def of_offering(self, offering: Offering) -> int:
        """Return the sets that the labels of an offering meet, none if nothing is left of it."""
        if not offering.available:
            return 0
        cached = self._offers.get(offering.requirements)
        if cached is None:
            compatible = (held.compatible(offering.requirements, self._known) for held in self.of_offerings)
            cached = self._offers[offering.requirements] = sum(fits << n for n, fits in enumerate(compatible))
        return cached


class _Rooms:
    """The room that a type leaves beside the daemons that certainly run on it."""

    def __init__(self, template: NodeClaimTemplate, number: int, running: CertainDaemons, market: Market) -> None:
        index = template.instance_types
        self.type = index.types[number]
        self._number, self._running, self._market = number, running, market
        self._is_plain = len(index.layers) == 1  # no offering changes amounts
        self._replaced = index.karpenter.does(Behaviour.OFFERING_OVERRIDES_REPLACE)
        self._devices = market.devices.of_type(self.type.dynamic_resources)
        allocatable = index.layers[0].allocatable(number)
        self._plain = merge(allocatable, self._devices) if self._devices else allocatable
        self._known: dict[tuple[int, ...], Amounts] = {}  # with the same daemons, the offering changes nothing

    @property
    def only(self) -> Amounts | None:
        """Return the room on a node however it is bought, or None if that makes a difference."""
        always = self._running.always_on(self._number) if self._is_plain else None
        if always is None:
            return None
        daemons = self._running.requests(always)
        return self._market.amounts(subtract(self._plain, daemons) if daemons else self._plain)

    def of(self, offering: Offering) -> Amounts:
        """Return the room on a node that is bought by an offering."""
        daemons = self._running.on(self._number, self.type, offering)
        if offering.capacity_override or offering.overhead_override:
            allocatable = merge(self.type.allocatable(offering, overrides_replace=self._replaced), self._devices)
            return self._market.amounts(subtract(allocatable, self._running.requests(daemons)))
        if daemons not in self._known:
            self._known[daemons] = self._market.amounts(subtract(self._plain, self._running.requests(daemons)))
        return self._known[daemons]


def _keys_of(sets: Iterable[Requirements]) -> frozenset[str]:
    return frozenset(key for requirements in sets for key in requirements)


def _keys_of_offerings(offerings: Iterable[Sequence[Offering]]) -> frozenset[str]:
    """Return the labels that the offerings of types have."""
    return _keys_of({offering.requirements for of_type in offerings for offering in of_type})


def _only(requirements: Requirements, keys: Container[str]) -> Requirements:
    """Return the requirements on these labels."""
    return Requirements(r for key, r in requirements.items() if key in keys)
