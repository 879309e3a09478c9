"""`python -m tools.benchmarks simulate`: how long days of a cluster take to simulate, and how that grows with scale events."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from cutlist.planning.inputs import PlanInputs
from tools.benchmarks.measure import MeasuringError, simulation_in_child
from tools.benchmarks.workload_sets import Shape, deployment, inputs_of

_SECONDS_A_DAY: Final = 24 * 3600
_CPUS: Final = (250, 250, 500, 500, 750, 1000)
_GIBIBYTES: Final = (1, 2, 3, 4)
_CORES: Final = 16
"""The largest machine: so there are some dozens of nodes, or several hundred."""
_FEW_CORES: Final = 8
"""The largest machine where as many pods are to be on twice as many nodes."""
_BOUNDS: Final = (0.6, 1.3)
"""The least and the most replicas, as shares of those at the start."""
_STEP: Final = 0.15


@dataclass(frozen=True, slots=True)
class Case:
    """A cluster over time: Deployments of equal replicas, of which one is scaled at each event.

    By default an event is a jump, to any number between 0.6 and 1.3 times `replicas`. With a `step`, the number changes by that
    share of itself at most, as autoscalers do, and stays within the same bounds.
    """

    deployments: int
    replicas: int
    days: float
    events: int
    cores: int = _CORES
    step: float = 0

    def inputs(self) -> PlanInputs:
        """Return the workloads under the NodePool of the getting-started page, the same each time."""
        random = Random("simulated workloads")  # noqa: S311 - the same set on every run, not a secret
        shapes = [Shape(random.choice(_CPUS), 1024 * random.choice(_GIBIBYTES)) for _ in range(self.deployments)]
        return inputs_of([deployment(n, shape, self.replicas) for n, shape in enumerate(shapes)], ("c", "m", "r"), self.cores)

    def trace(self) -> Iterator[str]:
        """Yield the lines of a table of replicas over time."""
        random = Random(f"simulated demand {self.events}")  # noqa: S311 - the same demand on every run, not a secret
        yield "time,workload,replicas"
        for number in range(self.deployments):
            yield f"0,deployment/app-{number},{self.replicas}"
        instants = sorted(random.uniform(0, self.days * _SECONDS_A_DAY) for _ in range(self.events))
        present = [self.replicas] * self.deployments
        least, most = (round(self.replicas * bound) for bound in _BOUNDS)
        for at in instants:
            if self.step:
                number = random.randrange(self.deployments)
                stepped = round(present[number] * random.uniform(1 - self.step, 1 + self.step))
                present[number] = replicas = min(max(stepped, least), most)
            else:
                replicas, number = round(self.replicas * random.uniform(*_BOUNDS)), random.randrange(self.deployments)
            yield f"{at:.0f}s,deployment/app-{number},{replicas}"

    def measured(self) -> Mapping[str, float]:
        """Return what a run in a fresh interpreter takes: its size, processor seconds and peak memory."""
        with TemporaryDirectory() as folder:
            trace = Path(folder, "trace.csv")
            trace.write_text("\n".join((*self.trace(), "")))
            return simulation_in_child(self.deployments, self.replicas, self.days, self.cores, trace)


CASES: Final[Sequence[tuple[str, Case]]] = (
    *((f"30 days, {events} scale events", Case(12, 60, 30, events)) for events in (75, 150, 300)),
    *((f"6 hours, {events} scale events", Case(40, 150, 0.25, events)) for events in (18, 35, 70)),
    ("7 days, 2,000 jumps", Case(40, 150, 7, 2000, _FEW_CORES)),
    ("7 days, 2,000 steps", Case(40, 150, 7, 2000, _FEW_CORES, _STEP)),
    ("7 days, 2,000 steps, small Deployments", Case(300, 20, 7, 2000, _FEW_CORES, _STEP)),
)
"""A month of some dozens of nodes and a quarter of a day of several hundred, each with more and more to do, then three weeks of
several hundred nodes: one in which up to 105 of 150 pods come or go at once, and two of gradual change."""

LARGE: Final[Sequence[tuple[str, Case]]] = (
    ("a day, 250 steps", Case(400, 165, 1, 250, _FEW_CORES, _STEP)),
    ("365 days, 7,300 steps", Case(40, 65, 365, 7300, _FEW_CORES, _STEP)),
    ("30 days, 7,500 steps", Case(400, 165, 30, 7500, _FEW_CORES, _STEP)),
)
"""A day and a month of 5,000 nodes, and a year of 200."""


def report(cases: Sequence[tuple[str, Case]] = CASES) -> int:
    """Print a row for each case, as soon as it is known; return 1 when one could not be measured."""
    print("| simulated | nodes | pods | commands | processor | ms a command | peak memory |")
    print("|---|---|---|---|---|---|---|")
    for name, case in cases:
        try:
            run = case.measured()
        except MeasuringError as problem:
            sys.stderr.write(f"{name}: {problem}\n")
            return 1
        each = 1000 * run["seconds"] / run["commands"] if run["commands"] else 0.0
        size = f"{run['nodes']:,.0f} | {run['pods']:,.0f} | {run['commands']:,.0f}"
        print(f"| {name} | {size} | {run['seconds']:.1f} s | {each:.1f} | {run['peak_memory_mib']:.0f} MiB |", flush=True)
    return 0
