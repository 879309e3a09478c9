"""What is going to be removed by force, and when: what expires, what is sick, and what may not drain any longer.

(spec: disruption 8, 9.3)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from cutlist.disruption.deletion import deadline
from cutlist.disruption.expiry import expires_at, longest_life
from cutlist.disruption.machines import Machine
from cutlist.disruption.repair import Repair


class Force(StrEnum):
    """Why a node goes whatever budgets and annotations say."""

    EXPIRES = "expires"
    REPAIRED = "is repaired"
    DRAIN_ENDS = "drain ends"


@dataclass(frozen=True, slots=True)
class Removal:
    """A node that is going to be removed. Instants are in seconds since 1970.

    At `at` its drain begins, or is over; `latest` is when its machine is gone for certain, None where blocked pods may keep it.
    `blocked` says, in Karpenter's words, why a sick node is not repaired though its time is up; at `at` it is looked at again.
    """

    at: float
    node: str
    pool: str
    force: Force
    latest: float | None
    blocked: str = ""


def timeline(machines: Iterable[Machine], now: float, sick: Repair | None = None) -> tuple[Removal, ...]:
    """The removals that are certain at an instant, one a node, and repairs that are held back; the earliest first.

    One in the past is overdue. `sick` is what Karpenter does about sick nodes then; None while the gate NodeRepair is off.
    """
    found = []
    for machine in machines:
        removals = [r for r in (_removal(machine), _repaired(machine, now, sick or Repair())) if r is not None]
        certain = sorted((r for r in removals if not r.blocked), key=lambda r: r.at)
        found += [*certain[:1], *(r for r in removals if r.blocked)]
    return tuple(sorted(found, key=lambda r: (r.at, r.node)))


def _repaired(machine: Machine, now: float, sick: Repair) -> Removal | None:
    """The end of a sick node, which is drained by force at once."""
    if machine.claim is None:
        return None
    if machine.claim.name in sick.now:
        return Removal(now, machine.name, machine.pool, Force.REPAIRED, now)
    at, blocked = sick.later.get(machine.state.node), sick.blocked.get(machine.state.node, "")
    if at is None:
        return None
    return Removal(at, machine.name, machine.pool, Force.REPAIRED, None if blocked else at, blocked)


def _removal(machine: Machine) -> Removal | None:
    claim = machine.claim
    if claim is None:
        return None
    if claim.deleted is not None:
        at = deadline(claim)
        return None if at is None else Removal(at, machine.name, machine.pool, Force.DRAIN_ENDS, at)
    at, life = expires_at(claim), longest_life(claim)
    if at is None:
        return None
    return Removal(at, machine.name, machine.pool, Force.EXPIRES, None if life is None else claim.created + life)
