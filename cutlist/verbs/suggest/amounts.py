"""The money of suggestions: prices a month, no more exact than they are known."""

from __future__ import annotations

from cutlist.optimization.evaluation import CostAndRisk
from cutlist.report.estimates import Money
from cutlist.report.plain import per_month
from cutlist.verbs.suggest.suggestions import Suggestions


def month_of(suggestions: Suggestions, figures: CostAndRisk) -> str:
    """Return what a plan costs a month, with its currency."""
    whole = Money(figures.price or 0.0, figures.price_range, suggestions.currency)
    return whole.month(per_month) if figures.settled is None else whole.part(figures.settled).month(per_month)


def mean_of_best(suggestions: Suggestions) -> str:
    """Return what the recommended option costs on average, a month, with its currency: known no more exactly than its price."""
    figures = suggestions.best.figures
    whole = Money(figures.price or 0.0, figures.price_range, suggestions.currency)
    return whole.part(suggestions.best.expected).month(per_month)


def mean_of(suggestions: Suggestions, per_hour: float) -> str:
    """Return a mean price a month, with its currency: known no more exactly than today's price."""
    return rounded(suggestions, per_hour).month(per_month)


def rounded(suggestions: Suggestions, per_hour: float) -> Money:
    """Return an amount that is known no more exactly than today's price."""
    return suggestions.money.part(per_hour)
