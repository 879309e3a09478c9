"""What happened to a plan, as Markdown for a summary of a build or a comment; and the page on all causes."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.report.columns import markdown_table
from cutlist.report.markup import folded, words
from cutlist.settings import verify
from cutlist.verbs.verify.columns import CAUSES, DIFFERENCES, Difference
from cutlist.verification.causes import CAUSES as KNOWN_CAUSES
from cutlist.verification.verdicts import Verification

_ROWS: Final = 25
_CAUSES_HEAD: Final = f"""# The causes of differences

This page lists every cause that `cutlist verify` can name for a difference: what it explains, the evidence that it needs, and
what to do. [Did it come as planned?](verify.md) says what the command compares. \
`cutlist verify {verify.CAUSES.flag}` prints this page.

A difference can have several causes, each with its evidence. Without evidence, no cause is named. A cause that is *only likely*
is named only if no other is.
"""


def verify_markdown(answer: Verification) -> str:
    """Return a headline, a table of what differs, and the causes with what to do. Ends in a newline."""
    unexplained = counted(len(answer.unexplained), "difference")
    rows = [Difference(alike[0], len(alike), finding) for alike in answer.alike for finding in alike[0].findings]
    lines = [f"### Cutlist: {words(answer.summary)}", ""]
    if rows:
        lines += [f"{unexplained} without a known cause." if answer.unexplained else "Each difference has a cause.", ""]
        lines += markdown_table(DIFFERENCES, rows[:_ROWS])
        hidden = len(rows) - _ROWS
        lines += ["", f"And {counted(hidden, 'more kind', 'more kinds')} of differences."] if hidden > 0 else []
        lines.append("")
    if known := answer.explaining:
        lines += folded(f"Causes ({len(known)})", markdown_table(CAUSES, known))
    apart = answer.nodes.before + answer.nodes.foreign
    lines += [f"Not compared: {counted(apart, 'node')}, earlier ones or not Karpenter's.", ""] if apart else []
    return "\n".join(lines).rstrip() + "\n"


def causes_page() -> str:
    """Return every cause with what it explains, on what evidence it is named, and what to do about it."""
    lines = [_CAUSES_HEAD]
    for cause in KNOWN_CAUSES:
        explains = ", ".join(sorted(aspect.value for aspect in cause.explains))
        lines += [f"## {cause.id}", "", f"{cause.title}.", ""]
        lines += [f"- explains: {explains}", f"- named when: {cause.named_when}", f"- what to do: {cause.remedy}"]
        lines += ["- only likely"] if cause.weak else []
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"
