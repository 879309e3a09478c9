"""Reserved capacity: who may still count on which reservation (spec: scheduling 6.9; S-80 to S-84).

A claim holds a unit of every reservation that it could end up using; only when it is narrowed does it give some back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from cutlist.core.labels import CAPACITY_TYPE, RESERVED, LabelRegistry
from cutlist.core.requirements import Requirement, Requirements
from cutlist.scheduling.admission import InFlightState
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.refusals import NoReservation
from cutlist.scheduling.requirement_space import RequirementSpace

NONE_HELD: Final[frozenset[str]] = frozenset()


class ReservedOfferingMode(StrEnum):
    """What happens when no reservation is left: pods wait for a later pass (provisioning), or go without (simulations)."""

    STRICT = "strict"
    FALLBACK = "fallback"


class ReservationManager:
    """How much of each reservation is left in a pass, by id. Without tables nothing is special about reserved offerings."""

    __slots__ = ("_by_state", "_label", "_mode", "_sold", "_space", "active", "remaining")

    def __init__(
        self, tables: Iterable[InstanceTypeIndex], registry: LabelRegistry, space: RequirementSpace, mode: ReservedOfferingMode
    ) -> None:
        self._label = registry.reservation_id or ""
        self._space = space
        self._mode = mode
        self.remaining: dict[str, int] = {}
        self._sold: dict[int, dict[Requirements, int]] = {}
        self._by_state: dict[tuple[int, int, int], frozenset[str]] = {}
        for table in tables:
            if id(table) not in self._sold:
                self._sold[id(table)] = self._count(table)
        # Whether some type can be had from a reservation, so that pods have to be looked at one by one.
        self.active = any(self._sold.values())

    def choose(self, state: InFlightState, held: frozenset[str]) -> frozenset[str] | NoReservation:
        """The reservations that a claim which holds some would hold in a new state, or why it may not come to that state."""
        usable = self._usable(state)
        chosen = frozenset(i for i in usable if i in held or self.remaining[i])
        if not chosen and self._mode is ReservedOfferingMode.STRICT and (usable or held):
            return NoReservation(released=not usable)
        return chosen

    def exchange(self, held: frozenset[str], state: InFlightState) -> frozenset[str]:
        """Let a claim that came to an allowed state take what it can use there and give back the rest; what it holds then."""
        if not self.active:
            return NONE_HELD
        chosen = self.choose(state, held)
        assert not isinstance(chosen, NoReservation)  # noqa: S101 - admission asked the same question
        for reservation in chosen - held:
            self.remaining[reservation] -= 1
        for reservation in held - chosen:
            self.remaining[reservation] += 1
        return chosen

    def finalised(self, requirements: Requirements, held: frozenset[str]) -> Requirements:
        """A claim's requirements once it is closed: one that holds reservations is bought from those, and only so (S-83)."""
        if not held:
            return requirements
        reserved = Requirement(CAPACITY_TYPE, False, frozenset((RESERVED,)))
        return requirements.replaced(reserved) & Requirements((Requirement(self._label, False, held),))

    def _count(self, table: InstanceTypeIndex) -> dict[Requirements, int]:
        """Lower what is left of each reservation to what a table says; its available reserved offerings, with their types."""
        sold: dict[Requirements, int] = {}
        for index, t in enumerate(table.types):
            for offering in t.offerings:
                if offering.capacity_type == RESERVED:
                    reservation, units = self._id_of(offering.requirements), offering.reservation_capacity
                    self.remaining[reservation] = min(units, self.remaining.get(reservation, units))
                    if offering.available:
                        sold[offering.requirements] = sold.get(offering.requirements, 0) | 1 << index
        return sold

    def _usable(self, state: InFlightState) -> frozenset[str]:
        """The reservations from which some type left can be had, whoever holds them."""
        table = state.template.table
        sold: Mapping[Requirements, int] = self._sold.get(id(table), {})
        if not sold:
            return NONE_HELD
        key = (id(table), state.requirements, state.mask)
        found = self._by_state.get(key)
        if found is None:
            wanted = self._space.sets[state.requirements]
            usable = (o for o, types in sold.items() if types & state.mask and wanted.compatible(o, table.well_known))
            found = self._by_state[key] = frozenset(map(self._id_of, usable))
        return found

    def _id_of(self, offer: Requirements) -> str:
        r = offer.get(self._label)
        return min(r.values, default="") if r is not None else ""
