"""Suggested NodePools as a page: what is saved and given up, the diff, the options by cost and risk, and the scenarios."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from cutlist.catalog.prices import a_month
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.html.points_chart import Point, points_chart
from cutlist.report.html.rendering import render
from cutlist.report.plain import currency_sign, currency_unit, monthly
from cutlist.verbs.suggest.amounts import mean_of
from cutlist.verbs.suggest.columns import (
    FLEET_PAGE,
    fleet_rows,
    option_page,
    option_rows,
    scenario_columns,
    scenario_rows,
    what_if_columns,
)
from cutlist.verbs.suggest.edit_words import edits_in_short, part_sentences
from cutlist.verbs.suggest.first_screen import SuggestFirst
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_first import FleetFirst
from cutlist.verbs.suggest.opening import bound_sentence
from cutlist.verbs.suggest.saving_words import mean_sentence
from cutlist.verbs.suggest.search_words import refusal_words, search_sentence
from cutlist.verbs.suggest.suggestions import Suggestions
from cutlist.verbs.suggest.usage_words import usage_sentences


@dataclass(frozen=True, slots=True)
class PoolBars:
    """What a NodePool's nodes cost a month, today and then, in words and as parts of the largest such price."""

    node_pool: str
    before: str
    after: str
    part_before: float
    part_after: float


def suggest_html(suggestions: Suggestions) -> str:
    """Return suggestions as one page."""
    rows = option_rows(suggestions)
    return render(
        "suggest/page.html.j2",
        suggestions=suggestions,
        first=SuggestFirst.of(suggestions),
        bound=bound_sentence(suggestions),
        mean=mean_sentence(suggestions),
        search=search_sentence(suggestions),
        bars=_bars(suggestions),
        parts=part_sentences(suggestions),
        chart=_chart(suggestions),
        reasons=_reasons(suggestions),
        usage=usage_sentences(suggestions),
        what_if=what_if_columns(suggestions.current, suggestions.currency),
        columns=option_page(rows),
        rows=rows,
        scenario_columns=scenario_columns(suggestions.currency),
        scenarios=scenario_rows(suggestions),
        refused=[refusal_words(suggestions, refused) for refused in suggestions.refused],
        costs=RestrictionPrices(suggestions.restrictions, suggestions.unpriced),
        unit=currency_unit(suggestions.currency),
        month_of=lambda price: suggestions.money.part(price).month(),
        ages=(suggestions.price_age,),
    )


def _bars(suggestions: Suggestions) -> list[PoolBars]:
    costs = suggestions.best.pools_cost
    if len(costs) < 2:
        return []  # what a NodePool that is alone costs stands above
    most = max((max(cost.before, cost.after) for cost in costs), default=0.0) or 1.0

    def month(per_hour: float) -> str:
        return mean_of(suggestions, per_hour)

    return [
        PoolBars(c.node_pool, month(c.before), month(c.after), c.before / most, c.after / most)
        for c in sorted(costs, key=lambda c: (-max(c.before, c.after), c.node_pool))
    ]


def fleet_html(fleet: FleetSuggestions) -> str:
    """Return suggestions for a fleet as one page: what is saved and where, and a row for each environment."""
    *environments, total = fleet_rows(fleet)
    first, signed = FleetFirst.of(fleet), total.names_currency
    return render(
        "suggest/fleet_page.html.j2", first=first, columns=FLEET_PAGE, environments=environments, signed=signed, ages=()
    )


@dataclass(frozen=True, slots=True)
class _Reason:
    """An option as the chart names it, and its edits in words."""

    name: str
    words: str


def _reasons(suggestions: Suggestions) -> list[_Reason]:
    """Return what each option of the chart is, the current NodePools first."""
    options = enumerate(suggestions.options, 1)
    return [
        _Reason("now", "today's NodePools"),
        *(_Reason(str(n), edits_in_short(option.edits) or "nothing changes") for n, option in options),
    ]


def _chart(suggestions: Suggestions) -> Markup:
    """Return the options by mean price and by how many pods a node takes with it when it fails; empty where that is one
    point."""
    sign, now = currency_sign(suggestions.currency), suggestions.current.lost_with_node
    points = [Point("now", suggestions.outlook.expected, now, "spot")]
    for number, option in enumerate(suggestions.options, 1):
        name = f"✓ {number} (recommended)" if number - 1 == suggestions.recommended else str(number)
        points.append(Point(name, option.expected, option.figures.lost_with_node))
    if len({(round(point.cost, 6), point.risk) for point in points}) < 2:
        return Markup("")
    titles = ("a month on average", "pods lost with the fullest node", "no packing costs less")
    return points_chart(points, suggestions.outlook.bound, lambda price: f"{sign}{monthly(a_month(price))}", titles)
