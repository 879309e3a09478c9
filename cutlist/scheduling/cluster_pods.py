"""What stands before a pass begins, as topology looks at it: nodes, and pods that run on them (spec: scheduling 7.4, 7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from cutlist.core.labels import LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.scheduling.topologygroup import EVERY_NODE, TopologyGroup, TopologyNodeFilter
from cutlist.state.pods import BoundPod
from cutlist.state.scheduling_node import TopologyNode
from cutlist.workloads.pods import LabelSelector, Pod


class ClusterPods:
    """The nodes by name and the bound pods of a cluster. What topology asks of them is worked out once for each rule."""

    __slots__ = ("_by_pod", "_counted", "_passing", "_registry", "_values", "hosts", "nodes", "repelling")

    def __init__(self, nodes: Iterable[TopologyNode], bound: Iterable[BoundPod], registry: LabelRegistry) -> None:
        self.nodes = {n.name: n for n in nodes}
        self.hosts = {n.name: n.hostname for n in self.nodes.values() if n.in_pass}
        self.repelling: list[BoundPod] = []
        self._registry = registry
        self._by_pod: dict[Pod, dict[str, int]] = {}
        self._counted: dict[Hashable, dict[str, int]] = {}
        self._passing: dict[TopologyNodeFilter, Mapping[str, TopologyNode]] = {EVERY_NODE: self.nodes}
        self._values: dict[tuple[TopologyNodeFilter, str], Counter[str]] = {}
        for there in bound:
            if there.pod.anti_affinity:
                self.repelling.append(there)
            if there.counted:
                on = self._by_pod.setdefault(there.pod, {})
                on[there.node] = on.get(there.node, 0) + there.pods

    def passing(self, nodes: TopologyNodeFilter) -> Mapping[str, TopologyNode]:
        """The nodes that a rule looks at."""
        found = self._passing.get(nodes)
        if found is None:
            labels = ((n, Requirements.of_labels(n.own_labels, self._registry)) for n in self.nodes.values())
            found = self._passing[nodes] = {n.name: n for n, held in labels if nodes.passes(held, n.own_taints)}
        return found

    def values(self, nodes: TopologyNodeFilter, key: str) -> Counter[str]:
        """The values that a label has on nodes of the pass that a rule looks at, each with how many have it."""
        found = self._values.get((nodes, key))
        if found is None:
            found = self._values[nodes, key] = Counter(
                n.labels[key] for n in self.passing(nodes).values() if n.in_pass and n.has_node and key in n.labels
            )
        return found

    def counted(self, group: TopologyGroup, identity: Hashable) -> Mapping[str, int]:
        """How many pods that a rule lists stand on each node; `identity` is that of the rule's selector."""
        key = group.namespaces, identity
        found = self._counted.get(key)
        if found is None:
            found = self._counted[key] = {}
            for pod, on in self._by_pod.items():
                if lists(group, pod):
                    for node, pods in on.items():
                        found[node] = found.get(node, 0) + pods
        return found


class ClusterPodsExcluding:
    """A cluster's standing without some nodes, of whose pods only some stay: those that nobody moves."""

    __slots__ = ("_gone", "_known")

    def __init__(self, known: ClusterPods, gone: Mapping[str, Sequence[BoundPod]]) -> None:
        self._known = known
        self._gone = gone

    @property
    def hosts(self) -> list[str]:
        """The hostnames of nodes that pods may be placed on."""
        return [host for name, host in self._known.hosts.items() if name not in self._gone]

    def repelling(self) -> Iterator[tuple[BoundPod, TopologyNode]]:
        """Pods with required anti-affinity and their nodes, as far as Karpenter knows of them."""
        stay = (p for pods in self._gone.values() for p in pods if p.pod.anti_affinity)
        for there in (*(p for p in self._known.repelling if p.node not in self._gone), *stay):
            node = self._known.nodes.get(there.node)
            if node is not None and node.tracked:
                yield there, node

    def values(self, group: TopologyGroup) -> list[str]:
        """The values of a rule's key on the nodes that it looks at."""
        found, looked_at = self._known.values(group.nodes, group.key), self._known.passing(group.nodes)
        lost = Counter(
            node.labels[group.key]
            for name in self._gone
            if (node := looked_at.get(name)) and node.in_pass and node.has_node and group.key in node.labels
        )
        return [value for value, nodes in found.items() if nodes > lost.get(value, 0)] if lost else list(found)

    def counted(self, group: TopologyGroup, identity: Hashable) -> Iterator[tuple[str, int]]:
        """How many pods that a rule counts stand in each domain; a domain may come several times."""
        looked_at = self._known.passing(group.nodes)
        there = self._known.counted(group, identity).items()
        stay = ((p.node, p.pods) for pods in self._gone.values() for p in pods if p.counted and lists(group, p.pod))
        for name, pods in (*(n for n in there if n[0] not in self._gone), *stay):
            node = looked_at.get(name)
            domain = node and (node.own_labels.get(group.key) or (node.name if group.by_host else None))
            if domain:
                yield domain, pods


def lists(group: TopologyGroup, pod: Pod) -> bool:
    """Whether a rule counts a pod that runs. A missing selector lists all pods, though it selects none."""
    return pod.namespace in group.namespaces and (group.selector is None or group.selector.matches(pod.labels))


def selector_identity(selector: LabelSelector | None) -> Hashable:
    """What makes two selectors the same rule: the order of expressions and of their values does not matter (spec 7.2)."""
    if selector is None:
        return None
    return frozenset(selector.match_labels), frozenset((e.key, e.operator, frozenset(e.values)) for e in selector.expressions)
