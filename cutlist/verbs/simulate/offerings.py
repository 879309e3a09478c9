"""Tables on spot interruptions and on capacity that runs out, read from files and checked against what a region sells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from cutlist.catalog.regions import AnyRegion
from cutlist.core.errors import Place, Problems, nearest
from cutlist.simulation.failures import InterruptionRates, read_interruption_rates
from cutlist.simulation.shortages import ANY, CapacityShortages, of_all, read_shortages

_SHOWN: Final = 3
"""Number of rows without effect that a note names."""


@dataclass(frozen=True, slots=True)
class OfferingTables:
    """How often spot instances are interrupted, and what the cloud lacks at times. `notes` name rows without effect."""

    interruptions: InterruptionRates
    shortages: CapacityShortages
    notes: tuple[str, ...]


def read_offering_tables(
    catalog: AnyRegion, interruptions: Sequence[str], shortages: Sequence[str], problems: Problems
) -> OfferingTables:
    """Return the tables of some files.

    A file of which no row is about anything that the region sells is an absence, and gets into `problems` with all mistakes.
    """
    rates = [read_interruption_rates(path, catalog.region, problems) for path in interruptions]
    shares = [read_shortages(path, problems) for path in shortages]
    rows = [*(of_file.monthly.keys() | {(name, ANY) for name in of_file.windows} for of_file in rates)]
    rows += [{(name, zone) for name, zone, _ in of_file.shares} for of_file in shares]
    notes = []
    for path, of_file in zip((*interruptions, *shortages), rows, strict=True):
        unsold = sorted(row for row in of_file if not _is_sold(catalog, *row))
        if unsold and len(unsold) == len(of_file):
            text = f"{catalog.region} sells nothing that this file names, such as {_named(*unsold[0])}"
            problems.add_absence(Place(path), text, f"instance types and zones of the region, or {ANY} for any")
        elif unsold:
            notes.append(_note(catalog, path, unsold))
    return OfferingTables(reduce(InterruptionRates.merged, rates, InterruptionRates()), of_all(shares), tuple(notes))


def _is_sold(catalog: AnyRegion, instance_type: str, zone: str) -> bool:
    """Tell whether the region sells a type in a zone; either may be `*`."""
    if instance_type != ANY:
        return zone in (ANY, *catalog.offered.get(instance_type, ())) and instance_type in catalog.machines
    return zone == ANY or any(zone == known.name for known in catalog.zones)


def _note(catalog: AnyRegion, path: str, unsold: Sequence[tuple[str, str]]) -> str:
    """Return a note that names some rows without effect, and what might be meant."""
    of = "1 entry has" if len(unsold) == 1 else f"{len(unsold):,} entries have"
    named = [f"{_named(*row)}{_instead(catalog, *row)}" for row in unsold[:_SHOWN]]
    more = [f"{len(unsold) - _SHOWN:,} more"] if len(unsold) > _SHOWN else []
    return f"{of} no effect in {path}; not offered in {catalog.region}: {', '.join((*named, *more))}"


def _instead(catalog: AnyRegion, instance_type: str, zone: str) -> str:
    """Return in brackets which zones there are, or which type has a similar name, or an empty text."""
    zones = [known.name for known in catalog.zones]
    if zone not in (ANY, *zones):
        return f" (zones: {', '.join(zones)})"
    if instance_type not in catalog.machines and (near := nearest(instance_type, catalog.machines)):
        return f" (did you mean {near}?)"
    return ""


def _named(instance_type: str, zone: str) -> str:
    return instance_type if zone == ANY else f"anything in {zone}" if instance_type == ANY else f"{instance_type} in {zone}"
