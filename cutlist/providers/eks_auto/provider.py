"""The instance types of a NodeClass of EKS Auto Mode, from labels, capacity, overhead and offerings (spec: API 8)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cutlist.api.label_domains import mapped_key
from cutlist.catalog.machines import Machine
from cutlist.catalog.prices import Price, PriceOf
from cutlist.catalog.regions import AnyRegion, RegionCatalog
from cutlist.catalog.services import AUTO_FEE
from cutlist.core import labels
from cutlist.core.labels import AUTO_GROUP, AWS_GROUP, CAPACITY_TYPE
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.labels import machine_labels, where_sold
from cutlist.providers.aws.offerings import RegionOfferings, capacity_types, region_offerings
from cutlist.providers.aws.zones import UsableZones, as_seen_by, usable_zones
from cutlist.providers.eks_auto.allowed import is_allowed
from cutlist.providers.eks_auto.capacity import NodeShape, capacity
from cutlist.providers.eks_auto.overhead import DEFAULT_PROFILE, overhead_profile
from cutlist.providers.instance_types import EPHEMERAL_STORAGE, PODS, InstanceType, Offering
from cutlist.providers.label_terms import absent, is_in

if TYPE_CHECKING:
    from cutlist.api.autonodeclass import AutoNodeClass

NO_RESERVATION: Final = absent(*(f"{AUTO_GROUP}/capacity-reservation-{name}" for name in ("id", "type", "interruptible")))
_EVERYWHERE: Final = (
    is_in(labels.OS, "linux"),
    is_in(labels.COMPUTE_TYPE, "auto"),
    is_in(labels.MANAGED_BY, "eks"),
    is_in(labels.WINDOWS_BUILD),
)


@lru_cache(maxsize=8192)
def auto_labels(machine: Machine) -> tuple[Requirement, ...]:
    """Return the labels that a machine has under any NodeClass. The tenancy has no key in Auto Mode."""
    own = (_mapped(r) for r in machine_labels(machine))
    return (*(r for r in own if r is not None), *_EVERYWHERE)


@lru_cache(maxsize=65536)
def requirements(machine: Machine, rest: Sequence[Requirement]) -> Requirements:
    """Return a machine's labels with those that a NodeClass adds."""
    return Requirements((*auto_labels(machine), *rest))


def _mapped(requirement: Requirement) -> Requirement | None:
    if labels.domain(requirement.key) != AWS_GROUP:
        return requirement
    key = mapped_key(requirement.key)
    return is_in(key, *sorted(requirement.values)) if key else None


GENERAL_SHARE: Final = 0.12  # share of the on-demand price: c6g.large in Seoul, m7i.large in Tokyo
GPU_SHARE: Final = 0.078  # 35% less than that since 2026-07-01: g5.xlarge and g6.xlarge in Seoul, g6.xlarge in Tokyo
TRAINING_SHARE: Final = 0.048  # 60% less, by the same announcement; no price of the list has been compared with it
SHARES_SEEN: Final = "autumn 2026"
ANNOUNCED: Final = "by AWS' announcement of 2026-07"

_GPU_FAMILY: Final = re.compile(r"g[0-9]|gr")
_TRAINING_FAMILY: Final = re.compile(r"p[0-9]|trn")


@dataclass(frozen=True, slots=True)
class Fee:
    """The fee per hour for an instance type, and the source of the figure; 0 when nothing is known."""

    per_hour: float
    source: str
    estimated: bool = False

    def added_to(self, price: Price) -> Price:
        """Return the price of a machine with the fee; its range is known if the fee is published."""
        source, estimated = f"{price.provenance}; {self.source}", price.estimated or self.estimated
        return price.plus(self.per_hour, source, estimated=estimated, is_exact=bool(self.per_hour) and not self.estimated)


def fee(machine: str, catalog: AnyRegion, listed: Price | None = None) -> Fee:
    """Return the price list's fee, else an estimate: the share of the on-demand price that was observed for such types.

    Spot and on-demand have the same fee.
    """
    if listed is not None:
        return Fee(listed.usd_per_hour, f"Auto Mode fee: {listed.provenance}")
    on_demand = catalog.on_demand_price(machine)
    if on_demand is None:
        return Fee(0.0, "without the Auto Mode fee, which is unknown")
    share, seen = _share(machine)
    amount = round(on_demand.usd_per_hour * share, 10)
    return Fee(amount, f"Auto Mode fee: estimate, {share * 100:g}% of the on-demand price, {seen}", estimated=True)


def _share(machine: str) -> tuple[float, str]:
    """Return the share of the on-demand price that the fee is for a type, and where that is known from."""
    if _TRAINING_FAMILY.match(machine):
        return TRAINING_SHARE, ANNOUNCED
    return (GPU_SHARE if _GPU_FAMILY.match(machine) else GENERAL_SHARE), SHARES_SEEN


def listed_fees(machines: Iterable[str], price_of: PriceOf) -> Mapping[str, Price]:
    """Return the management fees that are known of instance types, by the prices of services."""
    known = ((name, price_of(f"{AUTO_FEE}{name}")) for name in machines)
    return MappingProxyType({name: price for name, price in known if price is not None})


@dataclass(frozen=True, slots=True)
class AutoSettings:
    """The settings of Auto Mode. `overhead_profile` names the estimate of what agents use on a node; an unknown name raises
    InputError.

    `fees` are the price list's management fees by instance type; missing types get an estimate.
    """

    overhead_profile: str = DEFAULT_PROFILE
    fees: Mapping[str, Price] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        overhead_profile(self.overhead_profile)


_DEFAULTS = AutoSettings()


def instance_types(
    node_class: AutoNodeClass,
    catalog: RegionCatalog,
    settings: AutoSettings = _DEFAULTS,
    zones: Sequence[str] | None = None,
) -> tuple[InstanceType, ...]:
    """Return every type of the region that Auto Mode launches, under the NodeClass.

    Amounts are nano-units. Offerings are ranked by EC2's price, as Karpenter ranks them; with the management fee they add up to
    `cost`. `zones` are those with subnets if the NodeClass' status does not have them; a zone that the region does not have
    raises InputError. Reservations are not among the offerings: the status of an Auto Mode class does not name them.
    """
    usable = usable_zones(node_class, catalog, zones)
    catalog = as_seen_by(catalog, usable)
    return _made(catalog, usable, NodeShape.of(node_class), settings.overhead_profile, tuple(sorted(settings.fees.items())))


@lru_cache(maxsize=16)
def _made(
    catalog: RegionCatalog, usable: UsableZones, shape: NodeShape, profile: str, fees: tuple[tuple[str, Price], ...]
) -> tuple[InstanceType, ...]:
    """Return the instance types. Most NodeClasses treat all machines alike, so they share one cached list."""
    listed_fees, sold = dict(fees), region_offerings(catalog, usable, NO_RESERVATION)
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
def _offerings(machine: Machine, sold: RegionOfferings, listed_fee: Price | None) -> tuple[Offering, ...]:
    """Return EC2's offerings, with the management fee on top of each price."""
    managed = fee(machine.name, sold.catalog, listed_fee)
    return tuple(_with_fee(offering, managed) for offering in sold.offerings(machine))


def _with_fee(offering: Offering, managed: Fee) -> Offering:
    if offering.price is None:
        return offering
    basis = None if offering.basis is None else managed.added_to(offering.basis)
    return Offering(offering.requirements, offering.price, offering.available, basis=basis, fee=managed.per_hour)
