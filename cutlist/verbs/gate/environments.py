"""The gates' reports on all environments of a repository: one row each. An environment that fails is a row too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal

from cutlist.core.records import HIDDEN, After, Count, Key, about, computed, form_of
from cutlist.core.written_problems import WrittenProblem
from cutlist.policy.gates import Report
from cutlist.verbs.diff.money import MonthlyPrice
from cutlist.verbs.gate.change import Change


class GateState(StrEnum):
    """Whether the change of an environment may proceed, or that there is no report on it."""

    PASSED = "passed"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class _Counts:
    stopping: Count
    advisory: Count
    exempt: Count
    unknown: Count


_NONE: Final = {"stopping": 0, "advisory": 0, "exempt": 0, "unknown": 0}
_CountsBySort = Annotated[
    Mapping[str, int],
    form_of(_Counts).through(lambda counts: _Counts(**counts)),
    about("Outcomes of each sort; 0 without a report."),
]


@dataclass(frozen=True, slots=True)
class EnvironmentReport:
    """The gates' report on one environment in short, or why it has no report."""

    name: str
    command: Annotated[str, about("What judges it alone.")]
    report: Annotated[Report | None, HIDDEN] = None
    change: Annotated[Change | None, HIDDEN] = None
    problems: Annotated[tuple[WrittenProblem, ...], about("Why there is no report."), After("stopped_by")] = ()

    @property
    @computed(after="command")
    def state(self) -> GateState:
        """Return whether the change may proceed."""
        if self.report is None:
            return GateState.FAILED
        return GateState.PASSED if self.report.has_passed else GateState.STOPPED

    @property
    @computed(after="state")
    def counts(self) -> _CountsBySort:
        """Return the number of outcomes of each sort."""
        return _NONE if self.report is None else self.report.counts

    @property
    @computed(after="counts")
    def stopped_by(self) -> Annotated[tuple[str, ...], about("The rules that stop the change, by their ids.")]:
        """Return each of their ids once, in the order of the report; nothing without a report."""
        return () if self.report is None else tuple(dict.fromkeys(outcome.rule for outcome in self.report.stopping))

    @property
    @computed(after="problems")
    def month(
        self,
    ) -> Annotated[
        MonthlyPrice | None, Key("perMonth"), about("What new nodes cost a month at the base and now; null without a base.")
    ]:
        """Return what all its new nodes cost at the base and now, or None if that is not known."""
        return None if self.change is None or self.change.difference is None else self.change.difference.month

    @property
    def remark(self) -> str:
        """Return the rules that stop the change, or why there is no report, and why it is not compared; empty if it passes."""
        missing = "" if self.change is None else self.change.missing
        return "; ".join(filter(None, (*map(str, self.problems), ", ".join(self.stopped_by), missing)))


@dataclass(frozen=True, slots=True)
class GateReports:
    """The gates' reports on all environments in short."""

    environments: tuple[EnvironmentReport, ...]
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="version")
    def has_passed(self) -> Annotated[bool, Key("passed"), about("Whether the change of every environment may proceed.")]:
        """Tell whether all gates pass; an environment without a report counts as one that does not."""
        return all(environment.state is GateState.PASSED for environment in self.environments)

    @property
    @computed(after="has_passed")
    def failed(self) -> Count:
        """Return how many environments have mistakes in place of a report."""
        return self.count(GateState.FAILED)

    @property
    @computed(after="failed")
    def counts(self) -> _CountsBySort:
        """Return the number of outcomes of each sort in all environments."""
        sums: Counter[str] = Counter()
        for environment in self.environments:
            sums.update(environment.counts)
        return {name: sums[name] for name in _NONE}

    def count(self, state: GateState) -> int:
        """Return how many environments are in a state."""
        return sum(environment.state is state for environment in self.environments)
