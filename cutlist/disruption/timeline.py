"""What is going to be removed by force, and when: what expires, and what may not drain any longer (spec: disruption 8, 9.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from cutlist.disruption.deletion import deadline
from cutlist.disruption.expiry import expires_at, longest_life
from cutlist.disruption.machines import Machine


class Force(StrEnum):
    """Why a node goes whatever budgets and annotations say."""

    EXPIRES = "expires"
    DRAIN_ENDS = "drain ends"


@dataclass(frozen=True, slots=True)
class Removal:
    """A node that is going to be removed. Instants are in seconds since 1970.

    At `at` its drain begins, or is over; `latest` is when its machine is gone for certain, None where blocked pods may keep it.
    """

    at: float
    node: str
    pool: str
    force: Force
    latest: float | None


def timeline(machines: Iterable[Machine]) -> tuple[Removal, ...]:
    """The removals that are certain by now, the earliest first. One that is in the past is overdue."""
    found = [r for m in machines if (r := _removal(m)) is not None]
    return tuple(sorted(found, key=lambda r: (r.at, r.node)))


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
