"""Tables on spot interruptions and on capacity that runs out, read from files and checked against what a region sells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce

from cutlist.catalog import AnyRegion
from cutlist.core.errors import Place, Problems
from cutlist.core.values import dataclass
from cutlist.simulation.failures import InterruptionRates, read_interruption_rates
from cutlist.simulation.shortages import ANY, CapacityShortages, of_all, read_shortages


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
        unsold = sorted(_named(*row) for row in of_file if not _is_sold(catalog, *row))
        if unsold and len(unsold) == len(of_file):
            text = f"{catalog.region} sells nothing that this file names, such as {unsold[0]}"
            problems.add_absence(Place(path), text, f"instance types and zones of the region, or {ANY} for any")
        elif unsold:
            notes.append(_note(catalog.region, path, unsold))
    return OfferingTables(reduce(InterruptionRates.merged, rates, InterruptionRates()), of_all(shares), tuple(notes))


def _is_sold(catalog: AnyRegion, instance_type: str, zone: str) -> bool:
    """Tell whether the region sells a type in a zone; either may be `*`."""
    if instance_type != ANY:
        return zone in (ANY, *catalog.offered.get(instance_type, ())) and instance_type in catalog.machines
    return zone == ANY or any(zone == known.name for known in catalog.zones)


def _note(region: str, path: str, unsold: Collection[str]) -> str:
    first = next(iter(unsold))
    of = "1 entry has" if len(unsold) == 1 else f"{len(unsold):,} entries have"
    return f"{of} no effect in {path}: {region} does not sell {first}"


def _named(instance_type: str, zone: str) -> str:
    return instance_type if zone == ANY else f"anything in {zone}" if instance_type == ANY else f"{instance_type} in {zone}"
