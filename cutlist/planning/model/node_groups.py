"""Planned nodes grouped by NodePool, instance type and capacity type."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cutlist.planning.model.extended import NodeAmounts, Use, extended_use
from cutlist.planning.model.nodes import PlannedNode, fill


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Nodes of one NodePool with the same instance type and capacity type, regardless of their pods; never empty."""

    node_pool: str
    instance_type: str
    capacity_type: str
    nodes: tuple[PlannedNode, ...]

    @property
    def count(self) -> int:
        """Return how many nodes there are."""
        return sum(node.count for node in self.nodes)

    @property
    def pods(self) -> int:
        """Return how many pods they have together, DaemonSets aside."""
        return sum(node.count * node.pods_each for node in self.nodes)

    @property
    def price_with_disks(self) -> float | None:
        """Return USD an hour for all of them with their disks, as far as these are known, or None if one has no price."""
        prices = [(node.count, node.price_with_disks) for node in self.nodes]
        known = [count * price for count, price in prices if price is not None]
        return math.fsum(known) if len(known) == len(prices) else None

    @property
    def is_estimated(self) -> bool:
        """Tell whether the price of one of them is an estimate."""
        return any(node.is_estimated for node in self.nodes)

    @property
    def zones(self) -> tuple[str, ...]:
        """Return every zone that one of them may be in."""
        return tuple(sorted({zone for node in self.nodes for zone in node.zones}))

    @property
    def extended(self) -> dict[str, Use]:
        """Return how much of their accelerators and other extended resources their pods request, by name."""
        return extended_use(NodeAmounts(node.count, node.requests, node.allocatable) for node in self.nodes)

    def fill(self, resource: str) -> float | None:
        """Return the fraction of a resource that their pods request, or None if they have none of it."""
        return fill(self.nodes, resource)


def node_groups(nodes: Iterable[PlannedNode]) -> tuple[NodeGroup, ...]:
    """Return the groups of these nodes: by NodePool as the nodes come, and in each the most expensive first."""
    members: dict[tuple[str, str, str], list[PlannedNode]] = {}
    for node in nodes:
        members.setdefault((node.node_pool, node.instance_type, node.capacity_type), []).append(node)
    groups = [NodeGroup(*key, tuple(alike)) for key, alike in members.items()]
    pools = {pool: place for place, pool in enumerate(dict.fromkeys(group.node_pool for group in groups))}
    return tuple(sorted(groups, key=lambda g: (pools[g.node_pool], *_cheapness(g), g.instance_type, g.capacity_type)))


def _cheapness(group: NodeGroup) -> tuple[bool, float]:
    """Return a key that sorts the most expensive group first and those without a price last."""
    price = group.price_with_disks
    return price is None, -(price or 0.0)
