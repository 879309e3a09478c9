"""What a loss of spot capacity costs, in words."""

from __future__ import annotations

from decimal import Decimal

from cutlist.disruption.disk_costs import has_estimates
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.estimates import Money
from cutlist.report.plain import monthly


def costs_of(loss: SpotLoss, mark: str = "*") -> tuple[Money, Money]:
    """Return what all nodes of Karpenter cost before and after."""
    prices = loss.prices
    sides = ((prices.before, prices.range_before, loss.before), (prices.after, prices.range_after, loss.after))
    before, after = (Money(price, of, prices.currency, mark if has_estimates(cluster) else "") for price, of, cluster in sides)
    return before, after


def hour_change(loss: SpotLoss) -> str:
    """Return how much more an hour of them costs, as the difference of both prices as they are shown."""
    before, after = (cost.hour_cell() for cost in costs_of(loss))
    return _difference(loss, before, after, change_of(loss).hour_cell())


def month_change(loss: SpotLoss) -> str:
    """Return how much more a month of them costs, likewise."""
    before, after = (cost.month_cell(monthly) for cost in costs_of(loss))
    return _difference(loss, before, after, change_of(loss).month_cell(monthly))


def _difference(loss: SpotLoss, before: str, after: str, otherwise: str) -> str:
    """Return a difference of amounts with its sign and its currency; of two that look alike, the difference that is known."""
    change = change_of(loss)
    places = min(len(text.partition(".")[2]) for text in (before, after))
    shown = Decimal(after.replace(",", "")) - Decimal(before.replace(",", ""))
    text = f"{abs(shown):,.{places}f}" if shown else otherwise.removeprefix("-")
    about = "" if change.of is None else "about "
    return f"{about}{'-' if change.per_hour < 0 else '+'}{change.sign}{text}{change.mark if change.of is None else ''}"


def change_of(loss: SpotLoss) -> Money:
    """Return how much more they cost afterwards."""
    prices = loss.prices
    mark = "*" if has_estimates(loss.before) or has_estimates(loss.after) else ""
    return Money(round(prices.after - prices.before, 10), prices.range_of_change, prices.currency, mark)
