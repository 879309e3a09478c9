"""What Karpenter does next to a cluster, as a page: the next command, what spares each node, budgets, the time line."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup

from cutlist.answers.budgets import Upcoming
from cutlist.answers.disrupt import DisruptionForecast
from cutlist.disruption.forecast import Forecast, Verdict
from cutlist.disruption.trajectory import Trajectory
from cutlist.report.disrupt.words import ENDS, METHODS, moved_pods
from cutlist.report.html.rendering import render
from cutlist.report.html.timeline import Lane, Upkeep, time_strip


def disrupt_html(forecast: DisruptionForecast, upcoming: Upcoming) -> str:
    """The forecast as one page, with the week that is upcoming; what goes by force is as the forecast has it."""
    seen = forecast.forecast
    return render(
        "disrupt.html.j2",
        region=forecast.region,
        seen=seen,
        managed=sum(n.verdict is not Verdict.UNMANAGED for n in seen.nodes),
        method=None if seen.method is None else METHODS[seen.method],
        saved=sum(command.savings for command in seen.commands),
        commands=[{"command": command, "moves": moved_pods(command)} for command in seen.commands],
        verdicts=_by_verdict(seen),
        upkeep=Upkeep.of(replace(upcoming, removals=forecast.removals)),
        oddities=forecast.oddities,
        course=forecast.trajectory,
        course_strip=None if forecast.trajectory is None else _course_strip(forecast.trajectory),
        end=None if forecast.trajectory is None else ENDS[forecast.trajectory.end],
        pools=[n.pool for n in seen.nodes if n.pool],
    )


def _by_verdict(seen: Forecast) -> list[tuple[str, int]]:
    """How many nodes have each thing in store."""
    return [(str(v), count) for v in Verdict if (count := sum(n.verdict is v for n in seen.nodes))]


def _course_strip(course: Trajectory) -> Markup:
    """A lane for each kind of step."""
    names = {METHODS[step.method] if step.method is not None else "new nodes": None for step in course.steps}
    lanes = [
        Lane(name, tuple((s.at, s.at) for s in course.steps if (METHODS[s.method] if s.method else "new nodes") == name))
        for name in names
    ]
    return time_strip(lanes, course.started, "Steps of Karpenter")
