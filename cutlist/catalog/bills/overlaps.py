"""Files of a bill that have the same rows, or the same days in two forms: a month counts once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import duckdb

from cutlist.catalog.bills.tables import Table
from cutlist.core.errors import Place, Problems

_SAMPLED: Final = 100_000  # rows of a file that are compared with those of other files
_TWICE: Final = 0.01  # the part of them that has to be in both


def check_overlap(connection: duckdb.DuckDBPyConnection, tables: Sequence[Table], problems: Problems) -> None:
    """Add a problem for each two files that have the same rows, or the same days in two forms."""
    samples = [_sample(connection, table) for table in tables]
    for index, (table, sample) in enumerate(zip(tables, samples, strict=True)):
        for other, theirs in zip(tables[:index], samples[:index], strict=True):
            if table.form is not other.form:
                days = sample.days & theirs.days
                if days:
                    text = f"has charges of {min(days)} to {max(days)}, as {other.path} has in another form"
                    problems.add(Place(table.path), text, "each month in one form")
                continue
            common = sample.of_mask(theirs.mask) & theirs.of_mask(sample.mask)
            least = min(len(sample.of_mask(theirs.mask)), len(theirs.of_mask(sample.mask)))
            if least and len(common) / least >= _TWICE:
                problems.add(Place(table.path), f"has rows that {other.path} has too", "each month once")


@dataclass(frozen=True, slots=True)
class _Sample:
    """The hashes of some rows of a file, those that a mask leaves, and its days."""

    hashes: frozenset[int]
    mask: int
    days: frozenset[str]

    def of_mask(self, mask: int) -> set[int]:
        """Return the hashes that another mask leaves too."""
        return {one for one in self.hashes if not one & mask}


def _sample(connection: duckdb.DuckDBPyConnection, table: Table) -> _Sample:
    form = table.form
    names = (*form.texts, form.start, *form.identity, form.cost)
    columns = [column for name in dict.fromkeys(names) if (column := table.column(name)) is not None]
    time = f"TRY_CAST({table.column(form.start)} AS TIMESTAMP)"
    counted = connection.execute(f"SELECT count(*) FROM {table.scan}").fetchone()
    rows = counted[0] if counted else 0
    mask = (1 << max(0, (rows // _SAMPLED).bit_length())) - 1
    texts = ", ".join(f"coalesce(CAST({column} AS VARCHAR), '')" for column in columns)
    hashes = connection.execute(
        f"SELECT DISTINCT h FROM (SELECT hash({texts}) AS h FROM {table.scan}) WHERE h & {mask} = 0"
    ).fetchall()
    days = connection.execute(f"SELECT DISTINCT strftime({time}, '%Y-%m-%d') FROM {table.scan}").fetchall()
    return _Sample(frozenset(int(row[0]) for row in hashes), mask, frozenset(str(row[0]) for row in days if row[0]))
