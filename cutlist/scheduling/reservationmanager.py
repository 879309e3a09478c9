"""Reserved capacity: which claims may still count on which reservation (spec: scheduling 6.9; S-80 to S-84).

A claim holds a unit of every reservation that it could end up using; it gives some back only when it is narrowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from cutlist.core.labels import CAPACITY_TYPE, RESERVED, LabelRegistry
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaim import InFlightClaim
from cutlist.scheduling.refusals import NoReservation
from cutlist.scheduling.requirement_space import RequirementSpace

NO_RESERVATIONS: Final[frozenset[str]] = frozenset()


class ReservedOfferingMode(StrEnum):
    """What happens when no reservation is left: pods wait for a later pass (provisioning), or do without (simulations)."""

    STRICT = "strict"
    FALLBACK = "fallback"


class ReservationManager:
    """How much of each reservation is left in a pass, by id. Without instance types reserved offerings are not special."""

    __slots__ = ("_label", "_mode", "_sold", "_space", "_usable_by_claim", "active", "remaining")

    def __init__(
        self,
        instance_types: Iterable[InstanceTypeIndex],
        registry: LabelRegistry,
        space: RequirementSpace,
        mode: ReservedOfferingMode,
    ) -> None:
        self._label = registry.reservation_id or ""
        self._space = space
        self._mode = mode
        self.remaining: dict[str, int] = {}
        self._sold: dict[InstanceTypeIndex, dict[Requirements, int]] = {}
        self._usable_by_claim: dict[tuple[InstanceTypeIndex, int, int], frozenset[str]] = {}
        for pool_types in instance_types:
            if pool_types not in self._sold:
                self._sold[pool_types] = self._count(pool_types)
        # Whether some type is available through a reservation, so that pods have to be examined one by one.
        self.active = any(self._sold.values())

    def copy(self) -> ReservationManager:
        """Return an independent copy of one that no claim has used; both share what depends on the types alone."""
        copied = ReservationManager.__new__(ReservationManager)
        copied._label, copied._space, copied._mode = self._label, self._space, self._mode
        copied._sold, copied._usable_by_claim, copied.active = self._sold, self._usable_by_claim, self.active
        copied.remaining = dict(self.remaining)
        return copied

    def choose(self, claim: InFlightClaim, held: frozenset[str]) -> frozenset[str] | NoReservation:
        """Return the reservations that a claim would hold in this new state, given those that it holds, or why it may not
        change to it."""
        usable = self._usable(claim)
        chosen = frozenset(i for i in usable if i in held or self.remaining[i])
        if not chosen and self._mode is ReservedOfferingMode.STRICT and (usable or held):
            return NoReservation(released=not usable)
        return chosen

    def exchange(self, held: frozenset[str], claim: InFlightClaim) -> frozenset[str]:
        """Reserve what a claim in its new state can use, release the rest, and return the reservations that it holds then."""
        if not self.active:
            return NO_RESERVATIONS
        chosen = self.choose(claim, held)
        assert not isinstance(chosen, NoReservation)  # noqa: S101 - admission asked the same question
        for reservation in chosen - held:
            self.remaining[reservation] -= 1
        for reservation in held - chosen:
            self.remaining[reservation] += 1
        return chosen

    def finalised(self, requirements: Requirements, held: frozenset[str]) -> Requirements:
        """Return a claim's requirements once it is closed: one that holds reservations may only use those (S-83)."""
        if not held:
            return requirements
        reserved = Requirement(CAPACITY_TYPE, False, frozenset((RESERVED,)))
        return requirements.replaced(reserved) & Requirements((Requirement(self._label, False, held),))

    def _count(self, pool_types: InstanceTypeIndex) -> dict[Requirements, int]:
        """Lower the rest of each reservation to what these types say; return their available reserved offerings by type."""
        sold: dict[Requirements, int] = {}
        for index, t in enumerate(pool_types.types):
            for offering in t.offerings:
                if offering.capacity_type == RESERVED:
                    reservation, units = self._id_of(offering.requirements), offering.reservation_capacity
                    self.remaining[reservation] = min(units, self.remaining.get(reservation, units))
                    if offering.available:
                        sold[offering.requirements] = sold.get(offering.requirements, 0) | 1 << index
        return sold

    def _usable(self, claim: InFlightClaim) -> frozenset[str]:
        """Return the reservations that some remaining type can use, whoever holds them."""
        pool_types = claim.template.instance_types
        sold: Mapping[Requirements, int] = self._sold.get(pool_types, {})
        if not sold:
            return NO_RESERVATIONS
        key = (pool_types, claim.requirements, claim.mask)
        cached = self._usable_by_claim.get(key)
        if cached is None:
            wanted = self._space.sets[claim.requirements]
            usable = (o for o, types in sold.items() if types & claim.mask and wanted.compatible(o, pool_types.well_known))
            cached = self._usable_by_claim[key] = frozenset(map(self._id_of, usable))
        return cached

    def _id_of(self, offer: Requirements) -> str:
        r = offer.get(self._label)
        return min(r.values, default="") if r is not None else ""
