"""Where pods without rules go on existing nodes: each to the first that takes it (spec: scheduling 5.3 to 5.5).

Existing nodes are tried before any claim, so what happens to claims changes nothing about them. A pod is plain if its place on
existing nodes follows from its requests, tolerations and labels alone; for such pods, and only for these, the answer is that of
a whole pass, at a small part of its cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cutlist.core.requirement import Operator
from cutlist.core.values import dataclass
from cutlist.scheduling.existingnode import ExistingNodeIndex
from cutlist.scheduling.poddata import Amounts, PodData
from cutlist.workloads.pods import Pod

_UNBOUNDED: Final = 1 << 60
"""More pods than any node has."""
_POSITIVE = frozenset({Operator.IN, Operator.EXISTS})


def is_plain(pod: Pod, others: Iterable[Pod]) -> bool:
    """Tell whether a pod is plain beside others, which may repel it."""
    rules = pod.spread or pod.affinity or pod.anti_affinity or pod.preferred_affinity or pod.preferred_anti_affinity
    if rules or pod.preferred or pod.volumes or pod.host_ports or pod.uses_dynamic_resources:
        return False
    terms = pod.required or ()
    if len(terms) > 1 or any(e.operator not in _POSITIVE for term in terms for e in term):
        return False
    repelling = (term for other in others for term in other.anti_affinity)
    return not any(term.selector is None or term.selector.matches(pod.labels) for term in repelling)


@dataclass(slots=True)
class _Room:
    """How many pods of a kind have room on the initialized nodes that take them, each node by itself.

    `pods` is their number on those `takers` that have been looked at; `nodes` are the others.
    """

    takers: int
    nodes: int
    pods: int = 0


@dataclass(frozen=True, slots=True)
class FirstFit:
    """The existing nodes of a cluster before a pass, and pods that have been prepared for it."""

    node_index: ExistingNodeIndex
    takers: dict[tuple[int, bool], int]
    rooms: dict[int, _Room]
    numbers: dict[str, int]

    @staticmethod
    def of(node_index: ExistingNodeIndex) -> FirstFit:
        """Return the nodes of an index, as long as it does not change."""
        return FirstFit(node_index, {}, {}, {node.name: number for number, node in enumerate(node_index.nodes)})

    def shortfall(self, pods: Iterable[tuple[PodData, int]], excluded: Sequence[str]) -> list[tuple[PodData, int]]:
        """Return how many of some settled plain pods have no room on initialized nodes, even if no other pod is placed there.

        Pods come with how many there are, and the excluded nodes do not take any.
        """
        without = [self.numbers[name] for name in excluded if name in self.numbers]
        short = []
        for pod, count in pods:
            room = self.rooms.get(pod.number)
            if room is None:
                takers = self._takers(pod, settled=True) & (1 << self.node_index.initialized) - 1
                room = self.rooms[pod.number] = _Room(takers, takers)
            wanted = count
            if room.takers:
                wanted += sum(self._room_on(number, pod) for number in without if room.takers >> number & 1)
            if room.pods < wanted and room.nodes:
                self._look(pod, wanted, room)
            if room.pods < wanted:
                short.append((pod, wanted - room.pods))
        return short

    def _look(self, pod: PodData, wanted: int, room: _Room) -> None:
        """Look at nodes until there is room for some pods, or none is left."""
        while room.nodes and room.pods < wanted:
            number = (room.nodes & -room.nodes).bit_length() - 1
            room.pods += self._room_on(number, pod)
            room.nodes &= room.nodes - 1

    def _room_on(self, number: int, pod: PodData) -> int:
        """Return how many such pods have room on a node that takes one."""
        free = self.node_index.nodes[number].free
        return min([have // need for have, need in zip(free, pod.requests, strict=True) if need > 0], default=_UNBOUNDED)

    def left_over(self, pods: Sequence[tuple[PodData, bool]], excluded: Iterable[str]) -> tuple[list[int], bool]:
        """Return which of some plain pods, in the order of the queue, find no room on nodes that are not excluded, by place.

        A pod comes with whether it is settled: then nodes that rest do not accept it. The second value tells whether a settled
        pod goes to a node that is not initialized.
        """
        usable, nodes, initialized = ~self.node_index.mask_of(excluded), self.node_index.nodes, self.node_index.initialized
        on_starting = False
        free: dict[int, list[int]] = {}
        masks: dict[tuple[int, bool], int] = {}  # room only ever shrinks, so a node that refuses a pod refuses its like
        left = []
        for place, (pod, settled) in enumerate(pods):
            key = pod.number, settled
            mask = masks.get(key)
            if mask is None:
                mask = self._takers(pod, settled=settled) & usable
            number = _first(mask, pod.requests, free) if mask else None
            if number is None:
                masks[key] = 0
                left.append(place)
                continue
            masks[key] = mask >> number << number
            on_starting |= settled and number >= initialized
            room = free.get(number)
            if room is None:
                room = free[number] = list(nodes[number].free)
            for at, need in enumerate(pod.requests):
                room[at] -= need
        return left, on_starting

    def _takers(self, pod: PodData, *, settled: bool) -> int:
        key = pod.number, settled
        cached = self.takers.get(key)
        if cached is None:
            cached = self.takers[key] = self.node_index.takers(pod.requests, pod.pod.tolerations, pod.requirements)
            if settled:
                cached = self.takers[key] = cached & ~self.node_index.resting
        return cached


def _first(mask: int, requests: Amounts, free: Mapping[int, Sequence[int]]) -> int | None:
    """Return the first of some nodes that still has room for a request; `free` is that of nodes that took pods before."""
    while mask:
        number = (mask & -mask).bit_length() - 1
        room = free.get(number)
        if room is None:
            return number
        for have, need in zip(room, requests, strict=True):
            if need > have and need > 0:
                break
        else:
            return number
        mask &= mask - 1
    return None


def total(pods: Iterable[tuple[PodData, int]]) -> Mapping[str, int]:
    """Return what some pods request together, in nano-units; each comes with how many there are."""
    requests: dict[str, int] = {}
    for pod, count in pods:
        for resource, amount in pod.pod.requests.items():
            requests[resource] = requests.get(resource, 0) + amount * count
    return requests
