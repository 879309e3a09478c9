"""How much room nodes have for pods that move, counted in pods of a size (spec: disruption 5.1 to 5.4).

A command removes candidates only if their pods, and those of nodes that are being removed, find room on nodes that stay or on
one new machine, which is cheaper than the candidates. Wherever the pods go, they count as no more pods of a size there than
there is room for. So candidates are hopeless if their pods count as more than all the room.

A pod counts as many pods of a size as fit into what it requests. So the pods on one node or machine never count as more pods of
the size than it has room for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.disruption.machines import Machines
from cutlist.scheduling.firstfit import FirstFit, Needs
from cutlist.scheduling.poddata import PodData

NEVER: Final = -1 << 60
"""Less room than is ever left."""
Counted = Sequence[tuple[PodData, int]]
"""Pods of some kinds, each with how many there are."""
_PODS: Final = "pods"


@dataclass(frozen=True, slots=True, eq=False)
class PodSize:
    """A size of pods with equal tolerations and requirements: the requests of the pod that represents it.

    `needs` are places in the order of resources. Every pod is one pod, regardless of its size: the resource `pods` counts only
    if nothing else is requested.
    """

    kind: PodData
    needs: Needs
    requests: Mapping[str, int]
    _weights: dict[int, int] = field(default_factory=dict)

    @staticmethod
    def of(kind: PodData, resources: Sequence[str]) -> PodSize:
        """Return what a pod of the kind needs; its place among the pods of a node counts only if it needs nothing else."""
        needs = [(at, need) for at, need in enumerate(kind.requests) if need > 0]
        needs = [(at, need) for at, need in needs if resources[at] != _PODS] or needs
        return PodSize(kind, needs, {resources[at]: need for at, need in needs})

    def count(self, pods: Counted) -> int:
        """Return how many pods of the size some pods count as, at least; pods with other labels or tolerations count as
        none."""
        weights, counted = self._weights, 0
        for kind, times in pods:
            weight = weights.get(kind.number)
            if weight is None:
                weight = weights[kind.number] = self._weight(kind)
            counted += weight * times
        return counted

    def _weight(self, kind: PodData) -> int:
        own = self.kind
        if kind.requirements != own.requirements or kind.pod.tolerations != own.pod.tolerations:
            return 0
        return min(kind.requests[at] // need for at, need in self.needs)


class RoomLeft(dict[PodSize, int]):
    """The room on nodes, beside the pods of nodes that are being removed: how many pods of a size may move without a new node.

    Running pods move to initialized nodes that do not rest. Pods that are leaving may go to any node, where they take room from
    others, or to the new node. A size is counted when it is asked for first.
    """

    __slots__ = ("_first_fit", "_leaving", "_machines")

    def __init__(self, first_fit: FirstFit, leaving: Counted, machines: Mapping[bool, Machines]) -> None:
        """Begin with nothing counted. `leaving` are pods of nodes that are being removed, `machines` those with and without
        spot."""
        super().__init__()
        self._first_fit = first_fit
        self._leaving = leaving
        self._machines = machines

    def __missing__(self, size: PodSize) -> int:
        """Count the room for a size."""
        # Two bounds, of which the lower one holds: for running pods alone, and for these together with those that are leaving.
        settled, every = self._first_fit.room_for(size.kind, size.needs)
        left = self[size] = min(settled, every - size.count(self._leaving)) if self._leaving else settled
        return left

    def most(self, size: PodSize, pods: Counted, nodes: int, price: float, *, with_spot: bool) -> int:
        """Return the room, in pods of a size, up to which the nodes with these pods are hopeless together.

        `nodes` is the set of their numbers: their own room is part of the room that is left. The machine has to be cheaper than
        a price. Pods that count as none always have enough room.
        """
        count = size.count(pods)
        if not count:
            return NEVER
        own = self._first_fit.room_on(nodes, size.kind, size.needs)
        return count + own - self._machines[with_spot].most_pods(size.requests, price) - 1
