"""Runs with several seeds in words, which their views share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Final

from cutlist.core.wording import counted
from cutlist.simulation.comparison import Interval, RunNumbers, RunsSummary
from cutlist.verbs.simulate.runs import OtherRuns, SimulationRuns
from cutlist.verbs.simulate.words import days_text

_DAY: Final = 86_400
_SEVERAL: Final = 2
_NUMBERS: Final = {
    "cost, $": "usd",
    "node-hours": "node_hours",
    "evictions": "evictions",
    "half of the pods waited up to, s": "waited",
    "99% of the pods waited up to, s": "waited_longest",
    "pods pending at the end": "pending",
}
Rival = tuple[OtherRuns, RunsSummary]
"""One of several other clusters, and by how much its numbers differ."""
_Summaries = tuple[RunsSummary | None, RunsSummary | None, RunsSummary | None]
THESE: Final = "these files"
"""What views call the cluster that others are compared with."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of each run: its mean here, that of the other cluster, and the difference of the two; the last two are empty
    without another cluster. With `is_workload` it is the number of evictions of the workload of that name."""

    name: str
    this: str
    other: str
    difference: str
    is_workload: bool = False


def rivals(runs: SimulationRuns) -> list[Rival]:
    """Return the other clusters, the cheapest first; none where there is only one, which has columns of its own."""
    return _cheapest_first(runs) if len(runs.others) >= _SEVERAL else []


def _cheapest_first(runs: SimulationRuns) -> list[Rival]:
    pairs = [(other, runs.difference(other)) for other in runs.others]
    return sorted(pairs, key=lambda pair: pair[1].usd.mean)


def cheapest_committed(runs: SimulationRuns, shown: Callable[[str], str] = str) -> list[tuple[str, str]]:
    """Return for each kind of commitment which of several clusters costs least with it, and how much more or less. Empty
    without several other clusters. `shown` turns a name into what the view shows.
    """
    pairs, rows = rivals(runs), []
    for name in _telling(runs) if pairs else ():
        other, difference = min(pairs, key=lambda pair: pair[1].committed[name].mean)
        rows.append((f"with {name}", f"{shown(other.name)}: {_verdict(difference.committed[name])}"))
    return rows


def every_run(runs: SimulationRuns) -> list[tuple[str, RunNumbers]]:
    """Return each run with the name of its cluster, those of the cluster itself first."""
    return [*((THESE, run) for run in runs.runs), *((other.name, run) for other in runs.others for run in other.runs)]


def measures(runs: SimulationRuns) -> list[Measure]:
    """Return the numbers of the runs with their intervals, and then the evictions of each workload.

    Those of another cluster are beside them, if there is just one.
    """
    other = only_other(runs)
    summaries = (runs.summary, None, None) if other is None else (runs.summary, other.summary, runs.difference(other))
    numbers = [Measure(title, *_cells(summaries, attrgetter(name))) for title, name in _NUMBERS.items()]
    numbers[1:1] = [Measure(f"cost with {name}, $", *_cells(summaries, partial(_committed, name))) for name in _telling(runs)]
    none = Interval.of([0.0] * len(runs.runs))
    workloads = sorted({w for summary in summaries if summary is not None for w in summary.by_workload})
    return [*numbers, *(Measure(w, *_cells(summaries, partial(_evictions_of, w, none)), is_workload=True) for w in workloads)]


def notes(runs: SimulationRuns) -> list[str]:
    """Return what readers should know of the runs, and the commitments whose cost is left out because it is the plain one."""
    same = [name for name in runs.summary.committed if name not in _telling(runs)]
    if not same:
        return list(runs.notes)
    is_all = len(same) == len(runs.summary.committed)
    return [*runs.notes, "no commitment changes the cost" if is_all else f"the cost is the same with {', '.join(same)}"]


def _telling(runs: SimulationRuns) -> list[str]:
    """Return the kinds of commitments with which a cluster costs something else than without."""
    summaries = [runs.summary, *(other.summary for other in runs.others)]
    return [
        name
        for name in runs.summary.committed
        if any(interval_text(of.committed[name]) != interval_text(of.usd) for of in summaries)
    ]


def only_other(runs: SimulationRuns) -> OtherRuns | None:
    """Return the other cluster, or None unless there is exactly one."""
    return runs.others[0] if len(runs.others) == 1 else None


def _committed(name: str, summary: RunsSummary) -> Interval:
    return summary.committed[name]


def _evictions_of(workload: str, none: Interval, summary: RunsSummary) -> Interval:
    return summary.by_workload.get(workload, none)


def _cells(summaries: _Summaries, interval_of: Callable[[RunsSummary], Interval]) -> tuple[str, str, str]:
    """Return a number of this cluster, that of the other one, and their difference with its sign."""
    this, other, difference = (None if summary is None else interval_of(summary) for summary in summaries)
    return (
        "" if this is None else interval_text(this),
        "" if other is None else interval_text(other),
        "" if difference is None else interval_text(difference, is_signed=True),
    )


def interval_text(interval: Interval, *, is_signed: bool = False) -> str:
    """Return a mean and by how much the true one may differ from it."""
    mean = f"{interval.mean:{'+' if is_signed and round(interval.mean, 2) else ''},.2f}"
    return mean if interval.margin is None else f"{mean} ± {interval.margin:,.2f}"


def length(runs: SimulationRuns) -> str:
    """Return how long each run is: `7 days`."""
    return days_text((runs.end - runs.start) / _DAY)


def seeds_words(runs: SimulationRuns) -> str:
    """Return how many runs there are, and with which seeds: `the mean of 5 runs with seeds 1 to 5`."""
    seeds = runs.seeds
    if len(seeds) == 1:
        return f"a single run with seed {seeds[0]}"
    return f"the mean of {counted(len(seeds), 'run')} with seeds {seeds[0]} to {seeds[-1]}"


def verdict(runs: SimulationRuns, shown: Callable[[str], str] = str) -> str:
    """Return in a sentence how much more or less the other cluster costs; of several, the cheapest one; empty without any.
    `shown` turns a name into what the view shows.
    """
    if not runs.others:
        return ""
    other, difference = _cheapest_first(runs)[0]
    text = _verdict(difference.usd)
    return text if only_other(runs) is not None else f"{shown(other.name)}, the cheapest of {len(runs.others):,}: {text}"


def _verdict(usd: Interval) -> str:
    amount = f"${abs(usd.mean):,.2f}"
    if usd.margin is None:
        return f"{amount} {_direction(usd.mean)} in a single run" if round(usd.mean, 2) else "the same cost in a single run"
    if usd.is_certain:
        return f"{amount} ± {usd.margin:,.2f} {_direction(usd.mean)}"
    if not round(usd.margin, 2):
        return "the same cost"
    return f"no certain difference of cost: {interval_text(usd, is_signed=True)} $"


def _direction(mean: float) -> str:
    return "more" if mean > 0 else "less"
