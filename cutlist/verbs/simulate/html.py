"""A simulated cluster as a page: charts of the run and of each day, evictions, Karpenter's commands, the lives of nodes; and
runs with several seeds as one: means with intervals, and each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from cutlist.core.labels import SPOT
from cutlist.report.html.hours_chart import Layer, hours_chart
from cutlist.report.html.rendering import render
from cutlist.report.plain import currency_unit
from cutlist.simulation.ledger import PoolAndCapacity
from cutlist.simulation.result import HourOfCluster, SimulationResult
from cutlist.verbs.simulate import runs_words
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.columns import (
    EVICTIONS,
    UNPLACED,
    choice_columns,
    command_columns,
    kind_columns,
    life_columns,
    like_columns,
)
from cutlist.verbs.simulate.commands import MOST_ROWS, command_kinds, commands_by_hour, days_of_commands, like_nodes
from cutlist.verbs.simulate.first_screen import SimulateFirst, cost_chart, waiting_strips
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import (
    commitments_of_runs,
    eviction_columns,
    mean_columns,
    rival_columns,
    run_columns,
    unplaced_columns,
)
from cutlist.verbs.simulate.words import length, most_evictions, why_unplaced

_DAY: Final = 24  # hours
_HOUR: Final = 3600  # seconds
_DAYS: Final = 31  # days that have charts of their own


@dataclass(frozen=True, slots=True)
class _ChartsOfDay:
    title: str
    charts: tuple[Markup, ...]


def simulate_html(simulation: ClusterSimulation) -> str:
    """Return the simulation as one page. Commands and nodes have their own rows if there are not too many of them."""
    result = simulation.result
    has_many_commands, has_many_nodes = len(result.commands) > MOST_ROWS, len(result.lives) > MOST_ROWS
    kinds, alike = command_kinds(result.commands), like_nodes(result.lives, result.until) if has_many_nodes else []
    return render(
        "simulate/page.html.j2",
        words={"why_unplaced": why_unplaced},
        simulation=simulation,
        result=result,
        first=SimulateFirst.of(result, simulation.region),
        length=length(result),
        totals=result.totals,
        cost_chart=cost_chart(result),
        strips=waiting_strips(result),
        charts=_charts(result.series, commands_by_hour(result), result.currency),
        by_day=_by_day(result),
        unplaced_columns=UNPLACED,
        eviction_columns=EVICTIONS,
        evictions=most_evictions(result),
        kind_columns=kind_columns(result, kinds),
        kinds=kinds,
        command_columns=command_columns(result),
        days_of_commands=days_of_commands(result) if has_many_commands else [],
        like_columns=like_columns(result, alike),
        like_nodes=alike,
        life_columns=() if has_many_nodes else life_columns(result),
        commitment_columns=choice_columns(simulation.commitments, result.currency),
        pools=[life.pool for life in result.lives if life.pool],
        ages=(simulation.price_age,),
    )


def _by_day(result: SimulationResult) -> list[_ChartsOfDay]:
    """Return the charts of each day of a run of several days."""
    series, commands = result.series, commands_by_hour(result)
    if not _DAY < len(series) <= _DAY * _DAYS:
        return []
    days = [slice(first, first + _DAY) for first in range(0, len(series), _DAY)]
    return [
        _ChartsOfDay(
            _begins(series[day][0].at),
            _charts(series[day], {of: hours[day] for of, hours in commands.items()}, result.currency),
        )
        for day in days
    ]


def _begins(at: float) -> str:
    """Return when a day of the run begins: weekday and date, and the time if it is not midnight."""
    begins = datetime.fromtimestamp(at, UTC)
    return f"{begins:%A, %Y-%m-%d}" if at % (_DAY * _HOUR) == 0 else f"{begins:%A, %Y-%m-%d from %H:%M}Z"


def _charts(series: Sequence[HourOfCluster], commands: Mapping[str, Sequence[float]], currency: str) -> tuple[Markup, ...]:
    """Return the charts of some hours: cost and nodes by NodePool and capacity type, pods with and without a node, the fraction
    of the nodes' cpu that pods request, what Karpenter did, and evictions."""
    if not series:
        return ()
    start = series[0].at
    groups = sorted({group for hour in series for group in hour.nodes})
    return (
        hours_chart(
            "Cost", f"{currency_unit(currency)}/hour", [_layer(g, [h.usd.get(g, 0.0) for h in series]) for g in groups], start
        ),
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
        hours_chart("Commands", "per hour", [Layer(of, of == "dropped", hours) for of, hours in commands.items()], start),
        hours_chart("Evictions", "per hour", [Layer("pods", True, [hour.evictions for hour in series])], start),
    )


def _layer(group: PoolAndCapacity, values: Sequence[float]) -> Layer:
    pool, capacity = group
    return Layer(f"{pool or 'others'} {capacity}".rstrip(), capacity == SPOT, values)


def simulate_runs_html(runs: SimulationRuns) -> str:
    """Return runs as one page."""
    return render(
        "simulate/runs_page.html.j2",
        runs=runs,
        notes=runs_words.notes(runs),
        length=runs_words.runs_length(runs),
        seeds=runs_words.seeds_words(runs),
        verdict=runs_words.verdict(runs),
        cost=runs_words.cost_text(runs),
        numbers=runs_words.means(runs),
        evictions=runs_words.workload_evictions(runs),
        mean_columns=mean_columns(runs),
        eviction_columns=eviction_columns(runs),
        rival_columns=rival_columns(runs),
        unplaced=runs_words.unplaced(runs),
        unplaced_columns=unplaced_columns(runs),
        run_columns=run_columns(runs),
        rivals=runs_words.rivals(runs),
        committed=runs_words.cheapest_committed(runs),
        commitment_columns=commitments_of_runs(runs),
        every_run=runs_words.every_run(runs),
        ages=(runs.price_age,),
    )
