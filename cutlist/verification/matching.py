"""Which node of a cluster is which planned node.

A plan does not name nodes, so they are matched by what is on them. In this order:

1. nodes that came exactly as planned: NodePool, instance type, capacity type, zone and pods;
2. of the others in a NodePool those that share most pods, on the whole; between equals those with exactly the planned pods,
   then those of the same instance type, capacity type and zone. A node without pods goes with a planned one that may have
   become it;
3. of what is left over, nodes of other NodePools by the pods that they share.

A node that shares no pod with any planned node is no planned node, and a planned node whose pods are nowhere is not there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.planning.model import Plan, PlannedNode
from cutlist.verification.assignment import heaviest_pairs
from cutlist.verification.live import LiveNode

_POD: Final = 16  # more than all of the others together, as each of these is
_SAME_PODS: Final = 8
_TYPE: Final = 4
_CAPACITY_TYPE: Final = 2
_ZONE: Final = 1


@dataclass(frozen=True, slots=True)
class Slot:
    """One planned node: the entry of the plan, and its number from 1 in the plan's order."""

    number: int
    node: PlannedNode

    @property
    def pods(self) -> dict[str, int]:
        """Return its pods by workload."""
        return {share.workload: share.count for share in self.node.pods}


@dataclass(frozen=True, slots=True)
class Matching:
    """Planned nodes with the nodes that they became, in the plan's order; planned nodes that are not there; and nodes that
    nothing was planned for, by name."""

    pairs: tuple[tuple[Slot, LiveNode], ...]
    missing: tuple[Slot, ...]
    unplanned: tuple[LiveNode, ...]


def match(plan: Plan, nodes: Iterable[LiveNode]) -> Matching:
    """Return which nodes the planned ones became. Equal inputs give equal answers, whatever the order of the nodes."""
    slots = {slot.number: slot for slot in slots_of(plan)}
    left = {node.name: node for node in sorted(nodes, key=lambda node: (node.created, node.name))}
    pairs: dict[int, LiveNode] = {}
    for step in (_exactly_as_planned, _within_pools, _across_pools):
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
    """Return each new node of a plan."""
    nodes = (node for node in plan.nodes for _ in range(node.count))
    return tuple(Slot(number, node) for number, node in enumerate(nodes, 1))


def zones_of(planned: PlannedNode, instance_type: str) -> frozenset[str]:
    """Return the zones in which a planned node may be of an instance type."""
    if instance_type == planned.instance_type:
        return frozenset(planned.zones)
    return frozenset(zone for c in planned.candidates if c.instance_type == instance_type for zone in c.zones)


def shared_pods(slot: Slot, node: LiveNode) -> int:
    """Return how many of the planned pods a node has."""
    return sum(min(count, node.pods.get(workload, 0)) for workload, count in slot.pods.items())


_Match = tuple[int, str]


def _exactly_as_planned(slots: Sequence[Slot], nodes: Sequence[LiveNode]) -> list[_Match]:
    """Return the matches in which nothing differs; planned nodes with the fewest zones come first, for others have a choice."""
    open_slots: defaultdict[tuple[object, ...], list[Slot]] = defaultdict(list)
    for slot in sorted(slots, key=lambda slot: (len(slot.node.zones), slot.number)):
        planned = slot.node
        key = (planned.node_pool, planned.instance_type, planned.capacity_type, frozenset(slot.pods.items()))
        open_slots[key].append(slot)
    matches: list[_Match] = []
    for node in nodes:
        of_kind = open_slots.get((node.node_pool, node.instance_type, node.capacity_type, frozenset(node.pods.items())), [])
        fitting = next((slot for slot in of_kind if not slot.node.zones or node.zone in slot.node.zones), None)
        if fitting is not None:
            of_kind.remove(fitting)
            matches.append((fitting.number, node.name))
    return matches


def _within_pools(slots: Sequence[Slot], nodes: Sequence[LiveNode]) -> list[_Match]:
    matches: list[_Match] = []
    for pool in sorted({slot.node.node_pool for slot in slots} & {node.node_pool for node in nodes}):
        of_slots = [slot for slot in slots if slot.node.node_pool == pool]
        matches += _heaviest(of_slots, [node for node in nodes if node.node_pool == pool], _may_be)
    return matches


def _across_pools(slots: Sequence[Slot], nodes: Sequence[LiveNode]) -> list[_Match]:
    return _heaviest(slots, nodes, lambda slot, node: shared_pods(slot, node) > 0)


def _heaviest(slots: Sequence[Slot], nodes: Sequence[LiveNode], may_be: Callable[[Slot, LiveNode], bool]) -> list[_Match]:
    weights = [[_weight(slot, node) if may_be(slot, node) else 0 for node in nodes] for slot in slots]
    return [(slots[row].number, nodes[column].name) for row, column in heaviest_pairs(weights)]


def _may_be(slot: Slot, node: LiveNode) -> bool:
    """Tell whether a planned node may have become this one of its NodePool: by a shared pod, or for want of any pod."""
    if shared_pods(slot, node):
        return True
    is_candidate = not node.instance_type or any(c.instance_type == node.instance_type for c in slot.node.candidates)
    return not node.pods and (is_candidate or node.instance_type == slot.node.instance_type)


def _weight(slot: Slot, node: LiveNode) -> int:
    """Return how much speaks for a match. A node without pods and without a machine still counts for a little."""
    planned = slot.node
    weight = (
        _POD * shared_pods(slot, node)
        + _SAME_PODS * (node.pods == slot.pods)
        + _TYPE * (node.instance_type == planned.instance_type)
    )
    weight += _CAPACITY_TYPE * (node.capacity_type == planned.capacity_type)
    return weight + _ZONE * (node.zone in zones_of(planned, node.instance_type)) + 1
