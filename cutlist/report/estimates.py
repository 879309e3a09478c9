"""Estimated sums in words: rounded to what their range supports, with the range beside them.

A sum of published prices has no range and is written to the cent. A sum with a range is rounded to a step of 1, 2 or 5 times a
power of ten that is at most a twentieth of the width, and so are the ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.ranges import PriceRange
from cutlist.planning.model import HOURS_PER_MONTH, Plan, Totals
from cutlist.report.plain import currency_sign, hourly, monthly, per_month, percent

_STEPS: Final = (5, 2, 1)
_PER_WIDTH: Final = 20
_LEAST: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Step:
    """What figures are rounded to: its size, and the decimal places that this takes."""

    size: float
    places: int

    @staticmethod
    def of(of: PriceRange) -> Step:
        """Return the step that a range supports."""
        return Step.below((of.high - of.low) / _PER_WIDTH)

    @staticmethod
    def below(most: float) -> Step:
        """Return the largest step of at most this size."""
        most = max(most, _LEAST)
        power = math.floor(math.log10(most) + 1e-9)
        times = next(times for times in _STEPS if times * 10.0**power <= most * (1 + 1e-9))
        return Step(times * 10.0**power, max(-power, 0))

    def text(self, amount: float) -> str:
        """Return an amount rounded to the step, without a currency."""
        return f"{round(amount / self.size) * self.size:,.{self.places}f}"


def month_of(
    price: float, of: PriceRange | None, listed: Callable[[float], str] = monthly, currency: str = "USD", mark: str = ""
) -> str:
    """Return a price per hour as what it costs a month: exact as `listed` writes it, or rounded to what its range supports."""
    return _amount(price * HOURS_PER_MONTH, None if of is None else of.at(HOURS_PER_MONTH), listed, currency, mark)


def hour_of(
    price: float, of: PriceRange | None, listed: Callable[[float], str] = hourly, currency: str = "USD", mark: str = ""
) -> str:
    """Return a price per hour, exact as `listed` writes it, or rounded to what its range supports."""
    return _amount(price, of, listed, currency, mark)


def _amount(amount: float, of: PriceRange | None, listed: Callable[[float], str], currency: str, mark: str) -> str:
    sign = currency_sign(currency)
    return f"{sign}{listed(amount)}{mark}" if of is None else f"about {sign}{Step.of(of).text(amount)}"


def span_of(of: PriceRange | None, currency: str = "USD") -> str:
    """Return the ends of the range of a price per hour as amounts a month; empty without a range."""
    if of is None:
        return ""
    month, sign = of.at(HOURS_PER_MONTH), currency_sign(currency)
    step = Step.of(month)
    return f"{sign}{step.text(month.low)} to {sign}{step.text(month.high)}"


def signed_span(of: PriceRange) -> str:
    """Return the ends of the range of a difference in price per hour as amounts a month, those below 0 with their sign."""
    month = of.at(HOURS_PER_MONTH)
    step = Step.of(month)
    low, high = (f"{'-' if end < 0 else ''}${step.text(abs(end))}" for end in (month.low, month.high))
    return f"{low} to {high}"


def span_in_words(totals: Totals) -> str:
    """Return the range of a plan's price a month, and which part of it is spot; empty without a range."""
    if totals.price_range is None:
        return ""
    part = percent(totals.spot_part)
    spot = "all of it spot" if part == "100%" else f"spot is {part} of it" if totals.spot_part else ""
    return "; ".join(filter(None, (span_of(totals.price_range, totals.currency or "USD"), spot)))


def total_month(totals: Totals, mark: str = "") -> str:
    """Return what a plan costs a month: `about $42,500 a month ($38,000 to $51,000; spot is 23% of it)`, or to the cent where
    no part of it is an estimate with a range. `mark` stands behind an estimate without one. The price must be known."""
    price, currency = totals.price_per_hour or 0.0, totals.currency or "USD"
    money = f"{month_of(price, totals.price_range, currency=currency, mark=mark)} a month"
    if totals.price_range is None:
        return money
    return f"{money} ({span_in_words(totals)})"


def plan_month(plan: Plan) -> str:
    """Return what the new nodes of a plan cost a month: exact, with `*` if partly estimated, or rounded to what its range
    supports."""
    totals = plan.totals
    if totals.price_per_hour is None:
        return "unknown"
    mark, currency = "*" if plan.has_estimates else "", totals.currency or "USD"
    return month_of(totals.price_per_hour, totals.price_range, per_month, currency, mark)


def month_cell(price: float, of: PriceRange | None) -> str:
    """Return what a price per hour is a month, for a table: to the cent, or rounded to what its range supports."""
    text = per_month if of is None else Step.of(of.at(HOURS_PER_MONTH)).text
    return text(price * HOURS_PER_MONTH)


def total_cell(totals: Totals, mark: str = "") -> str:
    """Return what a plan costs a month without a currency, for a table: to the cent, or rounded to what its range supports."""
    return month_cell(totals.price_per_hour or 0.0, totals.price_range) + mark


def hour_cell(totals: Totals) -> str:
    """Return what a plan costs an hour without a currency, for a table: rounded to what its range supports."""
    text = hourly if totals.price_range is None else Step.of(totals.price_range).text
    return text(totals.price_per_hour or 0.0)
