"""Suggested NodePools as CSV: a row for each option of an environment, or for each environment of a fleet."""

from __future__ import annotations

from typing import Final

from cutlist.optimization.evaluation import CostAndRisk
from cutlist.report.csv import Cell, rows_csv
from cutlist.verbs.suggest.answer import Suggestions
from cutlist.verbs.suggest.fleet import EnvironmentSuggestions, FleetSuggestions
from cutlist.verbs.suggest.fleet_words import remark

_OPTIONS: Final = (
    *("option", "recommended", "per_hour", "nodes", "pending", "lost_with_node", "lost_with_zone", "spot_share"),
    *("bound_per_hour", "edits"),
)
_FLEET: Final = (
    *("environment", "region", "state", "now_per_hour", "bound_per_hour", "best_per_hour", "saving_per_hour"),
    "edits_or_reason",
)


def suggest_csv(suggestions: Suggestions) -> str:
    """Return a row for the current NodePools, and one for each option."""
    rows = [("now", "false", *_figures(suggestions.current), suggestions.bound, "")]
    for number, option in enumerate(suggestions.options):
        is_best = str(number == suggestions.recommended).lower()
        edits = "; ".join(edit.words for edit in option.edits)
        rows.append((str(number + 1), is_best, *_figures(option.figures), suggestions.bound, edits))
    return rows_csv(_OPTIONS, rows)


def fleet_csv(fleet: FleetSuggestions) -> str:
    """Return a row for each environment, and one with the sums."""
    prices = fleet.prices
    total = ("all", "", "", prices.now, prices.bound, prices.best, prices.saving, "")
    return rows_csv(_FLEET, [*map(_environment, fleet.environments), total])


def _figures(figures: CostAndRisk) -> tuple[Cell, ...]:
    counts = (figures.nodes, figures.pending_pods, figures.lost_with_node, figures.lost_with_zone)
    return (figures.price, *counts, round(figures.spot_share, 4))


def _environment(environment: EnvironmentSuggestions) -> tuple[Cell, ...]:
    prices = environment.prices
    money = (None,) * 4 if prices is None else (prices.now, prices.bound, prices.best, prices.saving)
    return (environment.name, environment.region, environment.state, *money, remark(environment))
