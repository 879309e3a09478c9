"""Parts of a whole that add up as they are shown: in whole percents, and in dollars a month."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from cutlist.catalog.prices import a_month
from cutlist.catalog.ranges import PriceRange
from cutlist.core.remainders import whole_parts
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.report.estimates import Step
from cutlist.report.plain import monthly, per_month

_ROUNDING: Final = 1e-9


def shares(amounts: Sequence[float | None], whole: float | None) -> list[float | None]:
    """Return each amount as a share of the whole in whole percent; the shares add up to 100% if the amounts are all of it. The
    share is None for an unknown amount, and for every amount if the whole is unknown or zero.
    """
    if not whole:
        return [None] * len(amounts)
    percents = _parts([None if amount is None else 100 * amount / whole for amount in amounts], 100.0, 100)
    return [None if part is None else part / 100 for part in percents]


def month_parts(prices: Sequence[float | None], whole: float, of: PriceRange | None = None) -> list[str | None]:
    """Return prices per hour as dollars a month for a sentence. They add up to the whole as `monthly` shows it, so they are in
    whole dollars where that is; only what is less than a dollar then is to the cent. None for an unknown price.

    If the whole has a range, all are rounded as `part_step` says.
    """
    if of is not None:
        return estimated_cells(prices, whole, part_step(prices, of))
    return _months(prices, whole, monthly(a_month(whole)))


def month_cells(
    prices: Sequence[float | None], whole: float, shown: str | None = None, step: Step | None = None
) -> list[str | None]:
    """Return prices per hour as dollars a month, to the cent. They add up to the whole as it is shown: as `per_month` shows it
    unless it is itself a cell of a larger sum. With a `step` all are rounded to that. None for an unknown price.
    """
    if step is not None:
        return estimated_cells(prices, whole, step, shown)
    return _months(prices, whole, shown or per_month(a_month(whole)))


def sum_of_cells(*cells: str) -> str:
    """Return the sum of amounts as they are shown, with the decimal places of the least exact one."""
    places = min(len(cell.partition(".")[2]) for cell in cells)
    return f"{sum(Decimal(cell.replace(',', '')) for cell in cells):,.{places}f}"


def part_step(prices: Sequence[float | None], of: PriceRange) -> Step:
    """Return the step to which parts of an estimated whole are rounded: that of the whole, or a smaller one, so that the
    smallest part is not shown as nothing."""
    step = Step.of(of.at(HOURS_PER_MONTH))
    least = min((price * HOURS_PER_MONTH for price in prices if price), default=math.inf)
    return step if step.size <= least else Step.below(least)


def estimated_cells(prices: Sequence[float | None], whole: float, step: Step, shown: str | None = None) -> list[str | None]:
    """Return prices per hour as dollars a month, each a multiple of the step. They add up to the whole, rounded likewise."""
    scale = HOURS_PER_MONTH / step.size
    total = round(whole * scale) if shown is None else round(float(shown.replace(",", "")) / step.size)
    parts = _parts([None if price is None else price * scale for price in prices], whole * scale, total)
    return [None if part is None else step.text(part * step.size) for part in parts]


def _months(prices: Sequence[float | None], whole: float, total: str) -> list[str | None]:
    """Return the prices with as many places as the total is shown with."""
    places = len(total.partition(".")[2])
    scale = HOURS_PER_MONTH * 10**places
    parts = _parts([None if p is None else p * scale for p in prices], whole * scale, int(total.translate(_DIGITS)))
    return [
        None if p is None or part is None else f"{part / 10**places:,.{places}f}" if part else monthly(a_month(p))
        for p, part in zip(prices, parts, strict=True)
    ]


_DIGITS: Final = str.maketrans("", "", ",.")


def _parts(exact: Sequence[float | None], whole: float, shown: int) -> list[int | None]:
    """Return whole numbers that add up to what is shown of the whole, if the exact parts are all of it. None for an unknown
    part."""
    known = [part or 0.0 for part in exact]
    rest = max(0.0, whole - math.fsum(known))
    rounded = whole_parts([Fraction(part + _ROUNDING) for part in (*known, rest)], shown)
    return [None if part is None else amount for part, amount in zip(exact, rounded[:-1], strict=True)]
