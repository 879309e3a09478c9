"""Nodes that have no room for any pod of a pass: their number is all that counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cutlist.core.labels import HOSTNAME
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode


@dataclass(frozen=True, slots=True)
class FullNodes:
    """Equal launched nodes on which no pod that waits has room: they count against limits, and nothing is tried on them.

    `node` is each of them without its name, and `pods` run on each; `numbers` are those of their claims. `place` is how many
    nodes were there before them that are listed one by one.
    """

    node: SchedulingNode
    pods: tuple[TopologyPods, ...]
    node_pool: str
    numbers: range
    place: int

    @property
    def names(self) -> Iterator[str]:
        """Yield their names."""
        return (launched_name(self.node_pool, number) for number in self.numbers)

    def each(self) -> Iterator[SchedulingNode]:
        """Yield the nodes one by one."""
        return (named(self.node, name) for name in self.names)

    def pods_on_each(self) -> Iterator[TopologyPods]:
        """Yield the pods on all of them."""
        return (replace(pods, node=name) for name in self.names for pods in self.pods)


def launched_name(node_pool: str, number: int) -> str:
    """Return a name that no node of a cluster has; numbers of equal length keep the order of the claims."""
    return f"({node_pool} {number:09d})"


def named(node: SchedulingNode, name: str) -> SchedulingNode:
    """Return a launched node with a name, which is its hostname too."""
    labels = {**node.labels, HOSTNAME: name}
    return replace(node, name=name, node=name, labels=labels, own_labels=labels)
