"""The instance types of a NodeClass of EKS Auto Mode: labels, capacity, overhead, offerings put together (spec: API 8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from cutlist.catalog import Machine, Price, RegionCatalog
from cutlist.core.labels import CAPACITY_TYPE
from cutlist.core.quantity import NANO
from cutlist.core.requirements import Requirement
from cutlist.providers.aws.labels import where_sold
from cutlist.providers.aws.offerings import Shop, capacity_types, shop
from cutlist.providers.aws.zones import UsableZones, as_seen_by, usable_zones
from cutlist.providers.eks_auto.allowed import is_allowed
from cutlist.providers.eks_auto.capacity import NodeShape, capacity
from cutlist.providers.eks_auto.fees import Fee, fee
from cutlist.providers.eks_auto.labels import NO_RESERVATION, requirements
from cutlist.providers.eks_auto.overhead import overhead_profile
from cutlist.providers.eks_auto.settings import AutoSettings
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.label_terms import is_in
from cutlist.providers.resource_names import EPHEMERAL_STORAGE, PODS

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
    listed_fees, sold = dict(fees), shop(catalog, usable, NO_RESERVATION)
    overhead = overhead_profile(profile).overhead

    def instance_type(machine: Machine) -> InstanceType:
        held = capacity(machine, shape)
        where = _where(catalog.region, catalog.offered.get(machine.name, ()), usable, capacity_types(machine.usage))
        return InstanceType(
            name=machine.name,
            requirements=requirements(machine, where),
            capacity=held,
            overhead=overhead(machine.vcpus, held[PODS] // NANO, held[EPHEMERAL_STORAGE]),
            offerings=_offerings(machine, sold, listed_fees.get(machine.name)),
        )

    return tuple(instance_type(machine) for machine in _listed(catalog))


@lru_cache(maxsize=64)
def _listed(catalog: RegionCatalog) -> tuple[Machine, ...]:
    return tuple(machine for machine in catalog.machines.values() if is_allowed(machine))


@lru_cache(maxsize=4096)
def _where(region: str, offered: tuple[str, ...], usable: UsableZones, sold_as: tuple[str, ...]) -> tuple[Requirement, ...]:
    return (*where_sold(region, offered, usable), is_in(CAPACITY_TYPE, *sold_as), *NO_RESERVATION)


@lru_cache(maxsize=32768)
def _offerings(machine: Machine, sold: Shop, listed_fee: Price | None) -> tuple[Offering, ...]:
    """What EC2 sells, with the management fee on top of each price."""
    managed = fee(machine.name, sold.catalog, listed_fee)
    return tuple(_with_fee(offering, managed) for offering in sold.offerings(machine))


def _with_fee(offering: Offering, managed: Fee) -> Offering:
    if offering.price is None:
        return offering
    source = f"{offering.price_source}; {managed.source}"
    return Offering(offering.requirements, offering.price, offering.available, price_source=source, fee=managed.per_hour)
