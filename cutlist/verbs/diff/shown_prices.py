"""What nodes cost a month before and after a change, as every view writes it: no more exactly than prices are estimated, and
such that the figures add up as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from cutlist.catalog.prices import a_month
from cutlist.core.money import money_sum
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.planning.model.changes import NodeChange
from cutlist.planning.model.comparison import Comparison
from cutlist.report.estimates import Step, plus_or_minus
from cutlist.report.plain import currency_sign, per_month
from cutlist.report.shares import estimated_cells
from cutlist.verbs.diff.money import MonthlyPrice, PoolPrice, in_usd

_UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class ShownPrices:
    """Prices before and after in their currency, and the difference with its sign; what is rounded is `about` so much."""

    before: str
    after: str
    difference: str

    @staticmethod
    def of(month: MonthlyPrice) -> ShownPrices:
        """Return what all nodes cost: to the cent, or rounded to a step, of which the difference is as many as shown."""
        sign, step = currency_sign(month.currency), _step(month)
        before, after, change = (in_usd(amount) for amount in (month.before, month.after, month.difference))
        if step is None or before is None or after is None:
            return ShownPrices(_exact(sign, before), _exact(sign, after), signed(month.difference, month.currency))
        first = step.rounded(before) if month.ranges.before else before
        second, difference = step.rounded(after) if month.ranges.after else after, signed(month.difference, month.currency)
        if change is not None and _is_finer(month, step):
            if month.ranges.difference is not None:
                own = Step.of(month.ranges.difference.at(HOURS_PER_MONTH))
                change = own.rounded(change)
                difference = _signed(change, own, sign)
            second = round(first + change, step.places) if month.ranges.after else after
        elif change is not None:
            difference = _signed(second - first, step, sign)
        about = "about " if month.ranges.difference else ""
        return ShownPrices(
            _sum(sign, first, step if month.ranges.before else None),
            _sum(sign, second, step if month.ranges.after else None),
            f"{about}{difference}",
        )


def shown_parts(month: MonthlyPrice, parts: Sequence[PoolPrice | MonthlyPrice]) -> list[ShownPrices]:
    """Return what all parts of a sum cost, for a table: to the cent, or rounded such that columns add up to it as shown."""
    step, sign = _step(month), currency_sign(month.currency)
    if step is None:
        exact = ((_exact(sign, in_usd(of.before)), _exact(sign, in_usd(of.after))) for of in parts)
        return [ShownPrices(*pair, signed(of.difference, month.currency)) for of, pair in zip(parts, exact, strict=True)]
    amounts = [[in_usd(of.before) for of in parts], [in_usd(of.after) for of in parts]]
    least = min((amount for of in amounts for amount in of if amount), default=step.size)
    step = step if step.size <= least else Step.below(least)
    return [_row(first, second, step, sign) for first, second in zip(*(_cells(of, step) for of in amounts), strict=True)]


def signed(cents: int | None, currency: str = "USD") -> str:
    """Return a difference to the cent, with its sign."""
    amount = in_usd(cents)
    return _UNKNOWN if amount is None else f"{plus_or_minus(amount)}{currency_sign(currency)}{per_month(abs(amount))}"


def sum_of_changes(changes: Sequence[str], currency: str) -> str:
    """Return the sum of differences as they are shown, or `unknown` if one is."""
    if _UNKNOWN in changes:
        return _UNKNOWN
    sign = currency_sign(currency)
    amounts = [Decimal(change.replace(sign, "").replace(",", "")) for change in changes]
    total = sum(amounts, start=Decimal(0))
    return f"{plus_or_minus(float(total))}{sign}{abs(total):,f}"


def _step(month: MonthlyPrice) -> Step | None:
    """Return what is rounded to: half of what the narrower of both sums supports, so that the difference, too, is near."""
    ranges = [of for of in (month.ranges.before, month.ranges.after) if of is not None]
    sizes = [Step.of(of.at(HOURS_PER_MONTH)).size for of in ranges]
    return Step.below(min(sizes) / 2) if sizes else None


def step_of_sides(comparison: Comparison) -> Step | None:
    """Return what the prices of nodes in two plans are rounded to; None where both are exact."""
    ranges = (comparison.before.totals.price_range, comparison.after.totals.price_range)
    sizes = [Step.of(of.at(HOURS_PER_MONTH)).size for of in ranges if of is not None]
    return Step.below(min(sizes) / 2) if sizes else None


def difference_of_sides(change: NodeChange, comparison: Comparison) -> str:
    """Return how much more some nodes cost a month, as the difference of both prices as they are shown; empty where these are
    exact, unknown or look alike."""
    step, before, after = step_of_sides(comparison), change.before.price, change.after.price
    if step is None or before is None or after is None:
        return ""
    more = round(step.rounded(a_month(after)) - step.rounded(a_month(before)), step.places)
    return _signed(more, step, currency_sign(comparison.currency)) if more else ""


def _is_finer(month: MonthlyPrice, step: Step) -> bool:
    """Tell whether the difference is known better than the sums, since both have the same estimates."""
    of = month.ranges.difference
    return of is None or Step.of(of.at(HOURS_PER_MONTH)).size < step.size


def _cells(amounts: Sequence[float | None], step: Step) -> list[float | None]:
    prices = [None if amount is None else amount / HOURS_PER_MONTH for amount in amounts]
    whole = money_sum(price or 0.0 for price in prices)
    return [None if cell is None else float(cell.replace(",", "")) for cell in estimated_cells(prices, whole, step)]


def _row(before: float | None, after: float | None, step: Step, sign: str) -> ShownPrices:
    first, second = (_UNKNOWN if of is None else f"{sign}{of:,.{step.places}f}" for of in (before, after))
    difference = _UNKNOWN if before is None or after is None else _signed(after - before, step, sign)
    return ShownPrices(first, second, difference)


def _signed(amount: float, step: Step, sign: str) -> str:
    shown = f"{abs(amount):,.{step.places}f}"
    return f"{plus_or_minus(amount) if float(shown.replace(',', '')) else ''}{sign}{shown}"


def _sum(sign: str, amount: float, step: Step | None) -> str:
    return _exact(sign, amount) if step is None else f"about {sign}{amount:,.{step.places}f}"


def _exact(sign: str, amount: float | None) -> str:
    return _UNKNOWN if amount is None else f"{sign}{per_month(amount)}"
