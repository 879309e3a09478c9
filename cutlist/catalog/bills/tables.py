"""The files of an export as tables that DuckDB reads: CSV, compressed with gzip or not, and Parquet."""

from __future__ import annotations

import csv
import gzip
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import duckdb

from cutlist.catalog.bills.cur import CUR
from cutlist.catalog.bills.focus import FOCUS
from cutlist.catalog.bills.forms import Form
from cutlist.core.errors import Place, Problems
from cutlist.core.wording import first_of, listed
from cutlist.documents.files import special_file

FORMS: Final = (FOCUS, CUR)
ALLOWED: Final = f"an export of {' or '.join(form.name for form in FORMS)}: CSV, CSV with gzip, or Parquet"
_PARQUET: Final = b"PAR1"
_GZIP: Final = b"\x1f\x8b"
_SUFFIXES: Final = (".csv", ".csv.gz", ".parquet", ".gz.parquet", ".snappy.parquet")
_TYPED: Final = ("DOUBLE", "FLOAT", "DECIMAL", "BIGINT", "INTEGER", "HUGEINT", "TIMESTAMP", "DATE")
_DELIMITERS: Final = (",", ";", "\t", "|")
_HEAD: Final = 64 * 1024  # bytes in which a header ends
_NAMED: Final = 3
STDIN: Final = "-"
_LINE: Final = re.compile(r"CSV Error on Line: (\d+)")


@dataclass(frozen=True, slots=True)
class Table:
    """A file of an export: how DuckDB reads it, its columns with their types, and its form."""

    path: str
    scan: str
    columns: Mapping[str, str]
    form: Form

    def column(self, name: str) -> str | None:
        """Return the name of a column of the form as the file spells it, quoted, or None if the file lacks it."""
        spelled = self.form.spelled(self.columns).get(name)
        return None if spelled is None else quoted(spelled)

    def is_typed(self, name: str) -> bool:
        """Tell whether a column holds numbers or times, and not texts."""
        spelled = self.form.spelled(self.columns).get(name, "")
        return self.columns.get(spelled, "").startswith(_TYPED)

    def is_a(self, kind: str, name: str) -> bool:
        """Tell whether a column holds a kind of value, such as a map."""
        spelled = self.form.spelled(self.columns).get(name, "")
        return self.columns.get(spelled, "").startswith(kind)

    def is_object(self, name: str) -> bool:
        """Tell whether a column holds a map or a struct, and not a text."""
        return self.is_a("MAP", name) or self.is_a("STRUCT", name)


def files_of(paths: Sequence[str], problems: Problems) -> Iterator[str]:
    """Yield the files that paths name, those of folders sorted."""
    for path in paths:
        if os.path.isdir(path):
            within = sorted(str(p) for p in Path(path).rglob("*") if p.name.lower().endswith(_SUFFIXES))
            if not within:
                problems.add(Place(path), "no file in this folder is an export", ALLOWED)
            yield from within
        elif path == STDIN:
            problems.add(Place(path), "a bill is not read from standard input: its parts are read several times", ALLOWED)
        elif not os.path.exists(path):
            problems.add(Place(path), "does not exist", ALLOWED)
        elif (special := special_file(path)) is not None:
            problems.extend([replace(special, place=Place(path), allowed=ALLOWED)])
        else:
            yield path


def table_of(connection: duckdb.DuckDBPyConnection, path: str, problems: Problems) -> Table | None:
    """Return a file as a table of a known form, or None with a problem added."""
    place = Place(path)
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
        if not head:
            problems.add(place, "is empty", ALLOWED)
            return None
        if not head.startswith(_PARQUET):
            return _csv(path, head, problems)
        scan = f"read_parquet({literal(path)})"
        described = connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()
    except (OSError, EOFError) as error:
        problems.add(place, f"cannot be read: {(getattr(error, 'strerror', None) or str(error)).lower()}", ALLOWED)
        return None
    except duckdb.Error as error:
        problems.add(place, f"cannot be read as Parquet: {mistake(error)}", ALLOWED)
        return None
    return _of_a_form(path, scan, {str(row[0]): str(row[1]) for row in described}, problems)


def _csv(path: str, head: bytes, problems: Problems) -> Table | None:
    """Return a CSV that begins so. Its columns and what separates them are in the header: guesses by rows can be wrong."""
    is_packed = head.startswith(_GZIP)
    if is_packed:
        with gzip.open(path, "rb") as file:
            head = file.read(_HEAD)
    try:
        header = head.splitlines()[0].decode("utf-8-sig") if head else ""
    except UnicodeDecodeError:
        problems.add(Place(path), "is not UTF-8 text", ALLOWED)
        return None
    delimiter = max(_DELIMITERS, key=header.count)
    columns: dict[str, str] = {}
    seen: set[str] = set()
    for name in next(csv.reader([header], delimiter=delimiter), []):  # names that differ by case alone are one to DuckDB
        columns[f"{name} {len(columns)}" if name.lower() in seen else name] = "VARCHAR"
        seen.add(name.lower())
    types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
    form = f"delim = {literal(delimiter)}, quote = '\"', escape = '\"', compression = '{'gzip' if is_packed else 'none'}'"
    scan = f"read_csv({literal(path)}, auto_detect = false, header = true, columns = {{{types}}}, {form})"
    return _of_a_form(path, scan, columns, problems)


def _of_a_form(path: str, scan: str, columns: Mapping[str, str], problems: Problems) -> Table | None:
    form = min(FORMS, key=lambda one: len(one.lacks(columns)) / len(one.needed))
    lacking = form.lacks(columns)
    if not lacking:
        return Table(path, scan, columns, form)
    if len(lacking) == len(form.needed):
        problems.add(Place(path), f"has none of the columns of an export, but {first_of(tuple(columns), _NAMED)}", ALLOWED)
    else:
        text = f"looks like an export of {form.name}, but lacks the columns {listed(lacking)}"
        problems.add(Place(path), text, f"an export with {listed(form.needed)}")
    return None


def mistake(error: Exception) -> str:
    """Return what is wrong by an error of DuckDB, without its kind and its advice; with the line of a CSV, where it says it."""
    lines = str(error).strip().partition("\nPossible")[0].strip().split("\n")
    line = _LINE.search(lines[0])
    return lines[0].partition("Error: ")[2] or lines[0] if line is None else f"line {line[1]}: {lines[-1]}"


def quoted(name: str) -> str:
    """Return the name of a column as it stands in a query."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as it stands in a query."""
    return "'" + text.replace("'", "''") + "'"
