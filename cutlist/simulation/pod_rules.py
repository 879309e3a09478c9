"""kube-scheduler's rules that look at other pods: PodTopologySpread and InterPodAffinity, as far as they filter nodes.

Unlike Karpenter, which knows the zones of all instance types, kube-scheduler counts in the domains of nodes that exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from cutlist.core.bits import mask_of
from cutlist.core.labels import HOSTNAME
from cutlist.core.taints import PREFER_NO_SCHEDULE, untolerated
from cutlist.scheduling.spread_rules import with_match_label_keys
from cutlist.scheduling.topology import namespaces_of
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import Pod, PodTerm, SpreadConstraint

_HARD: Final = "DoNotSchedule"
_HONOR: Final = "Honor"
Domain = tuple[str, str]
"""A key of a label and its value."""
PodsOfKind = tuple[Pod, int, int]
"""Equal pods of a node that have not ended: what they look like, how many there are, and how many of these are not about to
end."""
Namespaces = Mapping[str, Mapping[str, str]]
"""The labels of each namespace."""


def is_ruled(pod: Pod, others: Iterable[Pod]) -> bool:
    """Tell whether a pod's place depends on other pods: by its own rules, or because others may repel it."""
    if _hard(pod) or pod.affinity or pod.anti_affinity:
        return True
    terms = (term for other in others for term in other.anti_affinity)
    return any(term.selector is None or term.selector.matches(pod.labels) for term in terms)


class PodCounts:
    """How many pods of each kind run on a node, counted again only for nodes whose pods have changed, and which nodes have
    equal labels.

    `kinds` are all kinds so far: their positions are the bits of sets of them. `labels` has the labels of each node as they
    were looked at last, with the number of their class.
    """

    __slots__ = ("_classes", "_known", "_numbers", "kinds", "labels")

    def __init__(self) -> None:
        self._known: dict[str, tuple[Sequence[RunningPod], list[PodsOfKind], int]] = {}
        self._classes: dict[tuple[frozenset[tuple[str, str]], bool], int] = {}
        self._numbers: dict[Pod, int] = {}
        self.kinds: list[Pod] = []
        self.labels: dict[str, tuple[Mapping[str, str], int]] = {}

    def of(self, node: StateNode) -> list[PodsOfKind]:
        """Return how many pods of each kind a node has; they are counted again only when its pods have changed."""
        return self._look(node)[1]

    def kinds_on(self, node: StateNode) -> int:
        """Return the set of the kinds of pods that a node has."""
        return self._look(node)[2]

    def _look(self, node: StateNode) -> tuple[Sequence[RunningPod], list[PodsOfKind], int]:
        known = self._known.get(node.name)
        if known is None or known[0] is not node.pods:
            on_node = _kinds(node.pods)
            known = self._known[node.name] = node.pods, on_node, mask_of({self._number(pod) for pod, _, _ in on_node})
        return known

    def _number(self, kind: Pod) -> int:
        number = self._numbers.setdefault(kind, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
        return number

    def labels_class(self, node: StateNode) -> int:
        """Return a number that nodes share whose labels are equal but for the value of the hostname."""
        known, labels = self.labels.get(node.name), node.state.own_labels
        if known is None or known[0] is not labels:
            content = frozenset(item for item in labels.items() if item[0] != HOSTNAME), HOSTNAME in labels
            known = self.labels[node.name] = labels, self._classes.setdefault(content, len(self._classes))
        return known[1]

    def forget(self, name: str) -> None:
        """Forget a node."""
        self._known.pop(name, None)
        self.labels.pop(name, None)


def _kinds(pods: Iterable[RunningPod]) -> list[PodsOfKind]:
    kinds: dict[int, PodsOfKind] = {}
    for running in pods:
        if not running.ended:
            pod, present, staying = kinds.get(id(running.pod)) or (running.pod, 0, 0)
            kinds[id(pod)] = pod, present + 1, staying + (not running.terminating)
    return list(kinds.values())


class PodRules:
    """The rules for equal pods that are placed one after the other: which nodes they allow, and what each placement changes."""

    __slots__ = ("_affinity", "_away", "_namespaces", "_pod", "_relations", "_repelled", "_spreads")

    def __init__(self, pod: Pod, namespaces: Namespaces) -> None:
        self._pod = pod
        self._namespaces = namespaces
        self._spreads = [Spread(pod, constraint) for constraint in _hard(pod)]
        self._affinity: Counter[Domain] = Counter()
        self._away: Counter[Domain] = Counter()
        self._repelled: Counter[Domain] = Counter()
        self._relations: dict[Pod, list[tuple[Counter[Domain], str]]] = {}

    def count(self, nodes: Iterable[StateNode], counts: PodCounts, matches_node: Callable[[StateNode], bool]) -> None:
        """Count the pods that run. `matches_node` tells whether the pod's node affinity matches a node."""
        for node in nodes:
            labels = node.state.own_labels
            on_node = counts.of(node)
            # A node that lacks one key counts for none of the constraints.
            if all(spread.key in labels for spread in self._spreads):
                for spread in self._spreads:
                    if spread.is_for(node, matches_node):
                        spread.add(labels, sum(staying for pod, _, staying in on_node if spread.selects(pod)))
            for other, present, _ in on_node:
                self._add(other, labels, present)

    def allow(self, node: StateNode) -> bool:
        """Tell whether a further pod may run on a node."""
        labels, pod = node.state.own_labels, self._pod
        if not all(spread.allows(labels) for spread in self._spreads):
            return False
        if any(labels.get(key) == value for key, value in self._repelled):
            return False
        if any((term.topology_key, labels.get(term.topology_key)) in self._away for term in pod.anti_affinity):
            return False
        domains = [(term.topology_key, labels[term.topology_key]) for term in pod.affinity if term.topology_key in labels]
        if len(domains) < len(pod.affinity):
            return False
        # the first pod of those that stay together may run anywhere
        return all(d in self._affinity for d in domains) or (not self._affinity and self._joins(pod))

    def bound(self, node: StateNode) -> None:
        """Count a further pod, which was put on a node."""
        labels = node.state.own_labels
        for spread in self._spreads:
            spread.add(labels, int(spread.selects(self._pod)))
        self._add(self._pod, labels, 1)

    def _add(self, other: Pod, labels: Mapping[str, str], number: int) -> None:
        for domains, key in self._relation(other):
            if key in labels:
                domains[key, labels[key]] += number

    def _relation(self, other: Pod) -> list[tuple[Counter[Domain], str]]:
        """Return what a pod of another kind counts for, and by which keys: this pod's terms, or terms of its own."""
        cached = self._relations.get(other)
        if cached is None:
            pod = self._pod
            cached = [(self._affinity, term.topology_key) for term in pod.affinity if self._joins(other)]
            cached += [(self._away, t.topology_key) for t in pod.anti_affinity if self._selects(t, pod, other)]
            cached += [(self._repelled, t.topology_key) for t in other.anti_affinity if self._selects(t, other, pod)]
            self._relations[other] = cached
        return cached

    def _joins(self, other: Pod) -> bool:
        """Tell whether a pod meets all terms of this pod's affinity."""
        return all(self._selects(term, self._pod, other) for term in self._pod.affinity)

    def _selects(self, term: PodTerm, owner: Pod, other: Pod) -> bool:
        return selects(term, owner, other, self._namespaces)


class Spread:
    """A constraint of a pod, and how many pods it counts in each domain."""

    __slots__ = ("_constraint", "_domains", "_own", "_pod", "_selected", "_selector", "key", "max_skew")

    def __init__(self, pod: Pod, constraint: SpreadConstraint) -> None:
        self._pod = pod
        self._constraint = constraint
        self._selector = with_match_label_keys(constraint, pod)
        self._domains: Counter[str] = Counter()
        self._selected: dict[int, tuple[Pod, bool]] = {}
        self._own = int(self._selector is not None and self._selector.matches(pod.labels))
        self.key = constraint.topology_key
        self.max_skew = constraint.max_skew

    def is_for(self, node: StateNode, matches_node: Callable[[StateNode], bool]) -> bool:
        """Tell whether pods of a node are counted."""
        if self._constraint.node_affinity_policy == _HONOR and not matches_node(node):
            return False
        if self._constraint.node_taints_policy != _HONOR:
            return True
        return all(t.effect == PREFER_NO_SCHEDULE for t in untolerated(node.state.own_taints, self._pod.tolerations))

    def add(self, labels: Mapping[str, str], pods: int) -> None:
        """Count pods of a node with these labels, which is a domain also without any."""
        self._domains[labels[self.key]] += pods

    def allows(self, labels: Mapping[str, str]) -> bool:
        """Tell whether a further pod on a node with these labels keeps within the skew."""
        if self.key not in labels:
            return False
        enough = self._constraint.min_domains is None or len(self._domains) >= self._constraint.min_domains
        # With fewer domains than minDomains the minimum counts as 0.
        least = min(self._domains.values(), default=0) if enough else 0
        return self._domains[labels[self.key]] + self._own - least <= self._constraint.max_skew

    def selects(self, pod: Pod) -> bool:
        """Tell whether pods like this one are counted; an empty selector counts none."""
        known = self._selected.get(id(pod))
        if known is None:
            # Kept with the pod, so that no other gets its id.
            known = self._selected[id(pod)] = pod, self.counts(pod)
        return known[1]

    def staying(self, on_node: Iterable[PodsOfKind]) -> int:
        """Return how many pods of a node are counted: those that are not about to end."""
        known, number = self._selected, 0
        for pod, _, staying in on_node:
            selected = known.get(id(pod))
            if selected[1] if selected is not None else self.selects(pod):
                number += staying
        return number

    def counts_like(self, other: Spread) -> bool:
        """Tell whether another constraint of the same pod counts the same pods."""
        return self._selector == other._selector

    def counts(self, pod: Pod) -> bool:
        """Tell the same of one pod, without keeping it."""
        selector = self._selector
        is_empty = selector is None or not (selector.match_labels or selector.expressions)
        return not is_empty and pod.namespace == self._pod.namespace and selector is not None and selector.matches(pod.labels)


def selects(term: PodTerm, owner: Pod, other: Pod, namespaces: Namespaces) -> bool:
    """Tell whether a term of one pod is about another."""
    if term.selector is None or other.namespace not in namespaces_of(term, owner, namespaces):
        return False
    return term.selector.matches(other.labels)


def _hard(pod: Pod) -> list[SpreadConstraint]:
    return [constraint for constraint in pod.spread if constraint.when_unsatisfiable == _HARD]
