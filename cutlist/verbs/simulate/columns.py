"""The figures of a simulated cluster, and the columns that each form has: costs, evictions, commands, nodes, commitments,
hours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, TypeVar

from cutlist.core.instants import instant_text
from cutlist.core.wording import counted
from cutlist.report.columns import Figure, Figures, Show, count, in_currency, named, number, only_csv
from cutlist.report.csv import rows_csv
from cutlist.report.markup import code, words
from cutlist.report.node_figures import CAPACITY, POOL, TYPE, ZONE
from cutlist.report.plain import hour_column, instant, span
from cutlist.simulation.commitments import in_usd
from cutlist.simulation.ledger import CommandRecord, NodeLife, PoolAndCapacity
from cutlist.simulation.result import Evictions, GroupOfNodes, HourOfCluster, SimulationResult, UnplacedPods
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.commands import CommandKind, LikeNodes
from cutlist.verbs.simulate.commitments import CommitmentChoice
from cutlist.verbs.simulate.words import OTHER_PODS, amounts_of, why_unplaced

T = TypeVar("T")


class _Saving(Protocol):
    """What saves some USD an hour, or nothing."""

    @property
    def savings(self) -> float: ...


_GROUP: Final[Figures[GroupOfNodes]] = (
    named("NodePool", lambda group: group.node_pool, least=12),
    named("capacity", lambda group: group.capacity_type),
)
_NODES: Final[Figure[GroupOfNodes]] = number("nodes", lambda group: f"{group.nodes:,.1f}")


def cost_columns(result: SimulationResult) -> Figures[GroupOfNodes]:
    """Return the columns of what the nodes of each NodePool and capacity type cost, which add up to the whole run."""
    return (*_GROUP, _NODES, _group_cost(result))


def comment_costs(result: SimulationResult) -> Figures[GroupOfNodes]:
    """Return the same for a comment."""
    return (*_GROUP, _group_cost(result))


def _group_cost(result: SimulationResult) -> Figure[GroupOfNodes]:
    amounts, groups = amounts_of(result), result.groups
    cells = amounts.cells([group.usd for group in groups])
    shown = {(of.node_pool, of.capacity_type): cell for of, cell in zip(groups, cells, strict=True)}
    return number(amounts.unit, lambda group: shown[group.node_pool, group.capacity_type])


def workload_figure(name_of: Callable[[T], str]) -> Figure[T]:
    """Return the column of the workload that rows are about, by its name; empty for pods without one."""
    return Figure(
        "workload",
        lambda row: name_of(row) or OTHER_PODS,
        markdown=lambda row: code(name) if (name := name_of(row)) else OTHER_PODS,
    )


EVICTIONS: Final[Figures[Evictions]] = (
    workload_figure(lambda of: of.workload),
    Figure("cause", lambda of: of.cause, markdown=lambda of: words(of.cause)),
    count("evictions", lambda of: of.count),
)

UNPLACED: Final[Figures[UnplacedPods]] = (
    workload_figure(lambda of: of.workload),
    count("still waiting", lambda of: of.pending),
    count("deleted before", lambda of: of.never_ran),
    number("longest wait", lambda of: span(of.longest_seconds)),
    Figure("why", why_unplaced, markdown=lambda of: words(why_unplaced(of)), page_class="w"),
)

_KINDS: Final[Figures[CommandKind]] = (
    Figure("method", lambda kind: kind.method),
    Figure("decision", lambda kind: kind.decision),
    count("executed", lambda kind: kind.executed),
    number("cancelled", lambda kind: f"{kind.dropped:,}" if kind.dropped else "-"),
)


def kind_columns(result: SimulationResult, kinds: Sequence[CommandKind]) -> Figures[CommandKind]:
    """Return the columns of kinds of commands."""
    return (*_KINDS, _saved(result, kinds))


def _saved(result: SimulationResult, rows: Sequence[_Saving]) -> Figure[_Saving]:
    """Return the column of what commands save by the hour, as exact as the cost of the run is."""
    amounts = amounts_of(result)
    hour = hour_column(abs(row.savings) for row in rows)

    def text(of: _Saving) -> str:
        if not of.savings:
            return "-"
        return hour(of.savings) if amounts.of is None else amounts.hour(of.savings)

    return number(f"{amounts.unit}/hour saved", text)


def command_columns(result: SimulationResult) -> Figures[CommandRecord]:
    """Return the columns of single commands; their methods head the rows."""
    return (
        Figure("at", lambda command: instant(result.settings.instant(command.at)), page_class="k"),
        Figure("method", lambda command: command.method),
        Figure("decision", lambda command: command.decision),
        Figure("nodes", lambda command: ", ".join(command.nodes) or "-"),
        Figure("launched", lambda command: ", ".join(command.launched) or "-"),
        _saved(result, result.commands),
        Figure("outcome", lambda command: command.outcome),
    )


_TYPE: Final = TYPE.titled("type")


def like_columns(result: SimulationResult, rows: Sequence[LikeNodes]) -> Figures[LikeNodes]:
    """Return the columns of nodes in groups of equal ones, whose costs add up to that of the run."""
    amounts = amounts_of(result)
    shown = {id(row): cell for row, cell in zip(rows, amounts.cells([row.usd for row in rows]), strict=True)}
    like: Figures[LikeNodes] = (
        count("nodes", lambda of: of.count),
        number("hours", lambda of: f"{of.hours:,.1f}"),
        number(amounts.unit, lambda of: shown[id(of)]),
        Figure("most ended because", lambda of: of.cause or "-"),
    )
    return (_TYPE, POOL, CAPACITY, ZONE, *like)


def life_columns(result: SimulationResult) -> Figures[NodeLife]:
    """Return the columns of single nodes of a run, whose costs add up to that of the run."""
    amounts, until = amounts_of(result), result.until
    cells = amounts.cells([life.cost(until) for life in result.lives])
    shown = {id(life): cell for life, cell in zip(result.lives, cells, strict=True)}
    name: Figure[NodeLife] = Figure("node", lambda life: life.name)
    ended: Figures[NodeLife] = (
        number("hours", lambda life: f"{life.hours(until):,.1f}"),
        number(amounts.unit, lambda life: shown[id(life)]),
        Figure("ended because", lambda life: "runs" if life.ended is None else life.cause or "-"),
    )
    return (name, POOL, _TYPE, CAPACITY, ZONE, *ended)


def amount(title: str, show: Show[T]) -> Figure[T]:
    """Return a number of a commitment."""
    return number(title, show, markdown=lambda row: words(show(row)))


def commitment_columns(choice_of: Callable[[T], CommitmentChoice], hour: Show[float], sums: Figures[T]) -> Figures[T]:
    """Return the columns of commitments, which their names head. `hour` writes an amount by the hour; `sums` are over time."""

    def words_of(title: str, show: Show[CommitmentChoice]) -> Figure[T]:
        return Figure(title, lambda row: show(choice_of(row)), least=12, markdown=lambda row: words(show(choice_of(row))))

    def amount_of(title: str, show: Show[CommitmentChoice]) -> Figure[T]:
        return amount(title, lambda row: show(choice_of(row)))

    return (
        words_of("term", lambda choice: choice.term),
        words_of("commitment", _commitment_name),
        amount_of("$/hour", lambda choice: hour(in_usd(choice.commitment.hourly))),
        *sums,
        amount_of("used", lambda choice: f"{float(choice.commitment.used):.0%}" if choice.commitment.hourly else "-"),
        amount_of("pays from", _pays_from),
        words_of("source", lambda choice: ", ".join(choice.sources) or "-"),
    )


def choice_columns(choices: Sequence[CommitmentChoice], currency: str) -> Figures[CommitmentChoice]:
    """Return the columns of the commitments of one run."""
    saves: Figure[CommitmentChoice] = amount("saves $", lambda choice: f"{in_usd(choice.commitment.saved):,.2f}")
    without: Figure[CommitmentChoice] = amount("of $", lambda choice: f"{in_usd(choice.commitment.without):,.2f}")
    return in_currency(commitment_columns(lambda choice: choice, hourly_column(choices), (saves, without)), currency)


def hourly_column(choices: Iterable[CommitmentChoice]) -> Show[float]:
    """Return how the hourly amounts of commitments are written in a column."""
    return hour_column(in_usd(choice.commitment.hourly) for choice in choices)


def _commitment_name(choice: CommitmentChoice) -> str:
    """Return what a commitment is: `savings plan`, or `3 reserved instances m7g.large`."""
    of = choice.commitment
    if choice.instance_type:
        system = " with Windows" if choice.os else ""
        return f"{counted(of.instances or 0, 'reserved instance')} {choice.instance_type}{system}"
    return "savings plan" if of.hourly else "no savings plan"


def _pays_from(choice: CommitmentChoice) -> str:
    """Return from which fraction of the use on a commitment costs no more than on demand."""
    of = choice.commitment
    return "-" if of.enough_use is None or not of.hourly else f"{of.enough_use:.0%} of the use"


def _rounded(name: str, value: Callable[[HourOfCluster], float]) -> Figure[HourOfCluster]:
    return only_csv(name, lambda hour: round(value(hour), 4))


_HOUR: Final[Figures[HourOfCluster]] = (
    only_csv("hour", lambda hour: instant_text(hour.at)),
    _rounded("usd", lambda hour: hour.total_usd),
    _rounded("nodes", lambda hour: math.fsum(hour.nodes.values())),
    _rounded("pods", lambda hour: hour.pods),
    _rounded("pending", lambda hour: hour.pending),
    only_csv("fill", lambda hour: None if hour.fill is None else round(hour.fill, 4)),
    only_csv("evictions", lambda hour: hour.evictions),
)


def csv(simulation: ClusterSimulation) -> str:
    """Return a row for each hour: its numbers, then those of each NodePool and capacity type that had nodes."""
    series = simulation.result.series
    groups = sorted({group for hour in series for group in hour.nodes})
    columns = (*_HOUR, *(figure for group in groups for figure in _of_group(group)))
    return rows_csv([figure.name for figure in columns], [[figure.in_csv(hour) for figure in columns] for hour in series])


def _of_group(group: PoolAndCapacity) -> Figures[HourOfCluster]:
    name = " ".join(group)
    return (
        _rounded(f"usd {name}".rstrip(), lambda hour: hour.usd.get(group, 0.0)),
        _rounded(f"nodes {name}".rstrip(), lambda hour: hour.nodes.get(group, 0.0)),
    )
