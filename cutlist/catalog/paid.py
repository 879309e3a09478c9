"""What an account paid for machines, as a table that plans read: prices by type, zone and how they were bought.

`cutlist catalog from-bill` writes it from a bill, in the form of all files of the catalogue:

    # cutlist catalogue 1
    # content: paid
    # currency: USD
    # period: 2026-10-01 2026-10-31
    # source B: 2026-10-31 | FOCUS export, October 2026
    type<TAB>region<TAB>zone<TAB>os<TAB>bought<TAB>hours<TAB>per_hour<TAB>list_per_hour
    m7i.large<TAB>us-west-2<TAB>us-west-2a<TAB>linux<TAB>contracted<TAB>1488<TAB>0.09072<TAB>0.1008

A row is what an hour cost on average. `bought` is `contracted` (on demand without a commitment), `committed` or `spot`. An
empty zone is a machine without one. `list_per_hour` is the public price on demand; empty where the bill does not have it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, NamedTuple

from cutlist.catalog.bills.bill import months_in_words
from cutlist.catalog.bills.charges import Kind
from cutlist.catalog.format import Source, read_table, write_table
from cutlist.catalog.prices import Price
from cutlist.catalog.size_names import size_name
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import LINUX, SPOT, WINDOWS
from cutlist.core.money import money_of
from cutlist.documents.files import file_text

CONTENT: Final = "paid"
COLUMNS: Final = ("type", "region", "zone", "os", "bought", "hours", "per_hour", "list_per_hour")
CONTRACTED: Final = "contracted"
COMMITTED: Final = "committed"
AVERAGE: Final = "average"
WAYS: Final = (CONTRACTED, COMMITTED, AVERAGE)
"""What an on-demand node costs: without commitments, under one, or as the account's hours on demand cost on average."""
_BOUGHT: Final = (Kind.CONTRACTED.value, Kind.COMMITTED.value, Kind.SPOT.value)
_WRITTEN: Final = "a table that `cutlist catalog from-bill` wrote"
_ON_DEMAND: Final[Mapping[str, tuple[str, ...]]] = {
    CONTRACTED: (CONTRACTED,),
    COMMITTED: (COMMITTED,),
    AVERAGE: (CONTRACTED, COMMITTED),
}


class Bought(NamedTuple):
    """A machine as it is bought: its type, the place, the capacity type, and the operating system in its price."""

    instance_type: str
    region: str
    zone: str
    capacity_type: str
    os: str = LINUX


@dataclass(frozen=True, slots=True)
class PaidRow:
    """What an hour of a machine cost on average. `listed` is its public price on demand, None if unknown."""

    instance_type: str
    region: str
    zone: str
    os: str
    bought: str
    hours: float
    per_hour: float
    listed: float | None = None


@dataclass(frozen=True)  # has cached properties
class PaidPrices:
    """The prices that an account paid in a period (days, ISO), in a currency. `way` says what an on-demand node costs."""

    rows: tuple[PaidRow, ...]
    currency: str
    first: str
    last: str
    way: str = AVERAGE
    source: str = field(default="", compare=False)

    @property
    def period(self) -> str:
        """Return the months in words."""
        return months_in_words(self.first, self.last)

    @cached_property
    def _by_machine(self) -> Mapping[tuple[str, str, str], tuple[PaidRow, ...]]:
        """Return the rows of each type, region and operating system."""
        rows: dict[tuple[str, str, str], list[PaidRow]] = {}
        for row in self.rows:
            rows.setdefault((row.instance_type, row.region, row.os), []).append(row)
        return {key: tuple(of) for key, of in rows.items()}

    @cached_property
    def _rated(self) -> Mapping[tuple[str, str], float]:
        """Return the part of the public price that was saved, by family, `*` for all of them, and how hours were bought."""
        rows: dict[tuple[str, str], list[PaidRow]] = {}
        for row in self.rows:
            if row.listed:
                for family in (family_of(row.instance_type), _ANY):
                    rows.setdefault((family, row.bought), []).append(row)
        return {key: _discount(of) for key, of in rows.items()}

    @property
    def families(self) -> tuple[str, ...]:
        """Return the families of which a discount is known, sorted."""
        return tuple(sorted({family for family, _ in self._rated} - {_ANY}))

    def saved(self, family: str, bought: str) -> float | None:
        """Return the part of the public price that hours of a family saved, or None without such hours."""
        return self._rated.get((family, bought))

    def _discount(self, family: str) -> float | None:
        """Return the discount of a type that never ran: under commitments only if these count and there are any."""
        ways = (COMMITTED, CONTRACTED) if self.way == COMMITTED else (CONTRACTED, COMMITTED)
        known = (self.saved(family, way) for way in ways[: 2 if self.way != CONTRACTED else 1])
        return next((discount for discount in known if discount is not None), None)

    def price(self, sold: Price, charges: float, bought: Bought) -> Price:
        """Return what the account pays for a machine that is sold at a price, of which `charges` are a fee or a licence.

        What it paid for Windows has the licence in it; other charges come on top.
        """
        paid, on_top = self.of_machine(*bought), 0.0 if bought.os == WINDOWS else charges
        if paid is None:
            listed = sold.at(sold.usd_per_hour - charges)
            paid, on_top = self.discounted(listed, bought.instance_type, bought.capacity_type), charges
        if on_top:
            source = f"{paid.provenance}, and the charges on top"
            paid = replace(paid, source=source, date="", estimated=paid.estimated or sold.estimated, low=None, high=None)
        return replace(paid.at(paid.usd_per_hour + on_top), currency=sold.currency)

    def of_machine(self, instance_type: str, region: str, zone: str, capacity_type: str, os: str = LINUX) -> Price | None:
        """Return what the account paid for a type in a region, for spot in this zone, else in others; None if it never ran."""
        rows = self._by_machine.get((instance_type, region, os), ())
        if capacity_type == SPOT:
            return self._spot_price([row for row in rows if row.bought == Kind.SPOT], zone)
        bought = [row for row in rows if row.bought in _ON_DEMAND[self.way]]
        return Price(_mean(bought), f"paid{self._under}, {self.period}", currency=self.currency) if bought else None

    @property
    def _under(self) -> str:
        return " under commitments" if self.way == COMMITTED else " without commitments" if self.way == CONTRACTED else ""

    def _spot_price(self, rows: list[PaidRow], zone: str) -> Price | None:
        here = [row for row in rows if row.zone in (zone, "")]
        if here:
            return Price(_mean(here), f"paid, {self.period}", currency=self.currency)
        if rows:
            source = f"estimate: paid for spot in other zones, {self.period}"
            return Price(_mean(rows), source, estimated=True, currency=self.currency)
        return None

    def discounted(self, listed: Price, instance_type: str, capacity_type: str) -> Price:
        """Return the price of a type that the account never ran: on demand the list price less the discount of its family, else
        of all families; `listed` for spot, and where no discount is known.
        """
        family = family_of(instance_type)
        of_family = self._discount(family)
        discount = self._discount(_ANY) if of_family is None else of_family
        if discount is None or capacity_type == SPOT:
            return listed
        # A part of the price list's digits at most: the discount is an average.
        amount = listed.at(round(listed.usd_per_hour * (1 - discount), 6))
        whose = f"as paid for {family}" if of_family is not None else "as paid for other families"
        source = f"estimate: {listed.provenance.removeprefix('estimate: ')}, less {discount * 100:.1f}% {whose}, {self.period}"
        return Price(amount.usd_per_hour, source, "", True, listed.currency, amount.low, amount.high)


_ANY: Final = "*"


def _discount(rows: Iterable[PaidRow]) -> float:
    rows = list(rows)
    listed = money_of((row.hours, row.listed or 0.0) for row in rows)
    return 1 - money_of((row.hours, row.per_hour) for row in rows) / listed


def _mean(rows: Iterable[PaidRow]) -> float:
    rows = list(rows)
    return round(money_of((row.hours, row.per_hour) for row in rows) / math.fsum(row.hours for row in rows), 9)


def family_of(instance_type: str) -> str:
    """Return the family of a type: `m7i`, or the series of a size of Azure such as `Ds_v5`."""
    parts = size_name(instance_type)
    return parts.series if parts is not None else instance_type.partition(".")[0]


def paid_table(paid: PaidPrices, source: Source) -> str:
    """Return the text of the table."""
    header = {"content": CONTENT, "currency": paid.currency, "period": f"{paid.first} {paid.last}"}
    return write_table(header, {"B": source}, COLUMNS, map(_cells, sorted(paid.rows, key=_order)))


def _order(row: PaidRow) -> tuple[str, ...]:
    return row.instance_type, row.region, row.os, row.bought, row.zone


def _cells(row: PaidRow) -> tuple[str, ...]:
    listed = "" if row.listed is None else _figure(row.listed)
    figures = _figure(row.hours), _figure(row.per_hour), listed
    return row.instance_type, row.region, row.zone, row.os, row.bought, *figures


def _figure(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")


def read_paid(path: str, way: str, problems: Problems) -> PaidPrices | None:
    """Return the prices of a table, or None with what is wrong with it added to `problems`."""
    text = file_text(path, problems)
    if text is None:
        return None
    place = Place(path)
    try:
        table = read_table(text, place)
    except InputError as error:
        problems.extend(error.problems)
        return None
    if table.header.get("content") != CONTENT or table.columns != COLUMNS:
        problems.add(place, f"is a catalogue file of content {table.header.get('content', '')!r}", _WRITTEN)
        return None
    first, _, last = table.header.get("period", "").partition(" ")
    try:
        rows = tuple(_row(row) for row in table.rows)
        months_in_words(first, last)
    except (ValueError, IndexError) as error:
        problems.add(place, f"cannot be read: {error}", _WRITTEN)
        return None
    if not rows:
        problems.add(place, "has no prices", _WRITTEN)
        return None
    return PaidPrices(rows, table.header.get("currency", "USD"), first, last, way, path)


def _row(cells: tuple[str, ...]) -> PaidRow:
    name, region, zone, os, bought, hours, per_hour, listed = cells
    if bought not in _BOUGHT or os not in (LINUX, WINDOWS):
        raise ValueError(f"{bought!r} and {os!r} are not how a machine is bought and what it runs")
    row = PaidRow(name, region, zone, os, bought, float(hours), float(per_hour), float(listed) if listed else None)
    if not row.hours > 0 or not 0 <= row.per_hour < float("inf"):
        raise ValueError(f"{per_hour} for {hours} hours of {name} is not a price")
    return row
