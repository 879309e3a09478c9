"""Nodes and running pods of a cluster as topology sees them before a pass begins (spec: scheduling 7.4, 7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from cutlist.core.labels import LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.scheduling.topologygroup import EVERY_NODE, TopologyGroup, TopologyNodeFilter
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import TopologyNode
from cutlist.workloads.pods import LabelSelector, Pod


class ClusterPods:
    """The nodes by name and the bound pods of a cluster. What topology needs of them is computed once per rule."""

    __slots__ = ("_by_pod", "_counted", "_matching", "_registry", "_values", "hosts", "nodes", "repelling")

    def __init__(self, nodes: Iterable[TopologyNode], bound: Iterable[TopologyPods], registry: LabelRegistry) -> None:
        self.nodes = {n.name: n for n in nodes}
        self.hosts = {n.name: n.hostname for n in self.nodes.values() if n.in_pass}
        self.repelling: list[TopologyPods] = []
        self._registry = registry
        self._by_pod: dict[Pod, dict[str, int]] = {}
        self._counted: dict[Hashable, dict[str, int]] = {}
        self._matching: dict[TopologyNodeFilter, Mapping[str, TopologyNode]] = {EVERY_NODE: self.nodes}
        self._values: dict[tuple[TopologyNodeFilter, str], Counter[str]] = {}
        for bound_pod in bound:
            if bound_pod.pod.anti_affinity:
                self.repelling.append(bound_pod)
            if bound_pod.counted:
                on = self._by_pod.setdefault(bound_pod.pod, {})
                on[bound_pod.node] = on.get(bound_pod.node, 0) + bound_pod.pods

    def matching(self, node_filter: TopologyNodeFilter) -> Mapping[str, TopologyNode]:
        """Return the nodes that a rule considers."""
        cached = self._matching.get(node_filter)
        if cached is None:
            labels = ((n, Requirements.of_labels(n.own_labels, self._registry)) for n in self.nodes.values())
            cached = self._matching[node_filter] = {n.name: n for n, held in labels if node_filter.matches(held, n.own_taints)}
        return cached

    def values(self, node_filter: TopologyNodeFilter, key: str) -> Counter[str]:
        """Return the values of a label on nodes of the pass that a rule considers, each with the number of nodes that have
        it."""
        cached = self._values.get((node_filter, key))
        if cached is None:
            cached = self._values[node_filter, key] = Counter(
                n.labels[key] for n in self.matching(node_filter).values() if n.in_pass and n.has_node and key in n.labels
            )
        return cached

    def counted(self, group: TopologyGroup, identity: Hashable) -> Mapping[str, int]:
        """Return how many pods that a rule selects run on each node; `identity` is that of the rule's selector."""
        key = group.namespaces, identity
        cached = self._counted.get(key)
        if cached is None:
            cached = self._counted[key] = {}
            for pod, on in self._by_pod.items():
                if lists(group, pod):
                    for node, pods in on.items():
                        cached[node] = cached.get(node, 0) + pods
        return cached


class ClusterPodsExcluding:
    """The pods of a cluster without some nodes; of the pods on these only those that are not moved remain."""

    __slots__ = ("_cluster_pods", "_excluded")

    def __init__(self, cluster_pods: ClusterPods, excluded: Mapping[str, Sequence[TopologyPods]]) -> None:
        self._cluster_pods = cluster_pods
        self._excluded = excluded

    @property
    def hosts(self) -> list[str]:
        """Return the hostnames of nodes that pods may be placed on."""
        return [host for name, host in self._cluster_pods.hosts.items() if name not in self._excluded]

    def repelling(self) -> Iterator[tuple[TopologyPods, TopologyNode]]:
        """Yield pods with required anti-affinity and their nodes, as far as Karpenter knows about them."""
        stay = (p for pods in self._excluded.values() for p in pods if p.pod.anti_affinity)
        for bound_pod in (*(p for p in self._cluster_pods.repelling if p.node not in self._excluded), *stay):
            node = self._cluster_pods.nodes.get(bound_pod.node)
            if node is not None and node.tracked:
                yield bound_pod, node

    def values(self, group: TopologyGroup) -> list[str]:
        """Return the values of a rule's key on the nodes that it considers."""
        values, matching = (
            self._cluster_pods.values(group.node_filter, group.key),
            self._cluster_pods.matching(group.node_filter),
        )
        lost = Counter(
            node.labels[group.key]
            for name in self._excluded
            if (node := matching.get(name)) and node.in_pass and node.has_node and group.key in node.labels
        )
        return [value for value, nodes in values.items() if nodes > lost.get(value, 0)] if lost else list(values)

    def counted(self, group: TopologyGroup, identity: Hashable) -> Iterator[tuple[str, int]]:
        """Yield how many pods that a rule counts run in each domain; a domain may occur several times."""
        matching = self._cluster_pods.matching(group.node_filter)
        counts = self._cluster_pods.counted(group, identity).items()
        stay = ((p.node, p.pods) for pods in self._excluded.values() for p in pods if p.counted and lists(group, p.pod))
        for name, pods in (*(n for n in counts if n[0] not in self._excluded), *stay):
            node = matching.get(name)
            domain = node and (node.own_labels.get(group.key) or (node.name if group.by_host else None))
            if domain:
                yield domain, pods


def lists(group: TopologyGroup, pod: Pod) -> bool:
    """Tell whether a rule counts a running pod. A missing selector counts all pods, although it selects none."""
    return pod.namespace in group.namespaces and (group.selector is None or group.selector.matches(pod.labels))


def selector_identity(selector: LabelSelector | None) -> Hashable:
    """Return a value that is equal for selectors of the same rule: the order of expressions and of values does not matter (spec
    7.2)."""
    if selector is None:
        return None
    return frozenset(selector.match_labels), frozenset((e.key, e.operator, frozenset(e.values)) for e in selector.expressions)
