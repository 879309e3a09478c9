"""The outcome of a rule on an object, and the report of all rules on everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from cutlist.core.ledger import Inputs
from cutlist.core.records import FLAT, HIDDEN, SPARSE, After, Count, Key, TextOrNull, about, computed, form_of
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.core.written_problems import WrittenPlace
from cutlist.policy.gates.levels import Level
from cutlist.policy.rules.profile import Profile


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
    about: Annotated[str, Key("object")]
    place: WrittenPlace
    path: TextOrNull
    found: str
    allowed: TextOrNull = ""
    advice: Annotated[TextOrNull, Key("repair")] = ""
    note: Annotated[TextOrNull, Key("exemption")] = ""
    protects: Annotated[TextOrNull, about("What the rule protects from.")] = ""

    @property
    def sentence(self) -> str:
        """Return the outcome as one sentence."""
        if self.verdict is Verdict.UNKNOWN:
            return f"{self.about}: cannot tell {self.found}"
        allowed = f"; allowed: {self.allowed}" if self.allowed else ""
        return f"{self.about}: {self.found}{allowed}; {self.advice}"


def is_broken(outcome: Judgement, refuses_unknown: bool) -> bool:
    """Tell whether an outcome counts as a violation.

    An undetermined one does if the gates refuse it and the rule can stop a change.
    """
    is_refused = outcome.verdict is Verdict.UNKNOWN and refuses_unknown and outcome.level.stops
    return outcome.verdict is Verdict.VIOLATED or is_refused


@dataclass(frozen=True, slots=True)
class _Counts:
    stopping: Count
    advisory: Count
    exempt: Count
    unknown: Count


@dataclass(frozen=True, slots=True)
class _Outcome:
    """An outcome with its place in parts; it stops the change where `stops` is true."""

    outcome: Annotated[Judgement, FLAT]
    stops: Annotated[bool, After("outcome.verdict")]


_CountsBySort = Annotated[Mapping[str, int], form_of(_Counts).through(lambda counts: _Counts(**counts))]


@dataclass(frozen=True, slots=True)
class Report:
    """What rules say of a stack or of files.

    `looked_at` counts resources, `judged` those for which some rule that applies knows what it needs, `rules` the rules that
    are on; `off` are the others. `inputs` is the account of the files that were judged.
    """

    environment: str
    profile: Profile
    outcomes: Annotated[tuple[Judgement, ...], HIDDEN]
    looked_at: Annotated[Count, Key("objects")]
    judged: Annotated[Count, about("How many of the objects a rule is about.")]
    rules: Count
    off: tuple[str, ...] = ()
    refuses_unknown: Annotated[bool, HIDDEN] = False
    inputs: Annotated[Inputs | None, about("What of the files was read, passed over and left open.")] = None
    snapshots: Annotated[
        tuple[str, ...], about("The inputs that are read as a snapshot of a cluster; all others are a change.")
    ] = ()
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None

    @property
    @computed(after="")
    def version(self) -> Literal[1]:
        """Return the version of the JSON."""
        return 1

    def stops(self, outcome: Judgement) -> bool:
        """Tell whether an outcome stops the change."""
        return outcome.level.stops and is_broken(outcome, self.refuses_unknown)

    @property
    def stopping(self) -> tuple[Judgement, ...]:
        """Return the outcomes that stop the change."""
        return tuple(outcome for outcome in self.outcomes if self.stops(outcome))

    @property
    @computed(after="version")
    def has_passed(self) -> Annotated[bool, Key("passed")]:
        """Tell whether the change may proceed."""
        return not self.stopping

    @property
    @computed(after="off")
    def counts(self) -> _CountsBySort:
        """Return the number of outcomes of each sort: `stopping`, `advisory`, `exempt`, `unknown`."""
        sorts = Counter(map(self.sort, self.outcomes))
        return {name: sorts[name] for name in ("stopping", "advisory", "exempt", "unknown")}

    @property
    @computed(after="counts")
    def judgements(self) -> Annotated[tuple[_Outcome, ...], Key("outcomes")]:
        """Return every outcome with whether it stops the change."""
        return tuple(_Outcome(outcome, self.stops(outcome)) for outcome in self.outcomes)

    def sort(self, outcome: Judgement) -> str:
        """Return the sort of an outcome, a key of `counts`."""
        if self.stops(outcome):
            return "stopping"
        words = {Verdict.VIOLATED: "advisory", Verdict.EXEMPT: "exempt", Verdict.UNKNOWN: "unknown"}
        return words[outcome.verdict]
