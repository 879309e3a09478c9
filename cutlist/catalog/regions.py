"""What a region sells: zones, which machine is offered in which zone, and prices with their provenance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from cutlist.catalog.format import Source, Table
from cutlist.catalog.interruptions import monthly_part
from cutlist.catalog.machines import Machine
from cutlist.catalog.prices import Price
from cutlist.catalog.rows import Rows
from cutlist.catalog.services import ServicePrices, service_prices
from cutlist.catalog.sizes import Size
from cutlist.catalog.spot import SpotSource, spot_model
from cutlist.catalog.spreads import kept_spot_estimate, spot_estimate, with_range
from cutlist.core.errors import InputError, Place
from cutlist.core.labels import AWS, AZURE, LabelRegistry

if TYPE_CHECKING:
    from typing_extensions import TypeIs

M = TypeVar("M")

AWS_VENDOR: Final = "aws"
AZURE_VENDOR: Final = "azure"
COLUMNS: Final = (
    "type",
    "zones",
    "on_demand",
    "on_demand_source",
    "list_price",
    "spot_saving",
    "spot_saving_source",
    "interruption",
    "spot",
    "spot_source",
)
WITH_WINDOWS: Final = (*COLUMNS, "windows", "windows_source")
"""The columns of a file with on-demand prices of machines with Windows, licence included."""
NEWEST_SAVING: Final = "an"
"""The code of savings of the Spot Advisor that are newer than the model of spot prices."""
_NEEDED: Final = COLUMNS[:2]
_EVERY_ZONE: Final = "all"
_NO_PRICES: Final[Mapping[str, Price]] = MappingProxyType({})


def is_estimate(code: str) -> bool:
    """Tell whether a source's code marks its figures as estimates: such codes begin with a lower-case letter."""
    return code[:1].islower()


@dataclass(frozen=True, slots=True)
class Zone:
    """An availability zone: its name, which differs between accounts, and its id, which does not ("" when unknown)."""

    name: str
    zone_id: str


@dataclass(frozen=True, eq=False)  # slots do not work with a generic class that is called by its alias
class Region(Generic[M]):
    """Everything known about one region. Compared by identity.

    `offered` holds the names of the zones that sell a machine. `on_demand` holds a price per machine, `spot` one per machine
    and zone; missing ones are unknown. Where no spot prices are known at all, `spot` is None and the on-demand price replaces
    them, marked as an estimate. `offerings_known` is False where prices are the only evidence of what is sold: then `offered`
    is empty and nothing can be planned. `remarks` are sentences about the data for readers of a plan.
    `services` are the prices of the catalogue's own folder, which replace the embedded ones.
    `windows` holds on-demand list prices of machines with Windows, the licence included; a rule estimates missing ones.
    `interruptions` holds the part of all spot instances of a machine that is interrupted within a month, as far as it is known.
    """

    region: str
    zones: tuple[Zone, ...]
    machines: Mapping[str, M]
    offered: Mapping[str, tuple[str, ...]]
    on_demand: Mapping[str, Price]
    spot: Mapping[str, Mapping[str, Price]] | None
    offerings_known: bool = True
    currency: str = "USD"
    remarks: tuple[str, ...] = ()
    vendor: str = AWS_VENDOR
    services: ServicePrices | None = None
    windows: Mapping[str, Price] = field(default_factory=lambda: _NO_PRICES)
    interruptions: Mapping[str, float] = field(default_factory=dict)

    @property
    def registry(self) -> LabelRegistry:
        """Return the label keys that Karpenter's provider for this cloud registers."""
        return AZURE if self.vendor == AZURE_VENDOR else AWS

    def zone_id(self, zone: str) -> str:
        """Return the id of a zone by its name, or an empty string if the catalogue does not have it."""
        return next((z.zone_id for z in self.zones if z.name == zone), "")

    def on_demand_price(self, machine: str) -> Price | None:
        """Return the on-demand price per hour, or None if unknown."""
        return self.on_demand.get(machine)

    def spot_price(self, machine: str, zone: str) -> Price | None:
        """Return the spot price per hour in a zone, or None if unknown."""
        if self.spot is None:
            return _stand_in(self.on_demand.get(machine))
        return self.spot.get(machine, _NO_PRICES).get(zone)

    def service_price(self, item: str) -> Price | None:
        """Return the price per hour of a disk, a gateway or another service, or None if it is unknown. A price in another
        currency than the region's is of no use."""
        own = self.services.price(item, self.region) if self.services is not None else None
        known = own or service_prices(self.vendor).price(item, self.region)
        return known if known is None or known.currency == self.currency else None

    def with_zone_names(self, names: Mapping[str, str]) -> Region[M]:
        """Return the same region as another account sees it: `names` maps zone ids to that account's names.

        Zones that the account does not name keep their names, or get one that became free. Unknown ids change nothing.
        """
        if all(names.get(z.zone_id, z.name) == z.name for z in self.zones):
            return self
        renaming = _renaming(self.zones, {z.zone_id: names[z.zone_id] for z in self.zones if z.zone_id in names})
        return replace(
            self,
            zones=tuple(sorted((Zone(renaming[z.name], z.zone_id) for z in self.zones), key=lambda z: z.name)),
            offered={name: tuple(sorted(renaming[z] for z in zones)) for name, zones in self.offered.items()},
            spot=self.spot
            and {name: {renaming[z]: price for z, price in prices.items()} for name, prices in self.spot.items()},
        )


RegionCatalog: TypeAlias = Region[Machine]
"""A region of AWS."""
LocationCatalog: TypeAlias = Region[Size]
"""A location of Azure. Besides its zones it has the zone `0`, for machines without a zone (spec: azure 3.4)."""
AnyRegion: TypeAlias = RegionCatalog | LocationCatalog


def is_azure(catalog: AnyRegion) -> TypeIs[LocationCatalog]:
    """Tell whether a catalogue is of a location of Azure, so that its machines are sizes of Azure."""
    return catalog.vendor == AZURE_VENDOR


@lru_cache(maxsize=8192)
def _stand_in(on_demand: Price | None) -> Price | None:
    """Return the on-demand price in place of an unknown spot price, as Karpenter uses it before it has read any."""
    return on_demand and replace(
        on_demand,
        source=f"estimate: on-demand price for want of a spot price: {on_demand.source}",
        estimated=True,
        low=None,
        high=None,
    )


def _renaming(zones: Iterable[Zone], names: Mapping[str, str]) -> dict[str, str]:
    """Return the new names by old ones. A zone without a new name whose own name was taken gets the first free one."""
    zones = tuple(zones)
    taken = set(names.values())
    free = [z.name for z in zones if z.name not in taken]
    kept = {z.name for z in zones if z.zone_id not in names and z.name in free}
    left = iter(name for name in free if name not in kept)
    return {z.name: names.get(z.zone_id) or (z.name if z.name in kept else next(left)) for z in zones}


@dataclass(slots=True)
class _Reader:
    """Reads the rows of one region's file; sources with equal words share one object."""

    table: Table
    place: Place
    region: str
    zones: Mapping[str, str]
    currency: str
    offered: dict[str, tuple[str, ...]] = field(default_factory=dict)
    on_demand: dict[str, Price] = field(default_factory=dict)
    spot: dict[str, Mapping[str, Price]] = field(default_factory=dict)
    windows: dict[str, Price] = field(default_factory=dict)
    interruptions: dict[str, float] = field(default_factory=dict)

    def read(self) -> None:
        rows = _whole(self.table)
        names = {ids: self._zone_names(ids) for ids in {row[1] for row in rows}}
        for row in rows:
            name, zones = row[0], names[row[1]]
            if zones:
                self.offered[name] = zones
            try:
                self._prices(name, row, zones)
            except (ValueError, KeyError) as problem:
                raise InputError.one(self.place.at(name), f"the prices cannot be read: {problem}") from None

    def _zone_names(self, ids: str) -> tuple[str, ...]:
        if ids == _EVERY_ZONE:
            return tuple(sorted(self.zones.values()))
        unknown = [i for i in ids.split("+") if i and i not in self.zones]
        if unknown:
            raise InputError.one(self.place, f"zone {unknown[0]} is offered but not listed", allowed=", ".join(self.zones))
        return tuple(sorted(self.zones[i] for i in ids.split("+") if i))

    def _prices(self, name: str, row: tuple[str, ...], zones: tuple[str, ...]) -> None:
        _, _, on_demand, source, listed, saving, saving_source, band, spot, spot_source, windows, windows_source = row
        if band:
            self.interruptions[name] = monthly_part(int(band))
        if windows:
            self.windows[name] = self._price(float(windows), windows_source)
        if on_demand:
            self.on_demand[name] = with_range(self._price(float(on_demand), source))
        if spot and "=" not in spot:
            self.spot[name] = dict.fromkeys(zones, self._spot(name, spot, spot_source))
        elif spot:
            pairs = (pair.split("=") for pair in spot.split("+"))
            known = {self.zones[zone]: self._spot(name, price, spot_source) for zone, price in pairs}
            self.spot[name] = known | (self._of_other_zones(name, known, zones) if saving else {})
        elif saving and on_demand and zones:
            price = self._less_saving(name, float(listed or on_demand), 1 - float(saving) / 100, saving_source)
            self.spot[name] = dict.fromkeys(zones, price)

    def _of_other_zones(self, name: str, known: Mapping[str, Price], zones: Iterable[str]) -> dict[str, Price]:
        """Return estimates for the zones that published prices leave out, where the Advisor says that spot is sold."""
        on_demand = self.on_demand.get(name)
        missing = [zone for zone in zones if zone not in known]
        if on_demand is None or not missing:
            return {}
        mean = math.fsum(price.usd_per_hour for price in known.values()) / len(known)
        listed, date = on_demand.usd_per_hour, next(iter(known.values())).date
        part = mean / listed
        price = spot_estimate(SpotSource.ZONES, self.region, name, on_demand, listed, part, date)
        return dict.fromkeys(missing, price)

    def _less_saving(self, name: str, listed: float, part: float, code: str) -> Price:
        """Return the estimate of a spot price where a saving is known, which newer sources than 2025 replace."""
        source, model = self._source(code), spot_model()
        if code == NEWEST_SAVING:
            chosen, date = SpotSource.ADVISOR, source.date
        elif model.knows(self.region):
            chosen, date = SpotSource.MODEL, model.source.date
        else:
            chosen, date = SpotSource.FAR, source.date
        return spot_estimate(chosen, self.region, name, self.on_demand[name], listed, part, date)

    def _spot(self, name: str, amount: str, code: str) -> Price:
        """Return a spot price as the file has it; an estimate that an update kept has the range of its kind again."""
        price = self._price(float(amount), code)
        is_of_model = price.estimated and self.table.header.get("vendor") == AWS_VENDOR
        return kept_spot_estimate(price, self.region, name, self.on_demand.get(name)) if is_of_model else price

    def _price(self, amount: float, code: str) -> Price:
        if not 0 < amount < math.inf:
            raise ValueError(f"{amount} is not a price; unknown is an empty cell")
        if not code and len(self.table.sources) == 1:  # a file whose prices all have the same source need not repeat its code
            (code,) = self.table.sources
        source = self._source(code)
        return Price(amount, source.text, source.date, is_estimate(code), self.currency)

    def _source(self, code: str) -> Source:
        source = self.table.sources.get(code)
        if source is None:
            raise ValueError(f"source {code!r} is not in the header")
        return source


def _whole(table: Table) -> Sequence[tuple[str, ...]]:
    """Return the rows with a cell for each of WITH_WINDOWS; a column that the file leaves out is empty throughout."""
    if table.columns == WITH_WINDOWS:
        return table.rows
    places = itemgetter(*(table.columns.index(c) if c in table.columns else -1 for c in WITH_WINDOWS))
    return [places((*row, "")) for row in table.rows]


def _are_known(columns: tuple[str, ...]) -> bool:
    """Tell whether a file's columns are those of a region, in order, some perhaps left out."""
    return columns[: len(_NEEDED)] == _NEEDED and columns == tuple(c for c in WITH_WINDOWS if c in columns)


def read_region(table: Table, machines: Rows[M], place: Place) -> Region[M]:
    """Return the region that a catalogue file describes. Raises InputError when its columns, zones or figures cannot be
    read."""
    if not _are_known(table.columns):
        odd = sorted(set(table.columns) - set(WITH_WINDOWS) | set(_NEEDED) - set(table.columns)) or ["their order"]
        raise InputError.one(place, f"the columns of a region differ: {', '.join(odd)}", allowed=", ".join(WITH_WINDOWS))
    region = table.header.get("region", "")
    zones = _zones(table.header.get("zones", ""))
    if not region or not all(zone.name and zone.zone_id for zone in zones):
        raise InputError.one(
            place, "the header does not name a region and its zones", allowed="'region: r' and 'zones: name=id ...'"
        )
    reader = _Reader(table, place, region, {z.zone_id: z.name for z in zones}, table.header.get("currency", "USD"))
    reader.read()
    known = table.header.get("offerings") != "unknown"
    sold = reader.offered if known else (row[0] for row in table.rows)
    remark = table.header.get("remark")
    return Region(
        region=region,
        zones=zones,
        machines=machines.only(sold),
        offered=MappingProxyType(reader.offered),
        on_demand=MappingProxyType(reader.on_demand),
        spot=MappingProxyType(reader.spot) if reader.spot else None,
        offerings_known=known,
        currency=reader.currency,
        remarks=(remark,) if remark else (),
        vendor=table.header.get("vendor", AWS_VENDOR),
        windows=MappingProxyType(reader.windows),
        interruptions=MappingProxyType(reader.interruptions),
    )


def _zones(text: str) -> tuple[Zone, ...]:
    pairs = (pair.partition("=") for pair in text.split())
    return tuple(Zone(name, zone_id) for name, _, zone_id in pairs)
