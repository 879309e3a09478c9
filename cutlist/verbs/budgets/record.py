"""A week of disruption budgets as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.core.records import After, json_of
from cutlist.disruption.budget_calendar import BudgetCalendar


@dataclass(frozen=True, slots=True)
class BudgetsRecord:
    """How many nodes may be disrupted at any time of a week."""

    node_pools: tuple[BudgetCalendar, ...]
    version: Annotated[Literal[1], After("")] = 1


def budgets_json(calendars: Sequence[BudgetCalendar]) -> str:
    """Return weeks of budgets as indented JSON that ends in a newline; no limit is null."""
    return json_of(BudgetsRecord(tuple(calendars)))
