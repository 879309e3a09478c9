"""Topology rules of a pass: which rules apply to a pod, where they allow it, and what a placement changes (spec: scheduling
7)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from functools import reduce

from cutlist.core.labels import LabelRegistry
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint
from cutlist.scheduling.cluster_pods import ClusterPodsExcluding
from cutlist.scheduling.spread_rules import SpreadRule, selector_identity
from cutlist.scheduling.topologydomaingroup import TopologyDomainGroups
from cutlist.scheduling.topologygroup import Domain, TopologyGroup, TopologyType
from cutlist.workloads.pods import Pod, PodTerm


@dataclass(slots=True, eq=False)
class PodTopology:
    """The rules that concern a pod: those it has to obey, and those whose counts its placement changes."""

    obeyed: list[TopologyGroup] = field(default_factory=list)
    counted: list[TopologyGroup] = field(default_factory=list)
    repels: list[TopologyGroup] = field(default_factory=list)
    as_of: int = -1

    @property
    def is_counted(self) -> bool:
        """Tell whether a placement changes any count."""
        return bool(self.counted or self.repels)


class TopologyGroups:
    """Rules by their identities, in the order in which they were added; those that count a pod are found without trying each.

    A rule is listed under one of the labels that its selector needs: that with the fewest rules so far. A rule without such
    a label is tried for every pod; one without a selector selects no pod.
    """

    __slots__ = ("_anything", "_by_identity", "_by_label")

    def __init__(self) -> None:
        self._by_identity: dict[Hashable, TopologyGroup] = {}
        self._by_label: dict[tuple[str, str], list[tuple[int, TopologyGroup]]] = {}
        self._anything: list[tuple[int, TopologyGroup]] = []

    def __len__(self) -> int:
        return len(self._by_identity)

    def get(self, identity: Hashable) -> TopologyGroup | None:
        """Return a rule, or None if it was not added."""
        return self._by_identity.get(identity)

    def values(self) -> ValuesView[TopologyGroup]:
        """Return all rules."""
        return self._by_identity.values()

    def add(self, identity: Hashable, group: TopologyGroup) -> None:
        """Add a rule of a new identity."""
        entry = len(self._by_identity), group
        self._by_identity[identity] = group
        if group.selector is None:
            return
        lists = [self._by_label.setdefault(label, []) for label in group.selector.match_labels]
        # Any one of the labels would do, since a pod needs all of them; the rarest leads to the fewest trials.
        min(lists, key=len, default=self._anything).append(entry)

    def selecting(self, pod: Pod) -> list[TopologyGroup]:
        """Return the rules that count a pod, in the order in which they were added."""
        found = [entry for entry in self._anything if entry[1].selects(pod)]
        if self._by_label:
            for label in pod.labels.items():
                found += [entry for entry in self._by_label.get(label, ()) if entry[1].selects(pod)]
        found.sort(key=lambda entry: entry[0])
        return [group for _, group in found]


@dataclass(slots=True)
class Topology:
    """The rules of a pass with their counts, starting from the nodes and pods that exist when it begins.

    `groups` are the rules of the pods of the pass, `inverse_groups` the required anti-affinity terms seen from the other side.
    With `respect_preferences` preferred terms and soft constraints apply until they are relaxed.
    """

    domain_groups: TopologyDomainGroups
    registry: LabelRegistry
    namespaces: Mapping[str, Mapping[str, str]]
    cluster_pods: ClusterPodsExcluding
    respect_preferences: bool = True
    groups: TopologyGroups = field(default_factory=TopologyGroups)
    inverse_groups: TopologyGroups = field(default_factory=TopologyGroups)
    _claims: int = 0

    def __post_init__(self) -> None:
        # Before any rule of the pass: pods that run repel from the start, and are not counted again when their like is
        # registered.
        for pod, domains in self.cluster_pods.repelling().items():
            for term in pod.anti_affinity:
                self._inverse_group(pod, term).record_all(domains[term.topology_key])

    @property
    def empty(self) -> bool:
        """Tell whether there is no rule at all."""
        return not self.groups and not self.inverse_groups

    def register(self, pod: Pod) -> list[TopologyGroup]:
        """Return the pod's own rules; new ones are built and counted (spec 7.7)."""
        for term in pod.anti_affinity:
            self._inverse_group(pod, term)
        soft = self.respect_preferences
        groups = [self._spread_group(pod, rule) for rule in self.cluster_pods.spread_rules.of(pod) if soft or rule.is_hard]
        for kind, terms in (
            (TopologyType.AFFINITY, (*pod.affinity, *(pod.preferred_affinity if soft else ()))),
            (TopologyType.ANTI_AFFINITY, (*pod.anti_affinity, *(pod.preferred_anti_affinity if soft else ()))),
        ):
            groups.extend(self._term_group(pod, kind, term) for term in terms)
        return list(dict.fromkeys(groups))

    def matching_topologies(self, pod: Pod, known: PodTopology) -> PodTopology:
        """Return the rules that concern a pod, updated when rules have been added since `known` was built."""
        # Rules are only ever added, so their number says whether any is new.
        if known.as_of != len(self.groups) + len(self.inverse_groups):
            # Registering may add rules, so their number is taken after it.
            known.obeyed = [*self.register(pod), *self.inverse_groups.selecting(pod)]
            known.counted = self.groups.selecting(pod)
            known.repels = [self._inverse_group(pod, term) for term in pod.anti_affinity]
            known.as_of = len(self.groups) + len(self.inverse_groups)
        return known

    def matching_topologies_of_others(self, pod: Pod) -> PodTopology:
        """Return the rules of others that concern a pod whose own rules have not been registered (spec 4.5)."""
        return PodTopology(obeyed=self.inverse_groups.selecting(pod), counted=self.groups.selecting(pod))

    def register_claims(self, claims: range) -> None:
        """Add the next claims: each is a new domain of every rule by hostname."""
        for group in (*self.groups.values(), *self.inverse_groups.values()):
            if group.by_host:
                for claim in claims:
                    group.register(claim)
        self._claims += len(claims)

    def add_requirements(
        self, pod: Pod, pod_topology: PodTopology, strict: Requirements, working: Requirements, host: Domain
    ) -> Requirements | TopologyGroup:
        """Return the domains that the rules leave to one more pod on a candidate, as requirements; or the rule that leaves
        none.

        `working` are the candidate's requirements with the pod on it, before any rule is applied. If the rules leave no value,
        that means absence, which is compatible with a candidate that requires absence itself (spec 2.4, 2.6).
        """
        # Each rule chooses among what the candidate allows before any rule is applied, not among what the rules before it
        # left: two rules for one key may choose different domains and so refuse together (spec 7.11).
        chosen: dict[str, Requirement] = {}
        for group in pod_topology.obeyed:
            wanted = strict.get_or_any(group.key)
            if group.by_host:
                if not group.allows_host(host, wanted, self_selecting=group.selects(pod)):
                    return group
                continue
            domains = group.next_domains(wanted, working.get_or_any(group.key), self_selecting=group.selects(pod))
            if not domains:
                return group
            allowed, known = Requirement(group.key, False, domains), chosen.get(group.key, working.get(group.key))
            chosen[group.key] = allowed if known is None else known & allowed
        return Requirements(chosen.values())

    def record(
        self, pod_topology: PodTopology, final: Requirements, taints: Sequence[Taint], host: Domain, pods: int = 1
    ) -> None:
        """Count pods that were placed where `final` holds (spec 7.9): spread and affinity in one domain, anti-affinity in every
        one.
        """
        # A rule of another pod counts this one too, where its selector says so.
        for group in pod_topology.counted:
            if group.node_filter.matches(final, taints):
                self._record_in(group, final, host, pods)
        # Seen from the other side a term has no filter: every pod that it selects stays away.
        for group in pod_topology.repels:
            self._record_in(group, final, host, pods)

    def _record_in(self, group: TopologyGroup, final: Requirements, host: Domain, pods: int) -> None:
        if group.by_host:
            group.record(host, pods)
            return
        r = final.get(group.key)
        if r is None:
            return
        # A node that may still come up in any of several domains keeps others out of all of them, but counts for a spread or
        # an affinity only where it certainly is.
        if group.kind is TopologyType.ANTI_AFFINITY:
            for value in r.values:
                group.record(value, pods)
        elif len(r) == 1:
            group.record(next(iter(r.values)), pods)

    def _spread_group(self, pod: Pod, rule: SpreadRule) -> TopologyGroup:
        return self._group(rule.identity, rule.group, pod, honor_taints=rule.constraint.node_taints_policy == "Honor")

    def _term_group(self, pod: Pod, kind: TopologyType, term: PodTerm) -> TopologyGroup:
        namespaces = namespaces_of(term, pod, self.namespaces)
        identity = (kind, term.topology_key, namespaces, selector_identity(term.selector))
        # An affinity rule has no taints policy, which Karpenter treats as Honor here (spec 7.3, S-110).
        return self._group(
            identity, lambda: TopologyGroup(kind, term.topology_key, namespaces, term.selector), pod, honor_taints=True
        )

    def _group(self, identity: Hashable, make: Callable[[], TopologyGroup], pod: Pod, *, honor_taints: bool) -> TopologyGroup:
        group = self.groups.get(identity)
        if group is None:
            group = make()
            self.groups.add(identity, group)
            for domain in self.domain_groups.domains(group.key, pod, honor_taints=honor_taints):
                group.register(domain)
            self._count_bound(group)
            self._register_hosts(group)
        return group

    def _inverse_group(self, pod: Pod, term: PodTerm) -> TopologyGroup:
        namespaces = namespaces_of(term, pod, self.namespaces)
        identity = (term.topology_key, namespaces, selector_identity(term.selector))
        # No pods are counted here: those that run and repel were recorded when the pass began, and others repel only once
        # placed.
        group = self.inverse_groups.get(identity)
        if group is None:
            group = TopologyGroup(TopologyType.ANTI_AFFINITY, term.topology_key, namespaces, term.selector)
            self.inverse_groups.add(identity, group)
            for domain in self.domain_groups.domains(group.key, pod, honor_taints=True):
                group.register(domain)
            self._register_hosts(group)
        return group

    def _register_hosts(self, group: TopologyGroup) -> None:
        if group.by_host:
            group.register_all((*self.cluster_pods.hosts, *range(self._claims)))

    def _count_bound(self, group: TopologyGroup) -> None:
        """Count the pods that run already when a rule is built (spec 7.4)."""
        group.register_all(self.cluster_pods.values(group))
        group.record_all(self.cluster_pods.counted(group, selector_identity(group.selector)))


def namespaces_of(term: PodTerm, pod: Pod, namespaces: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """Return the namespaces that a pod's term covers, of those with these labels: its own unless the term says otherwise
    (S-106)."""
    if term.namespace_selector is None:
        return term.namespaces or frozenset((pod.namespace,))
    return term.namespaces | {n for n, labels in namespaces.items() if term.namespace_selector.matches(labels)}


def accepting(
    group: TopologyGroup, pod: Pod, wanted: Requirement, by_domain: Mapping[str, int], undecided: int, every: int
) -> int:
    """Return the open claims to which a rule may admit a pod, judged by their domains so far.

    `by_domain` are the claims that are bound to one domain of the rule's key, `undecided` those that are not.
    """
    # Necessary, not sufficient: a claim that has several domains left is examined with the pod on it.
    self_selecting = group.selects(pod)
    if group.by_host:
        match group.kind:
            case TopologyType.SPREAD:
                too_many = group.max_skew + 1 - int(self_selecting)
                return every & ~group.claims_with(too_many) if too_many > 0 else 0
            case TopologyType.AFFINITY:
                return every if self_selecting and group.may_bootstrap(wanted) else group.claims_with(1)
            case TopologyType.ANTI_AFFINITY:
                return every & ~group.claims_with(1)
    valid = group.valid_domains(wanted, self_selecting=self_selecting)
    return reduce(lambda mask, d: mask | by_domain[d] if valid(d) else mask, by_domain, undecided)
