"""Topology rules: how many pods that a rule counts run in each domain, and where another may run (spec: scheduling 7.8).

A domain is the value of a label, or for the hostname key a node: an existing node's name as text, an open claim's number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from cutlist.core.labels import HOSTNAME
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint, Toleration, untolerated
from cutlist.workloads.pods import LabelSelector, Pod

Domain = str | int
UNBOUNDED: Final = 2**31 - 1


class TopologyType(StrEnum):
    """The kind of a topology rule."""

    SPREAD = "topology spread"
    AFFINITY = "pod affinity"
    ANTI_AFFINITY = "pod anti-affinity"


@dataclass(frozen=True, slots=True)
class TopologyNodeFilter:
    """The nodes that a spread rule considers: those that the pod that created the rule could use (spec 7.5)."""

    alternatives: tuple[Requirements, ...] | None = None
    tolerations: tuple[Toleration, ...] = ()
    honor_taints: bool = False

    def matches(self, node: Requirements, taints: Iterable[Taint]) -> bool:
        """Tell whether pods on a node count. A key that the node or claim leaves undefined does not match (spec 7.5)."""
        if self.honor_taints and untolerated(taints, self.tolerations):
            return False
        return not self.alternatives or any(node.compatible(a) for a in self.alternatives)


EVERY_NODE: Final = TopologyNodeFilter()


@dataclass(slots=True, eq=False)
class TopologyGroup:
    """A rule with its counts. `reached[k]` are the open claims that hold k or more counted pods (hostname rules only).

    `turn` says which of several equally good domains is chosen. Karpenter picks one at random at every attempt; here it is the
    first by name, and another one after each failed attempt, so that a pod does not get stuck with a domain without room.
    """

    kind: TopologyType
    key: str
    namespaces: frozenset[str]
    selector: LabelSelector | None
    max_skew: int = UNBOUNDED
    min_domains: int | None = None
    node_filter: TopologyNodeFilter = EVERY_NODE
    domains: dict[Domain, int] = field(default_factory=dict)
    reached: list[int] = field(default_factory=lambda: [0])
    populated: int = 0
    turn: int = 0

    @property
    def by_host(self) -> bool:
        """Tell whether every node is its own domain."""
        return self.key == HOSTNAME

    @property
    def choices(self) -> int:
        """Return the largest number of domains among which `turn` may choose."""
        return len(self.domains) if self.kind is TopologyType.SPREAD and not self.by_host else 1

    def selects(self, pod: Pod) -> bool:
        """Tell whether the rule counts such pods."""
        return self.selector is not None and pod.namespace in self.namespaces and self.selector.matches(pod.labels)

    def register(self, domain: Domain) -> None:
        """Add a domain, whether or not a pod is in it."""
        self.domains.setdefault(domain, 0)

    def record(self, domain: Domain, pods: int = 1) -> None:
        """Count this many more pods in a domain."""
        before = self.domains.get(domain, 0)
        self.domains[domain] = before + pods
        if not before:
            self.populated += 1
        # Claims are numbered, so a set of them is one integer: `accepting` asks for all with too many pods at once.
        if isinstance(domain, int):
            while len(self.reached) <= before + pods:
                self.reached.append(0)
            for level in range(before + 1, before + pods + 1):
                self.reached[level] |= 1 << domain

    def register_all(self, domains: Iterable[Domain]) -> None:
        """Add domains, whether or not pods are in them."""
        # Counts that are there win over the zeros.
        self.domains = dict.fromkeys(domains, 0) | self.domains

    def record_all(self, counts: Mapping[str, int]) -> None:
        """Count pods that run already, by domain; each has one at least."""
        if self.populated:
            for domain, pods in counts.items():
                self.record(domain, pods)
        else:  # nearly always: a new rule, counted at once. Pods that run are on nodes, so no claim is `reached`.
            self.domains.update(counts)
            self.populated = len(counts)

    def claims_with(self, pods: int) -> int:
        """Return the open claims with at least this many counted pods."""
        return self.reached[pods] if pods < len(self.reached) else 0

    def next_domains(self, wanted: Requirement, node: Requirement, *, self_selecting: bool) -> frozenset[str]:
        """Return the domains one more pod may use on a node or claim; for keys other than the hostname.

        `wanted` is the pod's strict requirement on the key, `node` what the candidate allows.
        """
        match self.kind:
            case TopologyType.SPREAD:
                return self._next_domain_spread(wanted, node, int(self_selecting))
            case TopologyType.AFFINITY:
                return self._next_domain_affinity(wanted, node, self_selecting)
            case TopologyType.ANTI_AFFINITY:
                return frozenset(d for d, count in self._labelled() if not count and wanted.has(d) and node.has(d))

    def missing_domains(self, wanted: Requirement, node: Requirement, *, self_selecting: bool) -> tuple[int, int] | None:
        """Return how many domains a pod may use and how many `minDomains` asks for, where only that leaves it none."""
        if self.min_domains is None or self.by_host:
            return None
        domains = sum(wanted.has(d) for d, _ in self._labelled())
        # If the rule refuses even then, minDomains is not what stands in the way.
        without = replace(self, min_domains=None)
        if domains >= self.min_domains or not without.next_domains(wanted, node, self_selecting=self_selecting):
            return None
        return domains, self.min_domains

    def allows_host(self, host: Domain, wanted: Requirement, *, self_selecting: bool) -> bool:
        """Tell whether one more pod may run on a certain node, for a rule by hostname."""
        count = self.domains.get(host, 0)
        match self.kind:
            case TopologyType.SPREAD:
                return count + int(self_selecting) <= self.max_skew
            case TopologyType.AFFINITY:
                if isinstance(host, str) and not wanted.has(host):
                    return False
                return count > 0 or (self_selecting and self.may_bootstrap(wanted))
            # A claim has only a placeholder for a name, which no pod excludes.
            case TopologyType.ANTI_AFFINITY:
                return not count and (isinstance(host, int) or wanted.has(host))

    def may_bootstrap(self, wanted: Requirement) -> bool:
        """Tell whether a pod that selects itself may be the first: nothing it could join exists (spec 7.8.2)."""
        # The usual case, without walking over all hosts.
        if not self.populated:
            return True
        return not any(count and (isinstance(d, int) or wanted.has(d)) for d, count in self.domains.items())

    def valid_domains(self, wanted: Requirement, *, self_selecting: bool) -> Callable[[str], bool]:
        """Return a test for the domains of claims that are already bound to one."""
        domains = self.domains
        match self.kind:
            case TopologyType.SPREAD:
                # What the pod allows limits the minimum, not the domains: these the claim limits, which has the pod's
                # requirements by then (spec 7.8.1).
                most = self.max_skew + self._min_count(wanted) - int(self_selecting)
                return lambda d: d in domains and domains[d] <= most
            case TopologyType.AFFINITY:
                if self_selecting and self.may_bootstrap(wanted):
                    return lambda d: d in domains and wanted.has(d)
                return lambda d: domains.get(d, 0) > 0 and wanted.has(d)
            case TopologyType.ANTI_AFFINITY:
                return lambda d: d in domains and not domains[d] and wanted.has(d)

    def _labelled(self) -> Iterable[tuple[str, int]]:
        return ((d, count) for d, count in self.domains.items() if isinstance(d, str))

    def _min_count(self, wanted: Requirement) -> int:
        # A new node is always possible, and would hold none.
        if self.by_host:
            return 0
        counts = [count for d, count in self._labelled() if wanted.has(d)]
        if self.min_domains is not None and len(counts) < self.min_domains:
            return 0
        return min(counts, default=UNBOUNDED)

    def _next_domain_spread(self, wanted: Requirement, node: Requirement, more: int) -> frozenset[str]:
        # The minimum is over the domains that the pod may use; the skew of one more pod is compared with it.
        most = self.max_skew + self._min_count(wanted) - more
        valid = [(count, d) for d, count in self._labelled() if count <= most and node.has(d)]
        if not valid:
            return frozenset()
        # One domain and not all that are valid, as in Karpenter: if no type is sold there the claim refuses the pod, though
        # another domain might have had one (spec 6.5).
        lowest, first = min(valid)
        if not self.turn:
            return frozenset((first,))
        tied = sorted(d for count, d in valid if count == lowest)
        return frozenset((tied[self.turn % len(tied)],))

    def _next_domain_affinity(self, wanted: Requirement, node: Requirement, self_selecting: bool) -> frozenset[str]:
        joined = frozenset(d for d, count in self._labelled() if count and wanted.has(d) and node.has(d))
        if joined or not (self_selecting and self.may_bootstrap(wanted)):
            return joined
        # Karpenter picks twice, at random: once among what both sides allow, once among what the pod allows. Taking the first
        # of one fixed order both times is one of its possible outcomes (spec 7.8.2).
        possible = sorted(d for d, _ in self._labelled() if wanted.has(d))
        return frozenset([*[d for d in possible if node.has(d)][:1], *possible[:1]])
