"""Generations of claims of a spread: one in each domain, all filled in turns, and then the next ones, which are equal to them.

Where pods of one kind are spread over domains with a skew of 1, a claim is opened in each domain, and rounds fill these claims
(`spread_rounds`). Once all are full and every domain has equally many pods, all is as it was before the first of them was
opened, but for what limits still allow. So as long as these keep no further type out, the next claims are the same again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cutlist.core.bits import bits
from cutlist.scheduling.inflightclaims import InFlightClaims
from cutlist.scheduling.nodeclaim import InFlightClaim
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.spread_rounds import counts_of, spread_of
from cutlist.scheduling.topology import PodTopology
from cutlist.scheduling.topologygroup import TopologyGroup

_Remaining = Mapping[int, Mapping[str, int]]


class _Level(NamedTuple):
    """A moment in which no open claim takes such a pod and each domain has this many: how many claims there are, what is left
    of the limits of templates, and the types within them."""

    pods: int
    claims: int
    remaining: _Remaining
    within: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Generations:
    """Claims that are opened and filled again and again: `unit` are those of a generation in order, each with this many `pods`.

    `spent` is what a generation takes of the limits of its template. `spread` counts its pods in each of its `domains`.
    """

    unit: tuple[InFlightClaim, ...]
    pods: int
    times: int
    spent: Mapping[str, int]
    spread: TopologyGroup
    domains: Sequence[str]


@dataclass(frozen=True, slots=True)
class SpreadGenerations:
    """Finds generations that are the same again."""

    claims: InFlightClaims
    templates: Sequence[NodeClaimTemplate]
    _levels: dict[int, _Level] = field(default_factory=dict)

    def of(self, pod_data: PodData, pod_topology: PodTopology, batch: int, wanted: int) -> Generations | None:
        """Return the generations that come next for this many equal pods that no node takes, or None where pods have to be
        placed otherwise."""
        spread = spread_of(pod_topology, pod_data)
        is_alone = spread is not None and [spread] == list(pod_topology.obeyed) == list(pod_topology.counted)
        if spread is None or not is_alone or pod_topology.repels or spread.max_skew != 1 or spread.turn:
            return None
        strict = self.claims.admission.space.sets[pod_data.strict_requirements]
        counts = counts_of(spread, strict.get_or_any(spread.key))
        if len(set(counts.values())) != 1 or self._has_room(pod_data, len(counts)):
            return None
        before, now = self._levels.get(pod_data.number), self._level(next(iter(counts.values())))
        self._levels[pod_data.number] = now
        if before is None or now.claims - before.claims != len(counts) or before.within != now.within:
            return None
        return self._again(before, now, spread, tuple(counts), batch, wanted)

    def _has_room(self, pod_data: PodData, domains: int) -> bool:
        """Tell whether an open claim may take such a pod."""
        candidates = self.claims.candidates(pod_data)
        return candidates.bit_count() > domains or any(self.claims.room(pod_data, 1, number) for number in bits(candidates))

    def _level(self, pods: int) -> _Level:
        remaining = {template.index: dict(template.remaining) for template in self.templates}
        within = {template.index: template.within_limits() for template in self.templates}
        return _Level(pods, len(self.claims), remaining, within)

    def _again(
        self, before: _Level, now: _Level, spread: TopologyGroup, domains: Sequence[str], batch: int, wanted: int
    ) -> Generations | None:
        self.claims.settle()
        pods, unit = now.pods - before.pods, tuple(self.claims.claims[before.claims :])
        template = unit[0].template
        if any(claim.template is not template for claim in unit) or pods < 1:
            return None
        if any(carried != {batch: pods} for carried in self.claims.pods[before.claims :]):
            return None
        was, left = before.remaining[template.index], now.remaining[template.index]
        spent = {resource: was[resource] - amount for resource, amount in left.items()}
        index, within = template.instance_types, now.within[template.index]
        times = wanted // (pods * len(unit))
        for resource, each in spent.items():
            if each:
                times = min(times, (left[resource] - index.largest_capacity(resource, within)) // each)
        return Generations(unit, pods, times, spent, spread, domains) if times > 0 else None

    def passed(self, pod_data: PodData, generations: Generations) -> None:
        """Note that the generations have come: the next ones follow these."""
        pods = self._levels[pod_data.number].pods + generations.times * generations.pods
        self._levels[pod_data.number] = self._level(pods)
