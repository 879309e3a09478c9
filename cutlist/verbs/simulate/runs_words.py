"""Runs with several seeds in words, which their views share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cutlist.core.wording import counted
from cutlist.report.amounts import Amounts
from cutlist.report.plain import span
from cutlist.simulation.comparison import Interval, RunNumbers, RunsSummary, UnplacedInRuns, range_of, summary_of
from cutlist.verbs.simulate.runs import OtherRuns, SimulationRuns
from cutlist.verbs.simulate.words import ON_THEIR_WAY, days_text

_DAY: Final = 86_400
_SEVERAL: Final = 2
Rival = tuple[OtherRuns, RunsSummary]
"""One of several other clusters, and by how much its numbers differ."""
THESE: Final = "these files"
"""What views call the cluster that others are compared with."""


Unplaced = tuple[str, UnplacedInRuns]
"""Pods without a node, with the name of their cluster."""


class Measure(NamedTuple):
    """A number of each run: its mean here, and, if there is just one other cluster, its mean there and the difference.

    `amounts` say how it is written if it is money.
    """

    name: str
    sides: Sequence[Interval]
    amounts: Amounts | None = None

    def text(self, side: int, *, is_signed: bool = False) -> str:
        """Return the mean of a side with its margin."""
        interval = self.sides[side]
        if self.amounts is None:
            return interval_text(interval, is_signed=is_signed)
        return money_text(interval, self.amounts, is_signed=is_signed)


def amounts_of(runs: SimulationRuns, of: Sequence[RunNumbers] | None = None) -> Amounts:
    """Return what a run costs on average, of the cluster or of another one, and how such amounts are written."""
    these = runs.runs if of is None else of
    return Amounts(summary_of(these).usd.mean, range_of(these), runs.currency)


def cost_text(runs: SimulationRuns) -> str:
    """Return what a run costs on average, by how much that may differ, and the range of its prices."""
    amounts, usd = amounts_of(runs), runs.summary.usd
    about, span = ("", "") if amounts.of is None else ("About ", f" ({amounts.span()})")
    return f"{about}{amounts.sign}{money_text(usd, amounts)}{span}"


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
        text = _verdict(difference.committed[name], amounts_of(runs))
        rows.append((f"with {name}", f"{shown(other.name)}: {text}"))
    return rows


def every_run(runs: SimulationRuns) -> list[tuple[str, RunNumbers]]:
    """Return each run with the name of its cluster, those of the cluster itself first."""
    return [*((THESE, run) for run in runs.runs), *((other.name, run) for other in runs.others for run in other.runs)]


def unplaced(runs: SimulationRuns) -> list[Unplaced]:
    """Return the pods without a node, those of the cluster itself first."""
    return [*((THESE, of) for of in runs.unplaced), *((other.name, of) for other in runs.others for of in other.unplaced)]


def unplaced_text(of: UnplacedInRuns, runs: SimulationRuns) -> str:
    """Return in how many runs pods of a workload got no node, how many and why."""
    numbers = [f"{of.pending:,.3g} still waiting"] if of.pending else []
    numbers += [f"{of.never_ran:,.3g} deleted before"] if of.never_ran else []
    in_runs = f"in {runs_text(of, runs)}, {', '.join(numbers)}{' on average' if len(runs.runs) > 1 else ''}"
    return f"{in_runs}, for up to {span(of.longest_seconds)}: {why_unplaced(of)}"


def runs_text(of: UnplacedInRuns, runs: SimulationRuns) -> str:
    """Return how many of the runs have such pods: `3 of 5 runs`."""
    return f"{of.runs:,} of {counted(len(runs.runs), 'run')}"


def why_unplaced(of: UnplacedInRuns) -> str:
    """Return why pods got no node."""
    return of.reason or ON_THEIR_WAY


def means(runs: SimulationRuns) -> list[Measure]:
    """Return the numbers of the runs."""
    committed, amounts = _telling(runs), amounts_of(runs)
    unit = amounts.unit
    sides = [_numbers(side, committed, unit) for side in _sides(runs)]
    paid = (f", {unit}",)
    return [Measure(name, [side[name] for side in sides], amounts if name.endswith(paid) else None) for name in sides[0]]


def workload_evictions(runs: SimulationRuns) -> list[Measure]:
    """Return for each workload how often its pods were evicted, with the interval over the runs; 0 where a side has none."""
    sides, none = _sides(runs), Interval.of([0.0] * len(runs.runs))
    workloads = sorted({workload for side in sides for workload in side.by_workload})
    return [Measure(workload, [side.by_workload.get(workload, none) for side in sides]) for workload in workloads]


def _sides(runs: SimulationRuns) -> list[RunsSummary]:
    other = only_other(runs)
    return [runs.summary] if other is None else [runs.summary, other.summary, runs.difference(other)]


def _numbers(summary: RunsSummary, committed: Sequence[str], unit: str) -> dict[str, Interval]:
    return {
        f"cost, {unit}": summary.usd,
        **{f"cost with {name}, {unit}": summary.committed[name] for name in committed},
        f"a month after the start-up, {unit}": summary.usd_per_month,
        "node-hours": summary.node_hours,
        "evictions": summary.evictions,
        "half of the pods waited up to, s": summary.waited,
        "99% of the pods waited up to, s": summary.waited_longest,
        "pods pending at the end": summary.pending,
    }


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


def interval_text(interval: Interval, *, is_signed: bool = False) -> str:
    """Return a mean and by how much the true one may differ from it."""
    mean = f"{interval.mean:{'+' if is_signed and round(interval.mean, 2) else ''},.2f}"
    return mean if interval.margin is None else f"{mean} ± {interval.margin:,.2f}"


def money_text(interval: Interval, amounts: Amounts, *, is_signed: bool = False) -> str:
    """Return a mean amount, rounded to what the range of the cost supports, and by how much the true one may differ from it."""
    if amounts.of is None:
        return interval_text(interval, is_signed=is_signed)
    sign = "-" if interval.mean < 0 else "+" if is_signed and round(interval.mean, 2) else ""
    step, margin = amounts.step(interval.mean), interval.margin
    mean = f"{sign}{step.text(abs(interval.mean))}"
    if margin is None:
        return mean
    return f"{mean} ± {step.text(margin) if step.rounded(margin) or not margin else amounts.text(margin)}"


def runs_length(runs: SimulationRuns) -> str:
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
    text = _verdict(difference.usd, amounts_of(runs))
    return text if only_other(runs) is not None else f"{shown(other.name)}, the cheapest of {len(runs.others):,}: {text}"


def _verdict(usd: Interval, amounts: Amounts) -> str:
    amount = f"{amounts.sign}{amounts.text(abs(usd.mean))}"
    if usd.margin is None:
        return f"{amount} {_direction(usd.mean)} in a single run" if round(usd.mean, 2) else "the same cost in a single run"
    if usd.is_certain:
        return f"{amount} ± {amounts.text(usd.margin)} {_direction(usd.mean)}"
    if not round(usd.margin, 2):
        return "the same cost"
    return f"no certain difference of cost: {money_text(usd, amounts, is_signed=True)} {amounts.unit}"


def _direction(mean: float) -> str:
    return "more" if mean > 0 else "less"
