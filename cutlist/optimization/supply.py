"""Nodes for the pods of a plan: those of each NodePool at a price, and existing ones, which cost nothing more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cutlist.core.quantity import merge
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint
from cutlist.optimization.demand import Demand
from cutlist.planning.pass_inputs import PassInputs
from cutlist.scheduling.dynamicresources.device_amounts import NO_AMOUNTS, DeviceAmounts
from cutlist.scheduling.resource_thresholds import ResourceThreshold

Amounts = tuple[int, ...]


class Option(NamedTuple):
    """A node that can be bought: its room for pods in nano-units, USD/hour with its disks, and where it comes from.

    Bit i of `suits` says that a pod of the i-th demand fits on it. `most` is how many there are, None for any number. A node
    that exists has no NodePool. Hundreds of NodePools have hundreds of thousands, and a tuple is made in a fraction of the time
    of a dataclass.
    """

    price: float
    room: Amounts
    suits: int
    node_pool: str = ""
    instance_type: str = ""
    capacity_type: str = ""
    zone: str = ""
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Market:
    """Demands, and the options for them. Amounts are in the order of `resources`; `requests` are those of each demand.

    `fixed` is paid in any case: USD/hour for the nodes of static NodePools. `in_zones` are the options in each zone that a
    spread counts, where that was asked for: `options` have only the cheapest zone. Sets of devices are resources like others.
    """

    resources: tuple[str, ...]
    demands: tuple[Demand, ...]
    requests: tuple[Amounts, ...]
    options: tuple[Option, ...] = ()
    fixed: float = 0.0
    in_zones: tuple[tuple[Option, ...], ...] = ()
    # The amounts of requests and options have them already.
    devices: DeviceAmounts = field(default=NO_AMOUNTS, compare=False, repr=False)

    _thresholds: tuple[ResourceThreshold, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Sort the demands by what they request of each resource."""
        by_resource = (dict(enumerate(column)) for column in zip(*self.requests, strict=True))
        object.__setattr__(self, "_thresholds", tuple(map(ResourceThreshold, by_resource)))

    @staticmethod
    def of(demands: Sequence[Demand], devices: DeviceAmounts = NO_AMOUNTS) -> Market:
        """Return a market without options."""
        of_each = [merge(dict(demand.requests), *map(devices.of_template, demand.claims)) for demand in demands]
        resources = tuple(sorted({name for of in of_each for name in of}))
        requests = tuple(tuple(of.get(name, 0) for name in resources) for of in of_each)
        return Market(resources, tuple(demands), requests, devices=devices)

    def amounts(self, of: Mapping[str, int]) -> Amounts:
        """Return amounts in the order of the resources; an amount below 0 counts as 0."""
        # A negative room would count against the room of other nodes that are joined with it.
        return tuple(max(0, of.get(name, 0)) for name in self.resources)

    def whole_pods(self, option: Option, number: int) -> int:
        """Return how many pods of a demand one node holds without any others, at most all pods of it."""
        rooms, demand = zip(option.room, self.requests[number], strict=True), self.demands[number]
        # An option that exists may be several nodes in one.
        own = [demand.on_a_node] if demand.on_a_node is not None and option.node_pool else []
        return min([demand.count, *own, *(room // request for room, request in rooms if request)])

    def fitting(self, among: int, room: Amounts) -> int:
        """Return the demands, of those given, of which a pod fits into an empty room."""
        for threshold, amount in zip(self._thresholds, room, strict=True):
            among &= threshold.at_most(amount)
        return among


def existing_options(part: PassInputs, market: Market) -> Iterator[Option]:
    """Yield the existing nodes; those that suit the same pods are joined into one, which can only lower a bound."""
    nodes = (n for n in part.passes.nodes if n.in_pass)
    alike: dict[int, Option] = {}
    for node in nodes:
        labels = Requirements.of_labels(node.labels, part.passes.registry)
        room = market.amounts(merge(node.available, market.devices.of_node(node)))
        suits = market.fitting(suiting(market.demands, labels, node.taints, frozenset()), room)
        if suits:
            before = alike.get(suits)
            added = room if before is None else tuple(map(int.__add__, before.room, room))
            # One option for many nodes lets a pod lie across them, which only loosens the bound and keeps programmes small.
            alike[suits] = Option(0.0, added, suits, most=1)
    yield from alike.values()


def static_options(part: PassInputs, market: Market) -> tuple[float, list[Option]]:
    """Return the USD/hour of the nodes that static NodePools will launch, and these nodes as free options."""
    taints = {pool.name: pool.taints for pool in part.passes.pools}
    paid, options = 0.0, []
    for claim in part.static:
        bought = part.predictions.purchase(claim)
        cost = bought.offering.cost
        paid += 0.0 if cost is None else cost + disks_price(part, claim.node_pool, bought.type.name)
        there = bought.type.allocatable(bought.offering)
        room = market.amounts(merge(there, market.devices.of_type(bought.type.dynamic_resources)))
        known = part.passes.registry.well_known
        suits = market.fitting(suiting(market.demands, claim.requirements, taints[claim.node_pool], known), room)
        options.append(Option(0.0, room, suits, most=1))
    for claim, number in part.idle:  # which take no pod
        bought = part.predictions.purchase(claim)
        cost = bought.offering.cost
        paid += 0.0 if cost is None else number * (cost + disks_price(part, claim.node_pool, bought.type.name))
    return paid, options


def suiting(demands: Sequence[Demand], labels: Requirements, taints: Sequence[Taint], known: frozenset[str]) -> int:
    """Return the demands whose pods may run on a node with these labels and taints; `known` are labels that the node may leave
    open."""
    suits = 0
    for number, demand in enumerate(demands):
        if demand.tolerates(taints) and any(labels.compatible(way, known) for way in demand.ways):
            suits |= 1 << number
    return suits


def disks_price(part: PassInputs, node_pool: str, instance_type: str) -> float:
    """Return USD/hour of the disks of a node as a plan counts them, 0 if that is unknown."""
    disks = part.predictions.disk_price(node_pool, instance_type)
    return disks.usd_per_hour if disks else 0.0


def merged(options: Iterable[Option]) -> tuple[Option, ...]:
    """Return the options without those that suit the same pods in the same room at a higher price."""
    cheapest: dict[tuple[object, ...], Option] = {}
    for option in options:
        key = (option.room, option.suits, option.most)
        if key not in cheapest or option.price < cheapest[key].price:
            cheapest[key] = option
    return tuple(cheapest.values())
