"""What the page of a simulation says first: what a month costs, how long pods wait, and why nodes and pods go; with the charts
of that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from cutlist.core.wording import counted
from cutlist.report.html.days_chart import DayPoint, days_chart
from cutlist.report.html.first import Part, Sum
from cutlist.report.html.heat_strip import Strip, heat_strips
from cutlist.report.plain import currency_unit, span
from cutlist.simulation.events import DAY, HOUR, SECOND
from cutlist.simulation.phases import usd_between
from cutlist.simulation.result import SimulationResult
from cutlist.verbs.simulate.words import (
    OTHER_PODS,
    amounts_of,
    hour_text,
    length,
    month_range,
    month_text,
    start_up_cost,
    start_up_time,
    waits,
    without_node,
)

_STRIPS: Final = 10
_REASONS: Final = 5


@dataclass(frozen=True, slots=True)
class SimulateFirst:
    """The first screen of a simulation: its title, sums, sentences on waiting, and disruptions by reason."""

    title: str
    sums: tuple[Sum, ...]
    waiting: tuple[tuple[str, str], ...]
    reasons: tuple[Part, ...]
    more_reasons: int

    @staticmethod
    def of(result: SimulationResult, region: str) -> SimulateFirst:
        """Return the first screen of a run in a region."""
        reasons = disruptions(result)
        title = f"{length(result)} in {region}, with {result.totals.node_hours / (result.until / HOUR):,.1f} nodes on average"
        return SimulateFirst(
            title, tuple(_sums(result)), tuple(_waiting(result)), tuple(reasons[:_REASONS]), len(reasons) - _REASONS
        )


def _sums(result: SimulationResult) -> Iterator[Sum]:
    amounts, month = amounts_of(result), month_text(result)
    whole = tuple(filter(None, (amounts.span(), f"{hour_text(result, result.until / HOUR)} an hour")))
    run = Sum(f"The {length(result)}", amounts.with_sign(result.totals.usd), whole)
    if not month:
        yield run
        return
    yield Sum("A month at the rate of this run", month, tuple(filter(None, (month_range(result),))))
    if month != run.amount:
        yield run
    if result.phases.commands:
        yield Sum("Of that the start-up, until the cluster first settles", start_up_cost(result), (start_up_time(result),))


def _waiting(result: SimulationResult) -> Iterator[tuple[str, str]]:
    """Yield sentences on how long pods wait, each with the class of its kind."""
    totals = result.totals
    if lost := without_node(totals):
        count = totals.pending + totals.never_ran
        yield f"{counted(count, 'pod')} got no node: {lost}.", "bad"
    each = waits(totals)
    if not each:
        yield f"No {'other ' if lost else ''}pod waited for a node.", ""
        return
    pods, (half, _, nearly, last) = counted(totals.pods, "pod"), (took for _, took in each)
    if totals.pending_seconds is not None and not totals.pending_seconds[1.0]:
        yield f"{pods} had a node at once.", "good"
        return
    at_once = totals.pending_seconds is not None and not totals.pending_seconds[0.5]
    first = "at once" if at_once else f"within {half}"
    rest = f"all within {last}" if nearly == last else f"99% within {nearly}, the last after {last}"
    yield f"Of {pods} that got a node, half had it {first}, {rest}.", ""


def disruptions(result: SimulationResult) -> list[Part]:
    """Return why nodes went and pods had to move, the reason of most pods first."""
    moved, gone = Counter[str](), Counter[str]()
    for of in result.moves:
        moved[of.cause] += of.count
    for life in result.lives:
        if life.ended is not None and life.cause:
            gone[life.cause] += 1
    most = max(moved.values(), default=0) or 1
    causes = sorted(moved.keys() | gone.keys(), key=lambda cause: (-moved[cause], -gone[cause], cause))
    return [_part(cause, moved[cause], gone[cause], moved[cause] / most) for cause in causes]


def _part(cause: str, pods: int, nodes: int, share: float) -> Part:
    if not pods:
        return Part(cause, counted(nodes, "node"), share, "no pod had to move", "spot")
    return Part(cause, counted(pods, "pod"), share, f"{counted(nodes, 'node')} went" if nodes else "", "spot")


def cost_chart(result: SimulationResult) -> Markup:
    """Return what each day costs, as a line, with the start-up set apart; empty for a run of less than two days."""
    days = cost_of_days(result)
    if len(days) < 2:
        return Markup("")
    amounts, phases = amounts_of(result), result.phases
    apart = phases.seconds * SECOND / DAY if phases.commands else 0.0
    begins = result.settings.start
    unit = f"{currency_unit(result.currency)} a day"

    def written(amount: float) -> str:
        return f"{amounts.sign}{amounts.text(amount)}"

    return days_chart("Cost a day", unit, days, begins, written, apart, "start-up" if apart else "")


def cost_of_days(result: SimulationResult) -> list[DayPoint]:
    """Return the days of a run, each with what 24 hours cost at its rate; the start-up does not count in them."""
    apart = result.phases.seconds * SECOND if result.phases.commands and result.phases.settles else 0
    days = []
    for begins in range(0, result.until, DAY):
        ends = min(result.until, begins + DAY)
        since = max(begins, round(apart))
        if since < ends:
            cost = usd_between(result.lives, since, ends) * DAY / (ends - since)
            days.append(DayPoint(since / DAY, ends / DAY, cost))
    return days


def waiting_strips(result: SimulationResult) -> Markup:
    """Return when pods of which workloads waited, those that waited longest first; empty without any."""
    by_workload: dict[str, dict[int, int]] = {}
    for (workload, hour), waited in result.waited.items():
        by_workload.setdefault(workload, {})[hour] = waited
    hours = len(result.series)
    longest = sorted(by_workload, key=lambda workload: (-sum(by_workload[workload].values()), workload))
    strips = [_strip(workload, by_workload[workload], hours) for workload in longest[:_STRIPS]]
    return heat_strips(strips, result.settings.start) if strips and hours else Markup("")


def _strip(workload: str, waited: dict[int, int], hours: int) -> Strip:
    values = [waited.get(hour, 0) / HOUR for hour in range(hours)]
    words = f"{span(sum(waited.values()) / SECOND)} of waiting together, at most {max(values):,.1f} pods on average in an hour"
    return Strip(workload or OTHER_PODS, values, words)
