"""The rows of public traces: tables with or without a header, and lines of JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Final

from cutlist.core.errors import Place, Problems

NOTHING: Final = ("", "nan", "null", "None")
"""How traces write that there is no value."""

AFTER_END: Final = "9223372036854775807"
"""How a trace of Google writes an instant after its end."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file; `has_header` says that its first line names them, in any order and among others.

    `also` are other names of columns.
    """

    names: tuple[str, ...]
    has_header: bool
    also: Mapping[str, str]

    def named(self, name: str) -> str:
        """Return the name of a column for one of its names."""
        return self.also.get(name.strip(), name.strip())


class Cells:
    """The cells of a row, and its place for mistakes."""

    __slots__ = ("_place", "_problems", "row")

    def __init__(self, row: Mapping[str, str], place: Place, problems: Problems) -> None:
        self.row, self._place, self._problems = row, place, problems

    def refused(self, text: str, allowed: str) -> ValueError:
        """Add a problem of the row; return the error to raise."""
        self._problems.add(self._place, text, allowed)
        return ValueError(text)

    def number(self, name: str, most: float = 2**63) -> float:
        """Return a number. Raises ValueError, with a problem added, for other text, and for negative and greater ones."""
        try:
            # Azure's buckets without an upper end are written `>24`.
            number = float(self.row[name].strip().removeprefix(">"))
            if 0 <= number < 2**63 and number <= most:
                return number
        except ValueError:
            pass
        allowed = "a number, 0 or more" if most == 2**63 else f"a number from 0 to {most:,}"
        raise self.refused(f"{name} is {self.row[name]!r}", allowed)

    def time(self, name: str, unit: float) -> int | None:
        """Return a time in milliseconds, or None for a missing one; `unit` is that of the column in milliseconds."""
        return None if self.row[name].strip() in NOTHING else round(self.number(name) * unit)

    def lifetime(self, started: str, ended: str, unit: float) -> tuple[int, int | None] | None:
        """Return two times as `time` does, or None without the first. Raises ValueError, with a problem added, if the second is
        earlier."""
        first, last = self.time(started, unit), self.time(ended, unit)
        if first is not None and last is not None and last < first:
            raise self.refused(
                f"{ended} is {self.row[ended].strip()}, before {started}", f"{self.row[started].strip()} or later"
            )
        return None if first is None else (first, last)


def rows_of_trace(text: str, path: str, columns: Columns, problems: Problems) -> Iterator[Cells]:
    """Yield the rows of a file that have all columns; others are problems. Rows are those of a table or, where a header would
    be, lines of JSON objects, in which the members of an inner object are `outer.inner`, and missing ones are empty."""
    if columns.has_header and text.lstrip()[:1] == "{":
        yield from _json_lines(text, path, columns, problems)
        return
    try:
        reader = csv.DictReader(StringIO(text, newline=""), None if columns.has_header else columns.names)
        names = [columns.named(name) for name in reader.fieldnames or ()]
        reader.fieldnames = names
        missing = [name for name in columns.names if name not in names]
        if missing:
            problems.add(Place(path, line=1), f"has no column {missing[0]}", ", ".join(columns.names))
            return
        for row in reader:
            place = Place(path, line=reader.line_num)
            if None in row or None in row.values():
                problems.add(place, "is not a row of the trace", ", ".join(columns.names))
            else:
                yield Cells(row, place, problems)
    except csv.Error as error:
        problems.add(Place(path), f"is not a table: {error}", ", ".join(columns.names))


def _json_lines(text: str, path: str, columns: Columns, problems: Problems) -> Iterator[Cells]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = dict(_flat(json.loads(line)))
        except (ValueError, AttributeError, RecursionError):
            problems.add(Place(path, line=number), "is not an object of JSON", "one on each line")
            continue
        yield Cells({**dict.fromkeys(columns.names, ""), **row}, Place(path, line=number), problems)


def _flat(members: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in members.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", "" if value is None else str(value)
