"""The zones that a NodeClass can use, and the source of that knowledge (spec: AWS 1.1, 1.3 notes)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from cutlist.catalog.regions import RegionCatalog
from cutlist.core.errors import Place, Problems, nearest
from cutlist.settings.planning import ZONES

if TYPE_CHECKING:
    from cutlist.api.autonodeclass import AutoNodeClass
    from cutlist.api.ec2nodeclass import EC2NodeClass
    from cutlist.api.ec2nodeclass_status import Subnet


class ZoneSource(StrEnum):
    """Where the usable zones come from."""

    SUBNETS = "subnets"  # status.subnets of the NodeClass: what Karpenter itself uses
    GIVEN = "given"  # named by the caller
    REGION = "region"  # a subnet is assumed in every zone of the region


@dataclass(frozen=True, slots=True)
class UsableZones:
    """Zones with a subnet: pairs of name and id ("" when unknown), and for each subnet id its zone's name."""

    zones: tuple[tuple[str, str], ...]
    source: ZoneSource
    subnets: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the zones' names."""
        return tuple(name for name, _ in self.zones)

    @property
    def ids(self) -> Mapping[str, str]:
        """Return the zones' ids by name."""
        return MappingProxyType(dict(self.zones))


def usable_zones(
    node_class: EC2NodeClass | AutoNodeClass, catalog: RegionCatalog, zones: Sequence[str] | None = None
) -> UsableZones:
    """Return the zones of the NodeClass' resolved subnets; without these the given `zones`; without those all zones of the
    region.

    Raises InputError for a given zone that the region does not have.
    """
    subnets = node_class.status.subnets
    if subnets:
        return UsableZones(_of_subnets(subnets), ZoneSource.SUBNETS, tuple((s.id, s.zone) for s in subnets))
    if zones:
        _check(zones, catalog)
        return UsableZones(tuple((name, catalog.zone_id(name)) for name in sorted(set(zones))), ZoneSource.GIVEN)
    return UsableZones(tuple((zone.name, zone.zone_id) for zone in catalog.zones), ZoneSource.REGION)


def as_seen_by(catalog: RegionCatalog, usable: UsableZones) -> RegionCatalog:
    """Return the catalogue with zones under the names that these subnets' account uses."""
    return _renamed(catalog, usable.zones) if usable.source is ZoneSource.SUBNETS else catalog


@lru_cache(maxsize=64)
def _renamed(catalog: RegionCatalog, zones: tuple[tuple[str, str], ...]) -> RegionCatalog:
    return catalog.with_zone_names({zone_id: name for name, zone_id in zones if zone_id})


def _of_subnets(subnets: Iterable[Subnet]) -> tuple[tuple[str, str], ...]:
    """Return the zones by grouping subnets by zone id, those without one as a group too; a group gets the zone of its first
    subnet."""
    first: dict[str, str] = {}
    for subnet in subnets:
        first.setdefault(subnet.zone_id or "", subnet.zone)
    return tuple(sorted((name, zone_id) for zone_id, name in first.items()))


def _check(zones: Iterable[str], catalog: RegionCatalog) -> None:
    known = [zone.name for zone in catalog.zones]
    problems = Problems()
    for name in zones:
        if name not in known:
            message = f"zone {name!r} is not in {catalog.region}"
            problems.add(Place.of(ZONES), message, allowed=", ".join(known), nearest=nearest(name, known))
    problems.raise_if_any()
