"""The gates' report as JUnit XML, which build servers list as tests."""

from __future__ import annotations

from itertools import groupby

from cutlist.policy.gates import Judgement, Report, Verdict
from cutlist.report.junit import Case, Remark, junit


def gate_junit(report: Report) -> str:
    """Return a test case for each rule that has an outcome: it fails if it stops the change, not if it is undetermined."""
    by_rule = [list(listed) for _, listed in groupby(report.outcomes, key=lambda outcome: outcome.rule)]
    cases = [Case(f"{of[0].rule} {of[0].title}", [_remark(outcome, report) for outcome in of]) for of in by_rule]
    passed = report.rules - len(cases)
    return junit("gate", cases, f"{passed} other rules" if passed > 0 else "")


def _remark(outcome: Judgement, report: Report) -> Remark:
    if report.stops(outcome):
        return Remark(str(outcome.place), outcome.sentence)
    is_open = outcome.verdict is Verdict.UNKNOWN
    return Remark(outcome.sentence if is_open else f"{outcome.verdict}: {outcome.sentence} {outcome.note}")
