"""What restrictions cost, in words and as a section of a text."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.estimates import Money
from cutlist.report.markup import at_most, folded, words
from cutlist.report.page import HEADING, Page
from cutlist.report.plain import per_month

_MOST_LINES: Final = 8
UNKNOWN: Final = Money(0.0)
"""What stands for a plan whose price is of no importance: amounts are exact, in US dollars."""
NOTHING: Final = "no restriction costs anything"


def restriction_costs(prices: RestrictionPrices, of: Money = UNKNOWN) -> list[str]:
    """Return what each restriction costs per month, a sentence each, and how many are not priced. `of` is what the plan costs:
    a part of it is known no more exactly."""
    costs = [f"{of.part(r.price).month(per_month)} a month: {r.what}" for r in prices.priced]
    return [*costs, *filter(None, (unpriced_sentence(prices),))] or [NOTHING]


def restriction_lines(prices: RestrictionPrices | None, of: Money = UNKNOWN) -> list[str]:
    """Return the lines of a folded part of a comment with what restrictions cost; none without prices."""
    if prices is None:
        return []
    costs = [*map(words, restriction_costs(prices, of))]
    return folded("What restrictions cost, each removed alone", at_most(_MOST_LINES, costs))


def restriction_section(page: Page, prices: RestrictionPrices, of: Money = UNKNOWN) -> None:
    """Add what each restriction costs per month, the most expensive first."""
    page.blank()
    page.line(("What restrictions cost a month, each removed alone", HEADING))
    for restriction in prices.priced:
        cost = of.part(restriction.price)
        page.paragraph(restriction.what, first=f"  {f'{cost.sign}{cost.month_cell()}':>11}  ", indent=15)
    if prices.unpriced or not prices.priced:
        page.line(f"  {unpriced_sentence(prices) or NOTHING}")


def unpriced_sentence(prices: RestrictionPrices) -> str:
    """Return how many restrictions are not priced; empty if all are."""
    what = "more restriction" if prices.priced else "restriction"
    return f"{counted(prices.unpriced, what)} not priced" if prices.unpriced else ""
