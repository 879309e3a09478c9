"""The prices that follow from a bill: what an hour of each machine cost, and what commitments saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from cutlist.catalog.bills.bill import Bill
from cutlist.catalog.bills.charges import Kind
from cutlist.catalog.paid import PaidPrices, PaidRow, family_of
from cutlist.catalog.size_names import size_name

_PLACES: Final = Decimal("0.000000001")


@dataclass(slots=True)
class _Sum:
    """Hours of a machine with what they cost, and the part of them whose public price is known."""

    hours: Decimal = Decimal(0)
    cost: Decimal = Decimal(0)
    listed_hours: Decimal = Decimal(0)
    listed: Decimal = Decimal(0)

    @property
    def per_hour(self) -> Decimal:
        return self.cost / self.hours

    @property
    def list_per_hour(self) -> Decimal | None:
        return self.listed / self.listed_hours if self.listed_hours else None


def paid_prices(bill: Bill) -> PaidPrices:
    """Return what an hour of each machine cost, by type, region, zone, operating system and how it was bought.

    A meter that is for two sizes of Azure is a price of both.
    """
    sums: dict[tuple[str, str, str, str, str], _Sum] = {}
    for charge in bill.used:
        for name in charge.instance_types:
            key = (name, charge.region, charge.zone, charge.os, charge.kind.value)
            total = sums.setdefault(key, _Sum())
            total.hours += charge.hours
            total.cost += charge.cost
            if charge.listed is not None and charge.listed > 0:
                total.listed_hours += charge.hours
                total.listed += charge.listed
    rows = [PaidRow(*key, *_figures(total)) for key, total in sorted(sums.items()) if total.hours > 0]
    return PaidPrices(tuple(rows), bill.currency, *bill.days)


def _figures(total: _Sum) -> tuple[float, float, float | None]:
    listed = total.list_per_hour
    price = float(total.per_hour.quantize(_PLACES))
    return float(total.hours), price, None if listed is None else float(listed.quantize(_PLACES))


@dataclass(frozen=True, slots=True)
class CommittedRate:
    """What commitments of a term saved on a family in a region, as a part of the public price; the term is "" if unknown."""

    family: str
    region: str
    term: str
    discount: Decimal
    hours: Decimal


def committed_rates(bill: Bill, otherwise: str = "") -> tuple[CommittedRate, ...]:
    """Return what commitments saved, by family, region and term; `otherwise` is the term of those that do not say it."""
    sums: dict[tuple[str, str, str], _Sum] = {}
    for charge in bill.used:
        if charge.kind is Kind.COMMITTED and charge.listed:
            name = charge.instance_types[0]
            total = sums.setdefault((_rated_family(name), charge.region, charge.term or otherwise), _Sum())
            total.cost += charge.cost
            total.listed += charge.listed
            total.hours += charge.hours
    return tuple(
        CommittedRate(*key, 1 - total.cost / total.listed, total.hours)
        for key, total in sorted(sums.items())
        if 0 <= total.cost < total.listed
    )


def _rated_family(instance_type: str) -> str:
    """Return the family as tables of rates name it: the letter of a size of Azure."""
    parts = size_name(instance_type)
    return parts.family if parts is not None else family_of(instance_type)


def rates_table(bill: Bill, otherwise: str = "") -> str:
    """Return the rates of commitments whose term is known as a table that `--rates` takes."""
    lines = ["family,region,term,discount,source", *_rate_lines(bill, otherwise)]
    return "".join(line + "\n" for line in lines)


def _rate_lines(bill: Bill, otherwise: str) -> Iterator[str]:
    for rate in committed_rates(bill, otherwise):
        if rate.term:
            percent = (rate.discount * 100).quantize(Decimal("0.01"))
            yield f'{rate.family},{rate.region},{rate.term},{percent}%,"paid, {bill.period}"'
