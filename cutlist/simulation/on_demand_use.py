"""How many on-demand instances run in each hour of a simulation: what commitments can cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cutlist.core.labels import ON_DEMAND, WINDOWS
from cutlist.simulation.events import HOUR
from cutlist.simulation.result import SimulationResult

Machine = tuple[str, str]
"""An instance type, and its OS if that is Windows, else an empty text."""


@dataclass(frozen=True, slots=True)
class OnDemandUse:
    """The full hours of a run. `ran` has, for each type and OS, how many milliseconds its instances ran in each hour."""

    hours: int
    ran: Mapping[Machine, tuple[int, ...]]

    @staticmethod
    def of(result: SimulationResult) -> OnDemandUse:
        """Return what ran in a simulation."""
        full = result.until // HOUR
        ran: dict[Machine, list[int]] = {}
        for life in result.lives:
            if life.capacity_type != ON_DEMAND or not life.instance_type:
                continue
            # Part of an hour at the end would look like little use, so only full hours count.
            ended = min(full * HOUR, result.until if life.ended is None else life.ended)
            machine = life.instance_type, WINDOWS if life.os == WINDOWS else ""
            of_type = ran.setdefault(machine, [0] * full)
            for number in range(life.started // HOUR, -(-ended // HOUR)):
                of_type[number] += min(ended, (number + 1) * HOUR) - max(life.started, number * HOUR)
        return OnDemandUse(full, {machine: tuple(of_type) for machine, of_type in sorted(ran.items())})

    @staticmethod
    def of_all(uses: Sequence[OnDemandUse]) -> OnDemandUse:
        """Return the hours of several runs, those of one after those of another."""
        machines = sorted({machine for use in uses for machine in use.ran})
        ran = {machine: tuple(ms for use in uses for ms in use.of_machine(machine)) for machine in machines}
        return OnDemandUse(sum(use.hours for use in uses), ran)

    def of_machine(self, machine: Machine) -> Sequence[int]:
        """Return how many milliseconds the instances of a type ran in each hour."""
        return self.ran.get(machine, (0,) * self.hours)

    def instances(self, machine: Machine) -> list[Fraction]:
        """Return how many instances of a type ran in each hour; one that ran for a part of it counts as that part."""
        return [Fraction(ms, HOUR) for ms in self.of_machine(machine)]

    def without_os(self) -> OnDemandUse:
        """Return the use by type alone."""
        ran: dict[Machine, tuple[int, ...]] = {}
        for (name, _), of_type in self.ran.items():
            before = ran.get((name, ""), (0,) * self.hours)
            ran[name, ""] = tuple(a + b for a, b in zip(before, of_type, strict=True))
        return OnDemandUse(self.hours, ran)

    def plain(self) -> dict[str, Any]:
        """Return the use as plain JSON."""
        return {"hours": self.hours, "ran": [[*machine, list(of_type)] for machine, of_type in self.ran.items()]}

    @staticmethod
    def read(plain: Mapping[str, Any]) -> OnDemandUse:
        """Return the use that plain JSON holds. Raises KeyError, TypeError or ValueError for what is not one."""
        return OnDemandUse(plain["hours"], {(name, os): tuple(ms) for name, os, ms in plain["ran"]})
