"""What happened to a plan, as Markdown for a summary of a build or a comment."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.report.markup import code, folded, table, words
from cutlist.verbs.verify.text import finding_text
from cutlist.verification.causes import CAUSES
from cutlist.verification.verdicts import ExplainedDeviation, NodeOutcome, NodeVerdict, Verification

_ROWS: Final = 25
_CELL: Final = 600  # columns of a cell


def verify_markdown(answer: Verification) -> str:
    """Return a headline, a table of what differs, and the causes with what to do. Ends in a newline."""
    unexplained = len(answer.unexplained)
    verdict = f"{counted(unexplained, 'difference')} without a known cause" if unexplained else "each difference has a cause"
    lines = [f"### Cutlist: {words(answer.summary)}", ""]
    groups = [group for group in answer.alike if group[0].findings]
    if groups:
        rows = [row for group in groups for row in _rows(group[0], len(group))]
        lines += [f"{verdict[:1].upper()}{verdict[1:]}.", ""]
        lines += table(["node", "what", "difference", "causes"], rows[:_ROWS])
        lines += (
            ["", f"And {counted(len(rows) - _ROWS, 'more kind', 'more kinds')} of differences."] if len(rows) > _ROWS else []
        )
        lines.append("")
    counts = answer.causes
    known = [[str(counts[c.id]), code(c.id), words(c.title), words(c.remedy)] for c in CAUSES if c.id in counts]
    if known:
        lines += folded(f"Causes ({len(known)})", table([">differences", "cause", "what it is", "what to do"], known))
    apart = len(answer.of(NodeOutcome.BEFORE, NodeOutcome.FOREIGN))
    lines += [f"Not compared: {counted(apart, 'node')}, earlier ones or not Karpenter's.", ""] if apart else []
    return "\n".join(lines).rstrip() + "\n"


def _rows(verdict: NodeVerdict, count: int) -> list[list[str]]:
    names = code(verdict.node.name) if verdict.node is not None else ""
    others = f" and {count - 1:,} more" if count > 1 else ""
    node = f"{names}{others}" if names else counted(count, "node")
    what = words(f"{verdict.outcome}, {verdict.planned_text or verdict.node_text}", _CELL)
    return [[node, what, words(finding_text(finding), _CELL), _causes(finding)] for finding in verdict.findings]


def _causes(finding: ExplainedDeviation) -> str:
    named = "<br>".join(f"{code(named.cause.id)}: {words(named.because, _CELL)}" for named in finding.causes)
    return named or "**no known cause**"
