"""Capacity reservations that a node class selects and that no NodePool of it can use (spec: AWS 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.ec2nodeclass_status import CapacityReservation
from cutlist.core.labels import CAPACITY_TYPE, RESERVED, ZONE
from cutlist.core.notes import Note
from cutlist.core.wording import first_of
from cutlist.planning.traps.setup import PoolSetup, Setup
from cutlist.providers.aws.labels import RESERVATION_ID, RESERVATION_INTERRUPTIBLE, RESERVATION_TYPE

NOT_ALLOWED: Final = "reserved-not-allowed"
"""The code of the note on a class that selects capacity reservations, of which no NodePool allows reserved capacity."""
OUT_OF_REACH: Final = "reservation-out-of-reach"
"""The code of the note on a reservation whose instance type or zone no NodePool of its class allows."""
_OF_OFFERINGS: Final = (CAPACITY_TYPE, ZONE, RESERVATION_ID, RESERVATION_TYPE, RESERVATION_INTERRUPTIBLE)
_NAMED: Final = 3


def unused_reservations(setup: Setup) -> Iterator[Note]:
    """Yield a note for each class whose reservations its NodePools exclude as such, or by their types and zones."""
    by_class: dict[tuple[str, str], list[PoolSetup]] = {}
    for pool in setup.pools:
        if isinstance(pool.node_class, EC2NodeClass | AutoNodeClass) and pool.node_class.capacity_reservation_selector_terms:
            by_class.setdefault((pool.pool.node_class_ref.kind, pool.node_class.name), []).append(pool)
    for (kind, name), pools in sorted(by_class.items()):
        open_pools = [pool for pool in pools if _allows(pool, CAPACITY_TYPE, RESERVED)]
        if not open_pools:
            excluding = f"{_names(pools)} excludes them: {pools[0].wanted[CAPACITY_TYPE]}"
            text = f"{kind} {name} selects capacity reservations, and {excluding}"
            yield Note(NOT_ALLOWED, f"{text}; add {RESERVED} to the values of {CAPACITY_TYPE}, or drop the selector terms")
        else:
            yield from _out_of_reach(f"{kind} {name}", open_pools)


def _out_of_reach(of_class: str, pools: Sequence[PoolSetup]) -> Iterator[Note]:
    node_class = pools[0].node_class
    found = node_class.capacity_reservations if isinstance(node_class, EC2NodeClass) else ()
    for reservation in sorted(found, key=lambda one: one.id):
        if not any(_reaches(pool, reservation) for pool in pools):
            what = f"{reservation.instance_type} in {reservation.availability_zone}"
            text = f"{of_class}: {_names(pools)} cannot use the reservation {reservation.id} ({what})"
            fix = "allow its instance type and zone in a NodePool, or let no selector term match it"
            yield Note(OUT_OF_REACH, f"{text}, because the requirements exclude it; {fix}")


def _reaches(pool: PoolSetup, reservation: CapacityReservation) -> bool:
    """Tell whether the requirements of a NodePool allow a reservation; also where nothing is known about its type."""
    if not (_allows(pool, ZONE, reservation.availability_zone) and _allows(pool, RESERVATION_ID, reservation.id)):
        return False
    wanted = pool.wanted.without(*_OF_OFFERINGS)
    of_type = [t for t in pool.class_types if t.name == reservation.instance_type]
    return not of_type or any(wanted.intersects(t.requirements.without(*_OF_OFFERINGS)) for t in of_type)


def _allows(pool: PoolSetup, key: str, value: str) -> bool:
    wanted = pool.wanted.get(key)
    return wanted is None or wanted.has(value)


def _names(pools: Sequence[PoolSetup]) -> str:
    return f"NodePool {first_of([pool.name for pool in pools], _NAMED)}"
