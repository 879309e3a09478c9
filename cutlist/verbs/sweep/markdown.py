"""A sweep as Markdown, for the summary of a job or a comment: what came of it, then each leftover."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.infrastructure.teardown.report import SweepReport, SweptLeftover
from cutlist.report.markup import at_most, code, table, words
from cutlist.report.plain import per_hour
from cutlist.verbs.sweep.text import conclusion

_FINDINGS: Final = 40
_UNSEEN: Final = 6


def sweep_markdown(report: SweepReport) -> str:
    """Return a sweep as Markdown of less than 60 lines. Ends in a newline."""
    facts = report.facts
    state = f": {words(report.state)}" if report.state else ""
    lines = [
        f"### Leftovers of cluster {code(facts.cluster)}\n",
        f"In {code(facts.region)}, account {code(facts.account)}{state}.",
    ]
    lines += ["", *(f"**{words(text)}**" for text, _ in conclusion(report)), ""]
    if report.findings:
        rows = [_row(finding) for finding in report.findings[:_FINDINGS]]
        lines += table(["kind", "id", "name", "result", "why", ">$/h"], rows)
        hidden = len(report.findings) - _FINDINGS
        lines += ["", f"And {counted(hidden, 'more leftover')}."] if hidden > 0 else []
        lines.append("")
    lines += at_most(_UNSEEN, [f"not looked at: {words(reason)}" for reason in report.unseen])
    return "\n".join(lines).rstrip() + "\n"


def _row(finding: SweptLeftover) -> list[str]:
    leftover = finding.leftover
    price = "" if leftover.usd_per_hour is None else per_hour(leftover.usd_per_hour)
    why = finding.reason or "; ".join(leftover.matched)
    return [words(leftover.kind), code(leftover.id), code(leftover.name), str(finding.result), words(why), price]
