"""A location as a subscription sees it: its catalogue file, and its quotas as a document for plans."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol

import yaml

from cutlist.catalog.format import Source, write_table
from cutlist.catalog.regions import AZURE_VENDOR, COLUMNS, LocationCatalog
from cutlist.catalog.sizes import Size
from cutlist.core.errors import InputError, Place, Problem
from cutlist.planning.azure.figures import ALL_QUOTA
from cutlist.providers.azure.observed import SPOT_QUOTA
from cutlist.providers.azure.offerings import NO_ZONE
from cutlist_live.azure_prices import retail_prices
from cutlist_live.azure_sizes import Record, Sku, skus
from cutlist_live.errors import RegionError
from cutlist_live.store import RowSources, figure

TITLE: Final = "Azure API"
_ON_DEMAND, _SPOT = "L", "LS"  # codes of sources


class Answers(Protocol):
    """Azure's answers about a location, whatever their source. Each method raises AccountError or RegionError."""

    def skus(self, location: str) -> list[Record]:
        """Return records of the SKU service, including other locations."""

    def usage(self, location: str) -> list[Record]:
        """Return quotas and their usage."""

    def prices(self, location: str) -> list[Record]:
        """Return rows of the retail price list, including other locations."""


@dataclass(frozen=True, slots=True)
class LiveLocation:
    """Azure's facts about a location. Prices are USD per hour by size; `quotas` are the remaining vCPUs, by name."""

    location: str
    date: str
    skus: tuple[Sku, ...]
    on_demand: Mapping[str, float]
    spot: Mapping[str, float]
    quotas: Mapping[str, int]

    @property
    def open(self) -> tuple[Sku, ...]:
        """Return the sizes that the subscription may use."""
        return tuple(sku for sku in self.skus if sku.zones)

    @property
    def zones(self) -> dict[str, str]:
        """Return the names of the zones of all open sizes, by their numbers."""
        numbers = sorted({zone for sku in self.open for zone in sku.zones})
        return {number: number if number == NO_ZONE else f"{self.location}-{number}" for number in numbers}


def size_source(date: str) -> tuple[str, Source]:
    """Return code and source of sizes that were read on a day."""
    return f"L{date.replace('-', '')}", Source(date, f"{TITLE}: Microsoft.Compute/skus")


def read_location(answers: Answers, location: str, now: datetime) -> LiveLocation:
    """Read everything about a location. Raises RegionError if Azure knows no size there."""
    date = now.date().isoformat()
    code, _ = size_source(date)
    open_skus = skus(answers.skus(location), location, code)
    if not any(sku.zones for sku in open_skus):
        what = "no size there is open to the subscription" if open_skus else "Azure lists no VM size for this location"
        raise RegionError(Problem(Place(location), what))
    on_demand, spot = retail_prices(answers.prices(location), location)
    quotas = _left(answers.usage(location), {sku.size.family for sku in open_skus})
    return LiveLocation(location, date, tuple(open_skus), on_demand, spot, quotas)


def _left(usage: Iterable[Record], families: Iterable[str]) -> dict[str, int]:
    """Return the remaining vCPUs of the quotas of these families, of spot and of the location; quotas of other things are left
    out."""
    wanted = {name.lower() for name in (*families, SPOT_QUOTA, ALL_QUOTA)}
    left = {}
    for entry in usage:
        name: str = (entry.get("name") or {}).get("value") or ""
        if name.lower() in wanted:
            left[name] = max(0, int(entry["limit"]) - int(entry["currentValue"]))
    return left


@dataclass(frozen=True, slots=True)
class LocationFile:
    """The text of a location's catalogue file, and its contents: counts of sizes and prices, and prices from before."""

    text: str
    sizes: int
    on_demand: int
    spot: int
    kept: int


def location_file(live: LiveLocation, before: LocationCatalog | None) -> LocationFile:
    """Return the catalogue file of a location that was read.

    A size without a price in the list keeps the one of `before`, with its source.
    """
    sources = RowSources(live.date)
    known = before.on_demand if before is not None else {}
    rows, kept = [], 0
    for sku in live.open:
        name, price, code = sku.size.name, "", ""
        if name in live.on_demand:
            price, code = figure(live.on_demand[name]), sources.read(_ON_DEMAND, f"{TITLE}: retail prices")
        elif name in known:
            price, code = figure(known[name].usd_per_hour), sources.kept(known[name])
            kept += 1
        spot = figure(live.spot[name]) if name in live.spot else ""
        spot_code = sources.read(_SPOT, f"{TITLE}: retail prices of spot") if spot else ""
        rows.append((name, "+".join(sku.zones), price, code, "", "", "", "", spot, spot_code))
    header = {
        "vendor": AZURE_VENDOR,
        "content": "region",
        "region": live.location,
        "currency": "USD",
        "zones": " ".join(f"{name}={number}" for number, name in live.zones.items()),
        "offerings": f"{TITLE}: Microsoft.Compute/skus of {live.date}, as open to the asking subscription",
        "left out": f"{len(live.skus) - len(rows)} sizes that are not open to the subscription",
    }
    text = write_table(header, sources.known, COLUMNS, rows)
    return LocationFile(text, len(rows), sum(bool(r[2]) for r in rows), sum(bool(r[8]) for r in rows), kept)


def quota_document(live: LiveLocation) -> str:
    """Return the remaining vCPUs as a document of kind Figures, which plans read along with their other files."""
    document: dict[str, Any] = {
        "apiVersion": "cutlist/v1",
        "kind": "Figures",
        "aks": {"quotas": dict(sorted(live.quotas.items()))},
    }
    return f"# vCPUs that were left in {live.location} on {live.date}\n" + yaml.safe_dump(document, sort_keys=False)


def sizes_by_name(live: LiveLocation) -> dict[str, Size]:
    """Return the sizes that the subscription may use."""
    return {sku.size.name: sku.size for sku in live.open}


SKUS: Final = "skus.json"
USAGE: Final = "usage.json"
PRICES: Final = "prices.json"
_MADE_BY: Final = {
    SKUS: "az vm list-skus --location LOCATION --all -o json",
    USAGE: "az vm list-usage --location LOCATION -o json",
    PRICES: "the pages of https://prices.azure.com/api/retail/prices as a list, or one of them",
}


@dataclass(frozen=True, slots=True)
class SavedAnswers:
    """A folder with `skus.json`, `usage.json` and `prices.json`; the last two may be missing."""

    folder: Path

    def skus(self, location: str) -> list[Record]:  # noqa: ARG002 - who reads them picks those of the location
        """Return records of the SKU service. Raises InputError for a missing or unreadable file."""
        return self._read(SKUS)

    def usage(self, location: str) -> list[Record]:  # noqa: ARG002 - the file is of one location
        """Return quotas; none without the file."""
        return self._read(USAGE) if (self.folder / USAGE).exists() else []

    def prices(self, location: str) -> list[Record]:  # noqa: ARG002 - who reads them picks those of the location
        """Return rows of the price list; none without the file."""
        if not (self.folder / PRICES).exists():
            return []
        return [row for page in self._read(PRICES) for row in page.get("Items", [page])]

    def service_prices(self, location: str) -> list[Record]:  # noqa: ARG002 - `prices` has them all
        """Return no rows: those of machines come from the same file, services included."""
        return []

    def _read(self, name: str) -> list[Record]:
        path = self.folder / name
        try:
            content: Any = json.loads(path.read_text("utf-8"))
        except OSError as problem:
            text = f"the file cannot be read: {problem.strerror or problem}"
            raise InputError.one(Place(str(path)), text, f"what comes from: {_MADE_BY[name]}") from None
        except ValueError as problem:
            raise InputError.one(Place(str(path)), f"this is not JSON: {problem}", _MADE_BY[name]) from None
        rows = [content] if isinstance(content, dict) else content
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise InputError.one(Place(str(path)), "this is not a list of objects", _MADE_BY[name])
        return rows
