"""What is known about a location without an account: its zones, and the sizes sold there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cutlist.catalog import embedded
from cutlist.core.errors import nearest
from cutlist.infrastructure.aks.notes import AksNotes


@dataclass(frozen=True, slots=True)
class KnownLocation:
    """A location by name: zones as AKS names them, `1`, and names of sizes; None where the catalogue does not know it."""

    name: str
    zones: tuple[str, ...] | None = None
    sizes: Collection[str] | None = None


def known_location(name: str) -> KnownLocation:
    """Return what the catalogue has on a location."""
    if name not in embedded.locations():
        return KnownLocation(name)
    known = embedded.load_location(name)
    zones = tuple(zone.zone_id for zone in known.zones if zone.name != zone.zone_id)
    return KnownLocation(name, zones, known.machines)


def check_known(name: str, notes: AksNotes) -> None:
    """Warn of a location that the catalogue does not have: it may be new or misspelt."""
    known = embedded.locations()
    if name not in known:
        text = f"location {name!r} is not known; its zones are assumed to be 1, 2 and 3"
        notes.warn("cluster.location", text, nearest=nearest(name, known))
