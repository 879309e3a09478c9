"""The plan: which nodes a set of workloads will get. One pure function of its inputs (design: floor 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.api import NodeClass, NodePool
from cutlist.auto_agents import agent_notes
from cutlist.catalog import RegionCatalog
from cutlist.controllers import apart, registry_of, together
from cutlist.expected_storage import completed
from cutlist.labels import ON_DEMAND, RESERVED, SPOT, LabelRegistry
from cutlist.passes import MOST, Outcome, run_passes
from cutlist.planned import (
    DETERMINED,
    LOWEST_PRICE,
    UNKNOWN_PRICE,
    Candidate,
    FilledNode,
    Note,
    PendingPods,
    Plan,
    PlannedNode,
    PodShare,
    PoolTypes,
    TypeRow,
)
from cutlist.pool_types import Clouds, estimate_notes, types_of_pools, zone_notes
from cutlist.providers.aws import AwsSettings
from cutlist.providers.eks_auto import AutoSettings
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.reasons import advice, main_reason, sentence
from cutlist.requirements import Requirements
from cutlist.scheduling.batches import Batch
from cutlist.scheduling.cluster import Cluster
from cutlist.scheduling.result import PlacedClaim, Result, TypeList
from cutlist.scheduling.scheduler import Options, PassInputs, takes_part
from cutlist.scheduling.templates import fresh_requirements, prefilter
from cutlist.scheduling.types import TypeTable, bits
from cutlist.workloads import Workloads
from cutlist.workloads.groups import workload_name


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """Everything that a plan depends on. `zones` are those with subnets, where the node classes' status does not say.

    `cluster` is what exists: nodes, the pods on them, volumes. `warnings` are what was found odd while reading.
    """

    catalog: RegionCatalog
    node_pools: tuple[NodePool, ...]
    node_classes: tuple[NodeClass, ...]
    workloads: Workloads = field(default_factory=Workloads)
    cluster: Cluster = field(default_factory=Cluster)
    zones: tuple[str, ...] = ()
    settings: AwsSettings = field(default_factory=AwsSettings)
    options: Options = field(default_factory=Options)
    warnings: tuple[Note, ...] = ()
    auto: AutoSettings = field(default_factory=AutoSettings)

    @property
    def clouds(self) -> Clouds:
        """What instance types depend on."""
        return Clouds(self.catalog, self.zones, self.settings, self.auto)


def plan(inputs: PlanInputs) -> Plan:
    """Which nodes appear, at what price, and what stays pending. Equal inputs give equal plans, byte for byte.

    NodePools of EKS Auto Mode and of self-managed Karpenter are two controllers that plan by themselves.
    """
    parts = {name: replace(inputs, node_pools=pools) for name, pools in apart(inputs.node_pools).items()}
    if len(parts) < 2:
        return _plan(inputs)
    return together({name: _plan(part) for name, part in parts.items()})


def _plan(inputs: PlanInputs) -> Plan:
    """The plan of one controller."""
    workloads, registry = inputs.workloads, registry_of(inputs.node_pools)
    storage, storage_notes = completed(inputs.cluster.storage, workloads.groups)
    batches = _batches(inputs)
    outcome = run_passes(
        PassInputs(
            pools=inputs.node_pools,
            types=types_of_pools(inputs.node_pools, inputs.node_classes, inputs.clouds),
            batches=batches,
            daemons=tuple(d.pod for d in workloads.daemons),
            registry=registry,
            options=inputs.options,
            namespaces=workloads.namespaces,
            nodes=inputs.cluster.nodes,
            bound=inputs.cluster.bound,
            volumes={
                number: storage.of_pod(group.pod, group.pod_name(0), registry)
                for number, group in enumerate(workloads.groups)
                if group.pod.volumes
            },
            moving=frozenset(range(len(workloads.groups), len(batches))),
        )
    )
    nodes = _nodes(outcome.result, batches, registry)
    assumptions = [*storage_notes, *_assumptions(inputs, nodes), *_pass_notes(outcome)]
    return Plan(
        region=inputs.catalog.region,
        nodes=nodes,
        existing=_existing(outcome.result, batches),
        pending=_pending(outcome, batches),
        assumptions=_ordered(assumptions),
        warnings=_ordered([*inputs.warnings, *_warnings(inputs, outcome.result)]),
        passes=outcome.passes,
    )


def _batches(inputs: PlanInputs) -> list[Batch]:
    """Pending pods by workload in the order of the input, then those that have to leave nodes that go.

    The order decides between pods of equal size; Karpenter goes by creation time and then by a random id.
    """
    groups = [Batch(g.workload, g.pod, g.count) for g in inputs.workloads.groups]
    moving = [Batch(workload_name("Pod", p.pod.namespace, p.name), p.pod) for p in inputs.cluster.moving]
    return [replace(batch, uid=f"{number:08d}") for number, batch in enumerate((*groups, *moving))]


def _ordered(notes: Iterable[Note]) -> tuple[Note, ...]:
    return tuple(sorted(set(notes), key=lambda n: (n.code, n.text)))


def allowed_types(inputs: PlanInputs) -> tuple[PoolTypes, ...]:
    """The instance types that each NodePool may launch, cheapest first."""
    types = types_of_pools(inputs.node_pools, inputs.node_classes, inputs.clouds)
    return tuple(_allowed(pool, types[pool.name]) for pool in sorted(inputs.node_pools, key=lambda p: p.name))


# --- nodes


def _nodes(result: Result, batches: Sequence[Batch], registry: LabelRegistry) -> tuple[PlannedNode, ...]:
    """Claims that are alike become one entry with a count."""
    alike: dict[tuple[object, ...], tuple[PlacedClaim, int]] = {}
    for claim in result.claims:
        key = (
            claim.node_pool,
            claim.requirements,
            id(claim.candidates),
            frozenset(claim.requests.items()),
            frozenset(claim.pods.items()),
        )
        first, count = alike.get(key, (claim, 0))
        alike[key] = (first, count + 1)
    views = _CandidateViews(registry)
    nodes = (_node(claim, count, batches, views) for claim, count in alike.values())
    return tuple(sorted(nodes, key=_node_order))


def _node_order(node: PlannedNode) -> tuple[object, ...]:
    pods = tuple((s.workload, s.count) for s in node.pods)
    return node.node_pool, node.instance_type, -node.count, pods, sorted(node.requests.items()), str(node.requirements)


def _node(claim: PlacedClaim, count: int, batches: Sequence[Batch], views: _CandidateViews) -> PlannedNode:
    candidates, capacity_types = views.of(claim.candidates, claim.requirements)
    first = candidates[0]
    cheapest = claim.candidates.types[0]
    chosen = [o for o in _open(cheapest, claim.requirements, views.registry) if o.capacity_type == first.capacity_type]
    paid = min((o for o in chosen if o.price is not None), key=lambda o: o.price or 0.0, default=None)
    return PlannedNode(
        node_pool=claim.node_pool,
        count=count,
        instance_type=first.instance_type,
        certainty=_certainty(first),
        capacity_type=first.capacity_type,
        capacity_types=capacity_types,
        zones=first.zones,
        price=first.price,
        price_source=paid.price_source if paid else "",
        requests=dict(sorted(claim.requests.items())),
        allocatable=dict(sorted(cheapest.allocatable(paid).items())),
        pods=_shares(claim.pods, batches),
        candidates=candidates,
        requirements=tuple(claim.requirements.expressions()),
    )


def _certainty(first: Candidate) -> str:
    if first.price is None:
        return UNKNOWN_PRICE
    # On demand EC2 takes the lowest price; for spot it prefers pools with spare capacity, which nobody can know (AWS 5.7, 5.8).
    return LOWEST_PRICE if first.capacity_type == SPOT else DETERMINED


class _CandidateViews:
    """A claim's types as candidates; claims that share a list and requirements share the view."""

    def __init__(self, registry: LabelRegistry) -> None:
        self.registry = registry
        self._made: dict[tuple[int, Requirements], tuple[tuple[Candidate, ...], tuple[str, ...]]] = {}

    def of(self, types: TypeList, requirements: Requirements) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
        """The candidates, cheapest first, and the capacity types among their offerings."""
        key = (id(types), requirements)
        if key not in self._made:
            found: list[Candidate] = []
            capacity_types: set[str] = set()
            for t, price in zip(types.types, types.prices, strict=True):
                offerings = _open(t, requirements, self.registry)
                capacity_types.update(o.capacity_type for o in offerings)
                capacity_type, cost = next(((o.capacity_type, o.cost) for o in offerings if o.price == price), ("", price))
                zones = sorted({o.zone for o in offerings if o.capacity_type == capacity_type})
                found.append(Candidate(t.name, cost, capacity_type, tuple(zones)))
            order = (RESERVED, SPOT, ON_DEMAND)
            self._made[key] = tuple(found), tuple(c for c in order if c in capacity_types)
        return self._made[key]


def _open(t: InstanceType, requirements: Requirements, registry: LabelRegistry) -> list[Offering]:
    return [o for o in t.offerings if o.available and requirements.compatible(o.requirements, registry.well_known)]


def _existing(result: Result, batches: Sequence[Batch]) -> tuple[FilledNode, ...]:
    return tuple(FilledNode(name, _shares(pods, batches)) for name, pods in sorted(result.existing.items()))


def _shares(pods: Mapping[int, int], batches: Sequence[Batch]) -> tuple[PodShare, ...]:
    shares: dict[str, int] = {}
    for batch, count in pods.items():
        shares[batches[batch].name] = shares.get(batches[batch].name, 0) + count
    return tuple(PodShare(name, count) for name, count in sorted(shares.items()))


# --- pods without a node


def _pending(outcome: Outcome, batches: Sequence[Batch]) -> tuple[PendingPods, ...]:
    found: list[PendingPods] = []
    for unplaced in outcome.result.unplaced:
        reason = main_reason(unplaced.refusals)
        if unplaced.dropped:
            reason = "its node was given up: after the cut to 600 instance types minValues no longer holds"
        by_pool = tuple((pool, sentence(refusal)) for pool, refusal in unplaced.refusals)
        helps = next(iter(outcome.remedies.get(unplaced.batch, ())), None)
        remedy = "" if helps is None else advice(helps)
        found.append(PendingPods(batches[unplaced.batch].name, unplaced.count, reason, by_pool, remedy))
    for number, why in outcome.result.ignored.items():
        found.append(PendingPods(batches[number].name, batches[number].count, f"Karpenter passes it over: {why}"))
    return tuple(sorted(found, key=lambda p: (p.reason, p.workload, p.count)))


# --- what a reader has to know


def _assumptions(inputs: PlanInputs, nodes: Iterable[PlannedNode]) -> list[Note]:
    notes = [Note(n.code, n.text) for n in inputs.workloads.notes if n.code not in _WARNING_CODES]
    notes += [Note("catalogue", remark) for remark in inputs.catalog.remarks]
    of_types = inputs.node_pools, inputs.node_classes, inputs.clouds
    notes += [*zone_notes(*of_types), *estimate_notes(*of_types)]
    if any(n.capacity_type == SPOT for n in nodes):
        text = "spot capacity cannot be known before launch: EC2 picks among the candidates, at the price shown or more"
        notes.append(Note("spot-capacity", text))
    if inputs.workloads.groups and not inputs.workloads.daemons:
        notes.append(Note("no-daemonsets", "no DaemonSet is in the input, so none takes room on the nodes"))
    return notes


def _pass_notes(outcome: Outcome) -> list[Note]:
    """What has to be taken for certain when a pass builds on the nodes of an earlier one."""
    if outcome.passes == 1 and not outcome.cut_short:
        return []
    text = f"{outcome.passes} passes: pods that wait for others are placed after these have their node, which is taken to be"
    notes = [Note("passes", f"{text} the cheapest type in the first zone that sells it")]
    if outcome.cut_short:
        notes.append(Note("passes-cut", f"looked at no more than {MOST} passes; Karpenter would go on"))
    return notes


# What will go otherwise than its author thinks; all other notes of the workloads are assumptions.
_WARNING_CODES: Final = frozenset(
    (
        "limit-range",
        "priority-class-unknown",
        "resource-quota",
        "runtime-class-conflict",
        "runtime-class-unknown",
        "unknown-resource",
    )
)


def _warnings(inputs: PlanInputs, result: Result) -> list[Note]:
    notes = [Note(n.code, n.text) for n in inputs.workloads.notes if n.code in _WARNING_CODES]
    for thing in inputs.workloads.not_understood:
        text = f"{thing.kind} {thing.name} ({thing.place}) places pods by means of its own; they are not in the plan"
        notes.append(Note("not-understood", text))
    notes += agent_notes(inputs.node_pools, inputs.workloads.daemons)
    for pool in inputs.node_pools:
        if not takes_part(pool):
            text = f"NodePool {pool.name} opens no nodes for pending pods: it is static, not ready or being deleted"
            notes.append(Note("node-pool-left-out", text))
        elif pool.name not in result.usable_pools:
            text = f"NodePool {pool.name} allows no instance type that is on offer in {inputs.catalog.region}"
            notes.append(Note("no-instance-type", text))
    return notes


# --- types that a pool allows


def _allowed(pool: NodePool, types: Sequence[InstanceType]) -> PoolTypes:
    registry = registry_of((pool,))
    table = TypeTable(types, registry.well_known)
    wanted = fresh_requirements(pool, registry)
    rows = [_row(table.types[i], wanted, registry) for i in bits(prefilter(table, wanted))]
    unknown = float("inf")
    rows.sort(key=lambda r: (min(r.on_demand or unknown, r.spot or unknown), r.name))
    return PoolTypes(pool.name, tuple(rows), len(rows))


def _row(t: InstanceType, wanted: Requirements, registry: LabelRegistry) -> TypeRow:
    offerings = _open(t, wanted, registry)
    on_demand, spot = (_cheapest(offerings, kind) for kind in (ON_DEMAND, SPOT))
    main = on_demand or spot
    return TypeRow(
        name=t.name,
        cpu=t.capacity.get("cpu", 0),
        memory=t.capacity.get("memory", 0),
        allocatable=dict(sorted(t.allocatable().items())),
        zones=tuple(sorted({o.zone for o in offerings})),
        on_demand=on_demand.cost if on_demand else None,
        spot=spot.cost if spot else None,
        price_source=main.price_source if main else "",
        estimated=bool(main and "estimate" in main.price_source.lower()),
        spot_source=spot.price_source if spot else "",
        spot_estimated=bool(spot and "estimate" in spot.price_source.lower()),
    )


def _cheapest(offerings: Iterable[Offering], capacity_type: str) -> Offering | None:
    priced = [o for o in offerings if o.capacity_type == capacity_type and o.price is not None]
    return min(priced, key=lambda o: o.price or 0.0, default=None)
