"""Where pods would go if machines were gone: the scheduler, asked about a cluster without them (spec: disruption 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cutlist.disruption.machines import Machine
from cutlist.disruption.world import World
from cutlist.scheduling.batches import Batch
from cutlist.scheduling.reservations import ReservedMode
from cutlist.scheduling.result import PlacedClaim, Result
from cutlist.scheduling.running_pods import RunningPod, moves
from cutlist.scheduling.scheduler import Ground, PassInputs, schedule, takes_part
from cutlist.scheduling.topology import BoundPod
from cutlist.scheduling.types import TypeTable

NO_POOLS = "creating scheduler, no nodepools found"


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a pass without some machines came to. The pods of a batch are alike; `running` are the batches of pods that move.

    `moves` are the pods put on machines that exist, by name and as numbers by batch. `errors` say why pods of a batch have no
    place. `error` is why there was no pass at all.
    """

    batches: Sequence[Batch] = ()
    running: frozenset[int] = frozenset()
    claims: tuple[PlacedClaim, ...] = ()
    moves: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    errors: Mapping[int, str] = field(default_factory=dict)
    error: str = ""

    @property
    def stranded(self) -> list[int]:
        """The batches of pods that run now and would have no place."""
        return [batch for batch in self.errors if batch in self.running]


@dataclass(slots=True)
class Simulator:
    """Simulations over one world; what they share is worked out once."""

    world: World
    _ground: Ground | None = None

    def table(self, pool: str) -> TypeTable:
        """The types of a pool that takes part, as claims of a simulation list them."""
        return self._known_ground(self._inputs({}, resting=False)[0]).tables[pool]

    def _known_ground(self, inputs: PassInputs) -> Ground:
        if self._ground is None:
            self._ground = Ground.of(inputs)
        return self._ground

    def without(self, gone: Iterable[Machine], *, resting: bool) -> Simulation:
        """Place the pods of machines that would be gone, those of nodes that are going anyway, and all that wait.

        With `resting`, machines that are within their pool's `consolidateAfter` take no pods of those that would be gone.
        """
        if not any(takes_part(p) for p in self.world.pools.values()):
            return Simulation(error=NO_POOLS)
        removed = {m.name: m for m in gone}
        inputs, leaving = self._inputs(removed, resting=resting)
        return self._read(inputs, schedule(inputs, self._known_ground(inputs)), leaving)

    def _inputs(self, removed: Mapping[str, Machine], *, resting: bool) -> tuple[PassInputs, frozenset[int]]:
        world = self.world
        chosen = [p for m in removed.values() for p in self._moving(m)]
        leaving = [p for m in world.machines if m.state.removed and m.name not in removed for p in self._moving(m)]
        batches = [*world.pending, *map(_batch, (*chosen, *leaving))]
        first = len(world.pending)
        volumes = {i: world.storage.of_pod(b.pod, b.name, world.registry) for i, b in enumerate(batches) if b.pod.volumes}
        elsewhere = {id(p) for i, p in enumerate((*chosen, *leaving), first) if i not in volumes or volumes[i].resolved}
        nodes = [
            replace(m.state, removed=m.state.removed or m.name in removed, resting=resting and world.rests(m))
            for m in world.machines
        ]
        inputs = PassInputs(
            pools=tuple(world.pools.values()),
            types=world.types,
            batches=batches,
            daemons=world.daemons,
            registry=world.registry,
            options=replace(world.options, reserved_mode=ReservedMode.FALLBACK),
            namespaces=world.namespaces,
            nodes=nodes,
            bound=[_bound(p) for m in world.machines for p in m.pods if not p.ended and id(p) not in elsewhere],
            volumes=volumes,
            moving=frozenset(range(first, len(batches))),
            settled=frozenset(i for i, p in enumerate(chosen, first) if p.phase != "Pending"),
            overlays=world.overlays,
        )
        return inputs, frozenset(range(first + len(chosen), len(batches)))

    def _moving(self, machine: Machine) -> list[RunningPod]:
        return [p for p in machine.pods if moves(p, self.world.evictions, self.world.now)]

    def _read(self, inputs: PassInputs, result: Result, leaving: frozenset[int]) -> Simulation:
        errors = {u.batch: "; ".join(str(r) for _, r in u.refusals) or "not scheduled" for u in result.unplaced}
        unfinished = {m.name: m for m in self.world.machines if not m.state.initialized}
        for name, pods in result.existing.items():
            if name in unfinished:
                errors |= {b: _unfinished(unfinished[name]) for b in pods if b not in leaving}
        return Simulation(inputs.batches, inputs.moving, result.claims, result.existing, errors)


def _batch(pod: RunningPod) -> Batch:
    return Batch(pod.name, pod.pod, created=int(pod.created), uid=pod.uid)


def _bound(pod: RunningPod) -> BoundPod:
    return BoundPod(pod.pod, pod.node, counted=pod.active)


def _unfinished(machine: Machine) -> str:
    known = [f"nodeclaim/{machine.claim.name}"] if machine.claim is not None else []
    known += [f"node/{machine.state.node}"] if machine.has_node else []
    return f"would schedule against uninitialized {', '.join(known)}"
