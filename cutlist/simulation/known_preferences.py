"""The preferences of pods that depend on other pods, kept from one look of kube-scheduler to the next."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.simulation.node_scores import NodeScores
from cutlist.simulation.pod_preferences import PodPreferences, soft_constraints
from cutlist.simulation.pod_rules import PodCounts
from cutlist.simulation.state import SimulatedCluster
from cutlist.state.pods import RunningPod
from cutlist.workloads.default_selectors import PodController, SelectorSources
from cutlist.workloads.pods import Pod


class KnownPreferences:
    """The preferences of a cluster's pods, with counts of the nodes as they are."""

    __slots__ = ("_cluster", "_counts", "_known", "_made_for", "_scores", "_sources")

    def __init__(self, cluster: SimulatedCluster, sources: SelectorSources, scores: NodeScores, counts: PodCounts) -> None:
        """Begin without any. `sources` are what selectors of default spread constraints are deduced from."""
        self._cluster = cluster
        self._sources = sources
        self._scores = scores
        self._counts = counts
        self._known: dict[tuple[Pod, PodController | None], PodPreferences] = {}
        self._made_for = cluster.placeable, cluster.base.namespaces

    def of(self, running: RunningPod) -> PodPreferences:
        """Return the preferences of pods like this one."""
        cluster, namespaces = self._cluster, self._cluster.base.namespaces
        if self._made_for[0] is not cluster.placeable or self._made_for[1] is not namespaces:
            self._known.clear()
            self._made_for = cluster.placeable, namespaces
        pod, controller = running.pod, running.controller
        known = self._known.get((pod, controller))
        if known is None:
            soft = soft_constraints(pod, controller, self._sources)
            known = PodPreferences(pod, soft, cluster.placeable, namespaces)
            self._known[pod, controller] = known
            if known.is_concerned:
                self._take(known, pod, cluster.nodes)
        else:
            self.look(known, pod)
        return known

    def look(self, preferences: PodPreferences, pod: Pod) -> None:
        """Count the pods of nodes that have changed since the last look."""
        if preferences.is_concerned:
            self._take(preferences, pod, set(self._cluster.touched[preferences.seen :]))

    def _take(self, preferences: PodPreferences, pod: Pod, names: Iterable[str]) -> None:
        nodes = self._cluster.nodes
        for name in names:
            if name in nodes:
                preferences.update(nodes[name], self._counts, lambda node: self._scores.matches_labels(pod, node))
        preferences.seen = len(self._cluster.touched)

    def forget(self, name: str) -> None:
        """Forget a node, which is removed or has changed."""
        for preferences in self._known.values():
            preferences.forget(name)
