"""kube-scheduler: pending pods onto nodes that are ready, by the default scoring of Kubernetes.

Nodes are filtered by room, taints, labels and ports, and scored as the default plugins do: NodeResourcesFit (LeastAllocated)
and NodeResourcesBalancedAllocation of cpu and memory, TaintToleration (weight 3) and NodeAffinity (weight 2). Among equal
scores, of which kube-scheduler picks one at random, the first by name is taken, and all nodes are scored. Required rules about
other pods filter nodes. Pods with volumes go to the first node on which Karpenter's scheduler would put them. Nothing is
preempted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heapreplace
from typing import Final

from cutlist.core.quantity import NANO
from cutlist.core.requirements import Requirements
from cutlist.core.taints import PREFER_NO_SCHEDULE, untolerated
from cutlist.disruption.simulation import bound_pods
from cutlist.scheduling.results import finalise
from cutlist.simulation.pass_inputs import pass_inputs
from cutlist.simulation.pod_rules import PodCounts, PodRules, is_ruled
from cutlist.simulation.pods import batched, key_of
from cutlist.simulation.world import World
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import Pod

_MOST: Final = 100
_LEAST_CPU: Final = NANO // 10
_LEAST_MEMORY: Final = 200 * 1024**2 * NANO
"""What a pod without a request counts as in scores: 100m and 200Mi."""
_TAINTS: Final = 3
_AFFINITY: Final = 2


class KubeScheduler:
    """Puts pending pods on nodes. What has been refused is tried again only where a node has changed since."""

    __slots__ = ("_allocatable", "_counts", "_fits", "_refused", "_ruled", "_world")
    NOT_SAVED: Final = frozenset(("_allocatable", "_counts", "_fits", "_refused", "_ruled"))

    def __init__(self, world: World) -> None:
        self._world = world
        self._allocatable: dict[str, tuple[int, int]] = {}
        self._fits: dict[str, dict[Pod, bool]] = {}
        self._refused: dict[Pod, int] = {}
        self._counts = PodCounts()
        self._ruled = {pod: is_ruled(pod, world.cluster.placeable) for pod in world.cluster.placeable}

    def place(self) -> None:
        """Bind every pending pod for which a node has room, those of the highest priority first, then the oldest."""
        cluster = self._world.cluster
        pending = sorted((cluster.pods[key] for key in cluster.pending), key=lambda p: (-p.pod.priority, p.created, p.uid))
        for alike in _alike(pending):
            pod = alike[0].pod
            if pod.volumes:
                self._place_with_volumes(alike)
            elif self._ruled.get(pod, True):
                self._place_ruled(alike)
            else:
                self._place_alike(alike)

    def forget(self, name: str) -> None:
        """Forget what is known of a node, which is removed or has other taints."""
        self._allocatable.pop(name, None)
        self._counts.forget(name)
        self._fits.pop(name, None)

    def _place_alike(self, pods: Sequence[RunningPod]) -> None:
        """Bind equal pods, each to the node of the highest score at its turn: only the node that took one is scored again."""
        cluster, pod = self._world.cluster, pods[0].pod
        since = self._refused.get(pod)
        names: Iterable[str] = cluster.nodes if since is None else set(cluster.touched[since:])
        heap = [(-score, name) for name in names if (score := self._score(pod, name)) is not None]
        heapify(heap)
        for running in pods:
            if not heap:
                self._refused[pod] = len(cluster.touched)
                return
            name = heap[0][1]
            self._world.bind_pod(key_of(running), name)
            score = self._score(pod, name)
            if score is None:
                heappop(heap)
            else:
                heapreplace(heap, (-score, name))
        self._refused.pop(pod, None)

    def _place_ruled(self, pods: Sequence[RunningPod]) -> None:
        """Bind equal pods with rules about other pods, each to the best node that the rules allow at its turn."""
        cluster, pod = self._world.cluster, pods[0].pod
        if self._refused.get(pod) == len(cluster.touched):
            return
        rules = PodRules(pod, cluster.base.namespaces)
        rules.count(
            (n for n in cluster.nodes.values() if n.has_node), self._counts, lambda node: self._has_labels_for(pod, node)
        )
        scores = {name: score for name in cluster.nodes if (score := self._score(pod, name)) is not None}
        for running in pods:
            allowed = [(-score, name) for name, score in scores.items() if rules.allow(cluster.nodes[name])]
            if not allowed:
                self._refused[pod] = len(cluster.touched)
                return
            name = min(allowed)[1]
            self._world.bind_pod(key_of(running), name)
            rules.bound(cluster.nodes[name])
            score = self._score(pod, name)
            if score is None:
                del scores[name]
            else:
                scores[name] = score
        self._refused.pop(pod, None)

    def _score(self, pod: Pod, name: str) -> int | None:
        """Return the score of a node for a pod, or None where it must not run there."""
        node = self._world.cluster.nodes.get(name)
        if node is None or not _is_open(node):
            return None
        available = node.state.available
        if any(amount > available.get(resource, 0) for resource, amount in pod.requests.items() if amount):
            return None
        if pod.host_ports and any(a.conflicts(b) for a in pod.host_ports for b in node.state.ports):
            return None
        if not self._may_run(pod, node):
            return None
        return self._resources_score(pod, node) + _TAINTS * _taints_score(pod, node) + _AFFINITY * _affinity_score(pod, node)

    def _may_run(self, pod: Pod, node: StateNode) -> bool:
        known = self._fits.setdefault(node.name, {})
        cached = known.get(pod)
        if cached is None:
            cached = known[pod] = self._fits_labels(pod, node)
        return cached

    def _fits_labels(self, pod: Pod, node: StateNode) -> bool:
        if any(taint.effect != PREFER_NO_SCHEDULE for taint in untolerated(node.state.taints, pod.tolerations)):
            return False
        return self._has_labels_for(pod, node)

    def _has_labels_for(self, pod: Pod, node: StateNode) -> bool:
        registry = self._world.cluster.base.registry
        labels = Requirements.of_labels(node.state.own_labels, registry)
        if not labels.compatible(Requirements.of_labels(pod.node_selector, registry)):
            return False
        if pod.required is None:
            return True
        return any(labels.compatible(Requirements.of_expressions(term, registry)) for term in pod.required)

    def _resources_score(self, pod: Pod, node: StateNode) -> int:
        allocatable = self._allocatable.get(node.name)
        if allocatable is None:
            used = [(p.pod.requests.get("cpu", 0), p.pod.requests.get("memory", 0)) for p in node.pods if not p.ended]
            free = node.state.available
            cpu = free.get("cpu", 0) + sum(cpu for cpu, _ in used)
            allocatable = self._allocatable[node.name] = cpu, free.get("memory", 0) + sum(memory for _, memory in used)
        cpu, memory = allocatable
        free_cpu = node.state.available.get("cpu", 0) - (pod.requests.get("cpu") or _LEAST_CPU)
        free_memory = node.state.available.get("memory", 0) - (pod.requests.get("memory") or _LEAST_MEMORY)
        if cpu <= 0 or memory <= 0:
            return 0
        free_cpu, free_memory = max(0, free_cpu), max(0, free_memory)
        least = (free_cpu * _MOST // cpu + free_memory * _MOST // memory) // 2
        return least + int((1 - abs(free_cpu / cpu - free_memory / memory) / 2) * _MOST)

    def _place_with_volumes(self, pods: Sequence[RunningPod]) -> None:
        """Bind pods whose volumes look at zones where Karpenter's scheduler would."""
        cluster = self._world.cluster
        state = cluster.state()
        groups = batched(pods)
        shut = {n.name: bound_pods(n, state) for n in state.nodes if not _is_open(n)}
        scheduler = cluster.context(state).new_scheduler(pass_inputs(state, groups), shut)
        scheduler.solve()
        existing = finalise(scheduler, strict_min_values=state.options.strict_min_values).existing
        for name, counts in existing.items():
            for number, count in counts.items():
                for _ in range(count):
                    self._world.bind_pod(key_of(groups[number][1].pop(0)), name)


def _alike(pods: Iterable[RunningPod]) -> list[list[RunningPod]]:
    """Return runs of equal pods."""
    runs: list[list[RunningPod]] = []
    for pod in pods:
        if runs and runs[-1][0].pod is pod.pod:
            runs[-1].append(pod)
        else:
            runs.append([pod])
    return runs


def _is_open(node: StateNode) -> bool:
    return node.state.initialized and node.has_node and not node.state.removed


def _taints_score(pod: Pod, node: StateNode) -> int:
    """Return 100 for a node without a taint that the pod would rather avoid, less where there are some."""
    if not node.state.taints:
        return _MOST
    avoided = sum(t.effect == PREFER_NO_SCHEDULE for t in untolerated(node.state.taints, pod.tolerations))
    return _MOST // (1 + avoided)


def _affinity_score(pod: Pod, node: StateNode) -> int:
    """Return the part of the weights of preferred terms, of 100, that a node meets."""
    if not pod.preferred:
        return 0
    labels = Requirements.of_labels(node.state.own_labels)
    met = sum(p.weight for p in pod.preferred if labels.compatible(Requirements.of_expressions(p.expressions)))
    return _MOST * met // (sum(p.weight for p in pod.preferred) or 1)
