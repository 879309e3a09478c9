"""`python -m tools.benchmarks simulate --plot FILE`: the time of a simulation by scale events, and by pods times hours."""

from __future__ import annotations

import sys
from typing import Final

from tools.benchmarks.measure import MeasuringError
from tools.benchmarks.plot import new_figure
from tools.benchmarks.simulate import Case

DAYS: Final = (7, 30, 90)
EVENTS: Final = (75, 150, 300)
_DEPLOYMENTS: Final = 12
_REPLICAS: Final = 60
_HOURS_A_DAY: Final = 24


def report(path: str) -> int:
    """Measure each number of events in each number of days, draw and write an SVG.

    Returns 1 if a run could not be measured, and 2 if the drawing library is missing.
    """
    figure = new_figure(11, 3.8)
    if figure is None:
        return 2
    try:
        seconds = {
            (days, events): Case(_DEPLOYMENTS, _REPLICAS, days, events).measured()["seconds"]
            for days in DAYS
            for events in EVENTS
        }
    except MeasuringError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    by_events, by_hours = figure.subplots(1, 2, sharey=True)
    for days in DAYS:
        by_events.plot(EVENTS, [seconds[days, events] for events in EVENTS], marker="o", label=f"{days} days")
    by_events.set(title="720 pods: with more to do", xlabel="scale events", ylabel="processor seconds")
    pod_hours = [_DEPLOYMENTS * _REPLICAS * days * _HOURS_A_DAY for days in DAYS]
    for events in EVENTS:
        by_hours.plot(pod_hours, [seconds[days, events] for days in DAYS], marker="o", label=f"{events} events")
    by_hours.set(title="720 pods: in more time", xlabel="pods × hours")
    for ax in (by_events, by_hours):
        ax.set_xlim(left=0)
        ax.set_ylim(bottom=0)
        ax.legend()
    figure.savefig(path, metadata={"Date": None})
    return 0
