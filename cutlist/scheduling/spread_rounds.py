"""Whole rounds of a spread over domains such as zones: each domain has one open claim, and each round gives each claim a pod.

Pods of a spread are placed one by one, because each changes where the next may go. But where every domain that a pod may use
has exactly one claim with room, the next pods only take turns: a domain that has just got a pod waits until the others have
one too. `SpreadRounds` recognises that, and says for how many rounds it goes on. Nothing else can get such a pod meanwhile:
no node takes any, and a new claim is opened only for a pod that no open claim accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.bits import bits
from cutlist.core.requirement import Requirement
from cutlist.scheduling.inflightclaims import InFlightClaims
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.topology import PodTopology
from cutlist.scheduling.topologygroup import TopologyGroup, TopologyType

_FULL: Final = 4
"""How many claims there may be for each domain, of which all but one turn out to be full."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """Claims that take turns, by number, and how many pods each gets."""

    claims: tuple[int, ...]
    each: int


@dataclass(frozen=True, slots=True)
class SpreadRounds:
    """Finds the rounds in which the claims of a pass take turns."""

    claims: InFlightClaims

    def of(self, pod_data: PodData, pod_topology: PodTopology, wanted: int) -> Rounds | None:
        """Return the rounds that come next for this many equal pods that no node takes, or None where they have to be placed
        one by one."""
        spread = spread_of(pod_topology, pod_data)
        if spread is None:
            return None
        strict = self.claims.admission.space.sets[pod_data.strict_requirements]
        counts = counts_of(spread, strict.get_or_any(spread.key))
        if not counts or wanted < 2 * len(counts):
            return None
        by_domain = self._claims_in(counts, spread.key, pod_data, wanted // len(counts))
        if by_domain is None:
            return None
        heights = {domain: self.claims.order.counts[number] for domain, number in by_domain.items()}
        if not _take_turns(spread.max_skew, counts, heights):
            return None
        rooms = (self._room(number, pod_data, pod_topology, wanted // len(counts)) for number in by_domain.values())
        each = min(rooms)
        return Rounds(tuple(by_domain.values()), each) if each else None

    def _claims_in(self, counts: Mapping[str, int], key: str, pod_data: PodData, wanted: int) -> dict[str, int] | None:
        """Return the one claim with room in each of these domains, or None if a domain has none or several, or some claim has
        no domain yet."""
        candidates = self.claims.candidates(pod_data)
        if not len(counts) <= candidates.bit_count() <= _FULL * len(counts):
            return None
        by_domain: dict[str, int] = {}
        for number in bits(candidates):
            r = self.claims.admission.requirements_of(self.claims.claims[number]).get(key)
            if r is None or r.complement or len(r.values) != 1:
                return None
            domain = next(iter(r.values))
            if domain not in counts:
                return None
            if self.claims.room(pod_data, wanted, number):
                if domain in by_domain:
                    return None
                by_domain[domain] = number
        return by_domain if len(by_domain) == len(counts) else None

    def _room(self, number: int, pod_data: PodData, pod_topology: PodTopology, wanted: int) -> int:
        """Return how many pods a claim takes until it or a spread over nodes refuses one; 0 if these pods change it, or if some
        rule does not count them there."""
        claim, admission = self.claims.claims[number], self.claims.admission
        if next(admission.narrow(claim, pod_data), None) != claim.requirements:
            return 0
        final, taints = admission.requirements_of(claim), claim.template.pool.taints
        if not all(group.node_filter.matches(final, taints) for group in pod_topology.obeyed):
            return 0
        on_node = (group.max_skew - group.domains.get(number, 0) for group in pod_topology.obeyed if group.by_host)
        return max(0, min(self.claims.room(pod_data, wanted, number), *on_node, wanted))


def spread_of(pod_topology: PodTopology, pod_data: PodData) -> TopologyGroup | None:
    """Return the one rule of pods that spreads them over domains, if all their other rules spread them over nodes."""
    if any(group.kind is not TopologyType.SPREAD or not group.selects(pod_data.pod) for group in pod_topology.obeyed):
        return None
    over_domains = [group for group in pod_topology.obeyed if not group.by_host]
    return over_domains[0] if len(over_domains) == 1 else None


def counts_of(spread: TopologyGroup, wanted: Requirement) -> dict[str, int]:
    """Return the counts of the domains that pods may use; none where `minDomains` asks for more of them."""
    counts = {d: count for d, count in spread.domains.items() if isinstance(d, str) and wanted.has(d)}
    return {} if spread.min_domains is not None and len(counts) < spread.min_domains else counts


def _take_turns(max_skew: int, counts: Mapping[str, int], heights: Mapping[str, int]) -> bool:
    """Tell whether claims get one pod each in every round, given the pods in their domains and the pods on them.

    The claim with the fewest pods is always first. So in each round it gets as many as the skew allows it, and what holds it
    back is the domain with the fewest pods, whose claim is the last one to get any.
    """
    least = min(counts.values())
    behind = [domain for domain, count in counts.items() if count == least]
    if len(behind) == len(counts):
        return max_skew == 1 or len(set(heights.values())) == 1
    ahead = [domain for domain in counts if domain not in behind]
    return (
        len(behind) == 1
        and all(counts[domain] == least + max_skew - 1 for domain in ahead)
        and all(heights[domain] < heights[behind[0]] for domain in ahead)
    )
