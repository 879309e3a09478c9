"""A week of demand as scenarios: its hours, sorted by what they request, in a few groups of equal size.

The files are those of `simulate`: replicas of workloads over time, each value until the next one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.wording import counted
from cutlist.optimization.scenarios import MAXIMUM, MINIMUM, NOW, WEIGHTS, Scenario
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.suggest import WEEK
from cutlist.simulation.demand.curve_files import read_curves
from cutlist.simulation.demand.curves import THOUSANDTHS, Curve, check_workloads
from cutlist.simulation.events import DAY, HOUR
from cutlist.workloads.pods import FrozenDict
from cutlist.workloads.scaled import pods_of_workloads

REPLACED: Final = (NOW, MINIMUM, MAXIMUM)
"""The scenarios whose weight the hours of a week share, for they say when there are how many pods."""
_GROUPS: Final = 5
_WORDS: Final = ("quietest", "second quietest", "middle", "second busiest", "busiest")


def week_scenarios(inputs: PlanInputs, files: Sequence[str]) -> tuple[Scenario, ...]:
    """Return a scenario for each fifth of the hours of a week, the quietest first. Raises InputError with every mistake in the
    files, and if no workload has replicas in them."""
    problems = Problems()
    curves = read_curves(files, problems)
    counts = pods_of_workloads(inputs.workloads.groups)
    check_workloads(curves, counts, ", ".join(files), problems)
    problems.raise_if_any()
    if not curves.replicas:
        raise InputError.one(
            Place.of(WEEK), "no workload has replicas over time", "a table with replicas, as `simulate` reads it"
        )
    hours = sorted(_hours(curves.replicas), key=lambda replicas: (_requested(inputs, replicas), sorted(replicas.items())))
    groups = min(_GROUPS, len(hours))
    weight = math.fsum(WEIGHTS[name] for name in REPLACED) / groups
    found = []
    for number in range(groups):
        middle = hours[(2 * number + 1) * len(hours) // (2 * groups)]
        more = {name: replicas - counts[name] for name, replicas in middle.items() if replicas != counts[name]}
        what = f"{_WORDS[number * len(_WORDS) // groups]} fifth of {counted(len(hours), 'hour')}"
        found.append(Scenario(f"week-{number + 1}", what, weight, FrozenDict(more)))
    return tuple(found)


def _hours(curves: Mapping[str, Curve]) -> Iterator[dict[str, int]]:
    """Yield the replicas of each workload with a curve, hour by hour, of as many days as the curves have."""
    last = max(max(curve.times) for curve in curves.values())
    for hour in range((last // DAY + 1) * (DAY // HOUR)):
        yield {name: curve.value_at(hour * HOUR) // THOUSANDTHS for name, curve in curves.items()}


def _requested(inputs: PlanInputs, replicas: Mapping[str, int]) -> int:
    """Return the cpu that the pods of some replicas request, in nano-units."""
    each = {group.workload: group.pod.requests.get("cpu", 0) for group in inputs.workloads.groups}
    return sum(each[name] * count for name, count in replicas.items())
