"""What an option changes in the files that it was read from, as a diff: comments and layout stay."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.records import about
from cutlist.documents import SourceText
from cutlist.verbs.suggest.edits import NodePoolSources, Written, unwritten, written

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


def diffs_of(objects: Sequence[Written], texts: Iterable[SourceText]) -> tuple[tuple[FileDiff, ...], list[str]]:
    """Return what objects change in files, and the objects that none of the files can have."""
    read = list(texts)
    sources = NodePoolSources.of(read)
    edited = [written(objects, text, sources) for text in read]
    diffs = [
        FileDiff(before.source, tuple(_lines(before.text, after.text)))
        for before, after in zip(read, edited, strict=True)
        if after.edited
    ]
    return tuple(diffs), unwritten(objects, edited)


def _lines(before: str, after: str) -> Iterable[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=_AROUND)
    for number, line in enumerate(lines):
        if number >= 2:  # the first two name the files
            yield "@@" if line.startswith("@@") else line
