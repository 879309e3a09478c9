"""What a loss of spot capacity costs, in words."""

from __future__ import annotations

from cutlist.disruption.disk_costs import has_estimates
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.estimates import Money


def costs_of(loss: SpotLoss, mark: str = "*") -> tuple[Money, Money]:
    """Return what all nodes of Karpenter cost before and after."""
    prices = loss.prices
    sides = ((prices.before, prices.range_before, loss.before), (prices.after, prices.range_after, loss.after))
    before, after = (Money(price, of, prices.currency, mark if has_estimates(cluster) else "") for price, of, cluster in sides)
    return before, after


def change_of(loss: SpotLoss) -> Money:
    """Return how much more they cost afterwards."""
    prices = loss.prices
    mark = "*" if has_estimates(loss.before) or has_estimates(loss.after) else ""
    return Money(round(prices.after - prices.before, 10), prices.range_of_change, prices.currency, mark)
