"""List prices that were read, of machines and services, and how they are written to a catalogue's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.format import write_table
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import COLUMNS, NEWEST_SAVING, WITH_WINDOWS, Region
from cutlist.core.errors import InputError, Place, Problem
from cutlist.core.wording import counted
from cutlist.settings.catalog import PRICES
from cutlist_live.errors import RegionError
from cutlist_live.store import M, RowSources, ServiceRow, Store, figure, write_services


@dataclass(frozen=True, slots=True)
class Saving:
    """By how many percent spot is below the price on demand, and the class of interruptions, from 0 for the fewest."""

    percent: float
    interruptions: str


@dataclass(frozen=True, slots=True)
class PublicSpot:
    """What public files say of spot: USD per hour by type and id of a zone, None if that was not read, and savings by type, as
    the Spot Advisor has them.

    `listed` are the list prices, by type, that savings count from where these are not the prices that Karpenter ranks by.
    """

    zones: Mapping[str, Mapping[str, float]] | None = None
    savings: Mapping[str, Saving] = field(default_factory=dict)
    listed: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LivePrices:
    """What a price list says of a region: USD per hour by type, and the source's words; services as rows.

    `windows` are prices on demand of machines with Windows, the licence included. `public_spot` is what else is known of spot.
    `open` says what could not be read, so that prices known before stay.
    """

    region: str
    date: str
    on_demand: Mapping[str, tuple[float, str]]
    spot: Mapping[str, tuple[float, str]]
    services: Sequence[ServiceRow]
    missing: tuple[str, ...] = ()
    windows: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    public_spot: PublicSpot = field(default_factory=PublicSpot)
    open: tuple[Problem, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was found that would be written."""
        return not (self.on_demand or self.services or self.public_spot.zones or self.public_spot.savings)


@dataclass(frozen=True, slots=True)
class UpdatedPrices:
    """A region whose prices were written, and where."""

    live: LivePrices
    priced: int
    kept: int
    path: Path
    services: Path
    windows: int = 0
    without_record: int = 0

    @property
    def open(self) -> tuple[Problem, ...]:
        """Return what could not be read; what was known of it stays."""
        return self.live.open

    @property
    def summary(self) -> str:
        """Return what was read and what was missing, in lines for people."""
        live = self.live
        lines = [
            f"{live.region}: {counted(self.priced, 'on-demand price')} from the price list, {self.kept} kept as known before; "
            f"written to {self.path}",
            *([f"  {counted(self.windows, 'price')} of machines with Windows, the licence included"] if self.windows else []),
            f"  {counted(len(live.services), 'price')} of services and disks written to {self.services}",
        ]
        spot = live.public_spot
        if spot.zones or spot.savings:
            by_zone, savings = counted(len(spot.zones or ()), "type"), counted(len(spot.savings), "type")
            lines.append(f"  spot: prices by zone of {by_zone}, savings of {savings}")
        if self.without_record:
            what, is_one = counted(self.without_record, "type"), self.without_record == 1
            left = (
                "has no record of its hardware here, and was" if is_one else "have no record of their hardware here, and were"
            )
            lines.append(f"  {what} of the price list {left} left out")
        if live.missing:
            lines.append(f"  not in the price list: {', '.join(live.missing)}")
        return "".join(f"{line}\n" for line in lines)


def write_prices(store: Store[M], folder: CatalogFolder, region: str, read: Callable[[Region[M]], LivePrices]) -> UpdatedPrices:
    """Write the prices of a region that the catalogue knows. What the list lacks keeps its price, source and date.

    Raises InputError with all that could not be read if nothing was, RegionError if there is nothing to read.
    """
    before = store.before(region)
    if before is None:
        raise RegionError(
            Problem(Place(region), f"the catalogue does not know this region; update it without {PRICES.flag} first")
        )
    live = read(before)
    if live.is_empty and live.open:
        raise InputError(live.open)
    if live.is_empty:
        raise RegionError(Problem(Place(region), "the price list has no price for this region; nothing is written"))
    sources = RowSources(live.date)
    rows = [_row(name, before, live, sources) for name in sorted(before.offered or before.machines)]
    columns = WITH_WINDOWS if live.windows or before.windows else COLUMNS
    text = write_table(_header(before, live), sources.known, columns, [row[: len(columns)] for row in rows])
    path = store.write(region, text, {row[0]: before.machines[row[0]] for row in rows}, store.machine_sources(region))
    services = write_services(folder, live.services, region, live.date)
    priced = sum(1 for row in rows if row[0] in live.on_demand)
    kept = sum(1 for row in rows if row[2]) - priced
    windows = sum(1 for row in rows if row[0] in live.windows)
    without_record = len(live.on_demand.keys() - before.machines.keys())
    return UpdatedPrices(live, priced, kept, path, services, windows, without_record)


def _header(before: Region[Any], live: LivePrices) -> dict[str, str]:
    return {
        "vendor": before.vendor,
        "content": "region",
        "region": live.region,
        "currency": before.currency,
        "zones": " ".join(f"{zone.name}={zone.zone_id}" for zone in before.zones),
        "offerings": f"as known before {live.date}, when the prices were read" if before.offerings_known else "unknown",
        **({"remark": before.remarks[0]} if before.remarks else {}),
    }


def _row(name: str, before: Region[Any], live: LivePrices, sources: RowSources) -> tuple[str, ...]:
    ids = {zone.name: zone.zone_id for zone in before.zones}
    zones = "+".join(sorted(ids[zone] for zone in before.offered.get(name, ())))
    price = _cell(live.on_demand.get(name), before.on_demand_price(name), sources, "L")
    windows = _cell(live.windows.get(name), before.windows.get(name), sources, "W")
    return (name, zones, *price, *_spot_cells(name, before, live, sources), *windows)


def _spot_cells(name: str, before: Region[Any], live: LivePrices, sources: RowSources) -> tuple[str, ...]:
    """Return the cells on spot, from `list_price` on: today's prices by zone, today's saving, else what is known."""
    of = live.public_spot
    by_zone = {} if of.zones is None else of.zones.get(name, {})
    saving = of.savings.get(name)
    cells = ("", "", "", "")
    if saving is not None:
        listed = figure(of.listed[name]) if name in of.listed else ""
        code = sources.read(NEWEST_SAVING, "estimate: on-demand price less the Spot Advisor saving")
        cells = (listed, f"{saving.percent:g}", code, saving.interruptions)
    if by_zone:
        return (*cells, _by_zone(by_zone), sources.read("S", "AWS spot prices by zone in SkyPilot's catalogue"))
    ids = {zone.name: zone.zone_id for zone in before.zones}
    kept = {ids[zone]: known for zone, known in (before.spot or {}).get(name, {}).items()}
    if saving is not None:
        kept = {zone: known for zone, known in kept.items() if of.zones is None and not known.estimated}
    price, code = _cell(live.spot.get(name), next(iter(kept.values()), None), sources, "S")
    amounts = {zone: known.usd_per_hour for zone, known in kept.items()}
    differ = name not in live.spot and len(set(amounts.values())) > 1
    return (*cells, _by_zone(amounts) if differ else price, code)


def _by_zone(amounts: Mapping[str, float]) -> str:
    return "+".join(f"{zone}={figure(amount)}" for zone, amount in sorted(amounts.items()))


def _cell(live: tuple[float, str] | None, kept: Price | None, sources: RowSources, prefix: str) -> tuple[str, str]:
    """Return a price and the code of its source: today's, else the one that is known."""
    if live is not None:
        usd, words = live
        return figure(usd), sources.read(prefix if "dedicated" not in words else f"{prefix}D", words)
    return (figure(kept.usd_per_hour), sources.kept(kept)) if kept is not None else ("", "")
