"""Offerings: every way to buy a machine in a region, and whether it is open now (spec: AWS 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cutlist.catalog.machines import Machine
from cutlist.catalog.prices import PAID_FOR_ANYWAY, Price
from cutlist.catalog.regions import RegionCatalog
from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT, ZONE, ZONE_ID
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.labels import PLACEMENT_PARTITION, RESERVATION_ID, RESERVATION_INTERRUPTIBLE, RESERVATION_TYPE
from cutlist.providers.aws.observed import Observed, PlacementGroup
from cutlist.providers.aws.zones import UsableZones
from cutlist.providers.instance_types import Offering
from cutlist.providers.label_terms import flag, is_in

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass_status import CapacityReservation

_RESERVED_DIVISOR: Final = 10_000_000  # a reservation is paid for anyway, so its price only ranks it first
_EXPIRING: Final = "expiring"


@dataclass(frozen=True, slots=True)
class OfferingTemplate:
    """The common part of the offerings in a zone and capacity type: their labels, and whether there is a subnet.

    `unpriced` is shared by every machine without a price there.
    """

    zone: str
    requirements: Requirements
    has_subnet: bool
    unpriced: Offering

    def offering(self, price: Price, is_offered: bool) -> Offering:
        """Return the offering at a price, open if the machine is offered in the zone and there is a subnet."""
        return Offering(self.requirements, price.usd_per_hour, self.has_subnet and is_offered, basis=price)


@dataclass(frozen=True, slots=True, eq=False)
class RegionOfferings:
    """The offerings of a region to NodeClasses with the same zones, which share each machine's."""

    catalog: RegionCatalog
    templates: Mapping[str, tuple[OfferingTemplate, ...]]
    _by_machine: dict[Machine, tuple[Offering, ...]] = field(default_factory=dict, init=False)
    _closed: dict[Machine, tuple[Offering, ...]] = field(default_factory=dict, init=False)

    def offerings(self, machine: Machine) -> tuple[Offering, ...]:
        """Return the on-demand and spot offerings in every zone. Those with a subnet and a price are open if the machine is
        offered there."""
        cached = self._by_machine.get(machine)
        if cached is None:
            cached = self._by_machine[machine] = tuple(self._offerings(machine))
        return cached

    def closed(self, machine: Machine) -> tuple[Offering, ...]:
        """Return the same offerings, closed."""
        cached = self._closed.get(machine)
        if cached is None:
            cached = self._closed[machine] = tuple(map(_closed, self.offerings(machine)))
        return cached

    def _offerings(self, machine: Machine) -> Iterator[Offering]:
        zones = self.catalog.offered.get(machine.name, ())
        for capacity_type in capacity_types(machine.usage):
            same = self.catalog.on_demand_price(machine.name) if capacity_type == ON_DEMAND else None
            for template in self.templates[capacity_type]:
                price = same if capacity_type == ON_DEMAND else self.catalog.spot_price(machine.name, template.zone)
                yield template.offering(price, template.zone in zones) if price is not None else template.unpriced


@lru_cache(maxsize=64)
def region_offerings(catalog: RegionCatalog, usable: UsableZones, unreserved: tuple[Requirement, ...]) -> RegionOfferings:
    """Return the region's offerings in these zones. `unreserved` are the provider's reservation labels for offerings without
    reservation."""
    return RegionOfferings(
        catalog, {kind: tuple(_offering_templates(catalog, usable, kind, unreserved)) for kind in (ON_DEMAND, SPOT)}
    )


def _offering_templates(
    catalog: RegionCatalog, usable: UsableZones, capacity_type: str, unreserved: tuple[Requirement, ...]
) -> Iterator[OfferingTemplate]:
    """Yield one template per zone of the region; it has the zone id only if there is a subnet."""
    ids = usable.ids
    for zone in catalog.zones:
        zone_id = (is_in(ZONE_ID, ids[zone.name]),) if zone.name in ids else ()
        place = is_in(CAPACITY_TYPE, capacity_type), is_in(ZONE, zone.name), *unreserved, *zone_id
        requirements = Requirements(place)
        yield OfferingTemplate(zone.name, requirements, zone.name in ids, Offering(requirements, None, available=False))


@dataclass(frozen=True, slots=True)
class OfferingContext:
    """Everything that affects a NodeClass' offerings: the region's, zones with subnets, placement group, observations."""

    sold: RegionOfferings
    usable: UsableZones
    group: PlacementGroup | None
    observed: Observed
    reservations_fail_one_by_one: bool = False

    @property
    def catalog(self) -> RegionCatalog:
        """Return the zones, machines and prices of the region in which the node class launches."""
        return self.sold.catalog


def capacity_types(usage: Iterable[str]) -> tuple[str, ...]:
    """Return the capacity types among a machine's usage classes: capacity blocks are sold by reservation only (A-17)."""
    return tuple(usage_class for usage_class in usage if usage_class in (ON_DEMAND, SPOT))


def offerings(
    machine: Machine, context: OfferingContext, reservations: Sequence[CapacityReservation], compatible: bool
) -> tuple[Offering, ...]:
    """Return all offerings of a machine, open or not; in a partition group one per partition (A-44, A-51)."""
    base = context.sold.offerings(machine) if compatible else context.sold.closed(machine)
    if context.observed.unavailable or context.observed.shifted_zone_ids:
        base = tuple(_if_open(machine, offering, context) for offering in base)
    # Without any reservation the same object: NodeClasses that sell alike share it.
    every = (*base, *(_reserved(machine, r, context, compatible) for r in reservations)) if reservations else base
    partitions = context.group.partitions if context.group else ()
    return tuple(_in_partition(o, p) for o in every for p in partitions) if partitions else every


def _closed(offering: Offering) -> Offering:
    return Offering(offering.requirements, offering.price, available=False, basis=offering.basis)


def _if_open(machine: Machine, offering: Offering, context: OfferingContext) -> Offering:
    """Return the offering, closed when its capacity is cached as missing or its zone is shifted (A-48)."""
    if not offering.available:
        return offering
    zone = offering.zone
    shifted = context.usable.ids.get(zone) in context.observed.shifted_zone_ids
    if shifted or _missing(machine.name, offering.capacity_type, zone, context):
        return _closed(offering)
    return offering


def _missing(name: str, capacity_type: str, zone: str, context: OfferingContext) -> bool:
    group = context.group.group_id if context.group else ""
    for entry in context.observed.unavailable:
        if entry.subnet or entry.partition or entry.placement_group not in ("", group):
            continue
        if entry.capacity_type == capacity_type and (
            not entry.instance_type or (entry.instance_type, entry.zone) == (name, zone)
        ):
            return True
    marked = {entry.subnet for entry in context.observed.unavailable if entry.subnet}
    in_zone = {subnet for subnet, where in context.usable.subnets if where == zone}
    return bool(in_zone) and in_zone <= marked


def _reserved(machine: Machine, reservation: CapacityReservation, context: OfferingContext, compatible: bool) -> Offering:
    """Return the offering of a reservation, at a ten-millionth of the on-demand price, 0 when that is unknown (A-47)."""
    zone = reservation.availability_zone
    zone_id = context.usable.ids.get(zone)
    remaining = context.observed.reservations_remaining.get(reservation.id, 0)
    price = context.catalog.on_demand_price(machine.name)
    is_sold = zone in context.catalog.offered.get(machine.name, ()) and zone_id is not None
    is_healthy = not _is_missing(machine, reservation, context) if context.reservations_fail_one_by_one else remaining != 0
    is_open = compatible and is_sold and is_healthy and reservation.state != _EXPIRING
    ranked = price.usd_per_hour / _RESERVED_DIVISOR if price else 0.0
    return Offering(
        Requirements(_reservation_requirements(reservation, zone, zone_id)),
        ranked,
        available=is_open and zone_id not in context.observed.shifted_zone_ids,
        reservation_capacity=remaining,
        basis=Price(ranked, PAID_FOR_ANYWAY, currency=context.catalog.currency),
    )


def _is_missing(machine: Machine, reservation: CapacityReservation, context: OfferingContext) -> bool:
    """Tell whether missing capacity is recorded for this reservation, or for all reserved capacity (VA15-61)."""
    here = (machine.name, reservation.availability_zone, reservation.id)
    entries = (e for e in context.observed.unavailable if e.capacity_type == RESERVED and not e.placement_group)
    return any(not e.instance_type or (e.instance_type, e.zone, e.reservation) == here for e in entries)


def _reservation_requirements(reservation: CapacityReservation, zone: str, zone_id: str | None) -> Iterator[Requirement]:
    yield is_in(CAPACITY_TYPE, RESERVED)
    yield is_in(ZONE, zone)
    yield is_in(RESERVATION_ID, reservation.id)
    yield is_in(RESERVATION_TYPE, reservation.reservation_type)
    yield is_in(RESERVATION_INTERRUPTIBLE, flag(reservation.interruptible))
    if zone_id is not None:
        yield is_in(ZONE_ID, zone_id)


def _in_partition(offering: Offering, partition: str) -> Offering:
    return Offering(
        offering.requirements.replaced(is_in(PLACEMENT_PARTITION, partition)),
        offering.price,
        available=offering.available,
        reservation_capacity=offering.reservation_capacity,
        basis=offering.basis,
    )


CAPACITY_BLOCK: Final = "capacity-block"


@dataclass(frozen=True, slots=True)
class Reservation:
    """A capacity reservation; `type` is `default` or `capacity-block`."""

    id: str
    type: str
    interruptible: bool

    @property
    def kind(self) -> tuple[str, bool]:
        """Return the kind; a fleet request can contain only one."""
        return self.type, self.interruptible

    @staticmethod
    def of(offering: Offering) -> Reservation:
        """Return the reservation of a reserved offering."""
        return Reservation(
            _value(offering, RESERVATION_ID),
            _value(offering, RESERVATION_TYPE),
            _value(offering, RESERVATION_INTERRUPTIBLE) == "true",
        )


def _value(offering: Offering, key: str) -> str:
    return min(offering.requirements.get_or_any(key).values, default="")
