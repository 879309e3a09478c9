"""What Karpenter does next to a cluster, as a page: the next command, what spares each node, budgets, the timeline."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup

from cutlist.answers.budgets import Upcoming
from cutlist.answers.disrupt import DisruptionForecast
from cutlist.disruption.forecast import Forecast, Verdict
from cutlist.disruption.methods import METHODS
from cutlist.disruption.trajectory import Trajectory
from cutlist.report.disrupt.words import ENDS, ESTIMATED, disks_text, has_marks, moved_pods, saved_disks_text
from cutlist.report.html.rendering import render
from cutlist.report.html.timeline import Lane, UpcomingView, time_strip


def disrupt_html(answer: DisruptionForecast, upcoming: Upcoming) -> str:
    """Return the forecast as one page, with the coming week of budgets; forced removals are those of the forecast."""
    forecast = answer.forecast
    return render(
        "disrupt.html.j2",
        region=answer.region,
        forecast=forecast,
        managed=sum(n.verdict is not Verdict.UNMANAGED for n in forecast.nodes),
        method=None if forecast.method is None else METHODS[forecast.method],
        saved=forecast.savings,
        disks=disks_text(forecast.disk_price, forecast.nodes_without_disks).removeprefix("; "),
        saved_disks=saved_disks_text(forecast.commands),
        commands=[{"command": command, "moves": moved_pods(command)} for command in forecast.commands],
        verdicts=_by_verdict(forecast),
        upcoming=UpcomingView.of(replace(upcoming, removals=answer.removals)),
        oddities=answer.oddities,
        trajectory=answer.trajectory,
        trajectory_strip=None if answer.trajectory is None else _trajectory_strip(answer.trajectory),
        end=None if answer.trajectory is None else ENDS[answer.trajectory.end],
        estimated=f"* {ESTIMATED}" if has_marks(answer) else "",
        pools=[n.pool for n in forecast.nodes if n.pool],
    )


def _by_verdict(forecast: Forecast) -> list[tuple[str, int]]:
    """Return the number of nodes with each verdict."""
    return [(str(v), count) for v in Verdict if (count := sum(n.verdict is v for n in forecast.nodes))]


def _trajectory_strip(trajectory: Trajectory) -> Markup:
    """Return a lane for each kind of step."""
    names = {METHODS[step.method] if step.method is not None else "new nodes": None for step in trajectory.steps}
    lanes = [
        Lane(name, tuple((s.at, s.at) for s in trajectory.steps if (METHODS[s.method] if s.method else "new nodes") == name))
        for name in names
    ]
    return time_strip(lanes, trajectory.started, "Steps of Karpenter")
