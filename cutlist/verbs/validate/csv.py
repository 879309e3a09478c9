"""The result of a check of manifests, as CSV: a row for each mistake and each warning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.report.csv import Cell, rows_csv
from cutlist.verbs.validate.answer import Validation

_TITLES: Final = ("kind", "file", "document", "line", "path", "message", "allowed", "nearest", "refused_by")


def validate_csv(checked: Validation) -> str:
    """Return the rows."""
    return rows_csv(_TITLES, _rows(checked))


def _rows(checked: Validation) -> Iterator[Sequence[Cell]]:
    for problem in checked.problems:
        place = problem.place
        where = (place.source, place.document, place.line or None, place.path)
        yield ("mistake", *where, problem.message, problem.allowed, problem.nearest, str(problem.layer))
    for note in checked.warnings:
        yield ("warning", "", None, None, "", note.text, "", "", "")
