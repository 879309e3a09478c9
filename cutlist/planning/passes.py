"""Passes one after the other, until nothing changes (spec: scheduling 5.6, 6.9, 7.8; S-67, S-80, S-100, S-103).

Karpenter runs another pass once the nodes of a pass are launched, and so does a plan, whatever kept pods pending: until then a
new node counts as the largest type that it may become against limits, for none of its domains in topology rules, and against
every reservation that it may use. Each claim becomes a node of the next pass, placed pods stay where they are, and the others
are tried again. Real pods are never removed again, so the passes come to an end; virtual ones are placed again each time (spec
11.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.planning.late_volumes import BatchVolumes
from cutlist.planning.model.passes import (
    CAPACITY_BUFFERS,
    LAUNCHED_NODES,
    LIMITS,
    RESERVATIONS,
    TOPOLOGY,
    FurtherPass,
    WaitedFor,
)
from cutlist.planning.pass_cluster import PassCluster, Placements, Purchases, with_pods
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.launched import cheapest_purchase
from cutlist.scheduling.provisioner import SchedulerInputs, SchedulingContext
from cutlist.scheduling.refusals import LimitsExceeded, NodesExhausted, NoReservation, NoTopology, Refusal
from cutlist.scheduling.remedies import Remedy, remedies
from cutlist.scheduling.results import PlacedClaim, Results, finalise
from cutlist.scheduling.scheduler import Scheduler

MOST: Final = 1000
"""Number of passes after which a plan stops and says so: limits under which each pass opens a single node need one pass per
node."""

_CAUSES: Final[Mapping[type[Refusal], str]] = {
    LimitsExceeded: LIMITS,
    NodesExhausted: LIMITS,
    NoTopology: TOPOLOGY,
    NoReservation: RESERVATIONS,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of several passes: one result over all of them, and the reasons for the passes after the first.

    `remedies` are, by batch that stays pending, the single
    changes that would give its pods a node. `unfinished` says why the passes stopped although another might change something;
    it is empty when they came to an end.
    `several` are the batches for whose pods several controllers launched nodes in the same pass.
    """

    result: Results
    further: tuple[FurtherPass, ...] = ()
    unfinished: str = ""
    remedies: Mapping[int, tuple[Remedy, ...]] = field(default_factory=dict)
    several: frozenset[int] = frozenset()

    @property
    def passes(self) -> int:
        """Return how many passes placed something, the first included."""
        return 1 + len(self.further)


@dataclass(frozen=True, slots=True)
class Controller:
    """One controller of a cluster: the inputs of its passes, what its claims become, and how its pods' volumes bind.

    The nodes of `static` claims are there before the first pass. Without `purchases` a claim becomes its cheapest type. Claims
    that bind with their pods are bound in `volumes`. `tables` are those of the types of the inputs.
    """

    inputs: SchedulerInputs
    tables: InstanceTypeIndexes
    purchases: Purchases | None = None
    volumes: BatchVolumes | None = None
    static: Sequence[PlacedClaim] = ()

    def cluster(self) -> PassCluster:
        """Return the cluster before the first pass."""
        registry = self.inputs.registry
        purchases = self.purchases or (lambda claim: cheapest_purchase(claim, registry))
        return PassCluster(self.inputs, purchases, self.volumes)


def run_joint_passes(controllers: Sequence[Controller], most: int = MOST) -> list[Outcome]:
    """Run passes of all controllers until none changes anything; return the outcome of each.

    In a pass each looks at the same nodes and at the same pods that wait, without knowing what the others launch in it. A pod
    that several launch for is bound once, to the node of the first; the other's node is there for pods that wait.
    """
    rounds = _Rounds(controllers)
    further: list[FurtherPass] = []
    unfinished, fruitless = "", 0
    placed = rounds.run()
    while placed.changed and rounds.has_waiting:
        if len(further) + 1 == most:
            unfinished = f"stopped after {most:,} passes; Karpenter would go on"
            break
        if fruitless > rounds.virtual_pods:
            unfinished = (
                "the passes never end: each launches nodes for CapacityBuffers that the next pass does not use for them"
            )
            break
        before = rounds.take()
        placed = rounds.run()
        if placed.changed:
            fruitless = 0 if placed.pods else fruitless + 1
            waited = _waited_for(placed.pods, before) or (WaitedFor(CAPACITY_BUFFERS, 0),)
            further.append(FurtherPass(len(further) + 2, sum(placed.pods.values()), placed.nodes, waited))
    return rounds.outcomes(tuple(further), unfinished)


class _Rounds:
    """Passes of all controllers at a time, each over its own view of the one cluster."""

    def __init__(self, controllers: Sequence[Controller]) -> None:
        self._clusters = [controller.cluster() for controller in controllers]
        self._scheduling = [_Scheduling(controller.tables) for controller in controllers]
        self._last: list[Results] = []
        self._schedulers: list[Scheduler] = []
        self._several: set[int] = set()
        for cluster in self._clusters:
            cluster.others = tuple(c for c in self._clusters if c is not cluster)
        for cluster, controller in zip(self._clusters, controllers, strict=True):
            cluster.launch(controller.static)

    @property
    def has_waiting(self) -> bool:
        """Tell whether a pass has anything to place: pods without a node, or virtual ones."""
        return any(cluster.has_waiting for cluster in self._clusters)

    @property
    def virtual_pods(self) -> int:
        """Return how many pods of CapacityBuffers there are."""
        return self._clusters[0].virtual_pods

    def run(self) -> Placements:
        """Run a pass of each controller; return what they placed together."""
        first = not self._last
        runs = [scheduling.run(cluster.inputs()) for scheduling, cluster in zip(self._scheduling, self._clusters, strict=True)]
        self._schedulers, self._last = [scheduler for scheduler, _ in runs], [results for _, results in runs]
        if first:
            for cluster, last in zip(self._clusters, self._last, strict=True):
                cluster.ignore(last.ignored)
        if len(runs) > 1:
            self._last = self._bound_once()
        placed = [cluster.placed_by(last) for cluster, last in zip(self._clusters, self._last, strict=True)]
        pods: Counter[int] = Counter()
        for part in placed:
            pods.update(part.pods)
        return Placements(pods, sum(part.nodes for part in placed))

    def take(self) -> list[Results]:
        """Launch what the last pass opened, put its pods where it placed them, and return its results."""
        for cluster, last in zip(self._clusters, self._last, strict=True):
            cluster.take(last)
        return self._last

    def outcomes(self, further: tuple[FurtherPass, ...], unfinished: str) -> list[Outcome]:
        """Return the outcome of each controller after the last pass."""
        if further or len(self._clusters) > 1 or any(cluster.has_changed for cluster in self._clusters):
            self.take()
        return [
            Outcome(
                cluster.result(last),
                further,
                unfinished,
                {u.batch: remedies(scheduler, u.batch) for u in last.unplaced},
                frozenset(self._several),
            )
            for cluster, last, scheduler in zip(self._clusters, self._last, self._schedulers, strict=True)
        ]

    def _bound_once(self) -> list[Results]:
        """Return the results of a pass with each pod on one node: on one that exists, or else on a new one of the first
        controller that launches for its batch.

        Where two use an existing node, the second's pods wait for the next pass, which knows what is left of the node.
        """
        batches = self._clusters[0].batches
        bound: Counter[int] = Counter()
        filled: set[str] = set()
        on_old: list[dict[str, Mapping[int, int]]] = []
        for last in self._last:
            others = {n: p for n, p in last.existing.items() if n not in filled}
            rest = {n: {b: k for b, k in p.items() if batches[b].virtual or b not in bound} for n, p in others.items()}
            kept: dict[str, Mapping[int, int]] = {name: pods for name, pods in rest.items() if pods}
            on_old.append(kept)
            filled.update(kept)
            for placed in kept.values():
                bound.update({b: n for b, n in placed.items() if not batches[b].virtual})
        results, launched_for = [], set[int]()
        for cluster, last, existing in zip(self._clusters, self._last, on_old, strict=True):
            launches = {b for claim in last.claims for b in claim.pods if not batches[b].virtual}
            self._several |= launches & launched_for
            left = {b: 0 if b in launched_for else cluster.waiting(b) - bound[b] for b in launches}
            claims = tuple(with_pods(claim, _at_most(claim.pods, left), batches) for claim in last.claims)
            launched_for |= launches
            stay = {b for pods in (*existing.values(), *(claim.pods for claim in claims)) for b in pods}
            relaxed = {b: forms for b, forms in last.relaxed.items() if b in stay}
            results.append(replace(last, existing=existing, claims=claims, relaxed=relaxed))
        return results


def _at_most(pods: Mapping[int, int], left: dict[int, int]) -> Mapping[int, int]:
    """Return as many of the pods as are left of their batches, and count them off; virtual ones have no such number."""
    taken = {b: min(count, max(0, left.get(b, count))) for b, count in pods.items()}
    left.update({b: left[b] - count for b, count in taken.items() if b in left})
    return {b: count for b, count in taken.items() if count}


class _Scheduling:
    """Runs pass after pass; what a pass changes is added to what the earlier ones computed, where that is possible."""

    def __init__(self, tables: InstanceTypeIndexes) -> None:
        self._tables = tables
        self._context: SchedulingContext | None = None

    def run(self, inputs: SchedulerInputs) -> tuple[Scheduler, Results]:
        """Run one pass."""
        context = self._extended(inputs)
        scheduler = context.new_scheduler(inputs)
        scheduler.solve()
        strict, options = inputs.options.strict_min_values, context.instance_type_options
        return scheduler, finalise(scheduler, strict_min_values=strict, instance_type_options=options)

    def _extended(self, inputs: SchedulerInputs) -> SchedulingContext:
        if self._context is not None and self._context.is_extended_by(inputs):
            self._context.extend(inputs)
            return self._context
        if inputs.types is not self._tables.types:
            self._tables = InstanceTypeIndexes(inputs.types)
        self._context = SchedulingContext(inputs, self._tables)
        return self._context


def _waited_for(placed: Mapping[int, int], before: Sequence[Results]) -> tuple[WaitedFor, ...]:
    """Return what the pods placed by a pass had waited for, according to the refusals of the pass before."""
    refusals: dict[int, list[Refusal]] = {}
    for unplaced in (u for last in before for u in last.unplaced):
        refusals.setdefault(unplaced.batch, []).extend(refusal for _, refusal in unplaced.refusals)
    causes: Counter[str] = Counter()
    for batch, count in placed.items():
        causes[_cause(refusals.get(batch, ()))] += count
    return tuple(WaitedFor(cause, causes[cause]) for cause in sorted(causes))


def _cause(refusals: Sequence[Refusal]) -> str:
    plain = (_without_limits(r) for r in refusals)
    causes = [_CAUSES.get(type(r), LAUNCHED_NODES) for r in plain]
    return next((cause for cause in (LIMITS, RESERVATIONS, TOPOLOGY) if cause in causes), LAUNCHED_NODES)


def _without_limits(refusal: Refusal) -> Refusal:
    """Return the obstacle besides a limit, if there is one."""
    if isinstance(refusal, LimitsExceeded | NodesExhausted) and refusal.besides is not None:
        return refusal.besides
    return refusal
