"""A sweep as Markdown, for the summary of a job or a comment: what came of it, then each leftover."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.infrastructure.teardown.report import SweepReport
from cutlist.report.columns import markdown_table
from cutlist.report.markup import at_most, code, words
from cutlist.verbs.sweep.columns import COMMENT
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
        lines += markdown_table(COMMENT, report.findings[:_FINDINGS])
        hidden = len(report.findings) - _FINDINGS
        lines += ["", f"And {counted(hidden, 'more leftover')}."] if hidden > 0 else []
        lines.append("")
    lines += at_most(_UNSEEN, [f"not looked at: {words(reason)}" for reason in report.unseen])
    return "\n".join(lines).rstrip() + "\n"
