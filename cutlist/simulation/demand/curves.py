"""Replicas and metrics of workloads over time, as steps: each value holds until the next one.

Instants are in milliseconds since the start of a simulation, values in thousandths.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from cutlist.core.errors import Place, Problems, names_near, nearest
from cutlist.core.shapes import LAST_YEAR
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.workloads.groups import NOWHERE

REPLICAS: Final = "replicas"
"""The name under which tables and queries have replicas; every other name is that of a metric."""

THOUSANDTHS: Final = 1000
MOST_PODS: Final = 1_000_000
"""The most replicas of a workload: each of its pods is followed on its own."""


LATEST: Final = round(datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC).timestamp())
"""Where the instants of Kubernetes end, in seconds since 1970."""


def is_instant(at: float) -> bool:
    """Tell whether a number of seconds since 1970 is an instant that Kubernetes can express."""
    return 0 <= at < LATEST


@dataclass(frozen=True, slots=True)
class Sample:
    """A value of a workload at an instant: in seconds since 1970, or since the start where `is_relative`."""

    at: float
    is_relative: bool
    workload: str
    name: str
    value: int
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Curve:
    """Values at ascending instants. Before the first one its value holds as well."""

    times: tuple[int, ...]
    values: tuple[int, ...]

    def is_within(self, until: int) -> bool:
        """Tell whether a value is given between the start and an instant."""
        return any(0 <= at <= until for at in self.times)

    def value_at(self, at: int) -> int:
        """Return the value that holds at an instant."""
        # Before the first instant its value holds, instead of 0 pods.
        return self.values[max(0, bisect_right(self.times, at) - 1)]

    def steps(self) -> Iterator[tuple[int, int]]:
        """Yield the instants from the start on at which the value changes, and the new value."""
        known = None
        for at, value in self._from_start():
            if value != known:
                yield at, value
                known = value

    def _from_start(self) -> Iterator[tuple[int, int]]:
        first = max(0, bisect_right(self.times, 0) - 1)
        for at, value in zip(self.times[first:], self.values[first:], strict=True):
            yield max(at, 0), value


@dataclass(frozen=True, slots=True)
class DemandCurves:
    """The curves of workloads: of their replicas, and of their metrics by name. `start` is in seconds since 1970."""

    start: float = 0.0
    replicas: Mapping[str, Curve] = field(default_factory=dict)
    metrics: Mapping[tuple[str, str], Curve] = field(default_factory=dict)

    @property
    def workloads(self) -> tuple[str, ...]:
        """Return the workloads that have a curve, in order of their names."""
        return tuple(sorted({*self.replicas, *(workload for workload, _ in self.metrics)}))

    def events(self) -> tuple[ReplicasSet, ...]:
        """Return each change of replicas, in order of time and of the workloads' names."""
        changes = ((at, name, value // THOUSANDTHS) for name, curve in self.replicas.items() for at, value in curve.steps())
        return tuple(ReplicasSet(*change) for change in sorted(changes))

    def usage(self, workload: str, at: int) -> dict[str, int]:
        """Return the metrics of a workload by name at an instant, in thousandths."""
        return {name: curve.value_at(at) for (of, name), curve in self.metrics.items() if of == workload}

    @staticmethod
    def of_samples(samples: Iterable[Sample], start: float | None, problems: Problems) -> DemandCurves:
        """Return the curves of samples in any order; two values of a workload at the same instant are a problem.

        Without a start it is the first instant that a sample has, or 1970 where all are relative.
        """
        every = tuple(samples)
        if start is None:
            start = min((s.at for s in every if not s.is_relative), default=0.0)
        points: dict[tuple[str, str], dict[int, Sample]] = {}
        for sample in every:
            # Rounded here, once: from here on instants are whole, and equal ones are equal.
            at = round((sample.at if sample.is_relative else sample.at - start) * 1000)
            other = points.setdefault((sample.workload, sample.name), {}).setdefault(at, sample)
            if other.value != sample.value:
                values = " and ".join(f"{s.value / THOUSANDTHS:g}" for s in (other, sample))
                text = f"{sample.workload} has two values of {sample.name} at this instant: {values}"
                problems.add(sample.place, text, "one value, such as that of a query with `max by`")
        curves = {key: _curve({at: s.value for at, s in by_time.items()}) for key, by_time in points.items()}
        return DemandCurves(
            start,
            {workload: curve for (workload, name), curve in curves.items() if name == REPLICAS},
            {key: curve for key, curve in curves.items() if key[1] != REPLICAS},
        )


def checked_amount(amount: int, written: object, name: str, place: Place, problems: Problems) -> int | None:
    """Return an amount in thousandths, or None, with a problem added, where it is negative, a part of a replica or too many
    replicas."""
    if amount < 0:
        problems.add(place, f"{written} is negative", "0 or more")
        return None
    if name == REPLICAS and amount % THOUSANDTHS:
        problems.add(place, f"{written} is not a number of replicas", "whole numbers")
        return None
    if name == REPLICAS and amount > MOST_PODS * THOUSANDTHS:
        problems.add(place, f"{written} replicas are more than a simulation follows", f"at most {MOST_PODS:,}")
        return None
    return amount


def check_workloads(curves: DemandCurves, known: Iterable[str], source: str, problems: Problems) -> None:
    """Add each workload that has a curve but is not among those of the input."""
    names = sorted(known)
    for workload in curves.workloads:
        if workload not in names:
            allowed, near = names_near(workload, names) if names else "", nearest(workload, names)
            problems.add(Place(source), f"{workload} is not one of the workloads", allowed, near)


def _curve(points: Mapping[int, int]) -> Curve:
    times = sorted(points)
    return Curve(tuple(times), tuple(points[at] for at in times))
