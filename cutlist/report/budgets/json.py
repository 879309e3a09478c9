"""A week of disruption budgets as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cutlist.core.records import Count, Instant, json_of
from cutlist.disruption.budget_calendar import BudgetCalendar
from cutlist.report.disrupt.json import AllowedDisruptions, allowed_disruptions

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Span:
    from_: Instant
    to: Instant
    allowed: AllowedDisruptions


@dataclass(frozen=True, slots=True)
class _NodePool:
    node_pool: str
    nodes: Count
    spans: tuple[_Span, ...]
    oddities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BudgetsRecord:
    """How many nodes may go at any time of a week."""

    version: Literal[1]
    node_pools: tuple[_NodePool, ...]


def budgets_json(calendars: Sequence[BudgetCalendar]) -> str:
    """Return weeks of budgets as indented JSON that ends in a newline; no limit is null."""
    return json_of(BudgetsRecord(VERSION, tuple(_node_pool(calendar) for calendar in calendars)))


def _node_pool(calendar: BudgetCalendar) -> _NodePool:
    spans = tuple(_Span(span.start, span.end, allowed_disruptions(span.allowed)) for span in calendar.spans)
    return _NodePool(calendar.pool, calendar.nodes, spans, tuple(calendar.oddities))
