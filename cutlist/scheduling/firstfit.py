"""Find where pods without rules go on existing nodes: each to the first that takes it (spec: scheduling 5.3 to 5.5).

Existing nodes are tried before any claim, so what happens to claims changes nothing about them. A pod is plain if its place on
existing nodes follows from its requests, tolerations and labels alone; for such pods, and only for these, the answer is that of
a whole pass, at a small part of its cost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import groupby
from operator import or_
from typing import Final, NamedTuple

from cutlist.core.bits import bits
from cutlist.core.requirement import Operator
from cutlist.scheduling.existingnode import ExistingNodeIndex
from cutlist.scheduling.poddata import PodData
from cutlist.workloads.pods import Pod

_UNBOUNDED: Final = 1 << 60
"""More pods than any node has."""
_POSITIVE = frozenset({Operator.IN, Operator.EXISTS})


def is_plain(pod: Pod, others: Iterable[Pod]) -> bool:
    """Tell whether a pod is plain beside others, which may repel it."""
    if pod.minds_others or pod.preferred or pod.volumes or pod.host_ports or pod.uses_dynamic_resources:
        return False
    # Alternatives may be dropped by relaxation, and a negative term defines a key on the node that takes the pod (spec 2.6):
    # either way a place no longer follows from the pod alone.
    if len(pod.required or ()) > 1 or not has_only_positive_terms(pod):
        return False
    # A term without a selector may be about any pod here: saying no wrongly costs time, saying yes wrongly a wrong answer.
    repelling = (term for other in others for term in other.anti_affinity)
    return not any(term.selector is None or term.selector.matches(pod.labels) for term in repelling)


def has_only_positive_terms(pod: Pod) -> bool:
    """Tell whether a pod requires labels only by the values that they have, not by values that they must not have."""
    return not any(e.operator not in _POSITIVE for term in pod.required or () for e in term)


def without_rules(pod: Pod) -> Pod | None:
    """Return a pod without rules that only ever exclude nodes: every node that accepts the pod accepts the other too. None for
    pods whose requirements may be relaxed, or that are never placed."""
    if len(pod.required or ()) > 1 or pod.uses_dynamic_resources or not has_only_positive_terms(pod):
        return None
    return replace(
        pod,
        spread=(),
        affinity=(),
        anti_affinity=(),
        preferred_affinity=(),
        preferred_anti_affinity=(),
        preferred=(),
        volumes=(),
        host_ports=frozenset(),
    )


Turn = tuple[int, str]
"""When a pod was created, and its uid: its place in the queue among pods of equal requests."""
Place = tuple[int, int]
"""What a pod requests of cpu and memory, the most first: its place in the queue among all pods."""
_SETTLED, _LEAVING, _WAITING = range(3)


class PodsOfKind(NamedTuple):
    """Plain pods that are interchangeable: they go to the same nodes.

    `settled` run on nodes that are only considered for removal, and do not move to nodes that rest; `leaving` are on nodes that
    are being removed, `waiting` have no node.
    """

    kind: PodData
    settled: Sequence[Turn] = ()
    leaving: Sequence[Turn] = ()
    waiting: Sequence[Turn] = ()


class LeftOver(NamedTuple):
    """How many pods of a kind find no room: of those that have a node, and of those that wait for one."""

    kind: PodData
    stranded: int
    waiting: int


class Placed(NamedTuple):
    """The pods that are left over, and whether a settled pod goes to a node that is not initialized: then no more are placed.

    `tried` are the numbers of the nodes that decide the answer: it is the same whichever others are excluded. None if it may
    differ without the requested exclusion.
    """

    left: Sequence[LeftOver]
    on_starting: bool
    tried: Collection[int] | None


Needs = Sequence[tuple[int, int]]
"""What a pod requests, as places in the order of resources with amounts; nothing that it does not need."""


@dataclass(frozen=True, slots=True)
class FirstFit:
    """The existing nodes of a cluster before a pass, and pods that have been prepared for it.

    `initialized` is how many nodes are initialized: they come first.
    """

    node_index: ExistingNodeIndex
    numbers: Mapping[str, int]
    initialized: int
    takers: dict[tuple[int, bool], int] = field(default_factory=dict)
    rooms: dict[int, tuple[int, int]] = field(default_factory=dict)
    needs: dict[int, Needs] = field(default_factory=dict)

    @staticmethod
    def of(node_index: ExistingNodeIndex) -> FirstFit:
        """Return the nodes of an index, as long as it does not change."""
        return FirstFit(node_index, node_index.numbers, node_index.initialized)

    def room_for(self, kind: PodData, needs: Needs) -> tuple[int, int]:
        """Return how many times some needs have room on nodes that take a pod of a kind: on initialized nodes that take a
        settled one, and on all."""
        room = self.rooms.get(kind.number)
        if room is None:
            # Room on nodes that rest or are still starting is of no use to settled pods, so it is counted apart.
            settled = self._settled_takers(kind)
            others = self.takers_of(kind, settled=False) & ~settled
            on_settled, on_others = (sum(self._room_on(number, needs) for number in bits(m)) for m in (settled, others))
            room = self.rooms[kind.number] = on_settled, on_settled + on_others
        return room

    def room_on(self, nodes: int, kind: PodData, needs: Needs) -> int:
        """Return how many times some needs have room on those of a set of nodes that are initialized and take a settled pod of
        a kind."""
        takers = nodes & self._settled_takers(kind)
        return sum([self._room_on(number, needs) for number in bits(takers)]) if takers else 0

    def set_of(self, names: Iterable[str]) -> int:
        """Return the nodes of these names, as far as there are such nodes, as a set of numbers."""
        numbers = (self.numbers.get(name) for name in names)
        return reduce(or_, (1 << number for number in numbers if number is not None), 0)

    def _settled_takers(self, kind: PodData) -> int:
        return self.takers_of(kind, settled=True) & (1 << self.initialized) - 1

    def _room_on(self, number: int, needs: Needs) -> int:
        free = self.node_index.nodes[number].free
        return min([free[at] // need for at, need in needs], default=_UNBOUNDED)

    def needs_of(self, pod: PodData) -> Needs:
        """Return the requests that are not zero, each with the place of its resource; computed once for each pod."""
        cached = self.needs.get(pod.number)
        if cached is None:
            cached = self.needs[pod.number] = [(at, need) for at, need in enumerate(pod.requests) if need > 0]
        return cached

    def left_over(self, pods: Sequence[PodsOfKind], excluded: Iterable[str]) -> Placed:
        """Return which of some plain pods, each kind once, find no room on nodes that are not excluded."""
        without = self.set_of(excluded)
        passing = self._pass(pods, ~without)
        # If no excluded node would have taken any of the pods, the answer holds without the exclusion too.
        takers = (self.takers_of(p.kind, settled=bool(p.settled and not (p.leaving or p.waiting))) for p in pods)
        is_same_with_excluded = not any(mask & without for mask in takers)
        return Placed(passing.left, passing.on_starting, passing.tried if is_same_with_excluded else None)

    def free_after(self, pods: Sequence[PodsOfKind]) -> Mapping[int, Sequence[int]]:
        """Return what is free on those nodes on which some pods were tried, by number, once they are placed."""
        return self._pass(pods, -1).free

    def _pass(self, pods: Sequence[PodsOfKind], usable: int) -> _Passing:
        passing = _Passing(self, usable)
        # The queue has the largest pods first, and pods of equal requests by age (spec 4.7). So kinds of equal requests take
        # turns, and others follow each other as a whole.
        for _, group in groupby(sorted(pods, key=_place_of), key=_place_of):
            alike = list(group)
            only = alike[0]
            # Pods of one kind have one order too, unless some of them pass over resting nodes that others use.
            has_one_order = not only.settled or not (only.leaving or only.waiting) or not self.has_resting_takers(only.kind)
            if len(alike) == 1 and has_one_order:
                passing.fill(only)
            else:
                passing.place(alike)
            # The answer to the question is no, whatever happens to the smaller pods.
            if passing.on_starting:
                break
        return passing

    def has_resting_takers(self, pod: PodData) -> bool:
        """Tell whether there are nodes that take a pod only if it is not settled."""
        return bool(self.takers_of(pod, settled=False) & self.node_index.resting)

    def takers_of(self, pod: PodData, *, settled: bool) -> int:
        """Return the nodes that take a pod while no other has been placed; those that rest take none that is settled."""
        key = pod.number, settled
        cached = self.takers.get(key)
        if cached is None:
            cached = self.takers[key] = self.node_index.takers(pod.requests, pod.pod.tolerations, pod.requirements)
            if settled:
                cached = self.takers[key] = cached & ~self.node_index.resting
        return cached


class _Passing:
    """A pass over plain pods: the room that they leave on nodes, and those that are left over so far."""

    __slots__ = ("_first_fit", "_usable", "free", "left", "on_starting")

    def __init__(self, first_fit: FirstFit, usable: int) -> None:
        self._first_fit = first_fit
        self._usable = usable
        self.free: dict[int, list[int]] = {}
        self.left: list[LeftOver] = []
        self.on_starting = False

    @property
    def tried(self) -> Collection[int]:
        """Return the nodes that were asked whether they have room."""
        return self.free.keys()

    def fill(self, pods: PodsOfKind) -> None:
        """Place pods of one kind that all go to the same nodes: their order matters only to those behind the room."""
        # Which pod is which does not matter until one is left over: only then are they put in order.
        kind, wanted = pods.kind, len(pods.settled) + len(pods.leaving) + len(pods.waiting)
        initialized = self._first_fit.initialized
        mask = self._first_fit.takers_of(kind, settled=bool(pods.settled)) & self._usable
        on_initialized = placed = 0
        while mask and placed < wanted:
            number = (mask & -mask).bit_length() - 1
            placed += self._take(number, kind, wanted - placed)
            if number < initialized:
                on_initialized = placed
            mask &= mask - 1
        # Which pod got which place is only asked where they differ: some without a node, or on nodes that are still starting.
        if placed == on_initialized == wanted:
            return
        turns = _in_turn(pods) if pods.leaving or pods.waiting else [_SETTLED] * wanted
        self.on_starting |= _SETTLED in turns[on_initialized:placed]
        self._leave(kind, turns[placed:])

    def place(self, alike: Sequence[PodsOfKind]) -> None:
        """Place pods with the same place in the queue one by one."""
        # Kinds of equal requests compete for the same room by age, so here every pod has its own turn.
        queue = sorted((turn, number, origin) for number, pods in enumerate(alike) for turn, origin in _turns(pods))
        left: list[list[int]] = [[] for _ in alike]
        initialized = self._first_fit.initialized
        for _, number, origin in queue:
            kind = alike[number].kind
            mask = self._first_fit.takers_of(kind, settled=origin == _SETTLED) & self._usable
            while mask and not self._take((node := (mask & -mask).bit_length() - 1), kind, 1):
                mask &= mask - 1
            if not mask:
                left[number].append(origin)
            elif origin == _SETTLED and node >= initialized:
                self.on_starting = True
        for pods, origins in zip(alike, left, strict=True):
            self._leave(pods.kind, origins)

    def _take(self, number: int, pod: PodData, wanted: int) -> int:
        """Put as many pods as possible on a node; return their number."""
        free = self.free.get(number)
        # Only nodes that are asked get an entry: their numbers are what the answer depends on.
        if free is None:
            free = self.free[number] = list(self._first_fit.node_index.nodes[number].free)
        needs, pods = self._first_fit.needs_of(pod), wanted
        for at, need in needs:
            room = free[at] // need
            if room < pods:
                pods = room
        if pods <= 0:
            return 0
        for at, need in needs:
            free[at] -= need * pods
        return pods

    def _leave(self, kind: PodData, origins: Sequence[int]) -> None:
        if origins:
            waiting = origins.count(_WAITING)
            self.left.append(LeftOver(kind, len(origins) - waiting, waiting))


def _place_of(pods: PodsOfKind) -> Place:
    return place_of(pods.kind)


def place_of(kind: PodData) -> Place:
    """Return the place of a kind in the queue; pods of kinds with the same one take turns."""
    requests = kind.pod.requests
    return -requests.get("cpu", 0), -requests.get("memory", 0)


def _turns(pods: PodsOfKind) -> Iterator[tuple[Turn, int]]:
    for origin, turns in ((_SETTLED, pods.settled), (_LEAVING, pods.leaving), (_WAITING, pods.waiting)):
        for turn in turns:
            yield turn, origin


def _in_turn(pods: PodsOfKind) -> list[int]:
    """Return for each pod of a kind, in the order of the queue, where it comes from."""
    return [origin for _, origin in sorted(_turns(pods))]


def total(pods: Iterable[tuple[PodData, int]]) -> Mapping[str, int]:
    """Return what some pods request together, in nano-units; each comes with how many there are."""
    requests: dict[str, int] = {}
    for pod, count in pods:
        for resource, amount in pod.pod.requests.items():
            requests[resource] = requests.get(resource, 0) + amount * count
    return requests
