"""Tables with fixed columns: their rows, each with its place."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.files import file_text

_PERCENT: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?)%", re.ASCII)


def rows_of(path: str, columns: Sequence[str], what: str, problems: Problems) -> list[tuple[Place, Mapping[str, str]]]:
    """Return the rows of a table in a file, without blanks around their values. `what` names a row in messages. Problems are
    added for a file that cannot be read or has other columns or no row, and for a row with missing, extra or empty values.
    """
    text = file_text(path, problems)
    if text is None:
        return []
    before = len(problems.found)
    rows: list[tuple[Place, Mapping[str, str]]] = []
    try:
        reader = csv.DictReader(StringIO(text, newline=""))
        reader.fieldnames = [name.strip() for name in reader.fieldnames or ()]
        # In any order, but no others: a misspelt column would otherwise be ignored.
        if sorted(reader.fieldnames) != sorted(columns):
            names = f"has the columns {', '.join(reader.fieldnames)}" if reader.fieldnames else "has no columns"
            problems.add(Place(path, line=1), names, ", ".join(columns))
            return []
        for row in reader:
            place = Place(path, line=reader.line_num)
            if None in row or None in row.values():
                problems.add(place, "is not a row of the table", ", ".join(columns))
            elif empty := [name for name in columns if not row[name].strip()]:
                problems.add(place, f"{empty[0]} is empty", f"a value for {', '.join(columns)}")
            else:
                rows.append((place, {name: value.strip() for name, value in row.items()}))
    except csv.Error as error:
        problems.add(Place(path), f"is not a table: {error}", ", ".join(columns))
    if not rows and len(problems.found) == before:
        problems.add_absence(Place(path), f"no {what} is in it", f"rows of {', '.join(columns)}")
    return rows


def percentage(text: str) -> float | None:
    """Return a percentage up to 100 as a share, such as 0.05 for `5%`, or None for any other text."""
    percent = _PERCENT.fullmatch(text)
    share = float(percent[1]) / 100 if percent else None
    return share if share is not None and share <= 1 else None
