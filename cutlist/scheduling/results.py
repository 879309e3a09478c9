"""The result of a pass: claims as Karpenter would create them, and pods that stay pending (spec: scheduling 6.11, 10.1,
10.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cutlist.core.labels import HOSTNAME, INITIALIZED, REGISTERED
from cutlist.core.requirements import Requirements
from cutlist.core.runs import Runs, different
from cutlist.providers.min_values import lacking_values
from cutlist.scheduling.dynamicresources.allocation import ClaimAllocation
from cutlist.scheduling.instancetype_options import InstanceTypeOptions, InstanceTypeOptionsCache
from cutlist.scheduling.nodeclaim import InFlightClaim
from cutlist.scheduling.refusals import InvalidClaim, Refusal, TooFewValues
from cutlist.scheduling.scheduler import Scheduler
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class PlacedClaim:
    """A NodeClaim that Karpenter would create. `pods` are numbers of pods by batch; `requests` include daemons, in nano-units.
    `devices` are those that it gives to claims of its pods.

    `min_values_relaxed` is the state of the last claim opened from the NodePool, as Karpenter notes it (S-76).
    """

    node_pool: str
    pods: Mapping[int, int]
    requirements: Requirements
    requests: Mapping[str, int]
    candidates: InstanceTypeOptions
    min_values_relaxed: bool = False
    devices: tuple[ClaimAllocation, ...] = ()


@dataclass(frozen=True, slots=True)
class UnschedulablePods:
    """Pods of a batch that stay pending, with the refusal of each NodePool."""

    batch: int
    count: int
    refusals: Sequence[tuple[str, Refusal]]


@dataclass(frozen=True, slots=True)
class Results:
    """A finished pass. `ignored` are the batches that Karpenter does not try at all, with the reason; `usable_pools` the
    NodePools that may launch something; `existing` are the pods put on existing nodes, as numbers by batch.

    `relaxed` are, by batch, the pods as they were placed after preferences had been relaxed, and how many. `devices` are those
    that existing nodes give to claims of pods, by node.
    """

    claims: Sequence[PlacedClaim]
    unplaced: tuple[UnschedulablePods, ...]
    ignored: Mapping[int, str] = field(default_factory=dict)
    usable_pools: frozenset[str] = frozenset()
    existing: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    relaxed: Mapping[int, Mapping[Pod, int]] = field(default_factory=dict)
    devices: Mapping[str, tuple[ClaimAllocation, ...]] = field(default_factory=dict)


def finalise(
    scheduler: Scheduler, *, strict_min_values: bool, instance_type_options: InstanceTypeOptionsCache | None = None
) -> Results:
    """Close the claims of a solved pass: cut their types by price, add daemons, drop pods that the cut made impossible.

    Passes of the same context may share their `instance_type_options`.
    """
    options = InstanceTypeOptionsCache() if instance_type_options is None else instance_type_options
    closed: dict[tuple[int, frozenset[str]], Requirements] = {}
    claims: list[tuple[PlacedClaim, int]] = []
    # Claims with the same history are one value, and so are the pods on those that were opened together.
    placed: dict[tuple[int, int, frozenset[str]], PlacedClaim] = {}
    dropped: Counter[tuple[int, str, TooFewValues]] = Counter()
    in_flight = scheduler.claims
    devices = _devices_by_node(scheduler)
    is_each_its_own = bool(devices) or scheduler.reservations.active
    for numbers, claim, pods, reserved in in_flight.each() if is_each_its_own else in_flight.alike():
        of_equal = id(claim), id(pods), reserved
        if of_equal in placed and not devices:
            claims.append((placed[of_equal], len(numbers)))
            continue
        end = claim.requirements, reserved
        if end not in closed:
            # The placeholder served to tell claims apart while scheduling; a NodeClaim has no hostname.
            held = scheduler.admission.requirements_of(claim).without(HOSTNAME)
            closed[end] = scheduler.reservations.finalised(held, reserved)
        final = closed[end]
        candidates = options.of(claim.template, final, claim.mask)
        karpenter = claim.template.instance_types.karpenter
        # The cut to 600 types may take the values that admission has counted (spec 10.2).
        if strict_min_values and (lacking := lacking_values(final, candidates.types, karpenter)):
            refusal = TooFewValues(tuple(lacking), with_devices=bool(devices.get(numbers.start)))
            dropped.update({(batch, claim.template.name, refusal): count * len(numbers) for batch, count in pods.items()})
            continue
        placed[of_equal] = _placed(scheduler, claim, pods, final, candidates, devices.get(numbers.start, ()))
        claims.append((placed[of_equal], len(numbers)))
    left = sorted(scheduler.queue.left().items())
    unplaced = [UnschedulablePods(batch, count, scheduler.failures.refusals(batch)) for batch, count in left]
    for (batch, pool, too_few), count in sorted(dropped.items(), key=lambda item: item[0][0]):
        unplaced.append(UnschedulablePods(batch, count, ((pool, too_few),)))
    usable = frozenset(t.name for t in scheduler.templates)
    existing = scheduler.existing_nodes.placed()
    on_nodes = {node: given for node, given in devices.items() if isinstance(node, str)}
    return Results(Runs(claims), tuple(unplaced), dict(scheduler.ignored), usable, existing, scheduler.relaxed, on_nodes)


def _devices_by_node(scheduler: Scheduler) -> dict[Hashable, tuple[ClaimAllocation, ...]]:
    """Return the devices that claims got, by the name of the node or the number of the NodeClaim that they are on."""
    by_node: dict[Hashable, tuple[ClaimAllocation, ...]] = {}
    for allocation in scheduler.devices.allocations if scheduler.devices is not None else ():
        by_node[allocation.node] = (*by_node.get(allocation.node, ()), allocation)
    return by_node


def accepted(results: Results) -> Results:
    """Return a pass with the claims that the API server accepts; the pods of the others stay pending (S-125).

    Karpenter tries to create these again in each pass.
    """
    claims: list[PlacedClaim] = []
    refused: Counter[tuple[int, str, InvalidClaim]] = Counter()
    refusals = {id(claim): _refused(claim) for claim, _ in different(results.claims)}
    if not any(refusals.values()):
        return results
    for claim in results.claims:
        refusal = refusals[id(claim)]
        if refusal is None:
            claims.append(claim)
        else:
            refused.update({(batch, claim.node_pool, refusal): count for batch, count in claim.pods.items()})
    pods = (UnschedulablePods(batch, count, ((pool, refusal),)) for (batch, pool, refusal), count in refused.items())
    return replace(results, claims=tuple(claims), unplaced=(*results.unplaced, *pods))


def _refused(claim: PlacedClaim) -> InvalidClaim | None:
    for key, r in claim.requirements.items():
        # Only values that are written out are counted by the API server's rule, so NotIn and Exists pass.
        if r.min_values is not None and not r.complement and len(r.values) < r.min_values:
            return InvalidClaim(key, len(r.values), r.min_values)
    return None


def _placed(
    scheduler: Scheduler,
    claim: InFlightClaim,
    pods: Mapping[int, int],
    final: Requirements,
    candidates: InstanceTypeOptions,
    devices: tuple[ClaimAllocation, ...],
) -> PlacedClaim:
    requested = {r for batch in pods for r in scheduler.batches[batch].pod.requests}  # a request of 0 counts as a request
    requests = {r: a for r, a in zip(scheduler.admission.resources, claim.requests, strict=True) if r in requested}
    for resource, amount in scheduler.admission.daemon_requests(claim).items():
        requests[resource] = requests.get(resource, 0) + amount
    template, requirements = claim.template, final.without(REGISTERED, INITIALIZED)
    return PlacedClaim(template.name, dict(pods), requirements, requests, candidates, template.min_values_relaxed, devices)
