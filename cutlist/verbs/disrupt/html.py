"""What Karpenter does next to a cluster, as a page: the next command, what spares each node, budgets, the timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from cutlist.catalog.ranges import Deviations
from cutlist.core.money import money_sum
from cutlist.disruption.forecast import DisruptionVerdict, Forecast, NodeForecast
from cutlist.disruption.methods import METHODS
from cutlist.disruption.trajectory import Trajectory, TrajectoryStep
from cutlist.report.estimates import Money, currency_of, disks_text
from cutlist.report.html.rendering import render
from cutlist.report.plain import currency_sign, currency_unit
from cutlist.verbs.budgets.answer import Upcoming
from cutlist.verbs.budgets.timeline import Lane, UpcomingView, time_strip
from cutlist.verbs.disrupt import words
from cutlist.verbs.disrupt import words as disrupt_words
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.columns import page_columns


def disrupt_html(answer: DisruptionForecast, upcoming: Upcoming) -> str:
    """Return the forecast as one page, with the coming week of budgets; forced removals are those of the forecast."""
    forecast, currency = answer.forecast, answer.forecast.currency
    return render(
        "disrupt/page.html.j2",
        words=disrupt_words.PAGE_WORDS,
        region=answer.region,
        forecast=forecast,
        managed=sum(n.verdict is not DisruptionVerdict.UNMANAGED for n in forecast.nodes),
        method=None if forecast.method is None else METHODS[forecast.method],
        cost=words.cost_of(forecast),
        saved=words.savings_of(forecast, currency),
        end_cost=words.cost_after(answer.trajectory.steps[-1], currency)
        if answer.trajectory and answer.trajectory.steps
        else None,
        unit=currency_unit(currency),
        disks=disks_text(forecast.disk_price, forecast.nodes_without_disks, currency_sign(currency)).removeprefix("; "),
        saved_disks=words.saved_disks_text(forecast.commands),
        follows=words.following_text(forecast.commands, currency),
        commands=forecast.commands,
        act=words.commands_text(forecast.commands),
        due=words.due_text(answer.due),
        why_nothing=words.why_nothing(forecast),
        verdicts=_by_verdict(forecast),
        outlook=_outlook(forecast),
        columns=page_columns(forecast.nodes, forecast.now),
        nodes=sorted(forecast.nodes, key=lambda node: _ORDER[node.verdict]),
        steps=[] if answer.trajectory is None else _steps(answer.trajectory, currency),
        upcoming=UpcomingView.of(replace(upcoming, removals=answer.removals)),
        oddities=answer.oddities,
        trajectory=answer.trajectory,
        trajectory_strip=None if answer.trajectory is None else _trajectory_strip(answer.trajectory),
        end=None if answer.trajectory is None else words.ENDS[answer.trajectory.end],
        estimated=f"* {words.ESTIMATED}" if words.has_marks(answer) else "",
        pools=[n.pool for n in forecast.nodes if n.pool],
        ages=(answer.price_age,),
    )


@dataclass(frozen=True, slots=True)
class _NodesAlike:
    """Nodes with the same verdict for the same reason; `month` is what those cost whose price is known."""

    verdict: DisruptionVerdict
    why: str
    nodes: int
    pods: int
    month: str
    pools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """A step after so many seconds: its method, node names, and a month what it saves and what is paid afterwards."""

    after: float
    method: str
    removed: tuple[str, ...]
    launched: tuple[str, ...]
    savings: str
    price_after: str


_ORDER: Final = {verdict: place for place, verdict in enumerate(DisruptionVerdict)}


def _outlook(forecast: Forecast) -> list[_NodesAlike]:
    """Return the nodes by verdict and reason; none where no two nodes have the same."""
    groups: dict[tuple[DisruptionVerdict, str], list[NodeForecast]] = {}
    for node in forecast.nodes:
        groups.setdefault((node.verdict, words.reason_text(node, forecast.now)), []).append(node)
    if len(groups) == len(forecast.nodes):
        return []
    alike = [_alike(verdict, why, nodes) for (verdict, why), nodes in groups.items()]
    return sorted(alike, key=lambda one: (_ORDER[one.verdict], -one.nodes, one.why))


def _alike(verdict: DisruptionVerdict, why: str, nodes: Sequence[NodeForecast]) -> _NodesAlike:
    return _NodesAlike(
        verdict,
        why,
        len(nodes),
        sum(node.pods for node in nodes),
        _month(nodes),
        tuple(sorted({node.pool for node in nodes if node.pool})),
    )


def _month(nodes: Sequence[NodeForecast]) -> str:
    price, mark = money_sum(node.bill for node in nodes), "*" if any(node.is_estimated for node in nodes) else ""
    of = Deviations.of((node.instance_type, 1, node.price) for node in nodes).around(price)
    return Money(price, of, currency_of(node.price for node in nodes), mark).month_in_table() if price else "-"


def _steps(trajectory: Trajectory, currency: str) -> list[_Step]:
    return [_step(step, trajectory, currency) for step in trajectory.steps]


def _step(step: TrajectoryStep, trajectory: Trajectory, currency: str) -> _Step:
    return _Step(
        step.at - trajectory.started,
        METHODS[step.method] if step.method is not None else "new nodes for pods that wait",
        tuple(candidate.name for command in step.commands for candidate in command.candidates),
        step.launched,
        words.savings_of(step, currency).month_in_table(),
        words.cost_after(step, currency).month_in_table(),
    )


def _by_verdict(forecast: Forecast) -> list[tuple[str, int]]:
    """Return the number of nodes with each verdict."""
    return [(str(v), count) for v in DisruptionVerdict if (count := sum(n.verdict is v for n in forecast.nodes))]


def _trajectory_strip(trajectory: Trajectory) -> Markup:
    """Return a lane for each kind of step."""
    names = {METHODS[step.method] if step.method is not None else "new nodes": None for step in trajectory.steps}
    lanes = [
        Lane(name, tuple((s.at, s.at) for s in trajectory.steps if (METHODS[s.method] if s.method else "new nodes") == name))
        for name in names
    ]
    return time_strip(lanes, trajectory.started, "Steps of Karpenter")
