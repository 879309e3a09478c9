"""What users ask of suggestions beside allowances: how scenarios count, scenarios of their own, and how varied spot has to be.

    cutlist suggest ... --scenario replicas-4=0 --scenario 'sale=5: deployment/web x3, spot x1.2'

A scenario is `NAME=WEIGHT`, and one's own has what differs from today after a colon: `WORKLOAD xFACTOR`, `replicas xFACTOR`,
`spot xFACTOR`, `without ZONE`. Weight 0 leaves a scenario out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.core.errors import Place, Problems, names_near, nearest
from cutlist.optimization.scenarios import WEIGHTS, Scenario, multiplied, scaled_workloads, scenarios_of
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.suggest import SCENARIO, SPOT_TYPES, SPOT_ZONES
from cutlist.workloads.pods import FrozenDict
from cutlist.workloads.scaled import pods_of_workloads

_WRITTEN: Final = re.compile(r"([a-z0-9][a-z0-9.-]*)=([0-9]+(?:\.[0-9]+)?)(?::(.*))?", re.DOTALL)
_FACTOR: Final = re.compile(r"(\S+)\s+x([0-9]+(?:\.[0-9]+)?)")
_WITHOUT: Final = re.compile(r"without\s+(\S+)")
_REPLICAS: Final = "replicas"
_SPOT: Final = "spot"
_FORM: Final = "NAME=WEIGHT, or NAME=WEIGHT: WORKLOAD xFACTOR, replicas xFACTOR, spot xFACTOR, without ZONE"
_AT_MOST: Final = 1000.0


@dataclass(frozen=True, slots=True)
class Criteria:
    """Scenarios as users write them, how many types a NodePool that buys spot keeps, and in how many zones. `settled` tells
    whether prices count once Karpenter has consolidated the nodes, `week` are files with replicas over time."""

    scenarios: tuple[str, ...] = ()
    spot_types: int = SPOT_TYPES.default
    spot_zones: int = SPOT_ZONES.default
    settled: bool = False
    week: tuple[str, ...] = ()


DEFAULT_CRITERIA: Final = Criteria()


def chosen_scenarios(inputs: PlanInputs, zones: Iterable[str], criteria: Criteria) -> tuple[Scenario, ...]:
    """Return the scenarios to judge NodePools in, the present first. Raises InputError with every mistake in the criteria."""
    problems, reading = Problems(), _Reading(inputs, tuple(sorted(zones)))
    for text in criteria.scenarios:
        reading.take(text, problems)
    problems.raise_if_any()
    if criteria.week:
        from cutlist.verbs.suggest.week import REPLACED, week_scenarios  # brings the simulation

        reading.weights = {**dict.fromkeys(REPLACED, 0.0), **reading.weights}
        reading.own += week_scenarios(inputs, criteria.week)
    chosen = scenarios_of(inputs, reading.zones, reading.weights, reading.own)
    if not any(scenario.weight for scenario in chosen):
        problems.add(Place.of(SCENARIO), "no scenario has a weight, so there is no mean price", "one with a weight above 0")
        problems.raise_if_any()
    return chosen


@dataclass(slots=True)
class _Reading:
    """The scenarios that were read so far."""

    inputs: PlanInputs
    zones: tuple[str, ...]
    weights: dict[str, float] = field(default_factory=dict)
    own: list[Scenario] = field(default_factory=list)

    def take(self, text: str, problems: Problems) -> None:
        """Read one scenario, adding its mistakes to `problems`."""
        place = Place.of(SCENARIO)
        written = _WRITTEN.fullmatch(text.strip())
        if written is None:
            problems.add(place, f"{text!r} is not a scenario", _FORM)
            return
        name, weight, changes = written[1], min(float(written[2]), _AT_MOST), written[3]
        if changes is None:
            if name not in WEIGHTS:
                problems.add(place, f"there is no scenario {name!r}", names_near(name, list(WEIGHTS)), nearest(name, WEIGHTS))
            self.weights[name] = weight
            return
        if name in WEIGHTS or name in {scenario.name for scenario in self.own}:
            problems.add(place, f"{name!r} names two scenarios", "another name")
            return
        made = Scenario(name, name, weight)
        for change in changes.split(","):
            made = self._with(made, change.strip(), place, problems)
        if weight and not problems:
            self.own.append(made)

    def _with(self, scenario: Scenario, change: str, place: Place, problems: Problems) -> Scenario:
        """Return a scenario with one more change."""
        if without := _WITHOUT.fullmatch(change):
            if without[1] not in self.zones:
                problems.add(place, f"no node of today's plan is in zone {without[1]!r}", ", ".join(self.zones))
            return replace(scenario, zone=without[1])
        factor = _FACTOR.fullmatch(change)
        if factor is None:
            problems.add(place, f"{change!r} is not a change", _FORM)
            return scenario
        what, times = factor[1], min(float(factor[2]), _AT_MOST)
        if what == _SPOT:
            return replace(scenario, spot=times)
        groups = self.inputs.workloads.groups
        known = pods_of_workloads(groups)
        if what != _REPLICAS and what not in known:
            problems.add(place, f"there is no workload {what!r}", names_near(what, sorted(known)), nearest(what, known))
            return scenario
        names: Sequence[str] = scaled_workloads(groups) if what == _REPLICAS else (what,)
        more: Mapping[str, int] = multiplied(groups, dict.fromkeys(names, times))
        return replace(scenario, more=FrozenDict({**scenario.more, **more}))
