"""Passes one after the other, for pods that wait until others have their node (spec: scheduling 7.8, 6.9; S-100, S-103, S-80).

Within a pass a node that may still become several things counts for none of them, so some pods are placed only once it has been
launched. Here each claim of a pass becomes a node of the next: the cheapest type in the first zone that sells it, which is one
of the outcomes that Karpenter leaves to the cloud.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.core.identity import SameObject
from cutlist.core.labels import RESERVED, LabelRegistry
from cutlist.core.quantity import merge, subtract
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.launched import cheapest_offering, launched, requests_of
from cutlist.scheduling.provisioner import SchedulerInputs, prepare
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import NoReservation, NoTopology
from cutlist.scheduling.remedies import Remedy, remedies
from cutlist.scheduling.results import PlacedClaim, Results, finalise
from cutlist.scheduling.scheduler import Scheduler
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode

MOST: Final = 10  # a rule such as anti-affinity by zone can ask for one pass a pod; a plan stops here and says so


@dataclass(frozen=True, slots=True)
class Outcome:
    """What several passes came to: one result over all of them, how many it took, and whether more might have helped.

    `remedies` are, by batch that stays pending, the single changes that would give its pods a node.
    """

    result: Results
    passes: int
    cut_short: bool = False
    remedies: Mapping[int, tuple[Remedy, ...]] = field(default_factory=dict)


def run_passes(inputs: SchedulerInputs, tables: InstanceTypeIndexes) -> Outcome:
    """Run passes until nothing is left to wait for, or a pass brings nothing. `tables` are those of the types of the inputs."""
    scheduler, last = _run(inputs, tables)
    total, current, passes = last, inputs, 1
    cut_short = False
    while _some_wait(last) and not cut_short:
        current = _after(inputs, current, last, total)
        tables = tables if current.types is tables.types else InstanceTypeIndexes(current.types)
        scheduler, last = _run(current, tables)
        if not last.claims and not last.existing:
            break
        passes += 1
        total = _joined(inputs, total, last)
        cut_short = passes == MOST and _some_wait(last)
    return Outcome(total, passes, cut_short, {u.batch: remedies(scheduler, u.batch) for u in last.unplaced})


def _run(inputs: SchedulerInputs, tables: InstanceTypeIndexes) -> tuple[Scheduler, Results]:
    scheduler = prepare(inputs, tables)
    scheduler.solve()
    return scheduler, finalise(scheduler, strict_min_values=inputs.options.strict_min_values)


def _some_wait(result: Results) -> bool:
    return any(isinstance(r, (NoTopology, NoReservation)) for u in result.unplaced for _, r in u.refusals)


def _after(first: SchedulerInputs, before: SchedulerInputs, last: Results, total: Results) -> SchedulerInputs:
    """Return the inputs of the pass that follows: nodes where there were claims, and only the pods that are left."""
    left = {u.batch: u.count for u in last.unplaced}
    batches = [replace(b, count=left.get(i, 0)) for i, b in enumerate(first.batches)]
    nodes = [_filled(n, last.existing.get(n.name, {}), first.batches) for n in before.nodes]
    known = len(total.claims) - len(last.claims)
    new_nodes = [_launched(known + i, claim, first) for i, claim in enumerate(last.claims)]
    placed = {**last.existing, **{node.name: claim.pods for node, claim in zip(new_nodes, last.claims, strict=True)}}
    bound = [TopologyPods(first.batches[b].pod, node, pods=count) for node, pods in placed.items() for b, count in pods.items()]
    return replace(
        before,
        batches=batches,
        nodes=(*nodes, *new_nodes),
        bound=(*before.bound, *bound),
        types=_without_reserved(before.types, last.claims, first.registry),
    )


def _joined(first: SchedulerInputs, total: Results, last: Results) -> Results:
    """Join two results: pods that a later pass put on the nodes of an earlier one count as if they had been there."""
    claims = [_with_pods(c, last.existing.get(_name(i, c), {}), first.batches) for i, c in enumerate(total.claims)]
    own_names = {_name(i, c) for i, c in enumerate(total.claims)}
    existing = {name: dict(pods) for name, pods in total.existing.items()}
    for name, pods in last.existing.items():
        if name not in own_names:
            pods_on_node = existing.setdefault(name, {})
            for batch, count in pods.items():
                pods_on_node[batch] = pods_on_node.get(batch, 0) + count
    relaxed = {batch: Counter(forms) for batch, forms in total.relaxed.items()}
    for batch, forms in last.relaxed.items():
        relaxed.setdefault(batch, Counter()).update(forms)
    return replace(last, claims=(*claims, *last.claims), existing=existing, ignored=total.ignored, relaxed=relaxed)


def _with_pods(claim: PlacedClaim, pods: Mapping[int, int], batches: Sequence[PodBatch]) -> PlacedClaim:
    if not pods:
        return claim
    more = merge(claim.requests, *(requests_of(batches[b], count) for b, count in pods.items()))
    all_pods = {b: claim.pods.get(b, 0) + pods.get(b, 0) for b in (*claim.pods, *pods)}
    return replace(claim, pods=all_pods, requests=more)


def _filled(node: SchedulingNode, pods: Mapping[int, int], batches: Sequence[PodBatch]) -> SchedulingNode:
    if not pods:
        return node
    taken = merge(*(requests_of(batches[b], count) for b, count in pods.items()))
    ports = frozenset(port for b in pods for port in batches[b].pod.host_ports)
    return replace(node, available=subtract(node.available, taken), ports=node.ports | ports)


def _name(number: int, claim: PlacedClaim) -> str:
    """Return a name that no node of a cluster has; numbers of equal length keep the order of the claims."""
    return f"({claim.node_pool} {number:09d})"


def _launched(number: int, claim: PlacedClaim, inputs: SchedulerInputs) -> SchedulingNode:
    pool = next(p for p in inputs.pools if p.name == claim.node_pool)
    return launched(_name(number, claim), claim, pool.taints, inputs.batches, inputs.registry)


def _without_reserved(
    types: Mapping[str, Sequence[InstanceType]], claims: Sequence[PlacedClaim], registry: LabelRegistry
) -> Mapping[str, Sequence[InstanceType]]:
    """Return the types without the reservations that claims have used; lists that are shared stay shared."""
    used: dict[str, int] = {}
    for claim in claims:
        bought = cheapest_offering(claim.candidates.types[0], claim.requirements, registry)
        if bought.capacity_type == RESERVED and registry.reservation_id:
            for reservation in bought.requirements.get_or_any(registry.reservation_id).values:
                used[reservation] = used.get(reservation, 0) + 1
    if not used:
        return types
    lists = {SameObject(listed): listed for listed in types.values()}
    changed = {key: tuple(_with_less(t, used, registry) for t in listed) for key, listed in lists.items()}
    return {name: changed[SameObject(listed)] for name, listed in types.items()}


def _with_less(t: InstanceType, used: Mapping[str, int], registry: LabelRegistry) -> InstanceType:
    return replace(t, offerings=tuple(_less(o, used, registry) for o in t.offerings))


def _less(offering: Offering, used: Mapping[str, int], registry: LabelRegistry) -> Offering:
    ids = offering.requirements.get_or_any(registry.reservation_id or "").values
    taken = sum(used.get(i, 0) for i in ids)
    if not taken:
        return offering
    left = max(0, offering.reservation_capacity - taken)
    return offering._replace(reservation_capacity=left, available=offering.available and left > 0)
