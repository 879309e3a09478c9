"""Nodes and running pods of a cluster as topology sees them before a pass begins (spec: scheduling 7.4, 7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cutlist.core.labels import HOSTNAME, LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.scheduling.spread_rules import SpreadRules
from cutlist.scheduling.topologygroup import EVERY_NODE, TopologyGroup, TopologyNodeFilter
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import TopologyNode
from cutlist.workloads.pods import Pod

RepellingDomains = dict[str, dict[str, int]]
"""Numbers of pods by the key of a term of theirs, and by the value of that label on their nodes."""


@dataclass(slots=True, eq=False)
class _RuleCounts:
    """How many pods that a rule selects run: by node, and by node filter and label key in each domain."""

    rule: TopologyGroup
    by_node: dict[str, int] = field(default_factory=dict)
    by_domain: dict[tuple[TopologyNodeFilter, str], dict[str, int]] = field(default_factory=dict)


class ClusterPods:
    """The nodes by name and the bound pods of a cluster. What topology needs of them is computed once per rule."""

    __slots__ = (
        "_by_pod",
        "_counts",
        "_matching",
        "_registry",
        "_values",
        "hosts",
        "nodes",
        "repelling",
        "repelling_domains",
        "spread_rules",
    )

    def __init__(self, nodes: Iterable[TopologyNode], bound: Iterable[TopologyPods], registry: LabelRegistry) -> None:
        self.nodes: dict[str, TopologyNode] = {}
        self.hosts: dict[str, str] = {}
        self.repelling: list[TopologyPods] = []
        self.repelling_domains: dict[Pod, RepellingDomains] = {}
        self.spread_rules = SpreadRules(registry)
        self._registry = registry
        self._by_pod: dict[Pod, dict[str, int]] = {}
        self._counts: dict[Hashable, _RuleCounts] = {}
        self._matching: dict[TopologyNodeFilter, dict[str, TopologyNode]] = {EVERY_NODE: self.nodes}
        self._values: dict[tuple[TopologyNodeFilter, str], Counter[str]] = {}
        self.add(nodes, bound)

    def add(self, nodes: Iterable[TopologyNode], bound: Iterable[TopologyPods]) -> None:
        """Add nodes, and pods that were bound since to these or others."""
        added = {n.name: n for n in nodes}
        self.nodes.update(added)
        self.hosts.update((n.name, n.hostname) for n in added.values() if n.in_pass)
        # Cached answers are extended, not dropped: a simulation adds a few nodes to a cluster of thousands in every pass.
        for node_filter, matching in self._matching.items():
            if node_filter is not EVERY_NODE:
                matching.update(self._matching_of(node_filter, added.values()))
        for (node_filter, key), values in self._values.items():
            values.update(_values_of((n for n in added.values() if n.name in self._matching[node_filter]), key))
        counted: dict[Pod, dict[str, int]] = {}
        for bound_pod in bound:
            # A pod that is about to end counts no longer, but repels others until it has ended.
            if bound_pod.pod.anti_affinity:
                self.repelling.append(bound_pod)
                _repel(self.repelling_domains, bound_pod, self.nodes.get(bound_pod.node))
            if bound_pod.counted:
                on = counted.setdefault(bound_pod.pod, {})
                on[bound_pod.node] = on.get(bound_pod.node, 0) + bound_pod.pods
        for pod, on in counted.items():
            _add_counts(self._by_pod.setdefault(pod, {}), on.items())
        for counts in self._counts.values():
            self._count(counts, counted)

    def remove(self, nodes: Iterable[str], bound: Iterable[TopologyPods]) -> None:
        """Remove pods that were bound, and then nodes by name, of which none may have pods left."""
        ended: dict[Pod, dict[str, int]] = {}
        for pods in bound:
            if pods.pod.anti_affinity:
                # Before the nodes below: the domains of these pods are read from labels of their nodes.
                self.repelling.remove(pods)
                _repel(self.repelling_domains, replace(pods, pods=-pods.pods), self.nodes.get(pods.node))
            if pods.counted:
                on = ended.setdefault(pods.pod, {})
                on[pods.node] = on.get(pods.node, 0) - pods.pods
        for pod, on in ended.items():
            _add_counts(self._by_pod[pod], on.items())
        for counts in self._counts.values():
            self._count(counts, ended)
        for name in nodes:
            node = self.nodes.pop(name)
            self.hosts.pop(name, None)
            for (node_filter, key), values in self._values.items():
                if name in self._matching[node_filter] or node_filter is EVERY_NODE:
                    _add_counts(values, ((value, -1) for value in _values_of((node,), key)))
            for matching in self._matching.values():
                matching.pop(name, None)

    def matching(self, node_filter: TopologyNodeFilter) -> Mapping[str, TopologyNode]:
        """Return the nodes that a rule considers."""
        cached = self._matching.get(node_filter)
        if cached is None:
            cached = self._matching[node_filter] = self._matching_of(node_filter, self.nodes.values())
        return cached

    def values(self, node_filter: TopologyNodeFilter, key: str) -> Counter[str]:
        """Return the values of a label on nodes of the pass that a rule considers, each with the number of nodes that have
        it."""
        cached = self._values.get((node_filter, key))
        if cached is None:
            cached = self._values[node_filter, key] = Counter(_values_of(self.matching(node_filter).values(), key))
        return cached

    def counted(self, group: TopologyGroup, identity: Hashable) -> Mapping[str, int]:
        """Return how many pods that a rule selects run on each node; `identity` is that of the rule's selector."""
        return self._counts_of(group, identity).by_node

    def counted_by_domain(self, group: TopologyGroup, identity: Hashable) -> Mapping[str, int]:
        """Return how many pods that a rule counts run in each domain."""
        counts = self._counts_of(group, identity)
        cached = counts.by_domain.get((group.node_filter, group.key))
        if cached is None:
            cached = counts.by_domain[group.node_filter, group.key] = {}
            _add_counts(cached, self.in_domains(group.node_filter, group.key, counts.by_node.items()))
        return cached

    def in_domains(
        self, node_filter: TopologyNodeFilter, key: str, on_nodes: Iterable[tuple[str, int]]
    ) -> Iterator[tuple[str, int]]:
        """Yield numbers of pods on nodes by the domains of these; nodes that a rule does not consider are left out."""
        matching = self.matching(node_filter)
        for name, pods in on_nodes:
            node = matching.get(name)
            # Labels of the Node, not of the NodeClaim: topology counts pods where the API server has the label (spec 7.4).
            domain = node and (node.own_labels.get(key) or (node.name if key == HOSTNAME else None))
            if domain:
                yield domain, pods

    def _counts_of(self, group: TopologyGroup, identity: Hashable) -> _RuleCounts:
        key = group.namespaces, identity
        cached = self._counts.get(key)
        if cached is None:
            cached = self._counts[key] = _RuleCounts(group)
            self._count(cached, self._by_pod)
        return cached

    def _count(self, counts: _RuleCounts, by_pod: Mapping[Pod, Mapping[str, int]]) -> None:
        for pod, on in by_pod.items():
            if lists(counts.rule, pod):
                _add_counts(counts.by_node, on.items())
                for (node_filter, key), domains in counts.by_domain.items():
                    _add_counts(domains, self.in_domains(node_filter, key, on.items()))

    def _matching_of(self, node_filter: TopologyNodeFilter, nodes: Iterable[TopologyNode]) -> dict[str, TopologyNode]:
        labels = ((n, Requirements.of_labels(n.own_labels, self._registry)) for n in nodes)
        return {n.name: n for n, held in labels if node_filter.matches(held, n.own_taints)}


class ClusterPodsExcluding:
    """The pods of a cluster without some nodes; of the pods on these only those that are not moved remain."""

    __slots__ = ("_cluster_pods", "_excluded", "_hosts", "_values", "spread_rules")

    def __init__(self, cluster_pods: ClusterPods, excluded: Mapping[str, Sequence[TopologyPods]]) -> None:
        """`spread_rules` are those of any pods."""
        self._cluster_pods = cluster_pods
        self._excluded = excluded
        self._values: dict[tuple[TopologyNodeFilter, str], Sequence[str]] = {}
        self._hosts: tuple[str, ...] | None = None
        self.spread_rules = cluster_pods.spread_rules

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return the hostnames of nodes that pods may be placed on."""
        # Only rules by hostname ask, and a list of thousands of nodes for each pass costs more than a small pass.
        if self._hosts is None:
            hosts, excluded = self._cluster_pods.hosts, self._excluded
            self._hosts = tuple([host for name, host in hosts.items() if name not in excluded])
        return self._hosts

    def repelling(self) -> Mapping[Pod, RepellingDomains]:
        """Return the pods with required anti-affinity, as far as Karpenter knows about them, and the domains in which they
        are."""
        if not self._excluded:
            return self._cluster_pods.repelling_domains
        stay = (p for pods in self._excluded.values() for p in pods if p.pod.anti_affinity)
        domains: dict[Pod, RepellingDomains] = {}
        for bound_pod in (*(p for p in self._cluster_pods.repelling if p.node not in self._excluded), *stay):
            _repel(domains, bound_pod, self._cluster_pods.nodes.get(bound_pod.node))
        return domains

    def values(self, group: TopologyGroup) -> Sequence[str]:
        """Return the values of a rule's key on the nodes that it considers."""
        of = group.node_filter, group.key
        if of not in self._values:
            matching = self._cluster_pods.matching(group.node_filter)
            lost = Counter(_values_of((matching[name] for name in self._excluded if name in matching), group.key))
            values = self._cluster_pods.values(*of)
            self._values[of] = tuple(value for value, nodes in values.items() if nodes > lost.get(value, 0))
        return self._values[of]

    def counted(self, group: TopologyGroup, identity: Hashable) -> Mapping[str, int]:
        """Return how many pods that a rule counts run in each domain."""
        # The counts of the whole cluster are shared by all questions about exclusions; only what is excluded is subtracted.
        counts = self._cluster_pods.counted_by_domain(group, identity)
        if not self._excluded:
            return counts
        on_nodes = self._cluster_pods.counted(group, identity)
        # All pods of an excluded node are subtracted first, then those that do not move are added again.
        moved = [(name, -on_nodes[name]) for name in self._excluded if name in on_nodes]
        stay = ((p.node, p.pods) for pods in self._excluded.values() for p in pods if p.counted and lists(group, p.pod))
        domains = dict(counts)
        _add_counts(domains, self._cluster_pods.in_domains(group.node_filter, group.key, (*moved, *stay)))
        return domains


def _values_of(nodes: Iterable[TopologyNode], key: str) -> Iterator[str]:
    return (n.labels[key] for n in nodes if n.in_pass and n.has_node and key in n.labels)


def _repel(domains: dict[Pod, RepellingDomains], bound_pod: TopologyPods, node: TopologyNode | None) -> None:
    """Add the domains of a pod to those of its like, if Karpenter tracks its node."""
    if node is None or not node.tracked:
        return
    by_key = domains.setdefault(bound_pod.pod, {t.topology_key: {} for t in bound_pod.pod.anti_affinity})
    for key, counts in by_key.items():
        if key in node.own_labels:
            _add_counts(counts, ((node.own_labels[key], bound_pod.pods),))


def _add_counts(counts: dict[str, int], added: Iterable[tuple[str, int]]) -> None:
    """Add numbers, negative ones too; a key whose number comes to nothing is removed."""
    for key, pods in added:
        total = counts.get(key, 0) + pods
        if total:
            counts[key] = total
        else:
            counts.pop(key, None)


def lists(group: TopologyGroup, pod: Pod) -> bool:
    """Tell whether a rule counts a running pod. A missing selector counts all pods, although it selects none."""
    # A quirk: Karpenter lists running pods with everything where the selector is missing (spec 7.4).
    return pod.namespace in group.namespaces and (group.selector is None or group.selector.matches(pod.labels))
