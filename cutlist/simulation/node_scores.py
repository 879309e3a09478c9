"""kube-scheduler's filters and scores of nodes, kept from one look to the next.

A score depends only on a pod and one node, so a look scores only the nodes that have changed since the last one for the pod.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cutlist.core.labels import CORE, LabelRegistry
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.core.taints import PREFER_NO_SCHEDULE, untolerated
from cutlist.simulation.kept_templates import KeptTemplates
from cutlist.simulation.state import SimulatedCluster
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import Pod

_MOST: Final = 100
_SCORED: Final = ("cpu", "memory")
_LEAST: Final = (NANO // 10, 200 * 1024**2 * NANO)
"""The resources that are scored, and what a pod without a request counts as for LeastAllocated: 100m and 200Mi."""
Traits = tuple[int, int]
"""How many taints of a node a pod would rather avoid, and the weights of its preferred node terms that the node meets."""
NO_TRAITS: Final = (0, 0)


class _Known:
    """What is known of nodes for equal pods: which match by labels and taints, traits that are not 0, and the scores of those
    that take one.

    `seen` is how many changes of nodes the scores include. A pod that `asks` for no labels matches every node without taints,
    so nothing is kept about these.
    """

    __slots__ = ("asks", "needs", "requested", "scores", "seen", "suits", "traits")

    def __init__(self, pod: Pod) -> None:
        self.needs = [(resource, amount) for resource, amount in pod.requests.items() if amount]
        self.requested = _requested(pod)
        self.asks = bool(pod.node_selector or pod.required is not None or pod.preferred)
        self.suits: dict[str, bool] = {}
        self.traits: dict[str, Traits] = {}
        self.scores: dict[str, int] = {}
        self.seen = 0

    def __len__(self) -> int:
        """Return for how many nodes something is kept."""
        return max(len(self.scores), len(self.suits))


class _Room(NamedTuple):
    """The cpu and memory of a node, and what those of its pods without requests count as."""

    pods: Sequence[RunningPod]
    allocatable: tuple[int, int]
    assumed: tuple[int, int]


class NodeScores:
    """The scores of a cluster's nodes for its pods."""

    __slots__ = ("_cluster", "_known", "_rooms")

    def __init__(self, cluster: SimulatedCluster) -> None:
        self._cluster = cluster
        self._rooms: dict[str, _Room] = {}
        self._known: KeptTemplates[Pod, _Known] = KeptTemplates()

    def of(self, pod: Pod) -> tuple[dict[str, int], Mapping[str, Traits]]:
        """Return the score by room of each node that may take a further pod like this one, and the traits of nodes for it that
        are not 0. The next look changes both."""
        cluster, known = self._cluster, self._known.take(pod)
        if known is None:
            known = _Known(pod)
            changed = set(cluster.nodes)
        else:
            # `touched` only ever grows, so its length says how much of it was looked at.
            changed = set(cluster.touched[known.seen :])
        known.seen = len(cluster.touched)
        scores = known.scores
        for name in changed:
            score = self._score(pod, name, known)
            if score is not None:
                scores[name] = score
            else:
                scores.pop(name, None)
        self._known.keep(pod, known, len(known))
        return scores, known.traits

    def forget(self, name: str) -> None:
        """Forget what is known of a node, which is removed or has other taints; in the latter case it has changed."""
        self._rooms.pop(name, None)
        for known in self._known:
            known.suits.pop(name, None)
            known.scores.pop(name, None)
            known.traits.pop(name, None)

    def matches_labels(self, pod: Pod, node: StateNode) -> bool:
        """Tell whether a node has the labels that the pod's node selector and required node affinity ask for."""
        if not pod.node_selector and pod.required is None:
            return True
        registry = self._cluster.base.registry
        labels = Requirements.of_labels(node.state.own_labels, registry)
        if not labels.compatible(Requirements.of_labels(pod.node_selector, registry)):
            return False
        if pod.required is None:
            return True
        return any(_meets(labels, term, registry) for term in pod.required) or (pod.uses_match_fields and () in pod.required)

    def _score(self, pod: Pod, name: str, known: _Known) -> int | None:
        """Return the score of a node for a pod, or None if it must not run there."""
        node = self._cluster.nodes.get(name)
        if node is None or not is_open(node):
            return None
        available = node.state.available
        for resource, amount in known.needs:
            if amount > available.get(resource, 0):
                return None
        if pod.host_ports and any(a.conflicts(b) for a in pod.host_ports for b in node.state.ports):
            return None
        suits = known.suits.get(name) if known.asks or node.state.taints else True
        if suits is None:
            suits = known.suits[name] = self._suits(pod, node)
            if suits and (traits := (_avoided(pod, node), _preferred(pod, node))) != NO_TRAITS:
                known.traits[name] = traits
        return self._room_score(node, known) if suits else None

    def _suits(self, pod: Pod, node: StateNode) -> bool:
        if any(taint.effect != PREFER_NO_SCHEDULE for taint in untolerated(node.state.taints, pod.tolerations)):
            return False
        return self.matches_labels(pod, node)

    def _room_score(self, node: StateNode, known: _Known) -> int:
        """Return the score of NodeResourcesFit and that of NodeResourcesBalancedAllocation together."""
        room, free = self._room(node), node.state.available
        fits: list[int] = []
        fractions: list[float] = []
        for number, resource in enumerate(_SCORED):
            allocatable, requested = room.allocatable[number], known.requested[number]
            if allocatable <= 0:
                continue
            left = free.get(resource, 0)
            assumed = room.assumed[number] + (requested or _LEAST[number])
            # Integers, since kube-scheduler cuts fractions off at this point.
            fits.append(max(0, left - assumed) * _MOST // allocatable)
            fractions.append(min(1.0, (allocatable - left + requested) / allocatable))
        least = sum(fits) // len(fits) if fits else 0
        # BalancedAllocation passes over pods without requests, as in kube-scheduler.
        if not any(known.requested):
            return least
        deviation = abs(fractions[0] - fractions[1]) / 2 if len(fractions) == len(_SCORED) else 0.0
        return least + int((1 - deviation) * _MOST)

    def _room(self, node: StateNode) -> _Room:
        known = self._rooms.get(node.name)
        if known is not None and known.pods is node.pods:
            return known
        used = [_requested(p.pod) for p in node.pods if not p.ended]
        cpu, memory = sum([of_pod[0] for of_pod in used]), sum([of_pod[1] for of_pod in used])
        free = node.state.available
        # What is free and what is used change together; their sum does not, so it is computed once.
        allocatable = known.allocatable if known else (free.get("cpu", 0) + cpu, free.get("memory", 0) + memory)
        assumed = [least * sum(not amounts[n] for amounts in used) for n, least in enumerate(_LEAST)]
        room = self._rooms[node.name] = _Room(node.pods, allocatable, (assumed[0], assumed[1]))
        return room


def _requested(pod: Pod) -> tuple[int, int]:
    return pod.requests.get("cpu", 0), pod.requests.get("memory", 0)


def is_open(node: StateNode) -> bool:
    """Tell whether pods may be put on a node: it is ready, and is not being removed."""
    return node.state.initialized and node.has_node and not node.state.removed


def _avoided(pod: Pod, node: StateNode) -> int:
    """Return how many taints of a node a pod would rather avoid."""
    if not node.state.taints:
        return 0
    return sum(t.effect == PREFER_NO_SCHEDULE for t in untolerated(node.state.taints, pod.tolerations))


def _preferred(pod: Pod, node: StateNode) -> int:
    """Return the weights of a pod's preferred node terms that a node meets."""
    if not pod.preferred:
        return 0
    labels = Requirements.of_labels(node.state.own_labels)
    return sum(p.weight for p in pod.preferred if _meets(labels, p.expressions))


def _meets(labels: Requirements, term: Sequence[Expression], registry: LabelRegistry = CORE) -> bool:
    """Tell whether labels meet each expression of a term by itself. No labels meet a term without expressions."""
    # One expression at a time: together, two that exclude each other could leave a set that looks like an absent label.
    return bool(term) and all(labels.compatible(Requirements.of_expressions((e,), registry)) for e in term)
