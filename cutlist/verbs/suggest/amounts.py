"""The money of suggestions: prices a month, no more exact than they are known."""

from __future__ import annotations

from typing import Final

from cutlist.optimization.evaluation import CostAndRisk
from cutlist.report.estimates import Money
from cutlist.report.plain import per_month, percent
from cutlist.verbs.suggest.suggestions import Suggestions

EQUAL: Final = 1e-6
"""The part of a price below which two are the same."""
LEAST: Final = 0.01
"""The least part of a price that is written as a percentage."""


def part_in_words(part: float) -> str:
    """Return a part of a price: `12%`, or `less than 1%` for one that is not nothing."""
    return f"less than {percent(LEAST)}" if EQUAL <= part < LEAST else percent(part)


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
