"""The market of a plan: what NodePools may launch, each type for each way to buy it, with the room that DaemonSets leave.
Limits, minValues and the number of types in a launch are left out: they can only remove nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cutlist.core.bits import bits
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import RESERVED, ZONE
from cutlist.core.quantity import merge, subtract
from cutlist.core.requirements import Requirements
from cutlist.optimization.demand import Demand, placed_demands
from cutlist.optimization.exotic_types import asked_labels, never_launched
from cutlist.optimization.placement_rules import spread_zones
from cutlist.optimization.supply import Amounts, Market, Option, disks_price, existing_options, merged, static_options
from cutlist.planning.pass_inputs import PassInputs
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.dynamicresources.device_amounts import device_amounts
from cutlist.scheduling.inputs import takes_part
from cutlist.scheduling.nodeclaimtemplate import DaemonPods, NodeClaimTemplate, fresh_requirements, in_order, prefilter
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.workloads.pod_requirements import strict_requirements


def market_of(parts: Sequence[PassInputs], demands: Sequence[Demand]) -> Market:
    """Return the market of demands: the offers of all controllers' NodePools, and the existing nodes."""
    passes = [part.passes for part in parts]
    empty = Market.of(demands, device_amounts(passes, (batch.pod for batch in passes[0].batches)))
    fixed, options = 0.0, list(existing_options(parts[0], empty))
    for part in parts:
        paid, static = static_options(part, empty)
        fixed += paid
        options += (*static, *merged(pool_options(part, empty)))
    return replace(empty, options=tuple(option for option in options if option.suits), fixed=fixed)


def placed_market(parts: Sequence[PassInputs], pending: Mapping[str, int], *, in_zones: bool) -> Market:
    """Return the market of all pods except those that stay pending, given as numbers by workload, with the options in each zone
    if asked for and pods are spread over zones."""
    zones = spread_zones(parts) if in_zones else ()
    return _with_zones(market_of(parts, placed_demands(parts[0].passes, pending, zones)), parts, zones)


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
        return tuple(replace(option, zone="") for option in market_of(parts, there_only).options)

    return replace(market, in_zones=tuple(map(options, zones)))


def pool_options(part: PassInputs, market: Market) -> Iterator[Option]:
    """Yield the nodes that the NodePools of a controller may launch for some demand, as far as their prices are known; of those
    of one type with the same room for the same pods only the cheapest."""
    passes = part.passes
    daemons, space = DaemonPods(passes.daemons, passes.registry), RequirementSpace(passes.registry.well_known)
    for pool in in_order(p for p in passes.pools if takes_part(p)):
        wanted = fresh_requirements(pool, passes.registry)
        index = part.tables.of(pool.name, passes.registry.well_known)
        # Without limits: a bound may ignore a rule, but not add one.
        template = NodeClaimTemplate(0, pool, index, prefilter(index, wanted), space.number(wanted))
        running = _CertainDaemons(wanted, daemons.running_on(template, space), daemons)
        yield from _options(part, template, _Suited(template, wanted, market), running, market)


def _options(
    part: PassInputs, template: NodeClaimTemplate, suited: _Suited, running: _CertainDaemons, market: Market
) -> Iterator[Option]:
    fitting: dict[tuple[int, tuple[int, ...]], int] = {}
    index = template.instance_types
    replaced = index.karpenter.does(Behaviour.OFFERING_OVERRIDES_REPLACE)
    never = never_launched(template, asked_labels(part.passes))
    for number in bits(template.mask):
        labelled = suited.labelled(number)
        if not labelled:
            continue
        t = index.types[number]
        devices = market.devices.of_type(t.dynamic_resources)
        plain, disks = merge(t.allocatable(), devices), disks_price(part, template.name, t.name)
        cheapest: dict[tuple[Amounts, int, int | None], tuple[float, Offering]] = {}
        rooms: dict[tuple[int, ...], tuple[int, ...]] = {}  # with the same daemons, the offering changes nothing
        for offering in t.offerings:
            among = suited.demands(labelled, offering)
            cost = offering.cost if among else None
            if cost is None or (number in never and offering.capacity_type != RESERVED):
                continue
            daemons = running.on(number, t, offering)
            if offering.capacity_override or offering.overhead_override:
                allocatable = merge(t.allocatable(offering, overrides_replace=replaced), devices)
                room = market.amounts(subtract(allocatable, running.requests(daemons)))
            else:
                if daemons not in rooms:
                    rooms[daemons] = market.amounts(subtract(plain, running.requests(daemons)))
                room = rooms[daemons]
            if (among, room) not in fitting:
                fitting[among, room] = market.fitting(among, room)
            if suits := fitting[among, room]:
                # Units of a reservation are cheap and few: without their number a bound would count on any number of them.
                most = offering.reservation_capacity if offering.capacity_type == RESERVED else None
                before = cheapest.get((room, suits, most))
                if before is None or cost + disks < before[0]:
                    cheapest[room, suits, most] = cost + disks, offering
        for (room, suits, most), (price, offering) in cheapest.items():
            yield Option(price, room, suits, template.name, t.name, offering.capacity_type, offering.zone, most)


class _Suited:
    """Which demands the types of a NodePool suit by their labels, for each way to buy them."""

    def __init__(self, template: NodeClaimTemplate, wanted: Requirements, market: Market) -> None:
        self._known = template.instance_types.well_known
        self._held: dict[Requirements, int] = {}
        self._of_demand: list[int] = []
        for demand in market.demands:
            ways = demand.ways if demand.tolerates(template.pool.taints) else ()
            held = [wanted & way for way in ways if wanted.compatible(way, self._known)]
            self._of_demand.append(sum(1 << n for n in {self._held.setdefault(h, len(self._held)) for h in held}))
        self._types = [template.instance_types.compatible(held) for held in self._held]
        self._offers: dict[Requirements, int] = {}
        self._demands: dict[int, int] = {0: 0}

    def labelled(self, number: int) -> int:
        """Return the sets of requirements that the labels of the type of a number meet."""
        return sum((types >> number & 1) << n for n, types in enumerate(self._types))

    def demands(self, labelled: int, offering: Offering) -> int:
        """Return the demands whose pods may run on a type that meets these sets, bought by this offering."""
        held = self._sold(offering) & labelled
        if held not in self._demands:
            self._demands[held] = sum(1 << d for d, of_demand in enumerate(self._of_demand) if of_demand & held)
        return self._demands[held]

    def _sold(self, offering: Offering) -> int:
        if not offering.available:
            return 0
        cached = self._offers.get(offering.requirements)
        if cached is None:
            compatible = (held.compatible(offering.requirements, self._known) for held in self._held)
            cached = self._offers[offering.requirements] = sum(fits << n for n, fits in enumerate(compatible))
        return cached


class _CertainDaemons:
    """The daemons that certainly run on every node of a type and offering: a node may have more, never fewer. A pass counts
    those that may run on a type (S-36), an existing node those that do run (S-62). A daemon is certain only if the node leaves
    no label open that the daemon asks for.
    """

    def __init__(self, wanted: Requirements, running: Sequence[int], daemons: DaemonPods) -> None:
        self._wanted = wanted
        self._running = running
        self._requests = [pod.requests for pod in daemons.pods]
        self._terms = [strict_requirements(pod, daemons.registry) for pod in daemons.pods]
        self._keys = frozenset(key for terms in self._terms for key in terms)
        self._sums: dict[tuple[int, ...], Mapping[str, int]] = {(): {}}

    def on(self, number: int, t: InstanceType, offering: Offering) -> tuple[int, ...]:
        """Return the numbers of those that run on the type of a number, bought by this offering."""
        expected = [n for n, types in enumerate(self._running) if types >> number & 1]
        if any(self._terms[n] for n in expected):
            labels = Requirements(
                r for of in (t.requirements, self._wanted, offering.requirements) for key, r in of.items() if key in self._keys
            )
            expected = [n for n in expected if _certain(labels, self._terms[n])]
        return tuple(expected)

    def requests(self, daemons: tuple[int, ...]) -> Mapping[str, int]:
        """Return what the daemons of these numbers request together, in nano-units."""
        if daemons not in self._sums:
            self._sums[daemons] = merge(*(self._requests[n] for n in daemons))
        return self._sums[daemons]


def _certain(labels: Requirements, terms: Requirements) -> bool:
    """Tell whether labels meet some terms, whatever values their open labels get."""
    fixed = labels.single_values()
    # A key that labels name with several values is open: the daemon may run there or not, so it is not certain.
    return all(key in fixed or key not in labels for key in terms) and Requirements(
        r for key, r in labels.items() if key in fixed
    ).compatible(terms)
