"""Where pods would go if machines were gone: the scheduler, asked about a cluster without them (spec: disruption 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cutlist.disruption.cluster_state import ClusterState
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.provisioner import SchedulerInputs, SchedulingContext, takes_part
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.reservationmanager import ReservedOfferingMode
from cutlist.scheduling.results import PlacedClaim, Results, finalise
from cutlist.state.pods import BoundPod, RunningPod, moves
from cutlist.state.statenode import StateNode
from cutlist.state.volumes import PodVolumes

NO_POOLS = "creating scheduler, no nodepools found"


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a pass without some machines came to. The pods of a batch are alike.

    `pods` are those known one by one, by batch, and `running` the batches of those that run. `moves` are the pods put on
    machines that exist, by name and as numbers by batch. `errors` say why pods of a batch have no place; `error` is why there
    was no pass at all.
    """

    batches: Sequence[PodBatch] = ()
    pods: Mapping[int, RunningPod] = field(default_factory=dict)
    running: frozenset[int] = frozenset()
    claims: tuple[PlacedClaim, ...] = ()
    moves: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    errors: Mapping[int, str] = field(default_factory=dict)
    error: str = ""

    @property
    def stranded(self) -> list[int]:
        """The batches of pods that run now and would have no place."""
        return [batch for batch in self.errors if batch in self.running]


@dataclass(frozen=True, slots=True)
class _Mover:
    """A pod to be placed, or several alike that wait; `pod` is the one that runs, or did."""

    batch: PodBatch
    volumes: PodVolumes
    pod: RunningPod | None = None

    @property
    def runs(self) -> bool:
        """Whether it is more than an assignment."""
        return self.pod is not None and self.pod.phase != "Pending"


@dataclass(frozen=True, slots=True)
class _Load:
    """The pods of a machine: those that move when it goes, and those that topology goes on counting there."""

    movers: tuple[_Mover, ...]
    staying: tuple[BoundPod, ...]


class Simulator:
    """Simulations over one world. What they share is worked out once; each then costs what its own pods cost."""

    __slots__ = ("_ground", "_leaving", "_loads", "_pending", "_unfinished", "cluster")

    def __init__(self, cluster: ClusterState) -> None:
        self.cluster = cluster
        self._loads = {m.name: _load(m, cluster) for m in cluster.nodes}
        self._leaving = [p for m in cluster.nodes if m.state.removed for p in self._loads[m.name].movers]
        self._pending = [
            *(_Mover(b, _volumes(b, cluster)) for b in cluster.pending),
            *(_mover(p, cluster) for p in cluster.displaced),
        ]
        self._unfinished = {m.name: m for m in cluster.nodes if not m.state.initialized}
        self._ground: SchedulingContext | None = None

    def table(self, pool: str) -> InstanceTypeIndex:
        """The types of a pool that takes part, by number as in the claims of a simulation."""
        return self._known_ground().instance_types[pool]

    def without(self, gone: Iterable[StateNode], *, resting: bool) -> Simulation:
        """Place the pods of machines that would be gone, those of nodes that are going anyway, and all that wait.

        With `resting`, machines that are within their pool's `consolidateAfter` take no pods of those that would be gone.
        """
        if not any(takes_part(p) for p in self.cluster.pools.values()):
            return Simulation(error=NO_POOLS)
        loads = {m.name: self._loads[m.name] for m in gone}
        chosen = [p for load in loads.values() for p in load.movers]
        first, last = len(self._pending), len(self._pending) + len(chosen)
        placed = (*self._pending, *chosen, *self._leaving)
        inputs = replace(
            self._inputs(placed),
            moving=frozenset(range(first, last + len(self._leaving))),
            settled=frozenset(i for i, p in enumerate(chosen, first) if p.runs) if resting else frozenset(),
        )
        ground = self._known_ground()
        solver = ground.new_scheduler(inputs, {name: load.staying for name, load in loads.items()})
        solver.solve()
        strict = inputs.options.strict_min_values
        result = finalise(solver, strict_min_values=strict, instance_type_options=ground.instance_type_options)
        pods = {i: p.pod for i, p in enumerate(placed) if p.pod is not None}
        errors = self._errors(result, leaving=last)
        return Simulation(inputs.batches, pods, inputs.moving, result.claims, result.existing, errors)

    def _known_ground(self) -> SchedulingContext:
        if self._ground is None:
            movers = [p for load in self._loads.values() for p in load.movers]
            self._ground = SchedulingContext(self._inputs((*self._pending, *movers)))
        return self._ground

    def _inputs(self, pods: Sequence[_Mover]) -> SchedulerInputs:
        cluster = self.cluster
        return SchedulerInputs(
            pools=tuple(cluster.pools.values()),
            types=cluster.types,
            batches=[p.batch for p in pods],
            daemons=cluster.daemons,
            registry=cluster.registry,
            options=replace(cluster.options, reserved_mode=ReservedOfferingMode.FALLBACK),
            namespaces=cluster.namespaces,
            nodes=[] if self._ground else [replace(m.state, resting=cluster.is_settling(m)) for m in cluster.nodes],
            bound=[] if self._ground else [p for m in cluster.nodes for p in _bound(m, self._loads[m.name])],
            volumes={i: p.volumes for i, p in enumerate(pods) if p.batch.pod.volumes},
            overlays=cluster.overlays,
        )

    def _errors(self, result: Results, *, leaving: int) -> dict[int, str]:
        """Why pods have no place. One that may never be ready is none, unless the pod's own is going anyway."""
        errors = {u.batch: "; ".join(str(r) for _, r in u.refusals) or "not scheduled" for u in result.unplaced}
        for name, pods in result.existing.items():
            if name in self._unfinished:
                errors |= {b: _unfinished(self._unfinished[name]) for b in pods if b < leaving}
        return errors


def _load(node: StateNode, cluster: ClusterState) -> _Load:
    movers, staying = [], []
    for pod in node.pods:
        if not moves(pod, cluster.evictions, cluster.now):
            staying.append(pod)
            continue
        movers.append(_mover(pod, cluster))
        if not movers[-1].volumes.resolved:
            staying.append(pod)  # topology counts it where it is (spec: scheduling 4.5)
    return _Load(tuple(movers), tuple(map(_bound_pod, (p for p in staying if not p.ended))))


def _mover(pod: RunningPod, cluster: ClusterState) -> _Mover:
    batch = PodBatch(pod.name, pod.pod, created=int(pod.created), uid=pod.uid)
    return _Mover(batch, _volumes(batch, cluster), pod)


def _volumes(batch: PodBatch, cluster: ClusterState) -> PodVolumes:
    return cluster.storage.of_pod(batch.pod, batch.name, cluster.registry)


def _bound(node: StateNode, load: _Load) -> Iterable[BoundPod]:
    """The pods that topology counts on a machine while it is there."""
    return load.staying if node.state.removed else (_bound_pod(p) for p in node.pods if not p.ended)


def _bound_pod(pod: RunningPod) -> BoundPod:
    return BoundPod(pod.pod, pod.node, counted=pod.active)


def _unfinished(node: StateNode) -> str:
    known = [f"nodeclaim/{node.claim.name}"] if node.claim is not None else []
    known += [f"node/{node.state.node}"] if node.has_node else []
    return f"would schedule against uninitialized {', '.join(known)}"
