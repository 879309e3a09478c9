"""The gates' report as JUnit XML, which build servers list as tests."""

from __future__ import annotations

from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from cutlist.policy.gates import Judgement, Report, Verdict
from cutlist.report.plain import visible


def gate_junit(report: Report) -> str:
    """Return a test case for each rule that has an outcome: it fails if it stops the change, not if it is undetermined."""
    by_rule = [(id_, list(listed)) for id_, listed in groupby(report.outcomes, key=lambda outcome: outcome.rule)]
    cases = [_case(id_, listed, report) for id_, listed in by_rule]
    failures = sum(any(map(report.stops, listed)) for _, listed in by_rule)
    passed = max(0, report.rules - len(cases))
    head = f'<testsuite name="cutlist gate" tests="{len(cases) + bool(passed)}" failures="{failures}">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, *cases]
    lines += [f'  <testcase classname="cutlist.gate" name="{passed} other rules"/>'] if passed else []
    return "\n".join((*lines, "</testsuite>")) + "\n"


def _case(id_: str, outcomes: list[Judgement], report: Report) -> str:
    name = _attribute(f"{id_} {outcomes[0].title}")
    inside = [_element(outcome, report) for outcome in outcomes]
    return "\n".join((f'  <testcase classname="cutlist.gate" name={name}>', *inside, "  </testcase>"))


def _element(outcome: Judgement, report: Report) -> str:
    where, text = str(outcome.place), outcome.sentence
    if report.stops(outcome):
        return f"    <failure message={_attribute(text)}>{escape(visible(where))}</failure>"
    if outcome.verdict is Verdict.UNKNOWN:
        return f"    <system-out>{escape(visible(text))}</system-out>"
    return f"    <system-out>{escape(visible(f'{outcome.verdict}: {text} {outcome.note}'))}</system-out>"


def _attribute(text: str) -> str:
    return quoteattr(visible(text))
