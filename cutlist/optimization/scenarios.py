"""Circumstances in which NodePools are judged besides today's: other numbers of pods, a lost zone, more expensive spot.

Each is a change of a plan's inputs, made after the NodePools have been chosen, with a weight: how much of the time it counts
for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import CAPACITY_TYPE, SPOT
from cutlist.core.labels import ZONE as ZONE_LABEL
from cutlist.optimization.pool_terms import without_zone
from cutlist.planning.inputs import PlanInputs
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import FrozenDict
from cutlist.workloads.scaled import at_range_end, pods_of_workloads, with_more_pods

NOW: Final = "now"
MINIMUM: Final = "minimum"
MAXIMUM: Final = "maximum"
DOUBLE: Final = "replicas-2"
FOURFOLD: Final = "replicas-4"
ZONE: Final = "zone"
LARGEST: Final = "largest-2"
SPOT_PRICES: Final = "spot-1.5"
WEIGHTS: Final[Mapping[str, float]] = {
    NOW: 60.0,
    MINIMUM: 10.0,
    MAXIMUM: 5.0,
    DOUBLE: 10.0,
    FOURFOLD: 2.0,
    ZONE: 3.0,
    LARGEST: 5.0,
    SPOT_PRICES: 5.0,
}
"""How much each counts for unless users say otherwise; the zones share one weight."""
_SPOT_RISE: Final = 1.5
_AT_LIMITS: Final = (3, 8)
"""Multiples of replicas in which NodePools with limits are compared for the pods that stay pending, without a weight."""
_FIXED: Final = frozenset(("Pod", "Job", "CronJob", "ScaledJob"))
"""Kinds whose pods are not replicas."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A circumstance by its name and in words, and how much it counts for. One without weight is judged for pending pods alone.

    `more` are the pods that workloads have besides the present ones, `zone` is the one that is lost, and `spot` what spot
    prices are multiplied by.
    """

    name: str
    what: str
    weight: float
    more: Mapping[str, int] = FrozenDict()
    zone: str = ""
    spot: float = 1.0

    @property
    def is_now(self) -> bool:
        """Tell whether nothing differs from today."""
        return not self.more and not self.zone and self.spot == 1

    @property
    def lost_zone(self) -> str:
        """Return the zone whose loss the scenario is about; empty for any other one, also if users named it."""
        return self.zone if self.name == f"{ZONE}-{self.zone}" else ""

    @property
    def has_other_nodes(self) -> bool:
        """Tell whether nodes are for sale on other terms than today."""
        return self.spot != 1

    def on(self, inputs: PlanInputs) -> PlanInputs:
        """Return inputs under this circumstance."""
        if self.more:
            before = pods_of_workloads(inputs.workloads.groups)
            groups = with_more_pods(inputs.workloads.groups, self.more)
            # A buffer that is a share of a workload's replicas grows and shrinks with them.
            then = {name: before.get(name, 0) + more for name, more in self.more.items()}
            buffers = tuple(b.for_replicas(then[b.target]) if b.target in then else b for b in inputs.buffers)
            inputs = replace(inputs, workloads=replace(inputs.workloads, groups=groups), buffers=buffers)
        if self.zone:
            lost = [node.name for node in inputs.cluster.nodes if node.labels.get(ZONE_LABEL) == self.zone]
            pools = tuple(without_zone(pool, self.zone) for pool in inputs.node_pools)
            inputs = replace(inputs, node_pools=pools, cluster=inputs.cluster.without(lost) if lost else inputs.cluster)
        return inputs if self.spot == 1 else _with_spot_prices(inputs, self.spot)


def scenarios_of(
    inputs: PlanInputs, zones: Iterable[str], weights: Mapping[str, float] = FrozenDict(), own: Sequence[Scenario] = ()
) -> tuple[Scenario, ...]:
    """Return the scenarios in which NodePools for some inputs are judged, the present first, then `own` ones.

    `zones` are those that nodes may be in. A scenario that does not differ from the present, or whose weight is 0, is left out.
    """
    weighed = {**WEIGHTS, **weights}
    made = [s for s in _made(inputs, sorted(zones), weighed) if s.weight > 0 and not s.is_now]
    has_limits = any(pool.limits for pool in inputs.node_pools)
    known = {scenario.more for scenario in made}
    guards = [s for s in _guards(inputs) if s.more and s.more not in known] if has_limits else []
    # The present is planned in any case, since everything is compared with it; its weight may be 0.
    return (Scenario(NOW, "now", max(0.0, weighed[NOW])), *made, *own, *guards)


def _made(inputs: PlanInputs, zones: Sequence[str], weights: Mapping[str, float]) -> Iterator[Scenario]:
    groups = inputs.workloads.groups
    yield Scenario(DOUBLE, "replicas times 2", weights[DOUBLE], _times(groups, 2))
    yield Scenario(FOURFOLD, "replicas times 4", weights[FOURFOLD], _times(groups, 4))
    yield Scenario(MAXIMUM, "autoscalers at their maximum", weights[MAXIMUM], _at_end(groups, 1))
    yield Scenario(MINIMUM, "autoscalers at their minimum", weights[MINIMUM], _at_end(groups, 0))
    if largest := _largest(groups):
        more = {largest: pods_of_workloads(groups)[largest]}
        yield Scenario(LARGEST, f"{largest} doubled", weights[LARGEST], FrozenDict(more))
    for zone in zones if len(zones) > 1 else ():
        yield Scenario(f"{ZONE}-{zone}", f"zone {zone} lost", weights[ZONE] / len(zones), zone=zone)
    if any(map(_may_buy_spot, inputs.node_pools)):
        yield Scenario(SPOT_PRICES, "spot prices up by half", weights[SPOT_PRICES], spot=_SPOT_RISE)


def _guards(inputs: PlanInputs) -> Iterator[Scenario]:
    for times in _AT_LIMITS:
        yield Scenario(f"replicas-{times}", f"replicas times {times}", 0.0, _times(inputs.workloads.groups, times))


def multiplied(groups: Sequence[PodGroup], times: Mapping[str, float]) -> Mapping[str, int]:
    """Return how many more pods, or fewer, workloads have if their numbers are multiplied, rounded up."""
    counts = pods_of_workloads(groups)
    return FrozenDict({name: -int(-counts[name] * factor // 1) - counts[name] for name, factor in times.items()})


def scaled_workloads(groups: Sequence[PodGroup]) -> tuple[str, ...]:
    """Return the workloads whose pods are replicas, by name."""
    return tuple(sorted({group.workload for group in groups if group.kind not in _FIXED}))


def _times(groups: Sequence[PodGroup], times: int) -> Mapping[str, int]:
    counts = pods_of_workloads(groups)
    return FrozenDict({name: counts[name] * (times - 1) for name in scaled_workloads(groups) if counts[name]})


def _at_end(groups: Sequence[PodGroup], end: int) -> Mapping[str, int]:
    before, after = (pods_of_workloads(some) for some in (groups, at_range_end(groups, end)))
    return FrozenDict({name: after[name] - count for name, count in before.items() if after[name] != count})


def _largest(groups: Sequence[PodGroup]) -> str:
    """Return the scaled workload that requests most cores, then most memory; empty without one."""
    sizes: Counter[tuple[str, str]] = Counter()
    for group in groups:
        if group.kind not in _FIXED:
            for resource in ("cpu", "memory"):
                sizes[group.workload, resource] += group.pod.requests.get(resource, 0) * (group.count + group.bound)
    names = sorted({name for name, _ in sizes})
    return max(names, key=lambda name: (sizes[name, "cpu"], sizes[name, "memory"]), default="")


def _may_buy_spot(pool: NodePool) -> bool:
    listed = [entry.values for entry in pool.requirements if (entry.key, entry.operator) == (CAPACITY_TYPE, "In")]
    return all(SPOT in values for values in listed)


def _with_spot_prices(inputs: PlanInputs, times: float) -> PlanInputs:
    """Return inputs whose region asks another price for spot, and so do prices that the account paid for it."""
    spot = inputs.catalog.spot
    if spot is None:
        return inputs
    raised = {name: {zone: price.at(price.usd_per_hour * times) for zone, price in of.items()} for name, of in spot.items()}
    figures = inputs.figures
    if figures.paid_prices is not None:
        rows = (replace(r, per_hour=r.per_hour * times) if r.bought == SPOT else r for r in figures.paid_prices.rows)
        figures = replace(figures, paid_prices=replace(figures.paid_prices, rows=tuple(rows)))
    return replace(inputs, catalog=replace(inputs.catalog, spot=raised), figures=figures)
