"""Suggestions for a fleet as a page: a row for each environment, with what it saves as a bar."""

from __future__ import annotations

from typing import Any

from cutlist.report.html.rendering import render
from cutlist.verbs.suggest.fleet import EnvironmentSuggestions, FleetSuggestions
from cutlist.verbs.suggest.fleet_words import fleet_verdict, price_cells, remark, state_sentence


def fleet_html(fleet: FleetSuggestions) -> str:
    """Return suggestions for a fleet as one page."""
    most = max((prices.saving for e in fleet.environments if (prices := e.prices) is not None), default=0.0)
    return render(
        "suggest/fleet_page.html.j2",
        fleet=fleet,
        verdict=fleet_verdict(fleet),
        state=state_sentence(fleet),
        rows=[_row(environment, most) for environment in fleet.environments],
        total=price_cells(fleet.prices),
    )


def _row(environment: EnvironmentSuggestions, most: float) -> dict[str, Any]:
    prices = environment.prices
    return {
        "environment": environment,
        "cells": price_cells(prices),
        "part": max(0.0, prices.saving / most) if prices is not None and most > 0 else None,
        "remark": remark(environment),
    }
