"""What a pass needs to know about existing nodes, so that the rest is ignored: label keys, resources, room for daemons (spec
5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cutlist.core.labels import HOSTNAME, LabelRegistry
from cutlist.core.quantity import merge, subtract_all
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint, untolerated
from cutlist.devices.inventory import NO_INVENTORY, DeviceInventory
from cutlist.scheduling.nodeclaimtemplate import DaemonPods
from cutlist.scheduling.poddata import Amounts
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import PodVolumes
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class NodeTerms:
    """What a pass needs to know about nodes: its resources in order, the distinct requests, the label keys that matter, the
    daemons."""

    resources: Sequence[str]
    requests: Iterable[Amounts]
    keys: frozenset[str]
    daemons: Sequence[Pod]
    registry: LabelRegistry


class ExpectedDaemons:
    """The daemons that nodes get, by the nodes' labels and taints (S-62)."""

    __slots__ = ("_daemons",)

    def __init__(self, daemons: Iterable[Pod], registry: LabelRegistry) -> None:
        self._daemons = [(pod, strict_requirements(pod, registry)) for pod in daemons]

    def on(self, labels: Requirements, taints: tuple[Taint, ...]) -> list[Pod]:
        """Return those that tolerate the taints and whose strict requirements the labels meet."""
        tolerant = ((p, wanted) for p, wanted in self._daemons if not untolerated(taints, p.tolerations))
        return [p for p, wanted in tolerant if labels.compatible(wanted)]


def expected_by_daemon(
    daemons: Iterable[DaemonSet], registry: LabelRegistry, *, ignore_dra_requests: bool
) -> list[tuple[DaemonSet, ExpectedDaemons]]:
    """Return the DaemonSets whose pods Karpenter expects on nodes, each with what tells on which."""
    return [
        (daemon, ExpectedDaemons([pod], registry))
        for daemon in daemons
        for pod in DaemonPods([daemon.pod], registry, ignore_dra_requests=ignore_dra_requests).pods
    ]


class DaemonReserve:
    """What is kept free on nodes for daemons that do not run there yet (S-61, S-62)."""

    def __init__(self, terms: NodeTerms, space: RequirementSpace) -> None:
        self._daemons = ExpectedDaemons(terms.daemons, terms.registry)
        self._sets = space.sets
        self._cached: dict[tuple[int, tuple[Taint, ...]], dict[str, int]] = {}

    def on(self, node: SchedulingNode, labels: int) -> dict[str, int]:
        """Return the amounts to keep free on a node, in nano-units. `labels` is the number of its set."""
        expected = self._cached.get((labels, node.taints))
        if expected is None:
            running = self._daemons.on(self._sets[labels], node.taints)
            expected = self._cached[labels, node.taints] = merge(*(p.requests for p in running))
        # Running daemons that request more than expected give no room back: each resource is floored at 0 (S-61).
        return {r: max(a, 0) for r, a in subtract_all(expected, node.daemon_requests).items()}


def labels_of(node: SchedulingNode, terms: NodeTerms) -> Requirements:
    """Return the node's labels as far as anything in the pass refers to them, so that equal nodes share one set."""
    registry, keys = terms.registry, terms.keys
    labels = {k: v for k, v in node.labels.items() if registry.normalize(k) in keys}
    requirements = Requirements.of_labels(labels, registry)
    # With it every node would have a set of its own, and nothing would be shared.
    if HOSTNAME not in keys:
        return requirements
    return requirements & Requirements((Requirement(HOSTNAME, False, frozenset((node.hostname,))),))


def keys_asked_for(
    pods: Iterable[Pod],
    elsewhere: Iterable[Pod],
    volumes: Iterable[PodVolumes],
    registry: LabelRegistry,
    devices: DeviceInventory = NO_INVENTORY,
) -> frozenset[str]:
    """Return the label keys that a pod, rule, volume or device of a pass may require of a node, also after relaxation.

    `elsewhere` are pods that only repel others: those that run already. The hostname counts where a pod or device names it.
    """
    keys: set[str] = set()
    for pod in pods:
        keys.update(map(registry.normalize, pod.node_selector))
        terms = (*(pod.required or ()), *(p.expressions for p in pod.preferred))
        keys.update(registry.normalize(e.key) for term in terms for e in term)
        # Rules by hostname look at names of nodes, not at labels.
        keys.update(c.topology_key for c in pod.spread if c.topology_key != HOSTNAME)
        pod_terms = (*pod.affinity, *pod.anti_affinity, *pod.preferred_affinity, *pod.preferred_anti_affinity)
        keys.update(term.topology_key for term in pod_terms if term.topology_key != HOSTNAME)
    keys.update(t.topology_key for pod in elsewhere for t in pod.anti_affinity if t.topology_key != HOSTNAME)
    keys.update(key for pod_volumes in volumes for alternative in pod_volumes.alternatives for key in alternative)
    keys.update(key for requirements in devices.node_requirements() for key in requirements)
    return frozenset(keys)
