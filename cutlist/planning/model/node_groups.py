"""Planned nodes grouped by NodePool, instance type and capacity type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cutlist.core.money import money_of
from cutlist.planning.model.extended import NodeAmounts, Use, extended_use
from cutlist.planning.model.nodes import PlannedNode, fill


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Nodes of one NodePool with the same instance type and capacity type, regardless of their pods; never empty."""

    node_pool: str
    instance_type: str
    capacity_type: str
    nodes: tuple[PlannedNode, ...]

    @staticmethod
    def one(node: PlannedNode) -> NodeGroup:
        """Return a group of equal nodes."""
        return NodeGroup(node.node_pool, node.instance_type, node.capacity_type, (node,))

    @property
    def first(self) -> PlannedNode:
        """Return the node that stands for all in what they share."""
        return self.nodes[0]

    @property
    def alternatives(self) -> tuple[int, int]:
        """Return how many other types a node may become: the fewest and the most."""
        counts = [node.alternatives for node in self.nodes]
        return min(counts), max(counts)

    @property
    def count(self) -> int:
        """Return how many nodes there are."""
        return sum(node.count for node in self.nodes)

    @property
    def pods(self) -> int:
        """Return how many pods they have together, DaemonSets aside."""
        return sum(node.count * node.pods_each for node in self.nodes)

    @property
    def free_pods(self) -> int | None:
        """Return how many more pods they may have together, by `PlannedNode.free_pods`, or None if that is unknown of one."""
        free = [(node.count, node.free_pods) for node in self.nodes]
        known = [count * pods for count, pods in free if pods is not None]
        return sum(known) if len(known) == len(free) else None

    @property
    def price_with_disks(self) -> float | None:
        """Return USD an hour for all of them with their disks, as far as these are known, or None if one has no price."""
        prices = [(node.count, node.price_with_disks) for node in self.nodes]
        known = [(count, price) for count, price in prices if price is not None]
        return money_of(known) if len(known) == len(prices) else None

    @property
    def known_price(self) -> float | None:
        """Return the same for those of known price, or None if no price is known."""
        known = [(node.count, price) for node in self.nodes if (price := node.price_with_disks) is not None]
        return money_of(known) if known else None

    @property
    def is_estimated(self) -> bool:
        """Tell whether the price of one of them is an estimate."""
        return any(node.is_estimated for node in self.nodes)

    @property
    def zones(self) -> tuple[str, ...]:
        """Return every zone that one of them may be in."""
        return self.first.zones if len(self.nodes) == 1 else tuple(sorted({zone for node in self.nodes for zone in node.zones}))

    @property
    def extended(self) -> dict[str, Use]:
        """Return how much of their accelerators and other extended resources their pods request, by name."""
        return extended_use(NodeAmounts(node.count, node.requests, node.allocatable) for node in self.nodes)

    def fill(self, resource: str) -> float | None:
        """Return the fraction of a resource that their pods request, or None if they have none of it."""
        return fill(self.nodes, resource)


def node_groups(nodes: Iterable[PlannedNode]) -> tuple[NodeGroup, ...]:
    """Return the groups of these nodes: by NodePool as the nodes come, and in each the most expensive first."""
    groups = grouped(nodes)
    pools = {pool: place for place, pool in enumerate(dict.fromkeys(group.node_pool for group in groups))}
    return tuple(sorted(groups, key=lambda g: (pools[g.node_pool], *_cheapness(g), g.instance_type, g.capacity_type)))


def grouped(nodes: Iterable[PlannedNode]) -> list[NodeGroup]:
    """Return the groups of these nodes, in the order in which they come."""
    members: dict[tuple[str, str, str], list[PlannedNode]] = {}
    for node in nodes:
        members.setdefault((node.node_pool, node.instance_type, node.capacity_type), []).append(node)
    return [NodeGroup(*key, tuple(alike)) for key, alike in members.items()]


def _cheapness(group: NodeGroup) -> tuple[bool, float]:
    """Return a key that sorts the most expensive group first and those without a price last."""
    price = group.price_with_disks
    return price is None, -(price or 0.0)
