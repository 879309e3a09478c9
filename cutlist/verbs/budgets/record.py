"""A week of disruption budgets as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import Count, Instant, about, json_of
from cutlist.disruption.budget_calendar import BudgetCalendar, Span
from cutlist.disruption.reasons import Reason
from cutlist.verbs.disrupt.record import AllowedDisruptions, allowed_disruptions, count_or_none

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Limit:
    """At most this many nodes, and at most this share of all, in percent, rounded up."""

    nodes: Annotated[Count | None, about("Null for no limit.")]
    percent: Annotated[Count | None, about("Null for no limit.")]


@dataclass(frozen=True, slots=True)
class _Span:
    from_: Instant
    to: Instant
    allowed: Annotated[AllowedDisruptions | None, about("Null where the number of nodes is not known.")]
    limits: Mapping[Reason, _Limit]


@dataclass(frozen=True, slots=True)
class _NodePool:
    node_pool: str
    nodes: Annotated[Count | None, about("Null where it is not known.")]
    spans: tuple[_Span, ...]
    oddities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BudgetsRecord:
    """How many nodes may be disrupted at any time of a week."""

    version: Literal[1]
    node_pools: tuple[_NodePool, ...]


def budgets_json(calendars: Sequence[BudgetCalendar]) -> str:
    """Return weeks of budgets as indented JSON that ends in a newline; no limit is null."""
    return json_of(BudgetsRecord(VERSION, tuple(_node_pool(calendar) for calendar in calendars)))


def _node_pool(calendar: BudgetCalendar) -> _NodePool:
    spans = tuple(_span(span, calendar.nodes) for span in calendar.spans)
    return _NodePool(calendar.pool, calendar.nodes, spans, tuple(calendar.oddities))


def _span(span: Span, nodes: int | None) -> _Span:
    limits = {reason: _Limit(count_or_none(limit.count), limit.percent) for reason, limit in span.limits.items()}
    if nodes is None:
        return _Span(span.start, span.end, None, limits)
    counts = {reason: limit.of(nodes) for reason, limit in span.limits.items()}
    return _Span(span.start, span.end, allowed_disruptions(counts), limits)
