"""The outcome of a rule on an object, and the report of all rules on everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from cutlist.core.errors import Place
from cutlist.core.ledger import Inputs
from cutlist.policy.gates.levels import Level


class Verdict(StrEnum):
    """The outcome of a rule on an object."""

    VIOLATED = "violated"
    EXEMPT = "exempt"
    UNKNOWN = "cannot tell"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A finding with its verdict. If it is undetermined, `found` names what is unknown.

    `note` has the exemption's owner, reason and end; `protects` is what the rule protects from.
    """

    rule: str
    title: str
    level: Level
    verdict: Verdict
    about: str
    place: Place
    path: str
    found: str
    allowed: str = ""
    advice: str = ""
    note: str = ""
    protects: str = ""

    @property
    def sentence(self) -> str:
        """Return the outcome as one sentence."""
        if self.verdict is Verdict.UNKNOWN:
            return f"{self.about}: cannot tell {self.found}"
        return f"{self.about}: {self.found}; allowed: {self.allowed}; {self.advice}"


def is_broken(outcome: Judgement, refuses_unknown: bool) -> bool:
    """Tell whether an outcome counts as a violation.

    An undetermined one does if the gates refuse it and the rule can stop a change.
    """
    is_refused = outcome.verdict is Verdict.UNKNOWN and refuses_unknown and outcome.level.stops
    return outcome.verdict is Verdict.VIOLATED or is_refused


@dataclass(frozen=True, slots=True)
class Report:
    """The complete report of the gates.

    `looked_at` counts resources, `judged` those for which some rule that applies knows what it needs, `rules` the rules that
    are on; `off` are the others. `inputs` is the account of the files that were judged.
    """

    environment: str
    outcomes: tuple[Judgement, ...]
    looked_at: int
    judged: int
    rules: int
    off: tuple[str, ...] = ()
    refuses_unknown: bool = False
    inputs: Inputs | None = None

    def stops(self, outcome: Judgement) -> bool:
        """Tell whether an outcome stops the change."""
        return outcome.level.stops and is_broken(outcome, self.refuses_unknown)

    @property
    def stopping(self) -> tuple[Judgement, ...]:
        """Return the outcomes that stop the change."""
        return tuple(outcome for outcome in self.outcomes if self.stops(outcome))

    @property
    def has_passed(self) -> bool:
        """Tell whether the change may proceed."""
        return not self.stopping

    @property
    def counts(self) -> Mapping[str, int]:
        """Return the number of outcomes of each sort: `stopping`, `advisory`, `exempt`, `unknown`."""
        sorts = Counter(map(self.sort, self.outcomes))
        return {name: sorts[name] for name in ("stopping", "advisory", "exempt", "unknown")}

    def sort(self, outcome: Judgement) -> str:
        """Return the sort of an outcome, a key of `counts`."""
        if self.stops(outcome):
            return "stopping"
        words = {Verdict.VIOLATED: "advisory", Verdict.EXEMPT: "exempt", Verdict.UNKNOWN: "unknown"}
        return words[outcome.verdict]
