"""Why something is as it is, as Markdown: the sentence, what would help, and a table of the facts."""

from __future__ import annotations

from typing import Final

from cutlist.report.columns import short_table
from cutlist.report.markup import words
from cutlist.verbs.why.columns import FACTS
from cutlist.verbs.why.reason import Why

_SHOWN: Final = 30


def why_markdown(answer: Why) -> str:
    """Return the answer as Markdown of less than 60 lines. Ends in a newline."""
    lines = [f"### {words(answer.name)}", "", f"{words(answer.sentence)}.", ""]
    if answer.remedy:
        lines += [f"What would help: {words(answer.remedy)}.", ""]
    if answer.facts:
        lines += short_table(FACTS, answer.facts, _SHOWN)
    return "\n".join(lines).rstrip() + "\n"
