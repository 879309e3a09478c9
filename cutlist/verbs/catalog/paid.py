"""What a bill says about prices: the table that plans read, the rates of commitments, and what each row of the bill was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final

from cutlist.catalog.bills import Bill, Kind
from cutlist.catalog.bills.bill import part_of
from cutlist.catalog.bills.charges import USED
from cutlist.catalog.bills.prices import committed_rates, paid_prices, rates_table
from cutlist.catalog.embedded import chosen_regions, load_chosen
from cutlist.catalog.format import Source
from cutlist.catalog.paid import COMMITTED, CONTRACTED, PaidPrices, PaidRow, paid_table
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import LINUX
from cutlist.core.money import whole_cents
from cutlist.core.records import HIDDEN, Count, about
from cutlist.core.remainders import whole_parts

_CENTS: Final = 100


@dataclass(frozen=True, slots=True)
class BillPart:
    """Some rows of a bill: what they are, their number, what they cost to the cent, and the hours of machines among them."""

    what: str
    rows: Count
    cost: Annotated[float, about("In the bill's currency; all parts add up to the total.")]
    hours: float


@dataclass(frozen=True, slots=True)
class PaidDiscount:
    """What the hours of a family saved of the public price: without a commitment and under one, null without such hours."""

    family: str
    contracted: Annotated[float | None, about("A part of 1.")]
    committed: Annotated[float | None, about("A part of 1.")]


@dataclass(frozen=True, slots=True)
class PaidReport:
    """The prices that follow from a bill, and what each of its rows was.

    `first` and `last` are the days of machines, `parts` the hours that were used, unused commitments, and what was left out
    with the reason. `without_term` are hours under commitments of which the bill does not say the term: they have no rate.
    """

    forms: tuple[str, ...]
    currency: str
    period: str
    first: str
    last: str
    total: BillPart
    parts: tuple[BillPart, ...]
    prices: Annotated[Count, about("Rows of the table.")]
    types: Count
    without_list_price: Annotated[Count, about("Rows of the table on demand without a public price.")]
    discounts: tuple[PaidDiscount, ...]
    rates: Annotated[Count, about("Rows of the table of rates.")]
    without_term: Annotated[float, about("Hours.")]
    table: Annotated[str, HIDDEN]
    rates_text: Annotated[str, HIDDEN]


def prices_from_bill(paths: Sequence[str], term: str = "") -> PaidReport:
    """Return what the exports of a bill say about prices; `term` is that of commitments of which they do not say it.

    Raises InputError with every mistake in the files, and for a bill without an hour of a machine, and ModuleNotFoundError
    without DuckDB.
    """
    from cutlist.catalog.bills.reading import read_bill  # needs the extra bill

    problems = Problems()
    bill = read_bill(paths, problems)
    problems.raise_if_any()
    if bill is None or not bill.used:
        raise InputError.one(
            Place(", ".join(paths)), "has no hour of a machine", "a bill with instances of EC2 or VMs of Azure"
        )
    return _report(bill, term)


def _report(bill: Bill, term: str) -> PaidReport:
    paid = _with_list_prices(paid_prices(bill))
    rates = committed_rates(bill, term)
    total, parts = parts_of(bill)
    return PaidReport(
        forms=bill.forms,
        currency=bill.currency,
        period=bill.period,
        first=paid.first,
        last=paid.last,
        total=total,
        parts=parts,
        prices=len(paid.rows),
        types=len({row.instance_type for row in paid.rows}),
        without_list_price=sum(row.listed is None and row.bought != Kind.SPOT for row in paid.rows),
        discounts=_discounts(paid),
        rates=sum(bool(rate.term) for rate in rates),
        without_term=float(sum((rate.hours for rate in rates if not rate.term), Decimal(0))),
        table=paid_table(paid, Source(paid.last, f"{' and '.join(bill.forms)} export, {bill.period}")),
        rates_text=rates_table(bill, term),
    )


def parts_of(bill: Bill) -> tuple[BillPart, tuple[BillPart, ...]]:
    """Return a bill as a whole, and its parts to the cent, such that they add up to it."""
    named = [
        (kind.value, part.rows, part.cost, part.hours)
        for kind in (*USED, Kind.UNUSED)
        if (part := part_of(charge for charge in bill.charges if charge.kind is kind)).rows
    ]
    named += [(f"left out: {reason}", part.rows, part.cost, part.hours) for reason, part in bill.left_out.items()]
    whole = bill.total
    cents = whole_cents(whole.cost)
    costs = whole_parts([Fraction(cost) * _CENTS for _, _, cost, _ in named], cents)
    parts = [
        BillPart(what, rows, part / _CENTS, float(hours)) for (what, rows, _, hours), part in zip(named, costs, strict=True)
    ]
    return BillPart("total", whole.rows, cents / _CENTS, float(whole.hours)), tuple(parts)


def _with_list_prices(paid: PaidPrices) -> PaidPrices:
    """Return the prices with the embedded catalogue's public price where the bill has none."""
    known = chosen_regions(None)
    return replace(paid, rows=tuple(_with_list_price(row, paid.currency, known) for row in paid.rows))


def _with_list_price(row: PaidRow, currency: str, known: Sequence[str]) -> PaidRow:
    if row.listed is not None or row.bought == Kind.SPOT or row.os != LINUX or row.region not in known:
        return row
    price = load_chosen(None, row.region).on_demand_price(row.instance_type)
    if price is None or price.estimated or price.currency != currency:
        return row
    return replace(row, listed=price.usd_per_hour)


def _discounts(paid: PaidPrices) -> tuple[PaidDiscount, ...]:
    return tuple(PaidDiscount(f, _part(paid.saved(f, CONTRACTED)), _part(paid.saved(f, COMMITTED))) for f in paid.families)


def _part(discount: float | None) -> float | None:
    return None if discount is None else round(discount, 6)
