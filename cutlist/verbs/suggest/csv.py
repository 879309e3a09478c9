"""Suggested NodePools as CSV: a row for each option of an environment, or for each environment of a fleet."""

from __future__ import annotations

from cutlist.report.columns import csv_table
from cutlist.verbs.suggest.answer import Suggestions
from cutlist.verbs.suggest.columns import FLEET_CSV, fleet_rows, option_csv, option_rows
from cutlist.verbs.suggest.fleet import FleetSuggestions


def suggest_csv(suggestions: Suggestions) -> str:
    """Return a row for the current NodePools, and one for each option."""
    return csv_table(option_csv(suggestions.bound), option_rows(suggestions))


def fleet_csv(fleet: FleetSuggestions) -> str:
    """Return a row for each environment, and one with the sums."""
    return csv_table(FLEET_CSV, fleet_rows(fleet))
