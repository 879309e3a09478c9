"""The instance types of a NodeClass of EKS Auto Mode: labels, capacity, overhead, offerings put together (spec: API 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from cutlist import labels
from cutlist.catalog import Machine, Price, RegionCatalog
from cutlist.labels import CAPACITY_TYPE, ON_DEMAND, ZONE, ZONE_ID
from cutlist.providers.aws.capacity import EPHEMERAL_STORAGE, PODS
from cutlist.providers.aws.labels import is_in
from cutlist.providers.aws.offerings import capacity_types
from cutlist.providers.aws.zones import UsableZones, as_seen_by, usable_zones
from cutlist.providers.eks_auto.allowed import is_allowed
from cutlist.providers.eks_auto.capacity import NodeShape, capacity
from cutlist.providers.eks_auto.fees import fee
from cutlist.providers.eks_auto.labels import no_reservation, requirements
from cutlist.providers.eks_auto.overhead import overhead_profile
from cutlist.providers.eks_auto.settings import AutoSettings
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.requirements import Requirement, Requirements
from cutlist.resources import NANO

if TYPE_CHECKING:
    from cutlist.api import AutoNodeClass

_DEFAULTS = AutoSettings()


def instance_types(
    node_class: AutoNodeClass,
    catalog: RegionCatalog,
    settings: AutoSettings = _DEFAULTS,
    zones: Sequence[str] | None = None,
) -> tuple[InstanceType, ...]:
    """Every type of the region that Auto Mode launches, under the NodeClass.

    Amounts are nano-units. Offerings are ranked by EC2's price, as Karpenter ranks them; what is paid, the management fee on
    top, is their `cost`. `zones` are those with subnets where the NodeClass' status does not say; InputError for one that the
    region does not have. Reservations are not among the offerings: the status of an Auto Mode class does not name them.
    """
    usable = usable_zones(node_class, catalog, zones)
    catalog = as_seen_by(catalog, usable)
    return _made(catalog, usable, NodeShape.of(node_class), settings.overhead_profile, tuple(sorted(settings.fees.items())))


@lru_cache(maxsize=16)
def _made(
    catalog: RegionCatalog, usable: UsableZones, shape: NodeShape, profile: str, fees: tuple[tuple[str, Price], ...]
) -> tuple[InstanceType, ...]:
    """Most NodeClasses say the same of every machine; these share one list."""
    listed_fees = dict(fees)
    overhead = overhead_profile(profile).overhead

    def instance_type(machine: Machine) -> InstanceType:
        held = capacity(machine, shape)
        where = _where(catalog.region, catalog.offered.get(machine.name, ()), usable, capacity_types(machine.usage))
        return InstanceType(
            name=machine.name,
            requirements=requirements(machine, where),
            capacity=held,
            overhead=overhead(machine.vcpus, held[PODS] // NANO, held[EPHEMERAL_STORAGE]),
            offerings=_offerings(machine, catalog, usable, listed_fees.get(machine.name)),
        )

    return tuple(instance_type(machine) for machine in _listed(catalog))


@lru_cache(maxsize=64)
def _listed(catalog: RegionCatalog) -> tuple[Machine, ...]:
    return tuple(machine for machine in catalog.machines.values() if is_allowed(machine))


@lru_cache(maxsize=4096)
def _where(region: str, offered: tuple[str, ...], usable: UsableZones, sold_as: tuple[str, ...]) -> tuple[Requirement, ...]:
    fitting = [(name, zone_id) for name, zone_id in usable.zones if name in offered]
    ids = (is_in(ZONE_ID, *(zone_id for _, zone_id in fitting)),) if fitting else ()
    zones = is_in(ZONE, *(name for name, _ in fitting))
    return (is_in(labels.REGION, region), zones, *ids, is_in(CAPACITY_TYPE, *sold_as), *no_reservation())


@lru_cache(maxsize=32768)
def _offerings(machine: Machine, catalog: RegionCatalog, usable: UsableZones, listed_fee: Price | None) -> tuple[Offering, ...]:
    """On-demand and spot in every zone of the region, available where offered, with a subnet, and with a price."""
    sold = set(catalog.offered.get(machine.name, ())).intersection(usable.names)
    managed = fee(machine.name, catalog, listed_fee)
    on_demand = catalog.on_demand_price(machine.name)
    found: list[Offering] = []
    for capacity_type in capacity_types(machine.usage):
        for zone, where in _shelves(catalog, usable, capacity_type):
            price = on_demand if capacity_type == ON_DEMAND else catalog.spot_price(machine.name, zone)
            if price is None:
                found.append(Offering(where, None, available=False))
            else:
                source = f"{price.provenance}; {managed.source}"
                found.append(Offering(where, price.usd_per_hour, zone in sold, price_source=source, fee=managed.per_hour))
    return tuple(found)


@lru_cache(maxsize=256)
def _shelves(catalog: RegionCatalog, usable: UsableZones, capacity_type: str) -> tuple[tuple[str, Requirements], ...]:
    """For each zone of the region the requirements of what is sold there; the zone id only where there is a subnet."""
    return tuple((z.name, Requirements(_shelf(capacity_type, z.name, usable.ids.get(z.name)))) for z in catalog.zones)


def _shelf(capacity_type: str, zone: str, zone_id: str | None) -> Iterator[Requirement]:
    yield is_in(CAPACITY_TYPE, capacity_type)
    yield is_in(ZONE, zone)
    yield from no_reservation()
    if zone_id is not None:
        yield is_in(ZONE_ID, zone_id)
