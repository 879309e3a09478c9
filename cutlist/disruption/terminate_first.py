"""Termination before the replacement exists, where only the node's own unit of a full reservation, or its place in a static
NodePool, can hold the replacement (spec: karpenter-1.15 2.1; V15-25 to V15-31)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import RESERVED, LabelRegistry
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, TerminateFirst
from cutlist.disruption.evaluation import BLOCKED, MethodOutcome
from cutlist.disruption.reasons import Reason
from cutlist.disruption.simulation import SimulatedPass, Simulator
from cutlist.providers.instance_types import Offering
from cutlist.scheduling.inputs import is_ready
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements

NO_ROOM_IN_RESERVATIONS: Final = "static NodePool's capacity reservations are full and cannot stage a replacement"
NO_ROOM_IN_LIMIT: Final = "static NodePool is at its node limit and cannot stage a replacement"
_TEXTS: Final = {
    TerminateFirst.NO_RESERVED_CAPACITY: NO_ROOM_IN_RESERVATIONS,
    TerminateFirst.STATIC_AT_LIMIT: NO_ROOM_IN_LIMIT,
}


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the pods of a candidate go, and whether it has to be terminated before they have a place there."""

    simulation: SimulatedPass
    terminates_first: bool = False


def is_allowed(reason: Reason, cluster: ClusterState) -> bool:
    """Tell whether the feature gate for a reason lets nodes be terminated first (V15-25)."""
    gates = cluster.feature_gates
    gate = gates.terminate_first_repair if reason is Reason.UNHEALTHY else gates.terminate_first_drift
    return gate and cluster.karpenter.does(Behaviour.TERMINATE_FIRST)


def placement(candidate: Candidate, simulator: Simulator, reason: Reason, *, blocked_too: bool = False) -> Placement:
    """Return where the pods of a candidate go: with it if they can, otherwise once it has freed its reservation (V15-26)."""
    simulation = simulator.without([candidate.node], resting=False, blocked_too=blocked_too)
    reservation = _reservation_of(candidate, simulator.cluster.registry)
    if simulation.error or not simulation.stranded or not reservation or not is_allowed(reason, simulator.cluster):
        return Placement(simulation)
    # A second pass only where the first left pods over: it counts the unit that the node itself holds.
    freed = simulator.without([candidate.node], resting=False, blocked_too=blocked_too, freed_reservation=reservation)
    return Placement(simulation) if freed.error or freed.stranded else Placement(freed, terminates_first=True)


@dataclass(frozen=True, slots=True)
class StaticReservations:
    """Whether the replacement of a static pool's node fits only into full reservations, and those that are still offered."""

    are_full: bool
    offered: frozenset[str] = frozenset()

    @staticmethod
    def of(pool: NodePool, cluster: ClusterState) -> StaticReservations:
        """Return the reservations of a pool. Any offering without a reservation, available or not, is another way (V15-28)."""
        offerings = list(_offerings(pool, cluster))
        if any(o.capacity_type != RESERVED or (o.available and o.reservation_capacity > 0) for o in offerings):
            return StaticReservations(are_full=False)
        label = cluster.registry.reservation_id or ""
        offered = (o.requirements.get(label) for o in offerings if o.available)
        return StaticReservations(True, frozenset(min(r.values, default="") for r in offered if r is not None))

    def are_held_by(self, candidate: Candidate, registry: LabelRegistry) -> bool:
        """Tell whether the termination of a candidate frees a unit of a reservation that is still offered."""
        return _reservation_of(candidate, registry) in self.offered


def without_replacement(
    candidates: Iterable[Candidate],
    why: TerminateFirst,
    reason: Reason,
    able: Sequence[Candidate],
    outcome: MethodOutcome,
    cluster: ClusterState,
) -> list[Command]:
    """Return a command for each candidate that is terminated first; the others are recorded as blocked.

    That needs the gate, a NodePool that makes nodes (V15-30), and a candidate that is `able`.
    """
    commands = []
    for candidate in candidates:
        if is_allowed(reason, cluster) and is_ready(candidate.pool) and candidate in able:
            commands.append(Command(reason, (candidate,), terminate_first=why))
        else:
            outcome.skip(candidate, BLOCKED, _TEXTS[why])
    return commands


def _reservation_of(candidate: Candidate, registry: LabelRegistry) -> str:
    """Return the reservation that a candidate holds a unit of, or an empty string."""
    label = registry.reservation_id
    is_reserved = candidate.node.capacity_type == RESERVED and label is not None
    return candidate.node.state.labels.get(label or "", "") if is_reserved else ""


def _offerings(pool: NodePool, cluster: ClusterState) -> Iterable[Offering]:
    requirements, well_known = fresh_requirements(pool, cluster.registry), cluster.registry.well_known
    for instance_type in cluster.types.get(pool.name, ()):
        if requirements.compatible(instance_type.requirements, well_known):
            for offering in instance_type.offerings:
                if requirements.compatible(offering.requirements, well_known):
                    yield offering
