"""Where pods would be placed if nodes were removed: a pass without these nodes (spec: disruption 5.1; D-55 to D-57)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.disruption.cluster_state import ClusterState
from cutlist.scheduling.dynamicresources.allocation import ClaimAllocation
from cutlist.scheduling.inputs import SchedulerInputs, takes_part
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import PassEnded, joined
from cutlist.scheduling.reservationmanager import ReservedOfferingMode
from cutlist.scheduling.results import PlacedClaim, Results, finalise
from cutlist.state.pods import RunningPod, TopologyPods, moves
from cutlist.state.statenode import StateNode
from cutlist.state.volumes import PodVolumes

NO_TYPES: Final = "NoCompatibleInstanceTypes"
NO_POOLS: Final = "creating scheduler, no nodepools found"
_Question = tuple[tuple[str, ...], bool, bool, str]
"""The nodes that would be removed, whether others rest, whether blocked pods move too, and the reservation that is freed."""


@dataclass(frozen=True, slots=True)
class SimulatedPass:
    """The result of a pass without some nodes. The pods of a batch are equal.

    `pods` are those known one by one, by batch, and `running` the batches of those that run. `moves` are the pods put on
    existing nodes, by name and as numbers by batch. `errors` say why pods of a batch could not be placed; `error` is why there
    was no pass at all. `devices` are those that existing nodes give to claims of pods, by name.
    """

    batches: Sequence[PodBatch] = ()
    pods: Mapping[int, RunningPod] = field(default_factory=dict)
    running: frozenset[int] = frozenset()
    claims: tuple[PlacedClaim, ...] = ()
    moves: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    errors: Mapping[int, str] = field(default_factory=dict)
    error: str = ""
    devices: Mapping[str, tuple[ClaimAllocation, ...]] = field(default_factory=dict)

    @property
    def moved(self) -> dict[str, int]:
        """Return how many pods were put on each existing node that takes some, without virtual ones, by name."""
        return self._counts(virtual=False)

    @property
    def buffered(self) -> dict[str, int]:
        """Return how many virtual pods of CapacityBuffers were put on each existing node that takes some, by name."""
        return self._counts(virtual=True)

    def _counts(self, *, virtual: bool) -> dict[str, int]:
        counted = {
            node: sum(count for batch, count in moved.items() if self.batches[batch].virtual is virtual)
            for node, moved in sorted(self.moves.items())
        }
        return {node: count for node, count in counted.items() if count}

    @property
    def stranded(self) -> list[int]:
        """Return the batches of running pods that could not be placed."""
        return [batch for batch in self.errors if batch in self.running]


@dataclass(frozen=True, slots=True)
class _MovingPod:
    """A pod to be placed, or several equal ones that wait; `pod` is the one that runs, or did."""

    batch: PodBatch
    volumes: PodVolumes
    pod: RunningPod | None = None

    @property
    def runs(self) -> bool:
        """Tell whether the pod really runs, and is not just assigned."""
        return self.pod is not None and self.pod.runs


@dataclass(frozen=True, slots=True)
class _NodePods:
    """The pods of a node: those that move when it is removed, and those that topology still counts there."""

    moving: tuple[_MovingPod, ...]
    staying: tuple[TopologyPods, ...]


class LastSimulation:
    """The last simulation on a cluster, and its inputs: validation simulates the same nodes again.

    It holds for one set of nodes, pods and budgets, and while no node or pod begins or ends to be left alone.
    """

    __slots__ = ("_of", "_simulation")

    def __init__(self) -> None:
        self._of: _Question | None = None
        self._simulation = SimulatedPass()

    def get(self, of: _Question, simulate: Callable[[], SimulatedPass]) -> SimulatedPass:
        """Return what a simulation finds: the last one, if it was the same."""
        if self._of != of:
            self._of, self._simulation = of, simulate()
        return self._simulation


class Simulator:
    """Simulations on one cluster. What they share is computed once; the cost of each is then that of its own pods."""

    __slots__ = ("_all_pods", "_context", "_last", "_leaving", "_pods", "_waiting", "cluster")

    def __init__(
        self,
        cluster: ClusterState,
        context: SchedulingContext | None = None,
        last: LastSimulation | None = None,
        leaving: Sequence[StateNode] | None = None,
    ) -> None:
        """Simulate on a cluster. If the caller keeps them, `context` is what passes over it share, `last` the last simulation,
        and `leaving` its nodes that are being removed."""
        self.cluster = cluster
        self._last = LastSimulation() if last is None else last
        self._pods: dict[str, _NodePods] = {}
        self._all_pods: dict[str, _NodePods] = {}
        leaving = [n for n in cluster.nodes if n.state.removed] if leaving is None else leaving
        self._leaving = [p for n in leaving for p in self._pods_of(n).moving]
        self._waiting = [
            *(_MovingPod(b, _volumes(b, cluster)) for b in (*cluster.pending, *cluster.buffers)),
            *(_moving(p, cluster) for p in cluster.displaced),
        ]
        self._context = context

    def type_index(self, pool: str) -> InstanceTypeIndex:
        """Return the types of a participating pool, by number as in the claims of a simulation."""
        return self._shared_context().instance_types[pool]

    @property
    def pool_events(self) -> Iterator[tuple[str, str, str]]:
        """Yield the object, reason and text of what comes with every scheduler: NodePools that may launch nothing."""
        # Without any pool that takes part no scheduler is made, and so no event.
        if any(takes_part(p) for p in self.cluster.pools.values()):
            for pool, text in self._shared_context().filtered_out.items():
                yield f"NodePool/{pool}", NO_TYPES, text

    def without(
        self, removed: Iterable[StateNode], *, resting: bool, blocked_too: bool = False, freed_reservation: str = ""
    ) -> SimulatedPass:
        """Place the pods of nodes that would be removed, those of nodes that are being deleted anyway, and all that wait.

        With `resting`, nodes that are within their pool's `consolidateAfter` accept no pods of those that would be removed.
        With `blocked_too` pods that must not be evicted now are placed as well. A unit of `freed_reservation` counts as free,
        and no pod does without a reservation that it could wait for: as it will be once the node is terminated (V15-26).
        """
        if not any(takes_part(p) for p in self.cluster.pools.values()):
            return SimulatedPass(error=NO_POOLS)
        nodes = list(removed)
        of = tuple(n.name for n in nodes), resting, blocked_too, freed_reservation
        return self._last.get(
            of, lambda: self._simulate(nodes, resting=resting, blocked_too=blocked_too, freed_reservation=freed_reservation)
        )

    def _simulate(
        self, removed: Sequence[StateNode], *, resting: bool, blocked_too: bool, freed_reservation: str
    ) -> SimulatedPass:
        pods_of = {n.name: self._all_pods_of(n) if blocked_too else self._pods_of(n) for n in removed}
        moving = [p for pods in pods_of.values() for p in pods.moving]
        first, last = len(self._waiting), len(self._waiting) + len(moving)
        # The order of the pods is Karpenter's: it decides which pod creates a topology rule that several have (spec:
        # scheduling 7.2).
        everything = (*self._waiting, *moving, *self._leaving)
        pass_inputs = self._inputs(everything)
        if freed_reservation:
            # Strict, or the pods would do without the reservation that the termination is about to free.
            strict, freed = ReservedOfferingMode.STRICT, {freed_reservation: 1}
            options = replace(pass_inputs.options, reserved_mode=strict, reservation_credits=freed)
            pass_inputs = replace(pass_inputs, options=options)
        inputs = replace(
            pass_inputs,
            moving=frozenset(range(first, last + len(self._leaving))),
            settled=frozenset(i for i, p in enumerate(moving, first) if p.runs) if resting else frozenset(),
            leaving=frozenset(p.pod.uid for p in (*moving, *self._leaving) if p.pod is not None),
        )
        context = self._shared_context()
        scheduler = context.new_scheduler(inputs, {name: pods.staying for name, pods in pods_of.items()})
        scheduler.solve()
        strict_min_values = inputs.options.strict_min_values
        types_cache = context.instance_type_options
        result = finalise(scheduler, strict_min_values=strict_min_values, instance_type_options=types_cache)
        pods = {i: p.pod for i, p in enumerate(everything) if p.pod is not None}
        errors = self._errors(result, leaving=last)
        devices = result.devices
        return SimulatedPass(
            inputs.batches, pods, inputs.moving, tuple(result.claims), result.existing, errors, devices=devices
        )

    def _shared_context(self) -> SchedulingContext:
        if self._context is None:
            # Any node may be the next to be removed, so the context is made for the pods of all of them.
            moving = [p for n in self.cluster.nodes for p in self._all_pods_of(n).moving]
            self._context = SchedulingContext(self._inputs((*self._waiting, *moving)))
        return self._context

    def _pods_of(self, node: StateNode) -> _NodePods:
        cached = self._pods.get(node.name)
        if cached is None:
            cached = self._pods[node.name] = _pods_of(node, self.cluster)
        return cached

    def _all_pods_of(self, node: StateNode) -> _NodePods:
        """Return the pods of a node with those that must not be evicted now: repair places these as well (V15-52)."""
        if not self.cluster.repairs:
            return self._pods_of(node)
        cached = self._all_pods.get(node.name)
        if cached is None:
            cached = self._all_pods[node.name] = _divided(node, self.cluster, lambda pod: pod.reschedulable)
        return cached

    def _inputs(self, pods: Sequence[_MovingPod]) -> SchedulerInputs:
        """Return the inputs of a pass that places these pods; the nodes are in the context, once it exists."""
        # Listing thousands of nodes again for each candidate would cost more than the pass.
        cluster, nodes = self.cluster, () if self._context else self.cluster.nodes
        return SchedulerInputs(
            pools=tuple(cluster.pools.values()),
            types=cluster.types,
            batches=[p.batch for p in pods],
            daemons=cluster.daemons,
            registry=cluster.registry,
            options=replace(cluster.options, reserved_mode=ReservedOfferingMode.FALLBACK),
            namespaces=cluster.namespaces,
            nodes=[replace(n.state, resting=cluster.is_settling(n)) for n in nodes],
            bound=[p for n in nodes for p in bound_pods(n, cluster)],
            volumes={i: p.volumes for i, p in enumerate(pods) if p.batch.pod.volumes},
            overlays=cluster.overlays,
            selectors=cluster.selectors,
            devices=cluster.devices,
        )

    def _errors(self, result: Results, *, leaving: int) -> dict[int, str]:
        """Return why pods could not be placed. A node that may never be ready does not count, unless the pod's own is being
        deleted anyway."""
        # Karpenter notes no error for pods that are left when a pass ends early, and so takes them for placed.
        unplaced = (u for u in result.unplaced if not any(isinstance(refusal, PassEnded) for _, refusal in u.refusals))
        errors = {u.batch: joined(u.refusals) for u in unplaced}
        for name, pods in result.existing.items():
            node = self.cluster.node_of(name)
            if node is not None and not node.state.initialized:
                errors |= {b: _uninitialized(node) for b in pods if b < leaving}
        return errors


def _pods_of(node: StateNode, cluster: ClusterState) -> _NodePods:
    return _divided(node, cluster, lambda pod: moves(pod, cluster.evictions, cluster.now))


def _divided(node: StateNode, cluster: ClusterState, is_moving: Callable[[RunningPod], bool]) -> _NodePods:
    moving, staying = [], []
    for pod in node.pods:
        if not is_moving(pod):
            staying.append(pod)
            continue
        moving.append(_moving(pod, cluster))
        if not moving[-1].volumes.resolved:
            staying.append(pod)  # topology counts it where it is (spec: scheduling 4.5)
    return _NodePods(tuple(moving), tuple(map(_bound_pod, (p for p in staying if not p.ended))))


def _moving(pod: RunningPod, cluster: ClusterState) -> _MovingPod:
    batch = PodBatch(pod.name, pod.pod, created=int(pod.created), uid=pod.uid, controller=pod.controller)
    return _MovingPod(batch, _volumes(batch, cluster), pod)


def _volumes(batch: PodBatch, cluster: ClusterState) -> PodVolumes:
    return cluster.storage.of_pod(batch.pod, batch.name, cluster.registry)


def bound_pods(node: StateNode, cluster: ClusterState) -> Sequence[TopologyPods]:
    """Return the pods that topology counts on a node while it exists: of one that is being removed, those that stay."""
    is_removed = node.state.removed
    return [_bound_pod(p) for p in node.pods if not p.ended and not (is_removed and _leaves(p, cluster))]


def _leaves(pod: RunningPod, cluster: ClusterState) -> bool:
    """Tell whether topology counts a pod no longer where it runs, because it moves."""
    if not moves(pod, cluster.evictions, cluster.now):
        return False
    return not pod.pod.volumes or _moving(pod, cluster).volumes.resolved


def _bound_pod(pod: RunningPod) -> TopologyPods:
    return TopologyPods(pod.pod, pod.node, counted=pod.active)


def _uninitialized(node: StateNode) -> str:
    objects = [f"nodeclaim/{node.claim.name}"] if node.claim is not None else []
    objects += [f"node/{node.state.node}"] if node.has_node else []
    return f"would schedule against uninitialized {', '.join(objects)}"
