"""The rules that topology spread constraints of pods ask for, as Karpenter distinguishes them (spec: scheduling 7.2, 7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

from cutlist.core.labels import LabelRegistry
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.scheduling.topologygroup import TopologyGroup, TopologyNodeFilter, TopologyType
from cutlist.workloads.pods import LabelSelector, Pod, SpreadConstraint


@dataclass(frozen=True, slots=True)
class SpreadRule:
    """The rule of a constraint of a pod. Constraints of equal `identity` share a rule."""

    constraint: SpreadConstraint
    namespace: str
    selector: LabelSelector | None
    node_filter: TopologyNodeFilter
    identity: Hashable

    @property
    def is_hard(self) -> bool:
        """Tell whether the rule holds without respect for preferences."""
        return self.constraint.when_unsatisfiable == "DoNotSchedule"

    def group(self) -> TopologyGroup:
        """Return the rule without counts."""
        return TopologyGroup(
            TopologyType.SPREAD,
            self.constraint.topology_key,
            frozenset((self.namespace,)),
            self.selector,
            self.constraint.max_skew,
            self.constraint.min_domains,
            self.node_filter,
        )


class SpreadRules:
    """The rules of pods' spread constraints, each made once."""

    __slots__ = ("_by_constraint", "_by_pod", "_registry")

    def __init__(self, registry: LabelRegistry) -> None:
        self._registry = registry
        self._by_pod: dict[Pod, tuple[SpreadRule, ...]] = {}
        self._by_constraint: dict[Hashable, SpreadRule] = {}

    def of(self, pod: Pod) -> tuple[SpreadRule, ...]:
        """Return the rules of a pod in the order of its constraints."""
        if not pod.spread:
            return ()
        rules = self._by_pod.get(pod)
        if rules is None:
            # All that a rule depends on: the forms of a pod that gives up its constraints one by one share the others.
            of_pod = pod.namespace, pod.labels, pod.node_selector, pod.required, pod.tolerations
            rules = self._by_pod[pod] = tuple(self._known(pod, constraint, of_pod) for constraint in pod.spread)
        return rules

    def _known(self, pod: Pod, constraint: SpreadConstraint, of_pod: Hashable) -> SpreadRule:
        rule = self._by_constraint.get((constraint, of_pod))
        if rule is None:
            rule = self._by_constraint[constraint, of_pod] = self._rule(pod, constraint)
        return rule

    def _rule(self, pod: Pod, constraint: SpreadConstraint) -> SpreadRule:
        selector = with_match_label_keys(constraint, pod)
        identity = (
            TopologyType.SPREAD,
            constraint.topology_key,
            pod.namespace,
            constraint.max_skew,
            selector_identity(selector),
            # `minDomains` is missing on purpose: Karpenter's hash leaves it out, so the first pod's value counts (spec 7.2).
            _filter_identity(pod, constraint),
        )
        return SpreadRule(constraint, pod.namespace, selector, self._node_filter(pod, constraint), identity)

    def _node_filter(self, pod: Pod, constraint: SpreadConstraint) -> TopologyNodeFilter:
        alternatives = None
        if constraint.node_affinity_policy == "Honor":
            by_labels = Requirements.of_labels(pod.node_selector, self._registry)
            terms = pod.required if pod.required is not None else ((),)
            alternatives = tuple(by_labels & Requirements.of_expressions(term, self._registry) for term in terms)
        return TopologyNodeFilter(alternatives, pod.tolerations, constraint.node_taints_policy == "Honor")


def with_match_label_keys(constraint: SpreadConstraint, pod: Pod) -> LabelSelector | None:
    """Return the constraint's selector, narrowed to the pod's own value of each `matchLabelKeys` key that it has (S-97)."""
    added = tuple(Expression(k, "In", (pod.labels[k],)) for k in constraint.match_label_keys if k in pod.labels)
    if not added:
        return constraint.selector
    base = constraint.selector or LabelSelector()
    return replace(base, expressions=(*base.expressions, *added))


def selector_identity(selector: LabelSelector | None) -> Hashable:
    """Return a value that is equal for selectors of the same rule: the order of expressions and of values does not matter (spec
    7.2)."""
    if selector is None:
        return None
    return frozenset(selector.match_labels), frozenset((e.key, e.operator, frozenset(e.values)) for e in selector.expressions)


def _filter_identity(pod: Pod, constraint: SpreadConstraint) -> Hashable:
    """Return the part of a node filter by which Karpenter distinguishes rules: keys without values; equal parts cancel in pairs
    (S-109)."""
    terms = pod.required if pod.required is not None else ((),)
    keys = [frozenset(pod.node_selector) | {e.key for e in term} for term in terms]
    return constraint.node_affinity_policy, constraint.node_taints_policy, _unpaired(pod.tolerations), _unpaired(keys)


def _unpaired(items: Iterable[Hashable]) -> frozenset[Hashable]:
    # The hash of a list is an exclusive or over its items, so two equal ones cancel each other.
    return frozenset(item for item, times in Counter(items).items() if times % 2)
