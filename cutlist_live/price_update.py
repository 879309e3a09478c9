"""`cutlist catalog update --prices`: today's list prices of machines and services, whatever an account may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from cutlist.catalog import Price, locations
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.format import write_table
from cutlist.catalog.regions import COLUMNS, Region
from cutlist.core.errors import InputError, Place, Problem, nearest
from cutlist.report.plain import counted
from cutlist_live.account import Account
from cutlist_live.azure_location import TITLE as AZURE_TITLE
from cutlist_live.azure_prices import AZURE_ITEMS, MACHINES, retail_prices, service_rows
from cutlist_live.azure_sizes import Record
from cutlist_live.errors import RegionError
from cutlist_live.prices import has_price_list, on_demand_prices
from cutlist_live.region import TITLE, RegionReader, price_list
from cutlist_live.service_items import AWS_ITEMS, item_prices, questions
from cutlist_live.store import EC2_TYPES, VM_SIZES, M, RowSources, ServiceRow, Store, figure, write_services
from cutlist_live.update import UpdateResult, in_turn


class RetailAnswers(Protocol):
    """Azure's retail price list, from any source. Each raises AccountError or RegionError."""

    def prices(self, location: str) -> list[Record]:
        """Return rows about machines, including other locations and perhaps other things."""

    def service_prices(self, location: str) -> list[Record]:
        """Return rows about disks, gateways and other services."""


@dataclass(frozen=True, slots=True)
class LivePrices:
    """What a price list says of a region: USD per hour by type, and the source's words; services as rows."""

    region: str
    date: str
    on_demand: Mapping[str, tuple[float, str]]
    spot: Mapping[str, tuple[float, str]]
    services: Sequence[ServiceRow]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UpdatedPrices:
    """A region whose prices were written, and where."""

    live: LivePrices
    priced: int
    kept: int
    path: Path
    services: Path

    @property
    def summary(self) -> str:
        """Return what was read and what was missing, in lines for people."""
        live = self.live
        lines = [
            f"{live.region}: {counted(self.priced, 'on-demand price')} from the price list, {self.kept} kept as known before; "
            f"written to {self.path}",
            f"  {counted(len(live.services), 'price')} of services and disks written to {self.services}",
        ]
        if live.missing:
            lines.append(f"  not in the price list: {', '.join(live.missing)}")
        return "".join(f"{line}\n" for line in lines)


def update_prices(
    account: Account, regions: Sequence[str], folder: CatalogFolder, now: datetime
) -> UpdateResult[UpdatedPrices]:
    """Write today's list prices of each region of AWS. Raises InputError at once for an unknown region or a damaged folder."""
    store = Store(folder, EC2_TYPES)

    def one(region: str) -> UpdatedPrices:
        return _write(store, folder, region, lambda: _aws_prices(account, region, now))

    return in_turn(regions, account.check_region, one)


def update_location_prices(
    answers: RetailAnswers, names: Sequence[str], folder: CatalogFolder, now: datetime
) -> UpdateResult[UpdatedPrices]:
    """Write today's retail prices of each location of Azure, which need no sign-in."""
    store = Store(folder, VM_SIZES)

    def check(location: str) -> None:
        if location not in locations():
            text = f"location {location!r} is not known"
            raise InputError.one(Place(path="--region"), text, nearest=nearest(location, locations()))

    return in_turn(
        names, check, lambda location: _write(store, folder, location, lambda: _azure_prices(answers, location, now))
    )


def _aws_prices(account: Account, region: str, now: datetime) -> LivePrices:
    if not has_price_list(region):
        raise RegionError(Problem(Place(region), "accounts of GovCloud reach no price list"))
    ask, date = RegionReader(), now.date().isoformat()
    currency = "CNY" if region.startswith("cn-") else "USD"
    shared, metal = price_list(account, region, ask)
    services: dict[str, float] = {}
    for (service, narrow), items in questions().items() if currency == "USD" else ():
        services |= item_prices(ask(partial(account.service_products, region, service, narrow)), items)
    ask.problems.raise_if_any()
    prices = {name: (usd, f"{TITLE}: price list") for name, usd in on_demand_prices(shared, currency).items()}
    dedicated = f"{TITLE}: price list, dedicated tenancy (what Karpenter asks for metal types)"
    prices |= {name: (usd, dedicated) for name, usd in on_demand_prices(metal, currency).items()}
    listed = [item for item in AWS_ITEMS if item.name in services]
    rows = [ServiceRow(i.name, region, services[i.name], i.per, f"{TITLE}: price list {i.service}") for i in listed]
    missing = tuple(item.name for item in AWS_ITEMS if item not in listed)
    return LivePrices(region, date, prices, {}, rows, missing)


def _azure_prices(answers: RetailAnswers, location: str, now: datetime) -> LivePrices:
    rows = [*answers.prices(location), *answers.service_prices(location)]
    machines = (row for row in rows if row.get("serviceName", MACHINES) == MACHINES)
    on_demand, spot = retail_prices(machines, location)
    found = service_rows(rows, location)
    words = f"{AZURE_TITLE}: retail prices"
    services = [ServiceRow(item, location, usd, per, words) for item, (usd, per) in sorted(found.items())]
    return LivePrices(
        location,
        now.date().isoformat(),
        {name: (usd, words) for name, usd in on_demand.items()},
        {name: (usd, f"{words} of spot") for name, usd in spot.items()},
        services,
        tuple(item.name for item in AZURE_ITEMS if item.name not in found),
    )


def _write(store: Store[M], folder: CatalogFolder, region: str, read: Callable[[], LivePrices]) -> UpdatedPrices:
    before = store.before(region)
    if before is None:
        raise RegionError(Problem(Place(region), "the catalogue does not know this region; update it without --prices first"))
    live = read()
    if not live.on_demand and not live.services:
        raise RegionError(Problem(Place(region), "the price list names no price for this region; nothing is written"))
    sources = RowSources(live.date)
    rows = [_row(name, before, live, sources) for name in sorted(before.offered or before.machines)]
    text = write_table(_header(before, live), sources.known, COLUMNS, rows)
    path = store.write(region, text, {row[0]: before.machines[row[0]] for row in rows}, store.machine_sources(region))
    services = write_services(folder, live.services, region, live.date)
    priced = sum(1 for row in rows if row[0] in live.on_demand)
    return UpdatedPrices(live, priced, sum(1 for row in rows if row[2]) - priced, path, services)


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
    one, spot_code = _cell(live.spot.get(name), first, sources, "S")
    differ = name not in live.spot and len({known.usd_per_hour for known in spot.values()}) > 1
    spot_cell = "+".join(f"{zone}={figure(p.usd_per_hour)}" for zone, p in sorted(spot.items())) if differ else one
    return (name, "+".join(sorted(ids[zone] for zone in zones)), price, code, "", "", "", "", spot_cell, spot_code)


def _cell(live: tuple[float, str] | None, kept: Price | None, sources: RowSources, prefix: str) -> tuple[str, str]:
    """Return a price and the code of its source: today's, else the one that is known."""
    if live is not None:
        usd, words = live
        return figure(usd), sources.read(prefix if "dedicated" not in words else f"{prefix}D", words)
    return (figure(kept.usd_per_hour), sources.kept(kept)) if kept is not None else ("", "")
