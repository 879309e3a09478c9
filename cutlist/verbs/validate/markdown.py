"""The result of a check of manifests, as a comment on a pull request: every mistake with its place, then what drifts."""

from __future__ import annotations

from typing import Final

from cutlist.core.errors import Problem
from cutlist.core.wording import counted
from cutlist.report.markup import at_most, code, table, words
from cutlist.verbs.validate.answer import Validation, listed_kinds

_MISTAKES: Final = 30
_NOTES: Final = 6
_PLACE: Final = 160  # columns of a place


def validate_markdown(checked: Validation) -> str:
    """Return the result as Markdown of less than 60 lines. Ends in a newline."""
    kinds = words(listed_kinds(checked.kinds)) or "nothing was checked"
    verdict = f"**{counted(len(checked.problems), 'mistake')}**" if checked.problems else "Nothing is wrong"
    lines = [f"### Manifests\n\n{verdict}: {kinds}.", ""]
    if checked.problems:
        shown = [_row(problem) for problem in checked.problems[:_MISTAKES]]
        hidden = len(checked.problems) - _MISTAKES
        lines += table(["where", "what is wrong", "refused by", "what is right"], shown)
        lines += ["", f"And {counted(hidden, 'more mistake')}."] if hidden > 0 else []
        lines.append("")
    notes = [f"warning: {words(note.text)}" for note in checked.warnings]
    notes += [f"NodeClaim {code(node.claim)} drifts" for node in checked.drifted]
    missing = [missing_class.problem() for missing_class in checked.missing_classes]
    notes += [f"{words(str(problem.place))}: {words(problem.message)}" for problem in missing]
    notes += [f"note: {words(note.text)}" for note in checked.notes]
    lines += at_most(_NOTES, notes)
    return "\n".join(lines).rstrip() + "\n"


def _row(problem: Problem) -> list[str]:
    near = f"did you mean {problem.nearest}?" if problem.nearest else ""
    right = "; ".join(filter(None, (problem.allowed, near)))
    return [code(str(problem.place), _PLACE), words(problem.message), str(problem.layer), words(right)]
