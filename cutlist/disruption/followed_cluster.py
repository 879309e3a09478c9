"""Looks at a cluster that changes step by step: each takes up only the nodes that have changed since the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from cutlist.disruption.candidates import Candidates, DisruptionClass, candidates
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.evaluation import NO_CANDIDATES, MethodInputs
from cutlist.disruption.known_candidates import KnownCandidates
from cutlist.disruption.shared_context import SharedContext
from cutlist.disruption.simulation import Simulator
from cutlist.scheduling.queue import PodBatch
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode


class FollowedCluster:
    """A cluster whose nodes and pods change from look to look, and nothing else but what Karpenter remembers.

    A node that has not changed is the same object in both looks. No pod comes that was not there at the first look.
    """

    __slots__ = ("_base", "_changed", "_known", "_leaving", "_looked", "_looks", "_nodes", "_shared", "_state")

    def __init__(self, cluster: ClusterState) -> None:
        """Begin with the cluster of the first look."""
        self._base = cluster.overlaid()
        self._shared = SharedContext(self._base, _placeable(cluster))
        self._changed: set[str] = set()
        self._known = KnownCandidates(self._changed)
        self._nodes: Sequence[StateNode] = ()
        self._leaving: frozenset[str] = frozenset()
        self._looked: ClusterState | None = None
        self._state = self._base
        self._looks = 0

    def inputs(self, cluster: ClusterState) -> MethodInputs:
        """Return what methods of disruption decide by in the present state."""
        state = self._look(cluster)
        known = self._known
        graceful, eventual = (known.of(state, of) for of in (DisruptionClass.GRACEFUL, DisruptionClass.EVENTUAL))
        repairable: Candidates = candidates(state, DisruptionClass.REPAIR) if state.repairs else NO_CANDIDATES
        simulator, prospects = self.simulator(cluster), self._shared.prospects(state, self._leaving)
        return MethodInputs(state, graceful, eventual, simulator, simulator, graceful, repairable, prospects, known)

    def simulator(self, cluster: ClusterState) -> Simulator:
        """Return the simulator of the present state."""
        state = self._look(cluster)
        return self._shared.simulator(state, self._leaving, self._looks)

    def _look(self, cluster: ClusterState) -> ClusterState:
        """Return a cluster as decisions see it, with overlays applied, after noting which nodes have changed."""
        if cluster is self._looked:
            return self._state
        self._note_changes(cluster.nodes)
        if cluster.buffers:
            # Virtual pods take room without a change of a node, so nothing is known from earlier looks.
            self._known = KnownCandidates()
        self._leaving = frozenset(node.name for node in cluster.nodes if node.state.removed)
        self._looked, self._state = cluster, replace(cluster, types=self._base.types, overlays=self._base.overlays)
        self._looks += 1
        return self._state

    def _note_changes(self, nodes: Sequence[StateNode]) -> None:
        before, after = set(map(id, self._nodes)), set(map(id, nodes))
        fresh = {node.name for node in nodes if id(node) not in before}
        gone = {node.name for node in self._nodes if id(node) not in after} - fresh
        for name in fresh:
            self._shared.node_changed(name)
        for name in gone:
            self._shared.node_removed(name)
        self._changed |= fresh | gone
        self._nodes = nodes


def _placeable(cluster: ClusterState) -> list[PodBatch]:
    """Return each distinct pod that may ever have to be placed, once."""
    running = (pod for node in cluster.nodes for pod in node.pods if pod.reschedulable)
    waiting: Sequence[PodBatch | RunningPod] = (*cluster.pending, *cluster.buffers, *cluster.displaced)
    pods = dict.fromkeys((placed.pod, placed.controller) for placed in chain(waiting, running))
    return [PodBatch(f"pod-{number}", pod, controller=of) for number, (pod, of) in enumerate(pods)]
