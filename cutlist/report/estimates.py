"""Sums of money in words: in their currency, and rounded to what their range supports, with the range beside them.

A sum of published prices has no range and is written to the cent. A sum with a range is rounded to a step of 1, 2 or 5 times a
power of ten that is at most a twentieth of the width, and so are the ends. No estimate has more digits than an exact sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from cutlist.catalog.prices import Price, a_month
from cutlist.catalog.ranges import PriceRange
from cutlist.core.money import money_rounded, money_text, money_times
from cutlist.core.wording import counted
from cutlist.planning.model import HOURS_PER_MONTH, Plan, Totals
from cutlist.report.plain import currency_sign, hourly, monthly, per_month, percent

_STEPS: Final = (5, 2, 1)
_PER_WIDTH: Final = 20
_LEAST: Final = 1e-4
_DIME: Final = 0.1
_CENTS: Final = 2
_TWO_DIGITS: Final = 20
"""From which amount on a whole step leaves two digits that mean something."""
Write = Callable[[float], str]
"""Writes an exact amount without its currency."""


@dataclass(frozen=True, slots=True)
class Step:
    """What figures are rounded to: its size, and the decimal places that this takes."""

    size: float
    places: int

    @staticmethod
    def of(of: PriceRange) -> Step:
        """Return the step that a range supports: a whole one in place of a dime where that leaves two digits."""
        step = Step.below((of.high - of.low) / _PER_WIDTH)
        return Step(1.0, 0) if _DIME <= step.size < 1 and max(abs(of.low), abs(of.high)) >= _TWO_DIGITS else step

    @staticmethod
    def below(most: float) -> Step:
        """Return the largest step of at most this size."""
        most = max(most, _LEAST)
        power = math.floor(math.log10(most) + 1e-9)
        times = next(times for times in _STEPS if times * 10.0**power <= most * (1 + 1e-9))
        places = max(-power, 0)
        return Step(times * 10.0**power, _CENTS if places == 1 else places)  # no amount of money has one place

    def rounded(self, amount: float) -> float:
        """Return an amount rounded to the step."""
        return money_rounded(money_rounded(amount / self.size, 0) * self.size, self.places)

    def text(self, amount: float) -> str:
        """Return an amount rounded to the step, without a currency."""
        return money_text(self.rounded(amount), self.places)

    def text_as(self, amount: float, listed: Write) -> str:
        """Return the same, with no more decimal places than an exact amount has."""
        exact = listed(amount)
        return exact if len(exact.partition(".")[2]) < self.places else self.text(amount)


@dataclass(frozen=True, slots=True)
class Money:
    """A price per hour, as every view writes it. `of` is its range: None for a sum of published prices, and for estimates that
    were not compared with any. `mark` stands behind an estimate without a range."""

    per_hour: float
    of: PriceRange | None = None
    currency: str = "USD"
    mark: str = ""

    @staticmethod
    def of_price(price: Price | None, mark: str = "*", times: int = 1) -> Money:
        """Return the price of a number of nodes or disks, 0 if it is unknown; an estimate has the mark."""
        if price is None:
            return Money(0.0)
        of = None if price.low is None or price.high is None else PriceRange(price.low, price.high).at(times)
        return Money(money_times(price.usd_per_hour, times), of, price.currency, mark if price.estimated else "")

    @staticmethod
    def of_totals(totals: Totals, mark: str = "") -> Money:
        """Return what all nodes of a plan cost, 0 if that is unknown."""
        return Money(totals.price_per_hour or 0.0, totals.price_range, totals.currency or "USD", mark)

    def part(self, per_hour: float) -> Money:
        """Return a part of this sum, whose range is as wide in proportion."""
        whole = self.per_hour
        return replace(self, per_hour=per_hour, of=self.of.at(per_hour / whole) if self.of and whole and per_hour else None)

    @property
    def sign(self) -> str:
        """Return the sign of its currency."""
        return currency_sign(self.currency)

    def month(self, listed: Write = monthly) -> str:
        """Return what it is a month: exact as `listed` writes it, or rounded: `about $42,500`."""
        return self._sum(self.month_cell(listed))

    def hour(self, listed: Write = hourly) -> str:
        """Return what it is an hour: exact as `listed` writes it, or rounded."""
        return self._sum(self.hour_cell(listed))

    def month_and_hour(self) -> str:
        """Return what it is a month, then an hour, in words."""
        return f"{self.month()} a month, {self.hour()} an hour"

    def month_cell(self, listed: Write = per_month) -> str:
        """Return what it is a month, for a table: without currency and mark."""
        month = a_month(self.per_hour)
        return listed(month) if self.of is None else Step.of(self.of.at(HOURS_PER_MONTH)).text_as(month, listed)

    def hour_cell(self, listed: Write = hourly) -> str:
        """Return what it is an hour, for a table: without currency and mark."""
        return listed(self.per_hour) if self.of is None else Step.of(self.of).text_as(self.per_hour, listed)

    def month_in_table(self) -> str:
        """Return what it is a month with its currency and mark, for a table of a page."""
        return f"{self.sign}{self.month_cell(monthly)}{self.mark}"

    def hour_in_table(self) -> str:
        """Return what it is an hour with its currency and mark, for a table of a page."""
        return f"{self.sign}{self.hour_cell()}{self.mark}"

    def month_span(self) -> str:
        """Return the ends of its range as amounts a month: `$38,000 to $51,000`; empty without a range."""
        return " to ".join(f"{'-' if end < 0 else ''}{self.sign}{text}" for end, text in self._ends())

    def month_change(self) -> str:
        """Return a difference as what it is a month, with its sign and its range: `+$8 (-$24 to +$42)`."""
        return self.change_cell() + (f" ({self.change_span()})" if self.of is not None else "")

    def change_cell(self) -> str:
        """Return the same without the range, for a table."""
        if not self.per_hour:
            return f"{self.sign}0"
        return f"{plus_or_minus(self.per_hour)}{self.sign}{replace(self, per_hour=abs(self.per_hour)).month_cell(monthly)}"

    def change_span(self) -> str:
        """Return the ends of the range of a difference, with their signs: `-$24 to +$42`; empty without a range."""
        return " to ".join(f"{plus_or_minus(end)}{self.sign}{text}" for end, text in self._ends())

    def _ends(self) -> Iterable[tuple[float, str]]:
        """Yield the ends of its range a month, each with its size in words."""
        if self.of is not None:
            month = self.of.at(HOURS_PER_MONTH)
            for end in (month.low, month.high):
                yield end, Step.of(month).text_as(abs(end), monthly)

    def _sum(self, text: str) -> str:
        signed = f"-{self.sign}{text[1:]}" if text.startswith("-") else f"{self.sign}{text}"
        return f"{signed}{self.mark}" if self.of is None else f"about {signed}"


def plus_or_minus(amount: float) -> str:
    """Return the sign of a difference, none for 0."""
    return "+" if amount > 0 else "-" if amount < 0 else ""


def currency_of(prices: Iterable[Price | None]) -> str:
    """Return the currency of prices, which is the same for all nodes of a region; US dollars if no price is known."""
    return next((price.currency for price in prices if price is not None), "USD")


def span_in_words(totals: Totals) -> str:
    """Return the range of a plan's price a month, and which part of it is spot; empty without a range."""
    if totals.price_range is None:
        return ""
    return "; ".join(filter(None, (Money.of_totals(totals).month_span(), _spot_words(totals.spot_part))))


def _spot_words(part: float | None) -> str:
    """Return which part of a price is for nodes on spot, rounded as the parts of all capacity types are; empty without any."""
    if not part:
        return ""
    if percent(part) == "100%":
        return "all of it spot"
    share = min(math.floor(100 * part + 0.5), 99)  # a hundredth of the rest is not all of it
    return f"spot is {f'{share}%' if share else 'less than 1%'} of it"


def total_month(totals: Totals, mark: str = "") -> str:
    """Return what a plan costs a month: `about $42,500 a month ($38,000 to $51,000; spot is 23% of it)`, or to the cent where
    no part of it is an estimate with a range. `mark` stands behind an estimate without one. The price must be known."""
    span = span_in_words(totals)
    return f"{Money.of_totals(totals, mark).month()} a month" + (f" ({span})" if span else "")


def money_of(plan: Plan, per_hour: float, mark: str = "") -> Money:
    """Return what another packing of a plan's pods costs, or a part of its price: known no more exactly than that."""
    return Money.of_totals(plan.totals, mark).part(per_hour)


def plan_month(plan: Plan, listed: Write = per_month) -> str:
    """Return what the new nodes of a plan cost a month: exact, with `*` if partly estimated, or rounded to what its range
    supports."""
    if plan.totals.price_per_hour is None:
        return "unknown"
    return Money.of_totals(plan.totals, "*" if plan.has_estimates else "").month(listed)


def disks_text(disk_price: float | None, without: int, sign: str = "$") -> str:
    """Return the part of a price that is for disks, and which disks it lacks; empty for a price of nothing."""
    parts = [f"{sign}{hourly(disk_price)} of it for disks"] if disk_price else []
    if without:
        parts.append("without disks" if disk_price is None else f"without the disks of {counted(without, 'node')}")
    return "".join(f"; {part}" for part in parts)
