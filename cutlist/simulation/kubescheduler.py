"""kube-scheduler: pending pods onto nodes that are ready, by the default scoring of Kubernetes.

Nodes are filtered by room, taints, labels and ports, and scored as the default plugins do with their default weights:
NodeResourcesFit (LeastAllocated) and NodeResourcesBalancedAllocation of cpu and memory, TaintToleration, NodeAffinity,
PodTopologySpread with kube-scheduler's own defaults, and InterPodAffinity. Among equal scores, of which kube-scheduler picks
one at random, the first by name is taken. All nodes are scored, as in clusters of up to 100 nodes, and all have the same
images. Required rules about other pods filter nodes. Pods with volumes or claims for devices go to the first node on which
Karpenter's scheduler would put them. Nothing is preempted. Pods of a gang whose minimum does not run yet are bound together or
not at all, where Karpenter's scheduler would put them (spec: gangs 1; GA-5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.disruption.simulation import bound_pods
from cutlist.scheduling.results import finalise
from cutlist.simulation.kept_templates import KeptTemplates
from cutlist.simulation.node_choice import NodeChoice
from cutlist.simulation.node_scores import NO_TRAITS, NodeScores, is_open
from cutlist.simulation.pass_inputs import pass_inputs
from cutlist.simulation.pod_preferences import PodPreferences
from cutlist.simulation.pod_rules import PodCounts, PodRules, is_ruled
from cutlist.simulation.pods import batched, key_of
from cutlist.simulation.soft_constraints import soft_constraints
from cutlist.simulation.state import SimulatedCluster
from cutlist.simulation.world import World
from cutlist.state.pods import RunningPod
from cutlist.workloads.default_selectors import PodController, SelectorSources
from cutlist.workloads.gangs.gang import GangId
from cutlist.workloads.pods import Pod


class KubeScheduler:
    """Puts pending pods on nodes. Pods with rules that were refused are tried again only once a node has changed."""

    __slots__ = ("_counts", "_preferences", "_refused", "_refused_gangs", "_ruled", "_scores", "_world")
    NOT_SAVED: Final = frozenset(("_counts", "_preferences", "_refused", "_refused_gangs", "_ruled", "_scores"))

    def __init__(self, world: World, sources: SelectorSources) -> None:
        """Begin with nothing known. `sources` are what selectors of default spread constraints are deduced from."""
        self._world = world
        self._scores = NodeScores(world.cluster)
        self._refused: dict[Pod, int] = {}
        self._refused_gangs: dict[GangId, tuple[int, int]] = {}
        self._counts = PodCounts()
        self._preferences = KnownPreferences(world.cluster, sources, self._scores, self._counts)
        self._ruled = {pod: is_ruled(pod, world.cluster.placeable) for pod in world.cluster.placeable}

    def place(self) -> None:
        """Bind every pending pod for which a node has room, those of the highest priority first, then the oldest."""
        cluster = self._world.cluster
        # kube-scheduler's own queue; Karpenter's goes by size.
        pending = sorted((cluster.pods[key] for key in cluster.pending), key=lambda p: (-p.pod.priority, p.created, p.uid))
        if cluster.gangs.are_none:
            self._place_each(pending)
            return
        lacking = cluster.gangs.lacking(cluster.pods, cluster.workload_of)
        for gang, pods in self._by_gang(pending):
            if gang is not None and lacking[gang]:
                self._place_together(gang, lacking[gang], pods)
            else:
                self._place_each(pods)

    def _place_each(self, pending: Sequence[RunningPod]) -> None:
        """Bind pods in their order, each by itself."""
        for alike in _alike(pending):
            pod = alike[0].pod
            if pod.volumes or pod.resource_claims:
                self._place_by_karpenter(alike)
            elif self._ruled.get(pod, True):
                self._place_ruled(alike)
            else:
                self._place_alike(alike)

    def _by_gang(self, pending: Iterable[RunningPod]) -> Sequence[tuple[GangId | None, list[RunningPod]]]:
        """Return runs of pods that are bound by themselves, and at the place of its first pod each gang with all its pods."""
        cluster = self._world.cluster
        units: list[tuple[GangId | None, list[RunningPod]]] = []
        of_gang: dict[GangId, list[RunningPod]] = {}
        for pod in pending:
            gang = cluster.gangs.bound_together(cluster.workload_of.get(key_of(pod), ""))
            if gang is not None and gang in of_gang:
                of_gang[gang].append(pod)
            elif gang is not None or not units or units[-1][0] is not None:
                units.append((gang, [pod]))
                if gang is not None:
                    of_gang[gang] = units[-1][1]
            else:
                units[-1][1].append(pod)
        return units

    def _place_together(self, gang: GangId, lacking: int, pods: Sequence[RunningPod]) -> None:
        """Bind the pods of a gang that find a place, if these are as many as it lacks; else none."""
        cluster, ledger = self._world.cluster, self._world.ledger
        # Only a changed node can make room for a gang that was refused, or another pod of it complete it.
        if self._refused_gangs.get(gang) == (len(cluster.touched), len(pods)):
            return
        places = self._places(pods) if len(pods) >= lacking else []
        if len(places) >= lacking:
            for key, name in places:
                self._world.bind_pod(key, name)
            return
        self._refused_gangs[gang] = len(cluster.touched), len(pods)
        for workload in {cluster.workload_of.get(key_of(pod), "") for pod in pods}:
            ledger.refusals.setdefault(workload, cluster.gangs.why_waiting(workload, ""))

    def forget(self, name: str) -> None:
        """Forget what is known of a node, which is removed or has other taints."""
        self._counts.forget(name)
        self._scores.forget(name)

    def _place_alike(self, pods: Sequence[RunningPod]) -> None:
        """Bind equal pods, each to the node of the highest score at its turn: only the node that took one is scored again."""
        pod = pods[0].pod
        scores, traits = self._scores.of(pod)
        if not scores:
            return
        preferences = self._preferences.of(pods[0])
        choice = NodeChoice(preferences)
        choice.fill(scores, traits)
        for running in pods:
            name = choice.best()
            if name is None:
                return
            self._world.bind_pod(key_of(running), name)
            score = self._scores.of(pod)[0].get(name)
            # The pod just bound counts for the next one.
            self._preferences.look(preferences, pod)
            choice.change(name, score, traits.get(name, NO_TRAITS))

    def _place_ruled(self, pods: Sequence[RunningPod]) -> None:
        """Bind equal pods with rules about other pods, each to the best node that the rules allow at its turn."""
        cluster, pod = self._world.cluster, pods[0].pod
        # Only a changed node can make room for a pod that was refused, and every change is counted.
        if self._refused.get(pod) == len(cluster.touched):
            return
        rules = PodRules(pod, cluster.base.namespaces)
        rules.count(
            (n for n in cluster.nodes.values() if n.has_node),
            self._counts,
            lambda node: self._scores.matches_labels(pod, node),
        )
        for running in pods:
            scores, traits = self._scores.of(pod)
            choice = NodeChoice(self._preferences.of(running))
            allowed = {name: score for name, score in scores.items() if rules.allow(cluster.nodes[name])}
            choice.fill(allowed, traits)
            name = choice.best()
            if name is None:
                self._refused[pod] = len(cluster.touched)
                return
            self._world.bind_pod(key_of(running), name)
            rules.bound(cluster.nodes[name])
        self._refused.pop(pod, None)

    def _place_by_karpenter(self, pods: Sequence[RunningPod]) -> None:
        """Bind pods whose volumes depend on zones, or that claim devices, where Karpenter's scheduler would."""
        left: Sequence[RunningPod] = pods
        # A pod that gives a shared claim its volume decides where the others can be.
        while left != (rest := self._placed_until_shared(left)):
            left = rest

    def _placed_until_shared(self, pods: Sequence[RunningPod]) -> Sequence[RunningPod]:
        """Bind pods until one of them gives a claim that several use its volume; return those that a further look may place."""
        cluster = self._world.cluster
        for key, name in self._places(pods):
            decides = cluster.storage.is_shared_and_unbound(cluster.pods[key].pod)
            self._world.bind_pod(key, name)
            if decides:
                return [p for p in pods if key_of(p) in cluster.pending]
        return pods

    def _places(self, pods: Sequence[RunningPod]) -> list[tuple[str, str]]:
        """Return the pods for which Karpenter's scheduler finds room on nodes that are ready, each with its node."""
        cluster = self._world.cluster
        state = cluster.state()
        groups = batched(pods)
        # Karpenter's scheduler would use nodes that are not ready yet; kube-scheduler binds only to those that are.
        shut = {n.name: bound_pods(n, state) for n in state.nodes if not is_open(n)}
        scheduler = cluster.context(state).new_scheduler(pass_inputs(state, groups), shut)
        scheduler.solve()
        existing = finalise(scheduler, strict_min_values=state.options.strict_min_values).existing
        return [
            (key_of(groups[number][1].pop(0)), name)
            for name, counts in existing.items()
            for number, count in counts.items()
            for _ in range(count)
        ]


def _alike(pods: Iterable[RunningPod]) -> list[list[RunningPod]]:
    """Return runs of equal pods."""
    runs: list[list[RunningPod]] = []
    for pod in pods:
        # By identity: pods of one template share the object.
        if runs and runs[-1][0].pod is pod.pod:
            runs[-1].append(pod)
        else:
            runs.append([pod])
    return runs


class KnownPreferences:
    """The preferences of pods that depend on other pods, kept from one look of kube-scheduler to the next, with counts of the
    nodes as they are."""

    __slots__ = ("_cluster", "_counts", "_known", "_made_for", "_scores", "_sources")

    def __init__(self, cluster: SimulatedCluster, sources: SelectorSources, scores: NodeScores, counts: PodCounts) -> None:
        """Begin without any. `sources` are what selectors of default spread constraints are deduced from."""
        self._cluster = cluster
        self._sources = sources
        self._scores = scores
        self._counts = counts
        self._known: KeptTemplates[tuple[Pod, PodController | None], PodPreferences] = KeptTemplates()
        self._made_for = cluster.placeable, cluster.base.namespaces

    def of(self, running: RunningPod) -> PodPreferences:
        """Return the preferences of pods like this one."""
        cluster, namespaces = self._cluster, self._cluster.base.namespaces
        # Another template may have terms about these pods, and other labels of namespaces may select them.
        if self._made_for[0] is not cluster.placeable or self._made_for[1] is not namespaces:
            self._known.clear()
            self._made_for = cluster.placeable, namespaces
        pod, controller = running.pod, running.controller
        known = self._known.take((pod, controller))
        if known is None:
            soft = soft_constraints(pod, controller, self._sources)
            known = PodPreferences(pod, soft, cluster.placeable, namespaces, self._counts)
            if known.is_concerned:
                self._take(known, pod, cluster.nodes)
        else:
            self.look(known, pod)
        self._known.keep((pod, controller), known, len(known))
        return known

    def look(self, preferences: PodPreferences, pod: Pod) -> None:
        """Count the pods of nodes that have changed since the last look."""
        if preferences.is_concerned:
            self._take(preferences, pod, set(self._cluster.touched[preferences.seen :]))

    def _take(self, preferences: PodPreferences, pod: Pod, names: Iterable[str]) -> None:
        nodes = self._cluster.nodes
        for name in names:
            if name in nodes:
                preferences.update(nodes[name], lambda node: self._scores.matches_labels(pod, node))
            else:
                # A node that goes loses its pods first, so it is among those that have changed.
                preferences.forget(name)
        preferences.seen = len(self._cluster.touched)
