"""Disruption budgets that do not do what they seem to (spec: disruption 3; D-30, D-73)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.notes import Note
from cutlist.disruption.budget_calendar import week_spans
from cutlist.disruption.budget_oddities import open_outside, static_without_room
from cutlist.planning.traps.setup import Setup

OPEN_OUTSIDE: Final = "budget-open-outside-windows"
"""The code of the note on budgets that limit nothing while no window is open."""
NO_ROOM_TO_DRIFT: Final = "static-limit-blocks-drift"
"""The code of the note on a static NodePool without room for a replacement."""
_A_MONDAY: Final = 1767571200.0  # 2026-01-05: any week shows what happens outside of windows


def odd_budgets(setup: Setup) -> Iterator[Note]:
    """Yield a note for each NodePool whose windows leave the rest of the week open, or whose limit blocks its own drift."""
    for of in setup.pools:
        pool = of.pool
        if any(budget.schedule for budget in pool.disruption.budgets):
            week = week_spans(pool, _A_MONDAY, pool.karpenter)
            for text in open_outside([dict(span.limits) for span in week]):
                yield Note(OPEN_OUTSIDE, f"NodePool {pool.name}: {text}")
        for text in static_without_room(pool, pool.karpenter):
            yield Note(NO_ROOM_TO_DRIFT, f"NodePool {pool.name}: {text}")
