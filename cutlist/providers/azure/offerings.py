"""Offerings of a size: on demand and spot in every zone and without a zone, and whether they are open (spec: azure 3.4, 6.1,
6.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cutlist.catalog.embedded import all_sizes
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import LocationCatalog
from cutlist.catalog.sizes import Size
from cutlist.core import labels
from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, SPOT, ZONE
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.azure.labels import PLACEMENT_SCOPE, PRIORITY, SCALE_SET_PRIORITY
from cutlist.providers.azure.observed import SPOT_QUOTA, Observed
from cutlist.providers.instance_types import Offering
from cutlist.providers.label_terms import is_in

NO_ZONE: Final = "0"
ZONAL: Final = "zonal"
REGIONAL: Final = "regional"
OFFERING_LABELS: Final = (ZONE, PLACEMENT_SCOPE, CAPACITY_TYPE, PRIORITY, SCALE_SET_PRIORITY)
"""The labels that say where and how a size is sold."""
_PRIORITIES: Final = {ON_DEMAND: "regular", SPOT: "spot"}


def scope(zone: str) -> str:
    """Return whether a machine is placed in a zone or just in the location, as the value of the label."""
    return REGIONAL if zone == NO_ZONE else ZONAL


@dataclass(frozen=True, slots=True)
class OfferingTemplate:
    """The common part of the offerings in a zone and capacity type: their labels.

    `rank` orders offerings of equal price: spot before on-demand, zonal before regional (Z-52).
    """

    zone: str
    capacity_type: str
    requirements: Requirements
    rank: int


@lru_cache(maxsize=64)
def offering_templates(catalog: LocationCatalog) -> tuple[OfferingTemplate, ...]:
    """Return a template for each zone and capacity type of a location."""
    return tuple(_offering_template(zone.name, kind) for zone in catalog.zones for kind in (ON_DEMAND, SPOT))


def _offering_template(zone: str, capacity_type: str) -> OfferingTemplate:
    priority = _PRIORITIES[capacity_type]
    requirements = (
        is_in(ZONE, zone),
        is_in(PLACEMENT_SCOPE, scope(zone)),
        is_in(CAPACITY_TYPE, capacity_type),
        is_in(PRIORITY, priority),
        is_in(SCALE_SET_PRIORITY, priority),
    )
    rank = 2 * (capacity_type == ON_DEMAND) + (zone == NO_ZONE)
    return OfferingTemplate(zone, capacity_type, Requirements(requirements), rank)


@dataclass(frozen=True, slots=True)
class LocationOfferings:
    """The offerings of a location to a class. Only those in `zones` are open; without zones, all are."""

    catalog: LocationCatalog
    observed: Observed
    zones: frozenset[str] = frozenset()

    def offerings(self, size: Size) -> tuple[Offering, ...]:
        """Return one offering per zone and capacity type, at one price in all zones; open or not (Z-49).

        A size that the provider's price table lacks has no price, but is still open (Z-50).
        """
        named = size.name in all_sizes()
        prices: dict[str, Price | None] = {
            ON_DEMAND: self.catalog.on_demand_price(size.name) if named else None,
            SPOT: self.catalog.spot_price(size.name, NO_ZONE) if named else None,
        }
        open_as = {kind for kind in prices if self._is_sold(size, kind)}
        offered = self.catalog.offered.get(size.name, ())
        is_whole = not (self.zones or self.observed.blocked)  # avoids checking each of a location's thousands of offerings
        offerings = []
        for template in offering_templates(self.catalog):
            if template.zone in offered:
                basis = prices[template.capacity_type]
                price = basis.usd_per_hour if basis else None
                is_open = template.capacity_type in open_as and (is_whole or self._is_open(size, template))
                offerings.append(Offering(template.requirements, price, is_open, basis=basis, rank=template.rank))
        return tuple(offerings)

    def _is_sold(self, size: Size, capacity_type: str) -> bool:
        """Tell whether the quota has vCPUs left: that of the size's family, or for spot that of spot."""
        if capacity_type == SPOT:
            return size.spot and self.observed.left(SPOT_QUOTA) != 0
        left = self.observed.left(size.family)
        return left is None or left >= size.vcpus

    def _is_open(self, size: Size, template: OfferingTemplate) -> bool:
        if self.zones and template.zone not in self.zones:
            return False
        return not any(b.covers(size, template.zone, template.capacity_type) for b in self.observed.blocked)


@lru_cache(maxsize=4096)
def where_sold(region: str, open_on: tuple[Requirements, ...]) -> tuple[Requirement, ...]:
    """Return the region, and the zones, scopes and capacity types of all open offerings together. Priorities are both for every
    size, sold as spot or not: offerings alone tell (Z-34)."""
    united = (is_in(key, *sorted({value for r in open_on for value in r[key].values})) for key in OFFERING_LABELS)
    priorities = tuple(is_in(key, *sorted(_PRIORITIES.values())) for key in (PRIORITY, SCALE_SET_PRIORITY))
    return (is_in(labels.REGION, region), *(r for r in united if r.key not in (PRIORITY, SCALE_SET_PRIORITY)), *priorities)
