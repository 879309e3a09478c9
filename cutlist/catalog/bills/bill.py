"""A bill: all rows of an export by what they are. Its parts add up to its total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from cutlist.catalog.bills.charges import Charge, Kind, Reason

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows of a bill together."""

    rows: int
    cost: Decimal
    hours: Decimal


@dataclass(frozen=True, slots=True)
class Bill:
    """The charges of an export, in one currency. `sources` are its files, `forms` what they are."""

    charges: tuple[Charge, ...]
    currency: str
    sources: tuple[str, ...]
    forms: tuple[str, ...]

    @property
    def used(self) -> tuple[Charge, ...]:
        """Return the hours of machines that ran."""
        return tuple(charge for charge in self.charges if charge.is_used)

    @property
    def total(self) -> Part:
        """Return all rows together."""
        return part_of(self.charges)

    @property
    def unused(self) -> Part:
        """Return commitments and capacity reservations that nothing used."""
        return part_of(charge for charge in self.charges if charge.kind is Kind.UNUSED)

    @property
    def left_out(self) -> dict[Reason, Part]:
        """Return the rows that say nothing about machines, by reason, the largest amounts first."""
        by_reason: dict[Reason, list[Charge]] = {}
        for charge in self.charges:
            if charge.reason is not None:
                by_reason.setdefault(charge.reason, []).append(charge)
        parts = {reason: part_of(charges) for reason, charges in by_reason.items()}
        return dict(sorted(parts.items(), key=lambda item: (-abs(item[1].cost), item[0])))

    @property
    def days(self) -> tuple[str, str]:
        """Return the first and the last day (ISO) on which a machine ran, or empty texts without one."""
        used = self.used
        return min((c.first for c in used), default=""), max((c.last for c in used), default="")

    @property
    def period(self) -> str:
        """Return the months of the bill in words: `October 2026`, or `September to October 2026`."""
        return months_in_words(*self.days)

    @property
    def terms(self) -> Counter[str]:
        """Return the rows under a commitment by its term, "" where the export does not say it."""
        terms: Counter[str] = Counter()
        for charge in self.charges:
            if charge.kind is Kind.COMMITTED:
                terms[charge.term] += charge.rows
        return terms


def part_of(charges: Iterable[Charge]) -> Part:
    """Return some charges together."""
    rows, cost, hours = 0, Decimal(0), Decimal(0)
    for charge in charges:
        rows, cost, hours = rows + charge.rows, cost + charge.cost, hours + charge.hours
    return Part(rows, cost, hours)


def months_in_words(first: str, last: str) -> str:
    """Return the months from one day (ISO) to another in words."""
    if not first:
        return ""
    (year, month), (last_year, last_month) = _month(first), _month(last)
    if (year, month) == (last_year, last_month):
        return f"{MONTHS[month]} {year}"
    start = MONTHS[month] if year == last_year else f"{MONTHS[month]} {year}"
    return f"{start} to {MONTHS[last_month]} {last_year}"


def _month(day: str) -> tuple[int, int]:
    return int(day[:4]), int(day[5:7]) - 1
