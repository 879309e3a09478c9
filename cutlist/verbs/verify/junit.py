"""What happened to a plan, as JUnit XML: a test case for each node."""

from __future__ import annotations

from cutlist.report.junit import Case, Remark, junit
from cutlist.verification.verdicts import ExplainedDeviation, NodeOutcome, NodeVerdict, Verification


def verify_junit(answer: Verification) -> str:
    """Return a test case for each node that is compared: it fails where `--strict` would, and lists what differs otherwise."""
    compared = answer.of(NodeOutcome.AS_PLANNED, NodeOutcome.DIFFERENT, NodeOutcome.MISSING, NodeOutcome.UNPLANNED)
    return junit("verify", list(map(_case, compared)))


def _case(verdict: NodeVerdict) -> Case:
    number = f"planned node {verdict.slot.number}: {verdict.planned_text}" if verdict.slot is not None else ""
    node = f"{verdict.node.name}, {verdict.node_text}" if verdict.node is not None else ""
    is_failure = verdict.outcome is NodeOutcome.UNPLANNED or not verdict.is_explained
    remarks = [_remark(finding, is_failure=is_failure) for finding in verdict.findings]
    return Case(" is ".join(filter(None, (number, node))), remarks)


def _remark(finding: ExplainedDeviation, *, is_failure: bool) -> Remark:
    causes = "; ".join(f"{named.cause.id}: {named.because}" for named in finding.causes) or "no known cause"
    text = finding.deviation.text
    return Remark(causes, text) if is_failure else Remark(f"{text} ({causes})")
