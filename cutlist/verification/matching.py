"""Which node of a cluster is which planned node.

A plan does not name nodes, so they are matched by what is on them. In this order:

1. nodes that came exactly as planned: NodePool, instance type, capacity type, zone and pods;
2. nodes of a NodePool with exactly the planned pods; of these the same instance type comes first, then the same capacity type,
   then a planned zone;
3. of the others in a NodePool those that share most pods in total; instance type, capacity type and zone decide between
   equals, in this order. A node without pods is matched with a planned one whose machine it could be; 4. of the rest, nodes of
   other NodePools by the pods that they share.

A node that shares no pod with any planned node is unplanned, and a planned node whose pods are nowhere is missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.records import Count, Parts, about
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.opened_plans import require_openable
from cutlist.verification.assignment import heaviest_pairs
from cutlist.verification.live import LiveNode, PodCounts

_POD: Final = 8  # each weight is more than all below it together
_TYPE: Final = 4
_CAPACITY_TYPE: Final = 2
_ZONE: Final = 1


@dataclass(frozen=True, slots=True)
class _Machine:
    """The members of a planned node that are compared with a node of a cluster."""

    node_pool: str
    instance_type: str
    capacity_type: str
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """One planned node: the entry of the plan, and its pods by workload."""

    number: Annotated[Count, about("From 1, in the order of the plan's nodes.")]
    node: Annotated[PlannedNode, Parts(_Machine)]
    pods: PodCounts


@dataclass(frozen=True, slots=True)
class Matching:
    """Planned nodes with their nodes in the cluster, in the plan's order; missing planned nodes; and unplanned nodes, by
    name."""

    pairs: tuple[tuple[Slot, LiveNode], ...]
    missing: tuple[Slot, ...]
    unplanned: tuple[LiveNode, ...]


def match(plan: Plan, nodes: Iterable[LiveNode]) -> Matching:
    """Return which nodes match the planned ones. The order of the nodes does not matter."""
    slots = {slot.number: slot for slot in slots_of(plan)}
    left = {node.name: node for node in sorted(nodes, key=lambda node: (node.created, node.name))}
    pairs: dict[int, LiveNode] = {}
    for step in (_exactly_as_planned, _same_pods, _within_pools, _across_pools):
        for number, name in step(list(slots.values()), list(left.values())):
            pairs[number] = left.pop(name)
            slots.pop(number)
    by_number = {slot.number: slot for slot in slots_of(plan)}
    return Matching(
        tuple((by_number[number], pairs[number]) for number in sorted(pairs)),
        tuple(slots.values()),
        tuple(sorted(left.values(), key=lambda node: node.name)),
    )


def slots_of(plan: Plan) -> tuple[Slot, ...]:
    """Return each new node of a plan. Raises InputError for too many of them."""
    require_openable(plan)
    pods = [{share.workload: share.count for share in node.pods} for node in plan.nodes]
    nodes = ((node, of_node) for node, of_node in zip(plan.nodes, pods, strict=True) for _ in range(node.count))
    return tuple(Slot(number, node, of_node) for number, (node, of_node) in enumerate(nodes, 1))


def zones_of(planned: PlannedNode, instance_type: str) -> frozenset[str]:
    """Return the zones in which a planned node may be of an instance type."""
    if instance_type == planned.instance_type:
        return frozenset(planned.zones)
    return frozenset(zone for c in planned.candidates if c.instance_type == instance_type for zone in c.zones)


def shared_pods(slot: Slot, node: LiveNode) -> int:
    """Return how many of the planned pods a node has."""
    pods = node.pods
    return sum([min(count, pods[workload]) for workload, count in slot.pods.items() if workload in pods])


_Match = tuple[int, str]


def _exactly_as_planned(slots: Sequence[Slot], nodes: Sequence[LiveNode]) -> list[_Match]:
    return _alike(slots, nodes, lambda kind, zone: (*kind, zone))


def _same_pods(slots: Sequence[Slot], nodes: Sequence[LiveNode]) -> list[_Match]:
    """Return the matches of equal pods in a NodePool, those in which more is equal first."""
    matches: list[_Match] = []
    open_slots, open_nodes = {slot.number: slot for slot in slots}, {node.name: node for node in nodes}
    for key in _KEYS:
        for number, name in _alike(list(open_slots.values()), list(open_nodes.values()), key):
            matches.append((number, name))
            open_slots.pop(number)
            open_nodes.pop(name)
    return matches


_Kind = tuple[str, str]  # instance type and capacity type
_Key = Callable[[_Kind, str], tuple[str, ...]]
_KEYS: Final[tuple[_Key, ...]] = (
    lambda kind, zone: (kind[0], kind[1], zone),
    lambda kind, _: kind,
    lambda kind, zone: (kind[0], zone),
    lambda kind, _: (kind[0],),
    lambda kind, zone: (kind[1], zone),
    lambda kind, _: (kind[1],),
    lambda _, zone: (zone,),
    lambda _, __: (),
)


def _alike(slots: Sequence[Slot], nodes: Sequence[LiveNode], key: _Key) -> list[_Match]:
    """Return the matches of equal NodePool, pods and key; planned nodes with the fewest zones come first, since others have a
    choice."""
    open_slots: defaultdict[object, list[int]] = defaultdict(list)
    for slot in sorted(slots, key=lambda slot: (len(slot.node.zones), slot.number)):
        planned, pods = slot.node, frozenset(slot.pods.items())
        for zone in planned.zones or ("",):
            open_slots[planned.node_pool, pods, key((planned.instance_type, planned.capacity_type), zone)].append(slot.number)
    taken: set[int] = set()
    matches: list[_Match] = []
    for node in nodes:
        of_key = key((node.instance_type, node.capacity_type), node.zone)
        of_kind = open_slots.get((node.node_pool, frozenset(node.pods.items()), of_key), [])
        number = next((number for number in of_kind if number not in taken), None)
        if number is not None:
            taken.add(number)
            matches.append((number, node.name))
    return matches


def _within_pools(slots: Sequence[Slot], nodes: Sequence[LiveNode]) -> list[_Match]:
    matches: list[_Match] = []
    for pool in sorted({slot.node.node_pool for slot in slots} & {node.node_pool for node in nodes}):
        of_slots = [slot for slot in slots if slot.node.node_pool == pool]
        matches += _heaviest(of_slots, [node for node in nodes if node.node_pool == pool], _weight_in_pool)
    return matches


def _across_pools(slots: Sequence[Slot], nodes: Sequence[LiveNode]) -> list[_Match]:
    return _heaviest(slots, nodes, _weight)


def _heaviest(slots: Sequence[Slot], nodes: Sequence[LiveNode], weight: Callable[[Slot, LiveNode], int]) -> list[_Match]:
    weights = [[weight(slot, node) for node in nodes] for slot in slots]
    return [(slots[row].number, nodes[column].name) for row, column in heaviest_pairs(weights)]


def _weight(slot: Slot, node: LiveNode) -> int:
    """Return the weight of a match: 0 if no pod is shared."""
    shared = shared_pods(slot, node)
    return _POD * shared + _weight_of_terms(slot, node) if shared else 0


def _weight_in_pool(slot: Slot, node: LiveNode) -> int:
    """Return the weight of a match within a NodePool, and a little for a node without pods whose machine was planned."""
    if node.pods:
        return _weight(slot, node)
    types = {slot.node.instance_type, "", *(candidate.instance_type for candidate in slot.node.candidates)}
    return _weight_of_terms(slot, node) + 1 if node.instance_type in types else 0


def _weight_of_terms(slot: Slot, node: LiveNode) -> int:
    planned = slot.node
    weight = _TYPE * (node.instance_type == planned.instance_type) + _CAPACITY_TYPE * (
        node.capacity_type == planned.capacity_type
    )
    return weight + _ZONE * (node.zone in zones_of(planned, node.instance_type))
