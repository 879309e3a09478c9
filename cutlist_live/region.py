"""A region as an account sees it, and its catalogue file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cutlist.catalog.format import Source, write_table
from cutlist.catalog.machines import Machine
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import COLUMNS, WITH_WINDOWS, RegionCatalog, Zone
from cutlist.core.errors import Place, Problem, Problems
from cutlist_live.account import Account
from cutlist_live.errors import DeniedError, RegionError
from cutlist_live.machines import machine
from cutlist_live.price_lists import TITLE, currency_of, price_list
from cutlist_live.prices import SPOT_PRODUCTS, on_demand_prices, spot_prices
from cutlist_live.store import RowSources, figure

_ON_DEMAND, _METAL, _SPOT = "L", "LD", "LS"  # codes of sources


@dataclass(frozen=True, slots=True)
class LiveRegion:
    """The API's facts about a region. Prices are per hour in `currency`, by type, and for spot by type and zone name.

    `metal` has prices of dedicated tenancy.
    """

    region: str
    date: str
    currency: str
    zones: tuple[Zone, ...]
    machines: Mapping[str, Machine]
    offered: Mapping[str, tuple[str, ...]]
    on_demand: Mapping[str, float]
    metal: Mapping[str, float]
    spot: Mapping[str, Mapping[str, float]]

    @property
    def is_priced(self) -> bool:
        """Tell whether the price list counts: Karpenter uses it only when it has both ordinary and metal types."""
        return bool(self.on_demand and self.metal)


def machine_source(date: str) -> tuple[str, Source]:
    """Return code and source of machines that were read on a day."""
    return f"L{date.replace('-', '')}", Source(date, f"{TITLE}: EC2 DescribeInstanceTypes")


def read_region(account: Account, region: str, now: datetime, tables: Mapping[str, Machine]) -> LiveRegion:
    """Read everything about a region. `tables` has the data compiled into Karpenter (see `cutlist_live.machines`).

    Raises AccountError or RegionError; InputError naming every permission that is missing.
    """
    ask = RegionReader()
    zones = ask(lambda: account.ec2(region, "describe_availability_zones", "AvailabilityZones"))
    records = ask(lambda: account.ec2(region, "describe_instance_types", "InstanceTypes", PaginationConfig={"PageSize": 100}))
    offerings = ask(
        lambda: account.ec2(
            region, "describe_instance_type_offerings", "InstanceTypeOfferings", LocationType="availability-zone"
        )
    )
    history = ask(
        lambda: account.ec2(
            region,
            "describe_spot_price_history",
            "SpotPriceHistory",
            ProductDescriptions=list(SPOT_PRODUCTS),
            StartTime=now,
        )
    )
    shared, metal = price_list(account, region, ask)
    ask.problems.raise_if_any()
    if not records or not offerings:
        what = "instance types" if not records else "offerings"
        raise RegionError(Problem(Place(region), f"the API returned no {what} for this region"))
    date = now.date().isoformat()
    currency = currency_of(region)
    code, _ = machine_source(date)
    return LiveRegion(
        region=region,
        date=date,
        currency=currency,
        zones=tuple(sorted((Zone(z["ZoneName"], z["ZoneId"]) for z in zones), key=lambda z: z.name)),
        machines={record["InstanceType"]: machine(record, tables, code) for record in records},
        offered=_by_type(offerings),
        on_demand=on_demand_prices(shared, currency),
        metal=on_demand_prices(metal, currency),
        spot=spot_prices(history),
    )


class RegionReader:
    """Makes calls and continues after a denied one, so that all missing permissions are reported together."""

    def __init__(self) -> None:
        self.problems = Problems()

    def __call__(self, call: Callable[[], list[Any]]) -> list[Any]:
        """Return the answer of a call, or an empty list if it is denied."""
        try:
            return call()
        except DeniedError as error:
            self.problems.extend([error.problem] if error.problem not in self.problems.found else [])
            return []


def _by_type(offerings: list[Any]) -> dict[str, tuple[str, ...]]:
    zones: dict[str, set[str]] = {}
    for offering in offerings:
        zones.setdefault(offering["InstanceType"], set()).add(offering["Location"])
    return {name: tuple(sorted(where)) for name, where in zones.items()}


@dataclass(frozen=True, slots=True)
class RegionFile:
    """The text of a region's catalogue file, and its contents: counts of types, prices and figures kept from before."""

    text: str
    types: int
    on_demand: int
    spot: int
    kept: int
    beyond_tables: int


def region_file(live: LiveRegion, before: RegionCatalog | None) -> RegionFile:
    """Return the catalogue file of a region that was read.

    A type without a price in the list keeps the one of `before`, with its source; so does Windows, which is not asked for here.
    """
    writer = _Writer(live, before)
    rows = [writer.row(name) for name in sorted(live.offered) if name in live.machines and writer.zones(name)]
    header = {
        "vendor": "aws",
        "content": "region",
        "region": live.region,
        "currency": live.currency,
        "zones": " ".join(f"{zone.name}={zone.zone_id}" for zone in live.zones),
        "offerings": f"{TITLE}: EC2 DescribeInstanceTypeOfferings of {live.date}; zone names as the asking account sees them",
    }
    columns = WITH_WINDOWS if writer.windows else COLUMNS
    text = write_table(header, writer.sources.known, columns, [row[: len(columns)] for row in rows])
    sold = [row[0] for row in rows]
    return RegionFile(
        text,
        types=len(rows),
        on_demand=sum(1 for row in rows if row[2]),
        spot=sum(row[8].count("=") for row in rows),
        kept=sum(1 for row in rows if row[2] and row[3] not in (_ON_DEMAND, _METAL)),
        beyond_tables=sum(1 for name in sold if live.machines[name].network_mbps is None and not live.machines[name].limits),
    )


class _Writer:
    """Makes rows, and collects the sources that they name."""

    def __init__(self, live: LiveRegion, before: RegionCatalog | None) -> None:
        self._live = live
        self._before = before.on_demand if before and before.currency == live.currency else {}
        self.windows = before.windows if before and before.currency == live.currency else {}
        self._ids = {zone.name: zone.zone_id for zone in live.zones}
        self.sources = RowSources(live.date)

    def zones(self, name: str) -> list[str]:
        """Return the ids of the zones that sell a type, except zones that are not open to the account."""
        return sorted(self._ids[zone] for zone in self._live.offered[name] if zone in self._ids)

    def row(self, name: str) -> tuple[str, ...]:
        """Return a type's line."""
        price, code = self._on_demand(name)
        spot = {self._ids[zone]: p for zone, p in self._live.spot.get(name, {}).items() if zone in self._ids}
        spot_cell = "+".join(f"{zone}={figure(p)}" for zone, p in sorted(spot.items()))
        spot_code = self.sources.read(_SPOT, f"{TITLE}: EC2 spot price history") if spot else ""
        windows = self._kept(self.windows.get(name))
        return (name, "+".join(self.zones(name)), price, code, "", "", "", "", spot_cell, spot_code, *windows)

    def _on_demand(self, name: str) -> tuple[str, str]:
        live = self._live
        if live.is_priced and name in live.metal:
            text = f"{TITLE}: price list, dedicated tenancy (what Karpenter asks for metal types)"
            return figure(live.metal[name]), self.sources.read(_METAL, text)
        if live.is_priced and name in live.on_demand:
            return figure(live.on_demand[name]), self.sources.read(_ON_DEMAND, f"{TITLE}: price list")
        return self._kept(self._before.get(name))

    def _kept(self, kept: Price | None) -> tuple[str, str]:
        return (figure(kept.usd_per_hour), self.sources.kept(kept)) if kept else ("", "")
