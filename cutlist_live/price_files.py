"""List prices that were read, of machines and services, and how they are written to a catalogue's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cutlist.catalog import Price
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.format import write_table
from cutlist.catalog.regions import COLUMNS, WITH_WINDOWS, Region
from cutlist.core.errors import Place, Problem
from cutlist.core.wording import counted
from cutlist.settings.catalog import PRICES
from cutlist_live.errors import RegionError
from cutlist_live.store import M, RowSources, ServiceRow, Store, figure, write_services


@dataclass(frozen=True, slots=True)
class LivePrices:
    """What a price list says of a region: USD per hour by type, and the source's words; services as rows.

    `windows` are prices on demand of machines with Windows, the licence included.
    """

    region: str
    date: str
    on_demand: Mapping[str, tuple[float, str]]
    spot: Mapping[str, tuple[float, str]]
    services: Sequence[ServiceRow]
    missing: tuple[str, ...] = ()
    windows: Mapping[str, tuple[float, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UpdatedPrices:
    """A region whose prices were written, and where."""

    live: LivePrices
    priced: int
    kept: int
    path: Path
    services: Path
    windows: int = 0

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
        if live.missing:
            lines.append(f"  not in the price list: {', '.join(live.missing)}")
        return "".join(f"{line}\n" for line in lines)


def write_prices(store: Store[M], folder: CatalogFolder, region: str, read: Callable[[], LivePrices]) -> UpdatedPrices:
    """Write the prices of a region that the catalogue knows. What the list lacks keeps its price, source and date."""
    before = store.before(region)
    if before is None:
        raise RegionError(
            Problem(Place(region), f"the catalogue does not know this region; update it without {PRICES.flag} first")
        )
    live = read()
    if not live.on_demand and not live.services:
        raise RegionError(Problem(Place(region), "the price list has no price for this region; nothing is written"))
    sources = RowSources(live.date)
    rows = [_row(name, before, live, sources) for name in sorted(before.offered or before.machines)]
    columns = WITH_WINDOWS if live.windows or before.windows else COLUMNS
    text = write_table(_header(before, live), sources.known, columns, [row[: len(columns)] for row in rows])
    path = store.write(region, text, {row[0]: before.machines[row[0]] for row in rows}, store.machine_sources(region))
    services = write_services(folder, live.services, region, live.date)
    priced = sum(1 for row in rows if row[0] in live.on_demand)
    kept = sum(1 for row in rows if row[2]) - priced
    return UpdatedPrices(live, priced, kept, path, services, sum(1 for row in rows if row[0] in live.windows))


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
    zones = before.offered.get(name, ())
    price, code = _cell(live.on_demand.get(name), before.on_demand_price(name), sources, "L")
    spot = {ids[zone]: known for zone, known in (before.spot or {}).get(name, {}).items()}
    first = next(iter(spot.values()), None)
    spot_price, spot_code = _cell(live.spot.get(name), first, sources, "S")
    differ = name not in live.spot and len({known.usd_per_hour for known in spot.values()}) > 1
    spot_cell = "+".join(f"{zone}={figure(p.usd_per_hour)}" for zone, p in sorted(spot.items())) if differ else spot_price
    windows = _cell(live.windows.get(name), before.windows.get(name), sources, "W")
    return (name, "+".join(sorted(ids[zone] for zone in zones)), price, code, "", "", "", "", spot_cell, spot_code, *windows)


def _cell(live: tuple[float, str] | None, kept: Price | None, sources: RowSources, prefix: str) -> tuple[str, str]:
    """Return a price and the code of its source: today's, else the one that is known."""
    if live is not None:
        usd, words = live
        return figure(usd), sources.read(prefix if "dedicated" not in words else f"{prefix}D", words)
    return (figure(kept.usd_per_hour), sources.kept(kept)) if kept is not None else ("", "")
