"""Numbers of nodes that budgets depend on (spec: disruption 3; D-28, D-29, V15-34, V15-35)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from cutlist.disruption.reasons import Reason
from cutlist.state.statenode import StateNode


class NodeCounts(NamedTuple):
    """How many nodes of a NodePool count, how many of them are disrupted, and how many are for a repair."""

    nodes: int = 0
    disrupted: int = 0
    disrupted_for_repair: int = 0

    @staticmethod
    def of(node: StateNode) -> NodeCounts:
        """Return what one node adds to the counts of its pool."""
        if not counts(node):
            return NO_NODES
        return NodeCounts(1, is_disrupted(node, Reason.EMPTY), is_disrupted(node, Reason.UNHEALTHY))

    def plus(self, other: NodeCounts, times: int = 1) -> NodeCounts:
        """Return the counts with others added, or taken away."""
        return NodeCounts(*(own + times * added for own, added in zip(self, other, strict=True)))


NO_NODES: Final = NodeCounts()


def count_nodes(nodes: Iterable[StateNode]) -> Mapping[str, NodeCounts]:
    """Return the counts of nodes by the names of their pools."""
    by_pool: dict[str, list[int]] = {}
    for node in nodes:
        if counts(node):
            of_pool = by_pool.setdefault(node.pool, [0, 0, 0])
            of_pool[0] += 1
            of_pool[1] += is_disrupted(node, Reason.EMPTY)
            of_pool[2] += is_disrupted(node, Reason.UNHEALTHY)
    return {name: NodeCounts(*of_pool) for name, of_pool in by_pool.items()}


def counts(node: StateNode) -> bool:
    """Tell whether a node counts in the total from which percentages are computed (D-29); one that reboots does (V15-34)."""
    return node.claim is not None and (node.initialized or node.rebooting) and not node.terminating


def is_disrupted(node: StateNode, reason: Reason) -> bool:
    """Tell whether a node already uses up one of the budget for a reason (D-28, V15-34).

    One that is not ready does not for repair, which would otherwise keep itself from repairing it (V15-35).
    """
    is_unready = not node.ready and reason is not Reason.UNHEALTHY
    return is_unready or node.state.removed or node.rebooting
