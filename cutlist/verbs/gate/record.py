"""The gates' report as JSON, in a stable order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.ledger import Inputs
from cutlist.core.records import Count, CountOrNull, TextOrNull, about, json_of
from cutlist.policy.gates import Judgement, Level, Report, Verdict

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Counts:
    stopping: Count
    advisory: Count
    exempt: Count
    unknown: Count


@dataclass(frozen=True, slots=True)
class _Outcome:
    """An outcome with its place in parts; it stops the change where `stops` is true."""

    rule: str
    title: str
    level: Level
    verdict: Verdict
    stops: bool
    object: str
    file: TextOrNull
    document: CountOrNull
    line: CountOrNull
    path: TextOrNull
    found: str
    allowed: TextOrNull
    repair: TextOrNull
    exemption: TextOrNull
    protects: Annotated[TextOrNull, about("What the rule protects from.")]


@dataclass(frozen=True, slots=True)
class GateRecord:
    """What rules say of a stack or of files."""

    version: Literal[1]
    passed: bool
    environment: str
    objects: Count
    judged: Annotated[Count, about("How many of the objects a rule is about.")]
    rules: Count
    off: tuple[str, ...]
    counts: _Counts
    outcomes: tuple[_Outcome, ...]
    inputs: Annotated[Inputs | None, about("What of the files was read, passed over and left open.")]


def gate_json(report: Report) -> str:
    """Return `passed`, counts, and every outcome with its place in parts; empty members are null."""
    record = GateRecord(
        version=VERSION,
        passed=report.has_passed,
        environment=report.environment,
        objects=report.looked_at,
        judged=report.judged,
        rules=report.rules,
        off=report.off,
        counts=_Counts(**report.counts),
        outcomes=tuple(_outcome(outcome, report) for outcome in report.outcomes),
        inputs=report.inputs,
    )
    return json_of(record)


def _outcome(outcome: Judgement, report: Report) -> _Outcome:
    return _Outcome(
        rule=outcome.rule,
        title=outcome.title,
        level=outcome.level,
        verdict=outcome.verdict,
        stops=report.stops(outcome),
        object=outcome.about,
        file=outcome.place.source,
        document=outcome.place.document,
        line=outcome.place.line,
        path=outcome.path,
        found=outcome.found,
        allowed=outcome.allowed,
        repair=outcome.advice,
        exemption=outcome.note,
        protects=outcome.protects,
    )
