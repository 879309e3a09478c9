"""A week of disruption budgets as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cutlist.core.records import json_of
from cutlist.disruption.budget_calendar import BudgetCalendar

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class BudgetsRecord:
    """How many nodes may be disrupted at any time of a week."""

    version: Literal[1]
    node_pools: tuple[BudgetCalendar, ...]


def budgets_json(calendars: Sequence[BudgetCalendar]) -> str:
    """Return weeks of budgets as indented JSON that ends in a newline; no limit is null."""
    return json_of(BudgetsRecord(VERSION, tuple(calendars)))
