"""The result of a check of manifests, as a comment on a pull request: every mistake with its place, then what drifts."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.report.columns import markdown_table
from cutlist.report.markup import at_most, code, words
from cutlist.verbs.validate.answer import Validation, listed_kinds
from cutlist.verbs.validate.columns import MISTAKES
from cutlist.verbs.validate.warnings import elsewhere_text

_MISTAKES: Final = 30
_NOTES: Final = 6


def validate_markdown(checked: Validation) -> str:
    """Return the result as Markdown of less than 60 lines. Ends in a newline."""
    kinds = words(listed_kinds(checked.kinds)) or "nothing was checked"
    verdict = f"**{checked.verdict}**" if checked.problems else checked.verdict
    lines = [f"### Manifests\n\n{verdict}: {kinds}.", ""]
    if checked.problems:
        hidden = len(checked.problems) - _MISTAKES
        lines += markdown_table(MISTAKES, checked.problems[:_MISTAKES])
        lines += ["", f"And {counted(hidden, 'more mistake')}."] if hidden > 0 else []
        lines.append("")
    notes = [f"warning: {words(note.text)}" for note in checked.warnings]
    notes += [f"NodeClaim {code(node.claim)} drifts" for node in checked.drifted]
    notes += [words(elsewhere_text(missing)) for missing in checked.missing_classes]
    notes += [f"note: {words(note.text)}" for note in checked.notes]
    lines += at_most(_NOTES, notes)
    return "\n".join(lines).rstrip() + "\n"
