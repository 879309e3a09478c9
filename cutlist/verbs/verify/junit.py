"""What happened to a plan, as JUnit XML: a test case for each node."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from cutlist.report.plain import visible
from cutlist.verbs.verify.text import finding_text
from cutlist.verification.verdicts import ExplainedDeviation, NodeOutcome, NodeVerdict, Verification


def verify_junit(answer: Verification) -> str:
    """Return a test case for each node that is compared: it fails where `--strict` would, and lists what differs otherwise."""
    compared = answer.of(NodeOutcome.AS_PLANNED, NodeOutcome.DIFFERENT, NodeOutcome.MISSING, NodeOutcome.UNPLANNED)
    failures = sum(map(_fails, compared))
    head = f'<testsuite name="cutlist verify" tests="{len(compared)}" failures="{failures}">'
    cases = [_case(verdict) for verdict in compared]
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>")) + "\n"


def _fails(verdict: NodeVerdict) -> bool:
    return verdict.outcome is NodeOutcome.UNPLANNED or not verdict.is_explained


def _case(verdict: NodeVerdict) -> str:
    number = f"planned node {verdict.slot.number}: {verdict.planned_text}" if verdict.slot is not None else ""
    node = f"{verdict.node.name}, {verdict.node_text}" if verdict.node is not None else ""
    name = quoteattr(visible(" is ".join(filter(None, (number, node)))))
    inside = [_element(finding, is_failure=_fails(verdict)) for finding in verdict.findings]
    return "\n".join((f'  <testcase classname="cutlist.verify" name={name}>', *inside, "  </testcase>"))


def _element(finding: ExplainedDeviation, *, is_failure: bool) -> str:
    causes = "; ".join(f"{named.cause.id}: {named.because}" for named in finding.causes) or "no known cause"
    if is_failure:
        return f"    <failure message={quoteattr(visible(finding_text(finding)))}>{escape(visible(causes))}</failure>"
    return f"    <system-out>{escape(visible(f'{finding_text(finding)} ({causes})'))}</system-out>"
