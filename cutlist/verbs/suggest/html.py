"""Suggested NodePools as a page: the front as a chart, the options with their edits, and restrictions as bars."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from cutlist.optimization.evaluation import CostAndRisk
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.html.rendering import render
from cutlist.report.plain import monthly
from cutlist.verbs.suggest import words
from cutlist.verbs.suggest.answer import Suggestions
from cutlist.verbs.suggest.columns import FLEET_PAGE, MONEY, fleet_rows, option_page, option_rows, what_if_columns
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_words import fleet_verdict, state_sentence

_WIDTH: Final = 560
_HEIGHT: Final = 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 24, 44, 44


def suggest_html(suggestions: Suggestions) -> str:
    """Return suggestions as one page."""
    rows = option_rows(suggestions)
    return render(
        "suggest/page.html.j2",
        suggestions=suggestions,
        verdict=words.verdict(suggestions),
        bound=words.bound_sentence(suggestions),
        search=words.search_sentence(suggestions),
        limits=words.LIMITS,
        chart=_chart(suggestions),
        usage=[] if suggestions.usage is None else words.usage_sentences(suggestions.usage),
        what_if=what_if_columns(suggestions.current.price),
        columns=option_page(rows),
        rows=rows,
        costs=RestrictionPrices(suggestions.restrictions, suggestions.unpriced),
    )


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
    )


def _chart(suggestions: Suggestions) -> Markup:
    """Return the options by price and by how many pods a node takes with it when it fails, with the bound as a line."""
    figures = [suggestions.current, *(option.figures for option in suggestions.options)]
    scale = _Scale.of(suggestions.bound, figures)
    point = Markup(
        '<circle cx="{x:.1f}" cy="{:.1f}" r="5" class="{}"/><text x="{x:.1f}" y="{:.1f}" text-anchor="middle">{}</text>'
    )
    points = Markup("").join(
        point.format(scale.y(f), "demand" if n else "spot", scale.y(f) + (22 if n and n % 2 == 0 else -9), name, x=scale.x(f))
        for n, (name, f) in enumerate(zip(_names(suggestions), figures, strict=True))
    )
    left = scale.at(suggestions.bound)
    return Markup(
        '<svg class="chart points" viewBox="0 0 {w} {h}" role="img" aria-label="Options by price and by pods lost with a node">'
        '<line x1="{l:.1f}" y1="{t}" x2="{l:.1f}" y2="{b}"/><text x="{l:.1f}" y="{u}">bound {bound}</text>'
        '<line x1="{a}" y1="{b}" x2="{e}" y2="{b}"/><text x="{a}" y="{d}">price a month, from {low} to {high}</text>'
        '<text x="0" y="12">pods lost with a node</text><text x="{y}" y="{n}" text-anchor="end">{most}</text>'
        '<text x="{y}" y="{b}" text-anchor="end">0</text>{points}</svg>'
    ).format(
        w=_WIDTH,
        h=_HEIGHT,
        l=left,
        t=_TOP,
        n=_TOP + 4,
        y=_LEFT - 8,
        most=scale.most,
        u=_TOP - 16,
        a=_LEFT,
        b=_HEIGHT - _BOTTOM,
        d=_HEIGHT - 12,
        e=_WIDTH - _RIGHT,
        bound=f"${monthly(suggestions.bound * HOURS_PER_MONTH)}",
        low=f"${monthly(scale.low * HOURS_PER_MONTH)}",
        high=f"${monthly(scale.high * HOURS_PER_MONTH)}",
        points=points,
    )


def _names(suggestions: Suggestions) -> list[str]:
    """Return what stands at each point of the chart; the recommended option has a mark."""
    numbers = enumerate(suggestions.options)
    return ["now", *(f"✓ {n + 1}" if n == suggestions.recommended else str(n + 1) for n, _ in numbers)]


class _Scale:
    """Where prices and lost pods are in a chart; both begin at their lowest value."""

    def __init__(self, low: float, high: float, most: int) -> None:
        self.low, self.high, self.most = low, max(high, low * 1.01 + 1e-9), max(most, 1)

    @staticmethod
    def of(bound: float, figures: list[CostAndRisk]) -> _Scale:
        """Return the scale that shows the bound and all figures."""
        return _Scale(bound, max(f.price or 0.0 for f in figures), max(f.lost_with_node for f in figures))

    def at(self, price: float) -> float:
        """Return the position of a price."""
        return _LEFT + (price - self.low) / (self.high - self.low) * (_WIDTH - _LEFT - _RIGHT)

    def x(self, figures: CostAndRisk) -> float:
        """Return the position of a plan by price."""
        return self.at(figures.price or 0.0)

    def y(self, figures: CostAndRisk) -> float:
        """Return the position of a plan by lost pods."""
        return _HEIGHT - _BOTTOM - figures.lost_with_node / self.most * (_HEIGHT - _TOP - _BOTTOM)
