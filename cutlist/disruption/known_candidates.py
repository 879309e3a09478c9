"""Candidates kept from round to round: only nodes that have changed are checked again (spec: disruption 1.2 to 1.6, 2.3)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cutlist.disruption.candidates import (
    Candidate,
    Candidates,
    DisruptionClass,
    Filter,
    Judged,
    Skipped,
    judged,
    savings_order,
)
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.disruptable import blocking_pod
from cutlist.disruption.node_counts import NO_NODES, NodeCounts
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class _KnownNode:
    """A node, and the verdict on it with the budgets of the last look."""

    node: StateNode
    judged: Judged


class _Accepted:
    """The candidates that a method accepts, in the order of their savings, and the events about others, by name.

    `pods` is how many pods they have that would have to move.
    """

    __slots__ = ("_in_order", "_key_of", "_keys", "_listed", "_takes", "events", "pods")

    def __init__(self, takes: Filter) -> None:
        self._takes = takes
        self._keys: list[tuple[float, str]] = []
        self._key_of: dict[str, tuple[float, str]] = {}
        self._in_order: list[Candidate] = []
        self._listed: tuple[Candidate, ...] | None = None
        self.events: dict[str, Skipped] = {}
        self.pods = 0

    def change(self, name: str, candidate: Candidate | None, cluster: ClusterState) -> None:
        """Replace the candidate of a name, or forget it."""
        self.events.pop(name, None)
        if (before := self._key_of.pop(name, None)) is not None:
            place = _place_of(before, self._keys)
            del self._keys[place]
            self.pods -= len(self._in_order.pop(place).pods)
            self._listed = None
        skipped = self._takes(candidate, cluster) if candidate is not None else None
        if candidate is not None and skipped is None:
            key = self._key_of[name] = savings_order(candidate)
            place = bisect_right(self._keys, key)
            self._keys.insert(place, key)
            self._in_order.insert(place, candidate)
            self.pods += len(candidate.pods)
            self._listed = None
        elif skipped is not None and skipped.event:
            self.events[name] = skipped

    def in_order(self) -> tuple[Candidate, ...]:
        """Return the candidates, the most savings first."""
        if self._listed is None:
            self._listed = tuple(self._in_order)
        return self._listed


def _place_of(key: tuple[float, str], keys: Sequence[tuple[float, str]]) -> int:
    """Return the position of a key among others in order; bisection cannot find the position of a cost that is NaN."""
    place = bisect_left(keys, key)
    return place if place < len(keys) and keys[place] is key else keys.index(key)


class KnownCandidates:
    """Which nodes are candidates, kept as long as a node and the budgets of pods are the same objects.

    `held` are the nodes with pods that an annotation protects; these nodes and nominated ones are judged again each time. It
    holds for one set of NodePools, types and settings, and for graceful and eventual disruption.
    """

    __slots__ = (
        "_accepted",
        "_buffered",
        "_by_pool",
        "_candidates",
        "_changed",
        "_known",
        "_looked",
        "_noted",
        "_objects",
        "held",
    )

    def __init__(self, changed: set[str] | None = None) -> None:
        """Begin with nothing. `changed` are the names of nodes that are new, other objects or no longer there since the last
        look, if the caller keeps them: then the cost of a look depends only on what has changed. A look empties the set."""
        self._looked: ClusterState | None = None
        self._changed = changed
        self._objects: set[int] = set()
        self._known: dict[str, _KnownNode] = {}
        self._noted: frozenset[str] = frozenset()
        self._buffered: Mapping[str, int] = {}
        self.held: set[str] = set()
        self._by_pool: dict[str, NodeCounts] = {}
        classes = (DisruptionClass.GRACEFUL, DisruptionClass.EVENTUAL)
        self._candidates = {of: Candidates({}, {}, self._by_pool) for of in classes}
        self._accepted: dict[tuple[Filter, DisruptionClass], _Accepted] = {}

    def of(self, cluster: ClusterState, disruption_class: DisruptionClass = DisruptionClass.GRACEFUL) -> Candidates:
        """Return the candidates of a class as `candidates` does, in any order. They change with the next look at a cluster."""
        self._look(cluster)
        return self._candidates[disruption_class]

    def accepted(
        self, takes: Filter, disruption_class: DisruptionClass, cluster: ClusterState
    ) -> tuple[tuple[Candidate, ...], Iterable[Skipped]]:
        """Return the candidates that a method accepts, the most savings first, and the events about others."""
        accepted = self._accepted_by(takes, disruption_class, cluster)
        return accepted.in_order(), accepted.events.values()

    def pods_of_accepted(self, takes: Filter, disruption_class: DisruptionClass, cluster: ClusterState) -> int:
        """Return how many pods would have to move from the candidates that a method accepts."""
        return self._accepted_by(takes, disruption_class, cluster).pods

    def _accepted_by(self, takes: Filter, disruption_class: DisruptionClass, cluster: ClusterState) -> _Accepted:
        self._look(cluster)
        accepted = self._accepted.get((takes, disruption_class))
        if accepted is None:
            accepted = self._accepted[takes, disruption_class] = _Accepted(takes)
            for name, candidate in self._candidates[disruption_class].by_name.items():
                accepted.change(name, candidate, cluster)
        return accepted

    def _look(self, cluster: ClusterState) -> None:
        """Judge the nodes of a cluster that have changed since the last look."""
        if cluster is self._looked:
            return
        before, self._looked = self._looked, cluster
        known, memory = self._known, cluster.controller_memory
        fresh, removed = self._compared(cluster) if before is None or self._changed is None else self._named(cluster)
        self._forget(removed, cluster)
        # What the controller remembers is not part of a node: a node is the same object before and after its nomination ends.
        noted = frozenset((*memory.queued, *memory.nominated))
        whole, self._noted = fresh.keys() | known.keys() & (self._noted | noted), noted
        # Budgets of pods change only which pods block a node. Without other budgets, time alone changes only nodes whose pods
        # are protected by an annotation, which may end.
        has_other_budgets = before is not None and before.evictions is not cluster.evictions
        # Sorted, because a set of texts has another order in each process.
        for name in sorted(whole | (known.keys() if has_other_budgets else self.held)):
            node = fresh[name] if name in fresh else known[name].node
            self._keep(node, judged(node, cluster) if name in whole else _judged_pods(known[name], cluster), cluster)
        buffered, self._buffered = self._buffered, memory.buffered
        for name in sorted(known.keys() & (buffered.keys() | memory.buffered.keys())):
            if buffered.get(name) != memory.buffered.get(name):
                self._change(name, known[name].judged, cluster)  # methods need these pods themselves

    def _compared(self, cluster: ClusterState) -> tuple[Mapping[str, StateNode], Iterable[str]]:
        """Return the nodes of a cluster that are new or other objects, and the names of those that are no longer there."""
        known = self._known
        fresh = {node.state.name: node for node in cluster.nodes if id(node) not in self._objects}
        if self._changed is None:
            self._objects = set(map(id, cluster.nodes))  # `known` keeps the nodes, so no other object gets the identity of one
        else:
            self._changed.clear()
        # The known and the fresh names include all of the cluster's. If they are not more, none of them has been removed.
        if len(known) + len(fresh.keys() - known.keys()) <= len(cluster.nodes):
            return fresh, ()
        return fresh, known.keys() - {node.state.name for node in cluster.nodes}

    def _named(self, cluster: ClusterState) -> tuple[Mapping[str, StateNode], Iterable[str]]:
        """Return the same, looking only at nodes that the caller says have changed."""
        assert self._changed is not None  # noqa: S101 - the caller has looked
        nodes = {name: cluster.node_of(name) for name in self._changed}
        self._changed.clear()
        known = self._known
        fresh = {name: node for name, node in nodes.items() if node is not None and not self._is_known(node)}
        return fresh, [name for name, node in nodes.items() if node is None and name in known]

    def _is_known(self, node: StateNode) -> bool:
        known = self._known.get(node.state.name)
        return known is not None and known.node is node

    def _forget(self, names: Iterable[str], cluster: ClusterState) -> None:
        for name in names:
            self._count(self._known.pop(name), -1)
            self.held.discard(name)
            self._change(name, None, cluster)

    def _keep(self, node: StateNode, result: Judged, cluster: ClusterState) -> None:
        name = node.state.name
        if any(pod.do_not_disrupt for pod in node.pods):
            self.held.add(name)
        else:
            self.held.discard(name)
        before = self._known.get(name)
        known = self._known[name] = _KnownNode(node, result)
        if before is None or before.node is not node:
            if before is not None:
                self._count(before, -1)
            self._count(known, 1)
        # Methods keep their own order of candidates, which only a new verdict touches.
        if before is None or before.judged != result:
            self._change(name, result, cluster)

    def _count(self, known: _KnownNode, times: int) -> None:
        pool = known.node.pool
        self._by_pool[pool] = self._by_pool.get(pool, NO_NODES).plus(NodeCounts.of(known.node), times)

    def _change(self, name: str, result: Judged | None, cluster: ClusterState) -> None:
        for disruption_class, candidates in self._candidates.items():
            by_name, blocked = candidates.by_name, candidates.blocked
            assert isinstance(by_name, dict) and isinstance(blocked, dict)  # noqa: S101,PT018 - they are made here
            by_name.pop(name, None)
            blocked.pop(name, None)
            candidate = None
            if result is not None and result.is_candidate_of(disruption_class):
                candidate = by_name[name] = result.candidate
            elif result is not None:
                blocked[name] = result.text
            for (_, of), accepted in self._accepted.items():
                if of is disruption_class:
                    accepted.change(name, candidate, cluster)


def _judged_pods(known: _KnownNode, cluster: ClusterState) -> Judged:
    """Return the verdict on a node with other budgets of its pods, or at another instant."""
    before = known.judged
    if before.candidate is None:
        return before
    block = blocking_pod(known.node.pods, cluster.evictions, cluster.now)
    if block == before.block:
        return before
    return Judged(None, block, replace(before.candidate, has_pod_blockers=bool(block)))
