"""The figures that gates check: a plan compared with its limits and prices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from cutlist.api.durations import seconds
from cutlist.api.nodepool import NodePool
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.labels import ARCH, SPOT
from cutlist.core.quantity import NANO
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.awaited_reservations import awaiting_reservations, awaits_reservations
from cutlist.planning.controllers import registry_of
from cutlist.planning.fitting_pods import may_run
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PendingPods, Plan
from cutlist.planning.model.measures import Measures, PoolMeasures
from cutlist.planning.spec_digests import planned_specs
from cutlist.planning.supplies import Supplies, Supply
from cutlist.planning.workload_measures import workload_measures
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.inputs import runs_elsewhere
from cutlist.scheduling.nodeclaimtemplate import tolerated
from cutlist.state.pods import DISRUPTED
from cutlist.workloads.groups import BoundPod, DaemonSet, PodGroup
from cutlist.workloads.pods import Pod
from cutlist.workloads.read import Workloads

_NODES: Final = "nodes"
_ANY_AMOUNT: Final = 10**30  # nano-units: a limit beyond this bounds nothing, and its price may be more than a float holds
_SCALED_JOB: Final = "ScaledJob"
_ENDING: Final = frozenset(("Job", "CronJob", _SCALED_JOB))
_MONTH: Final = 31 * 24 * 3600


def measures(plan: Plan, inputs: PlanInputs, allowed: Sequence[AllowedTypes], before: Plan | None = None) -> Measures:
    """Return the figures of a plan that was made from these inputs, with the types that NodePools allow.

    `before` is an earlier plan of the same environment.
    """
    waits, totals = grace_periods(inputs.workloads), plan.totals
    unsettled = {p.workload: p.reason for p in awaiting_reservations(plan.pending, inputs.workloads.groups, allowed)}
    supplies = Supplies(inputs.cloud)
    here = [node for node in inputs.cluster.nodes if not node.removed]
    return Measures(
        nodes=len(here) + totals.nodes,
        vcpus=_vcpus(plan, allowed, sum(node.capacity.get("cpu", 0) for node in here)),
        new_nodes=totals.nodes,
        spot_nodes=sum(node.count for node in plan.nodes if node.capacity_type == SPOT),
        zones=_certain_zones(plan),
        price_per_hour=totals.price_per_hour,
        unpriced_nodes=totals.unpriced_nodes,
        pending={p.workload: p.reason for p in _without_elsewhere(plan, inputs) if p.workload not in unsettled},
        pools=tuple(pool_measures(types, waits, supplies) for types in sorted(allowed, key=lambda types: types.pool.name)),
        held=tuple(sorted(_held(inputs))),
        before=None if before is None else before.totals.price_per_hour,
        objects=planned_specs(inputs),
        uncounted=tuple(sorted(_uncounted(inputs))),
        unsettled=unsettled,
        workloads=workload_measures(inputs.workloads, allowed, plan.incomplete_gangs),
        price_range=totals.price_range,
        currency=None if inputs.catalog.currency == "USD" else inputs.catalog.currency,
    )


def pool_measures(allowed: AllowedTypes, waits: Sequence[GracePeriod], supplies: Supplies) -> PoolMeasures:
    """Return what a NodePool may launch, its highest cost within its limits, and the longest duration of its drains.

    `waits` are the grace periods that drains wait for, longest first.
    """
    supply = supplies.of(allowed)
    sold, generations = supply.sold, supply.generations
    most, why = _most_per_hour(allowed, supply, supplies)
    slowest = longest_grace_period(waits, allowed)
    return PoolMeasures(
        name=allowed.pool.name,
        types=len(sold),
        families=len(supply.families),
        categories=tuple(sorted(supply.categories)),
        oldest_generation=min((int(generation) for generation in generations if generation.isdigit()), default=None),
        zones=supply.zones,
        spot_types=supply.spot_types,
        on_demand_types=supply.on_demand_types,
        unpriced_types=supply.unpriced,
        most_per_hour=most,
        most_by=why,
        is_general=not allowed.pool.taints,
        missed_min_values=tuple(sorted(_missed(allowed))),
        drain_seconds=drain_seconds(allowed.pool),
        grace_seconds=slowest.seconds if slowest else 0,
        grace_of=slowest.workload if slowest else "",
        lowered_by=supply.lowered_by,
        limits=tuple(sorted(allowed.pool.limits)),
        awaits_reservations=awaits_reservations(allowed),
        architectures=tuple(sorted(supply.architectures)),
        chooses_architecture=ARCH in allowed.wanted,
        accelerated=supply.accelerated,
    )


def _without_elsewhere(plan: Plan, inputs: PlanInputs) -> Iterator[PendingPods]:
    """Yield the pending pods, without those of workloads that are to run on other nodes than Karpenter's."""
    registry = registry_of(inputs.node_pools)
    elsewhere = {group.workload for group in inputs.workloads.groups if runs_elsewhere(group.pod, registry)}
    return (pods for pods in plan.pending if not pods.skipped or pods.workload not in elsewhere)


def _most_per_hour(allowed: AllowedTypes, supply: Supply, supplies: Supplies) -> tuple[float | None, str]:
    """Return the highest possible cost of a NodePool in USD per hour, and the limit behind it: limit times highest price per
    unit (NP-02).

    Prices include disks where their price is known. Of several limits the tightest counts. For a static pool it is the cost of
    its replicas. None without an upper bound.
    """
    highest_prices = supply.highest_prices
    if not highest_prices:
        return 0.0, "it allows no instance type"
    if supply.unpriced:
        unpriced = min(t.name for t, price in highest_prices if price is None)
        return None, f"{supply.unpriced} of its instance types have no price, such as {unpriced}"
    found = _bounds(allowed, supply, supplies)
    bounds = [(bound, f"limit {name} {amount}") for name, amount, bound in found if bound is not None]
    if not bounds:
        return None, _unbounded_by(allowed, [t for t, _ in highest_prices])
    most, why = min(bounds)
    return round(most, 6), why


def _unbounded_by(allowed: AllowedTypes, types: Sequence[InstanceType]) -> str:
    """Return why no limit bounds a NodePool: some type has nothing of what is limited, such as a GPU."""
    limits = sorted(name for name in allowed.pool.limits if name != _NODES)
    free = next((t.name for t in types if not any(t.capacity.get(name, 0) for name in limits)), "") if limits else ""
    return f"no limit bounds it: {free} has no {' and no '.join(limits)}" if free else "no limit bounds it"


def _bounds(allowed: AllowedTypes, supply: Supply, supplies: Supplies) -> Iterator[tuple[str, str, float | None]]:
    if allowed.pool.replicas is not None:
        yield "replicas", str(allowed.pool.replicas), allowed.pool.replicas * supply.highest_price
    for name, limit in sorted(allowed.pool.limits.items()):
        amount = max(0, limit.nanos)
        if amount > _ANY_AMOUNT:
            continue
        if name == _NODES:
            yield name, str(limit), amount / NANO * supply.highest_price
        else:
            unit = supplies.highest_per_unit(supply, name)
            yield name, str(limit), None if unit is None else amount * unit


def _missed(allowed: AllowedTypes) -> Iterator[str]:
    for key, wanted in allowed.wanted.items():
        if wanted.min_values is not None and allowed.instance_types.distinct_values(wanted, allowed.mask) < wanted.min_values:
            yield key


def _vcpus(plan: Plan, allowed: Sequence[AllowedTypes], existing: int) -> float | None:
    """Return the vCPUs of all nodes, or None if a planned type is unknown."""
    indexes = {types.pool.name: types.instance_types for types in allowed}
    total = existing
    for node in plan.nodes:
        index = indexes.get(node.node_pool)
        number = None if index is None else index.numbers.get(node.instance_type)
        if index is None or number is None:
            return None
        total += node.count * index.types[number].capacity.get("cpu", 0)
    return total / NANO


def _certain_zones(plan: Plan) -> dict[str, int]:
    nodes: dict[str, int] = {}
    for node in plan.nodes:
        if len(node.zones) == 1:
            nodes[node.zones[0]] = nodes.get(node.zones[0], 0) + node.count
    return nodes


def _held(inputs: PlanInputs) -> Iterator[str]:
    """Yield the workloads whose pods may never be moved: their annotation does not end within a month, nor do they."""
    for group in inputs.workloads.groups:
        if group.kind not in _ENDING and _is_endless(group.annotations.get(DO_NOT_DISRUPT, "")):
            yield group.workload


def _uncounted(inputs: PlanInputs) -> Iterator[str]:
    """Yield the objects whose pods are not counted. Objects of Flux and Argo CD, and others that a tool has yet to render, are
    open inputs, and left out. A ScaledJob is among them while none of its jobs is planned: all its pods are yet to come."""
    for group in inputs.workloads.groups:
        if group.kind == _SCALED_JOB and not group.count and group.range is not None and group.range[1]:
            yield f"{group.kind} {group.name}: its triggers start up to {group.range[1]:,} pods, and none is planned"
    for item in inputs.workloads.not_understood:
        if not (item.command or item.is_delivered):
            yield f"{item.kind} {item.name}: {item.why or 'no document of kind PodKinds says how many pods it keeps'}"


def _is_endless(written: str) -> bool:
    try:
        time = seconds(written)
    except ValueError:
        time = None
    return written == "true" or (time is not None and time > _MONTH)


class GracePeriod(NamedTuple):
    """The grace period of a workload's pods in seconds."""

    seconds: int
    workload: str
    pod: Pod


def grace_periods(workloads: Workloads) -> tuple[GracePeriod, ...]:
    """Return the grace periods that a drain waits for, longest first: of pods to place, of DaemonSets and of running pods, but
    not of pods that are never evicted. A drain with a deadline has to leave time for them."""
    running = (pod for pod in workloads.bound if not pod.is_daemon)
    every: Iterable[PodGroup | DaemonSet | BoundPod] = chain(workloads.groups, workloads.daemons, running)
    periods = (GracePeriod(period.grace, period.workload, period.pod) for period in every)
    evicted = (period for period in periods if not tolerated(period.pod, (DISRUPTED,)))
    return tuple(sorted(evicted, key=lambda period: (-period.seconds, period.workload)))


def longest_grace_period(listed: Iterable[GracePeriod], allowed: AllowedTypes) -> GracePeriod | None:
    """Return the first one whose pods may run on nodes of a NodePool, or None if none may."""
    return next((period for period in listed if may_run(period.pod, allowed)), None)


def drain_seconds(pool: NodePool) -> int | None:
    """Return the number of seconds after which a drain of the pool's nodes ends in any case, or None if nothing ends it."""
    return seconds(pool.termination_grace_period) if pool.termination_grace_period else None
