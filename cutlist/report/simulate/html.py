"""A simulated cluster as a page: charts of the run and of each day, evictions, Karpenter's commands, the lives of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from cutlist.answers.simulate import ClusterSimulation
from cutlist.core.labels import SPOT
from cutlist.core.values import dataclass
from cutlist.report.html.rendering import render
from cutlist.report.simulate.hours_chart import Layer, hours_chart
from cutlist.report.simulate.words import commitment_cells, length, without_node
from cutlist.simulation.events import HOUR
from cutlist.simulation.ledger import PoolAndCapacity
from cutlist.simulation.result import HourOfCluster

_DAY: Final = 24  # hours
_HOUR: Final = 3600  # seconds
_DAYS: Final = 31  # days that have charts of their own


@dataclass(frozen=True, slots=True)
class _ChartsOfDay:
    title: str
    charts: tuple[Markup, ...]


def simulate_html(simulation: ClusterSimulation) -> str:
    """Return the simulation as one page."""
    result = simulation.result
    return render(
        "simulate.html.j2",
        simulation=simulation,
        result=result,
        totals=result.totals,
        length=length(result),
        without_node=without_node(result.totals),
        hours=result.until / HOUR,
        charts=_charts(result.series),
        by_day=_by_day(result.series),
        evictions=sorted(result.evictions.items(), key=lambda entry: (-entry[1], entry[0])),
        commitments=commitment_cells(simulation.commitments),
        pools=[life.pool for life in result.lives if life.pool],
    )


def _by_day(series: Sequence[HourOfCluster]) -> list[_ChartsOfDay]:
    """Return the charts of each day of a run of several days."""
    if not _DAY < len(series) <= _DAY * _DAYS:
        return []
    days = [series[first : first + _DAY] for first in range(0, len(series), _DAY)]
    return [_ChartsOfDay(_begins(day[0].at), _charts(day)) for day in days]


def _begins(at: float) -> str:
    """Return when a day of the run begins: its weekday and date, and its time if that is not midnight."""
    begins = datetime.fromtimestamp(at, UTC)
    return f"{begins:%A, %Y-%m-%d}" if at % (_DAY * _HOUR) == 0 else f"{begins:%A, %Y-%m-%d from %H:%M}Z"


def _charts(series: Sequence[HourOfCluster]) -> tuple[Markup, ...]:
    """Return the charts of some hours: cost and nodes by NodePool and capacity type, pods with and without a node, and which
    part of the nodes' cpu pods request."""
    if not series:
        return ()
    start = series[0].at
    groups = sorted({group for hour in series for group in hour.nodes})
    return (
        hours_chart("Cost", "$/hour", [_layer(g, [h.usd.get(g, 0.0) for h in series]) for g in groups], start),
        hours_chart("Nodes", "nodes", [_layer(g, [h.nodes.get(g, 0.0) for h in series]) for g in groups], start),
        hours_chart(
            "Pods",
            "pods",
            [
                Layer("on nodes", False, [hour.pods for hour in series]),
                Layer("waiting", True, [hour.pending for hour in series]),
            ],
            start,
        ),
        hours_chart("Fill", "% of cpu", [Layer("requested", False, [100 * (hour.fill or 0.0) for hour in series])], start),
    )


def _layer(group: PoolAndCapacity, values: Sequence[float]) -> Layer:
    pool, capacity = group
    return Layer(f"{pool or 'others'} {capacity}".rstrip(), capacity == SPOT, values)
