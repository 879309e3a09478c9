"""Suggested NodePools as a page: what is saved and given up, the diff, the options by cost and risk, and the scenarios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from cutlist.catalog.prices import a_month
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.html.rendering import render
from cutlist.report.plain import currency_sign, currency_unit, monthly, percent
from cutlist.verbs.suggest.amounts import mean_of, mean_of_best, month_of
from cutlist.verbs.suggest.columns import (
    FLEET_PAGE,
    MONEY,
    fleet_rows,
    option_page,
    option_rows,
    scenario_columns,
    scenario_rows,
    what_if_columns,
)
from cutlist.verbs.suggest.edit_words import part_sentences
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_words import fleet_verdict, state_sentence
from cutlist.verbs.suggest.opening import opening
from cutlist.verbs.suggest.saving_words import verdict
from cutlist.verbs.suggest.search_words import refusal_words, search_sentence
from cutlist.verbs.suggest.suggestions import Suggestions
from cutlist.verbs.suggest.usage_words import usage_sentences

_WIDTH: Final = 560
_HEIGHT: Final = 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 24, 44, 44


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
        verdict=verdict(suggestions),
        sentences=opening(suggestions),
        search=search_sentence(suggestions),
        then=_tile(suggestions),
        bars=_bars(suggestions),
        parts=part_sentences(suggestions),
        chart=_chart(suggestions),
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


@dataclass(frozen=True, slots=True)
class _Tile:
    """The figures on top: the price of a month now and then, the mean, the bound, and pods lost with a node."""

    now: str
    then: str
    mean_now: str
    mean_then: str
    above_bound: str
    lost_now: int
    lost_then: int


def _tile(suggestions: Suggestions) -> _Tile:
    best, current = suggestions.best, suggestions.current
    return _Tile(
        now=month_of(suggestions, current),
        then=month_of(suggestions, best.figures),
        mean_now=mean_of(suggestions, suggestions.outlook.expected),
        mean_then=mean_of_best(suggestions),
        above_bound=percent(suggestions.above_expected_bound(best.expected, best)),
        lost_now=current.lost_with_node,
        lost_then=best.figures.lost_with_node,
    )


def _bars(suggestions: Suggestions) -> list[PoolBars]:
    costs = suggestions.best.pools_cost
    most = max((max(cost.before, cost.after) for cost in costs), default=0.0) or 1.0

    def month(per_hour: float) -> str:
        return mean_of(suggestions, per_hour)

    return [
        PoolBars(c.node_pool, month(c.before), month(c.after), c.before / most, c.after / most)
        for c in sorted(costs, key=lambda c: (-max(c.before, c.after), c.node_pool))
    ]


def fleet_html(fleet: FleetSuggestions) -> str:
    """Return suggestions for a fleet as one page: a row for each environment, with what it saves as a bar."""
    *environments, total = fleet_rows(fleet)
    return render(
        "suggest/fleet_page.html.j2",
        verdict=fleet_verdict(fleet),
        state=state_sentence(fleet),
        columns=FLEET_PAGE,
        environments=environments,
        total=[figure.on_page(total) for figure in MONEY],
        signed=total.names_currency,
    )


@dataclass(frozen=True, slots=True)
class _Point:
    """An option in the chart: its name, its mean price an hour, and the pods that are lost with its fullest node."""

    name: str
    price: float
    lost: int


def _chart(suggestions: Suggestions) -> Markup:
    """Return the options by mean price and by how many pods a node takes with it when it fails, with the bound as a line."""
    points = [_Point("now", suggestions.outlook.expected, suggestions.current.lost_with_node)]
    for number, option in enumerate(suggestions.options):
        name = f"✓ {number + 1}" if number == suggestions.recommended else str(number + 1)
        points.append(_Point(name, option.expected, option.figures.lost_with_node))
    bound, sign = suggestions.outlook.bound, currency_sign(suggestions.currency)
    scale = _Scale(bound, max(p.price for p in points), max(p.lost for p in points))
    drawn = Markup(
        '<circle cx="{x:.1f}" cy="{:.1f}" r="5" class="{}"/><text x="{x:.1f}" y="{:.1f}" text-anchor="middle">{}</text>'
    )
    dots = Markup("").join(
        drawn.format(
            scale.y(point),
            "demand" if n else "spot",
            scale.y(point) + (22 if n and n % 2 == 0 else -9),
            point.name,
            x=scale.at(point.price),
        )
        for n, point in enumerate(points)
    )
    return Markup(
        '<svg class="chart points" viewBox="0 0 {w} {h}" role="img"'
        ' aria-label="Options by mean price and by pods lost with a node">'
        '<line x1="{l:.1f}" y1="{t}" x2="{l:.1f}" y2="{b}"/><text x="{l:.1f}" y="{u}">bound {bound}</text>'
        '<line x1="{a}" y1="{b}" x2="{e}" y2="{b}"/><text x="{a}" y="{d}">mean price a month, from {low} to {high}</text>'
        '<text x="0" y="12">pods lost with a node</text><text x="{y}" y="{n}" text-anchor="end">{most}</text>'
        '<text x="{y}" y="{b}" text-anchor="end">0</text>{points}</svg>'
    ).format(
        w=_WIDTH,
        h=_HEIGHT,
        l=scale.at(bound),
        t=_TOP,
        n=_TOP + 4,
        y=_LEFT - 8,
        most=scale.most,
        u=_TOP - 16,
        a=_LEFT,
        b=_HEIGHT - _BOTTOM,
        d=_HEIGHT - 12,
        e=_WIDTH - _RIGHT,
        bound=f"{sign}{monthly(a_month(bound))}",
        low=f"{sign}{monthly(a_month(scale.low))}",
        high=f"{sign}{monthly(a_month(scale.high))}",
        points=dots,
    )


class _Scale:
    """Where prices and lost pods are in a chart; both begin at their lowest value."""

    def __init__(self, low: float, high: float, most: int) -> None:
        self.low, self.high, self.most = low, max(high, low * 1.01 + 1e-9), max(most, 1)

    def at(self, price: float) -> float:
        """Return the position of a price."""
        return _LEFT + (price - self.low) / (self.high - self.low) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, point: _Point) -> float:
        """Return the position of an option by lost pods."""
        return _HEIGHT - _BOTTOM - point.lost / self.most * (_HEIGHT - _TOP - _BOTTOM)
