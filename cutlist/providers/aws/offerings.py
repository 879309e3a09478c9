"""Offerings: every way to buy a machine in a region, and whether it is open now (spec: AWS 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cutlist.catalog import Machine, Price, RegionCatalog
from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT, ZONE, ZONE_ID
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.labels import PLACEMENT_PARTITION, RESERVATION_ID, RESERVATION_INTERRUPTIBLE, RESERVATION_TYPE
from cutlist.providers.aws.observed import Observed, PlacementGroup
from cutlist.providers.aws.zones import UsableZones
from cutlist.providers.instance_types import Offering
from cutlist.providers.label_terms import flag, is_in

if TYPE_CHECKING:
    from cutlist.api import CapacityReservation

_RESERVED_DIVISOR: Final = 10_000_000  # a reservation is paid for anyway: its price only ranks it before all else
_EXPIRING: Final = "expiring"


@dataclass(frozen=True, slots=True)
class Shelf:
    """What is sold in a zone as one capacity type: the labels that its offerings share, and whether there is a subnet.

    `unpriced` stands for every machine without a price there.
    """

    zone: str
    requirements: Requirements
    has_subnet: bool
    unpriced: Offering

    def offering(self, price: Price, is_offered: bool) -> Offering:
        """What is sold here at a price; open where the machine is offered in the zone and there is a subnet."""
        return Offering(self.requirements, price.usd_per_hour, self.has_subnet and is_offered, price_source=price.provenance)


@dataclass(frozen=True, slots=True, eq=False)
class Shop:
    """What a region sells to NodeClasses with the same zones: each machine's offerings are made once for all of them."""

    catalog: RegionCatalog
    shelves: Mapping[str, tuple[Shelf, ...]]
    _made: dict[Machine, tuple[Offering, ...]] = field(default_factory=dict)

    def offerings(self, machine: Machine) -> tuple[Offering, ...]:
        """On-demand and spot in every zone of the region, available where offered, with a subnet, and with a price."""
        found = self._made.get(machine)
        if found is None:
            found = self._made[machine] = tuple(self._offerings(machine))
        return found

    def _offerings(self, machine: Machine) -> Iterator[Offering]:
        zones = self.catalog.offered.get(machine.name, ())
        for capacity_type in capacity_types(machine.usage):
            same = self.catalog.on_demand_price(machine.name) if capacity_type == ON_DEMAND else None
            for shelf in self.shelves[capacity_type]:
                price = same if capacity_type == ON_DEMAND else self.catalog.spot_price(machine.name, shelf.zone)
                yield shelf.offering(price, shelf.zone in zones) if price is not None else shelf.unpriced


@lru_cache(maxsize=64)
def shop(catalog: RegionCatalog, usable: UsableZones, unreserved: tuple[Requirement, ...]) -> Shop:
    """The region's shop for these zones. `unreserved` are the provider's reservation labels of what it sells."""
    return Shop(catalog, {kind: tuple(_shelves(catalog, usable, kind, unreserved)) for kind in (ON_DEMAND, SPOT)})


def _shelves(
    catalog: RegionCatalog, usable: UsableZones, capacity_type: str, unreserved: tuple[Requirement, ...]
) -> Iterator[Shelf]:
    """One a zone of the region; the zone id only where there is a subnet."""
    ids = usable.ids
    for zone in catalog.zones:
        zone_id = (is_in(ZONE_ID, ids[zone.name]),) if zone.name in ids else ()
        place = is_in(CAPACITY_TYPE, capacity_type), is_in(ZONE, zone.name), *unreserved, *zone_id
        requirements = Requirements(place)
        yield Shelf(zone.name, requirements, zone.name in ids, Offering(requirements, None, available=False))


@dataclass(frozen=True, slots=True)
class Market:
    """Where a NodeClass buys: the region as its account sees it, zones with subnets, placement group, observations."""

    shop: Shop
    usable: UsableZones
    group: PlacementGroup | None
    observed: Observed

    @property
    def catalog(self) -> RegionCatalog:
        """The region."""
        return self.shop.catalog


def capacity_types(usage: Iterable[str]) -> tuple[str, ...]:
    """The capacity types among a machine's usage classes: capacity blocks are sold by reservation only (A-17)."""
    return tuple(one for one in usage if one in (ON_DEMAND, SPOT))


def offerings(
    machine: Machine, market: Market, reservations: Sequence[CapacityReservation], compatible: bool
) -> tuple[Offering, ...]:
    """All offerings of a machine, open ones and others; in a partition group once a partition (A-44, A-51)."""
    base = market.shop.offerings(machine)
    if not compatible:
        base = tuple(map(_shut, base))
    if market.observed.unavailable or market.observed.shifted_zone_ids:
        base = tuple(_if_open(machine, offering, market) for offering in base)
    found = (*base, *(_reserved(machine, r, market, compatible) for r in reservations))
    partitions = market.group.partitions if market.group else ()
    return tuple(_in_partition(o, p) for o in found for p in partitions) if partitions else found


def _shut(offering: Offering) -> Offering:
    return Offering(offering.requirements, offering.price, available=False, price_source=offering.price_source)


def _if_open(machine: Machine, offering: Offering, market: Market) -> Offering:
    """The offering, closed when capacity is remembered to be missing or its zone is shifted (A-48)."""
    if not offering.available:
        return offering
    zone = offering.zone
    shifted = market.usable.ids.get(zone) in market.observed.shifted_zone_ids
    if shifted or _missing(machine.name, offering.capacity_type, zone, market):
        return _shut(offering)
    return offering


def _missing(name: str, capacity_type: str, zone: str, market: Market) -> bool:
    group = market.group.group_id if market.group else ""
    for entry in market.observed.unavailable:
        if entry.subnet or entry.partition or entry.placement_group not in ("", group):
            continue
        if entry.capacity_type == capacity_type and (
            not entry.instance_type or (entry.instance_type, entry.zone) == (name, zone)
        ):
            return True
    marked = {entry.subnet for entry in market.observed.unavailable if entry.subnet}
    in_zone = {subnet for subnet, where in market.usable.subnets if where == zone}
    return bool(in_zone) and in_zone <= marked


def _reserved(machine: Machine, reservation: CapacityReservation, market: Market, compatible: bool) -> Offering:
    """One offering a reservation, at a ten-millionth of the on-demand price, 0 when that is unknown (A-47)."""
    zone = reservation.availability_zone
    zone_id = market.usable.ids.get(zone)
    remaining = market.observed.reservations_remaining.get(reservation.id, 0)
    price = market.catalog.on_demand_price(machine.name)
    sold = zone in market.catalog.offered.get(machine.name, ()) and zone_id is not None
    is_open = compatible and sold and remaining != 0 and reservation.state != _EXPIRING
    return Offering(
        Requirements(_reservation_requirements(reservation, zone, zone_id)),
        price.usd_per_hour / _RESERVED_DIVISOR if price else 0.0,
        available=is_open and zone_id not in market.observed.shifted_zone_ids,
        reservation_capacity=remaining,
        price_source="capacity reservation, paid for whether used or not",
    )


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
        price_source=offering.price_source,
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
        """What one fleet request can hold only one of."""
        return self.type, self.interruptible

    @staticmethod
    def of(offering: Offering) -> Reservation:
        """The reservation of a reserved offering."""
        return Reservation(
            _value(offering, RESERVATION_ID),
            _value(offering, RESERVATION_TYPE),
            _value(offering, RESERVATION_INTERRUPTIBLE) == "true",
        )


def _value(offering: Offering, key: str) -> str:
    return min(offering.requirements.get_or_any(key).values, default="")
