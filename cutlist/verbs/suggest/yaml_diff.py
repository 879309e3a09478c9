"""What an option changes in the files that it was read from, as a diff: comments and layout stay."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.records import about
from cutlist.documents.files import SourceText
from cutlist.verbs.edited_texts import EditedText

_AROUND: Final = 2
"""How many unchanged lines stand around a change."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """The lines of a file that change: each with `+`, `-` or a space before it, and `@@` where lines are left out."""

    source: str
    lines: Annotated[tuple[str, ...], about("Each with +, - or a space before it; @@ where lines are left out.")]

    @property
    def changed(self) -> int:
        """Return how many lines are added or removed."""
        return sum(line[:1] in "+-" for line in self.lines)


def diff_of(before: SourceText, after: EditedText) -> FileDiff:
    """Return what differs between two states of a file."""
    return FileDiff(before.source, tuple(_lines(before.text, after.text)))


def _lines(before: str, after: str) -> Iterable[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=_AROUND)
    for number, line in enumerate(lines):
        if number >= 2:  # the first two name the files
            yield "@@" if line.startswith("@@") else line
