"""Reserved capacity: which claims may still count on which reservation (spec: scheduling 6.9; S-80 to S-84).

A claim holds a unit of every reservation that it could end up using; it gives some back only when it is narrowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import CAPACITY_TYPE, RESERVED, LabelRegistry
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaim import InFlightClaim
from cutlist.scheduling.refusals import NoReservation, OnlyFullReservations, ReservationShortage
from cutlist.scheduling.requirement_space import RequirementSpace

NO_RESERVATIONS: Final[frozenset[str]] = frozenset()


class _UsableReservations(NamedTuple):
    """The reservations that a claim could use: those with units that may be had, and full ones that stay listed."""

    open: frozenset[str]
    full: frozenset[str]


_NOTHING_USABLE: Final = _UsableReservations(NO_RESERVATIONS, NO_RESERVATIONS)
_NO_CREDITS: Final[Mapping[str, int]] = MappingProxyType({})


class ReservedOfferingMode(StrEnum):
    """What happens if no reservation is left: pods wait for a later pass (provisioning), or use other capacity
    (simulations)."""

    STRICT = "strict"
    FALLBACK = "fallback"


class ReservationManager:
    """How much of each reservation is left in a pass, by id. Without instance types reserved offerings are not special."""

    __slots__ = (
        "_credits",
        "_full_stay_listed",
        "_label",
        "_mode",
        "_sold",
        "_space",
        "_usable_by_claim",
        "active",
        "remaining",
    )

    def __init__(
        self,
        instance_types: Iterable[InstanceTypeIndex],
        registry: LabelRegistry,
        space: RequirementSpace,
        mode: ReservedOfferingMode,
        karpenter: Baseline = DEFAULT,
    ) -> None:
        self._label = registry.reservation_id or ""
        self._space = space
        self._mode = mode
        self._full_stay_listed = karpenter.does(Behaviour.RESERVATION_FULL_IS_AVAILABLE)
        self._credits: Mapping[str, int] = {}
        self.remaining: dict[str, int] = {}
        self._sold: dict[InstanceTypeIndex, dict[tuple[Requirements, bool], int]] = {}
        self._usable_by_claim: dict[tuple[InstanceTypeIndex, int, int], _UsableReservations] = {}
        for pool_types in instance_types:
            if pool_types not in self._sold:
                self._sold[pool_types] = self._count(pool_types)
        # Whether some type is available through a reservation, so that pods have to be examined one by one.
        self.active = any(self._sold.values())

    def copy(self, credits: Mapping[str, int] = _NO_CREDITS) -> ReservationManager:  # noqa: A002 - Karpenter's word
        """Return an independent copy of one that no claim has used; both share what depends on the types alone.

        `credits` are units of reservations that count as free although they are taken; unknown reservations have none (V15-27).
        """
        # Without the constructor, which would count again what is sold.
        copied = ReservationManager.__new__(ReservationManager)
        copied._label, copied._space, copied._mode = self._label, self._space, self._mode
        copied._sold, copied._usable_by_claim, copied.active = self._sold, self._usable_by_claim, self.active
        copied._full_stay_listed, copied._credits = self._full_stay_listed, credits
        copied.remaining = {name: units + credits.get(name, 0) for name, units in self.remaining.items()}
        return copied

    def choose(self, claim: InFlightClaim, held: frozenset[str]) -> frozenset[str] | NoReservation | OnlyFullReservations:
        """Return the reservations that a claim would hold in this new state, given those that it holds, or why it may not
        change to it (V15-7 to V15-10)."""
        # Which offering a claim is launched with is decided after the pass. So it takes one of every reservation that it could
        # end up with, and others find less: too careful rather than over-booked (spec 6.9).
        usable = self._usable(claim)
        # A full reservation counts as open if nodes that hold it would be terminated first (V15-27).
        reservable = usable.open | {i for i in usable.full if self._credits.get(i)}
        chosen = frozenset(i for i in reservable if i in held or self.remaining[i] > 0)
        if chosen:
            return chosen
        # The order of these is Karpenter's: it decides which error is reported, and with that whether NodePools of lower
        # weight are tried (V15-7 to V15-10).
        is_strict = self._mode is ReservedOfferingMode.STRICT
        if is_strict and reservable:
            return NoReservation(ReservationShortage.TAKEN)
        if usable.full and not reservable and not self._has_other_offering(claim):
            return NoReservation(ReservationShortage.FULL) if is_strict else OnlyFullReservations()
        if is_strict and held:
            return NoReservation(ReservationShortage.RELEASED)
        return chosen

    def exchange(self, held: frozenset[str], claim: InFlightClaim) -> frozenset[str]:
        """Reserve what a claim in its new state can use, release the rest, and return the reservations that it holds then."""
        if not self.active:
            return NO_RESERVATIONS
        chosen = self.choose(claim, held)
        assert not isinstance(chosen, NoReservation | OnlyFullReservations)  # noqa: S101 - admission asked the same question
        # A claim may gain reservations too, if others have released them since.
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
        # Replaced, not combined: other capacity types that the claim allowed are given up (S-83).
        return requirements.replaced(reserved) & Requirements((Requirement(self._label, False, held),))

    def _count(self, pool_types: InstanceTypeIndex) -> dict[tuple[Requirements, bool], int]:
        """Lower the rest of each reservation to what these types say; return the types of their available reserved offerings,
        of full ones apart where these stay listed."""
        sold: dict[tuple[Requirements, bool], int] = {}
        for index, offering in pool_types.reserved:
            reservation, units = self._id_of(offering.requirements), offering.reservation_capacity
            # Several types may be sold through one reservation, and NodePools may see it differently; the least of the figures
            # is certain.
            self.remaining[reservation] = min(units, self.remaining.get(reservation, units))
            if offering.available:
                offer = offering.requirements, self._full_stay_listed and units == 0
                sold[offer] = sold.get(offer, 0) | 1 << index
        return sold

    def _usable(self, claim: InFlightClaim) -> _UsableReservations:
        """Return the reservations that some remaining type can use, whoever holds them."""
        pool_types = claim.template.instance_types
        sold: Mapping[tuple[Requirements, bool], int] = self._sold.get(pool_types, {})
        if not sold:
            return _NOTHING_USABLE
        # Who holds what is left out of the key, so the answer is kept for the pass, and for the passes that start from a copy.
        key = (pool_types, claim.requirements, claim.mask)
        cached = self._usable_by_claim.get(key)
        if cached is None:
            wanted = self._space.sets[claim.requirements]
            usable = [
                (self._id_of(offer), is_full)
                for (offer, is_full), types in sold.items()
                if types & claim.mask and wanted.compatible(offer, pool_types.well_known)
            ]
            by_state = (frozenset(i for i, is_full in usable if is_full is state) for state in (False, True))
            cached = self._usable_by_claim[key] = _UsableReservations(*by_state)
        return cached

    def _has_other_offering(self, claim: InFlightClaim) -> bool:
        """Tell whether some remaining type can be bought without a reservation."""
        pool_types, wanted = claim.template.instance_types, self._space.sets[claim.requirements]
        return any(
            types & claim.mask and not _is_reserved(offer) and wanted.compatible(offer, pool_types.well_known)
            for layer in pool_types.layers
            for offer, types in layer.offers.items()
        )

    def _id_of(self, offer: Requirements) -> str:
        r = offer.get(self._label)
        return min(r.values, default="") if r is not None else ""


def _is_reserved(offer: Requirements) -> bool:
    capacity_type = offer.get(CAPACITY_TYPE)
    return capacity_type is not None and capacity_type.values == {RESERVED} and not capacity_type.complement
