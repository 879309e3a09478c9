"""Read the exports of a bill with DuckDB: each file is summed by what tells its rows apart, and only the sums come back.

DuckDB is in the extra `bill`. It reads CSV, compressed with gzip or not, and Parquet, in parallel and in little memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import duckdb

from cutlist.catalog.bills.bill import Bill
from cutlist.catalog.bills.charges import Charge
from cutlist.catalog.bills.cur import CUR
from cutlist.catalog.bills.focus import FOCUS
from cutlist.catalog.bills.forms import NEGATIVE, NODE_POOL_TAGS, Form
from cutlist.core.errors import Place, Problems
from cutlist.core.wording import listed
from cutlist.documents import special_file

FORMS: Final = (FOCUS, CUR)
_ALLOWED: Final = f"an export of {' or '.join(form.name for form in FORMS)}: CSV, CSV with gzip, or Parquet"
_PARQUET: Final = b"PAR1"
_SUFFIXES: Final = (".csv", ".csv.gz", ".parquet", ".gz.parquet", ".snappy.parquet")
_TYPED: Final = ("DOUBLE", "FLOAT", "DECIMAL", "BIGINT", "INTEGER", "HUGEINT", "TIMESTAMP", "DATE")
_MONEY: Final = "DECIMAL(28,10)"
_SAMPLED: Final = 100_000  # rows of a file that are compared with those of other files
_TWICE: Final = 0.01  # the part of them that has to be in both
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class _Table:
    """A file of an export: how DuckDB reads it, its columns with their types, and its form."""

    path: str
    scan: str
    columns: Mapping[str, str]
    form: Form

    def column(self, name: str) -> str | None:
        """Return the name of a column of the form as the file spells it, quoted, or None if the file lacks it."""
        spelled = self.form.spelled(self.columns).get(name)
        return None if spelled is None else _quoted(spelled)

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


@dataclass(frozen=True, slots=True)
class Detail:
    """What a bill is read by in addition: days, NodePools by a tag, and nodes by the ids of machines.

    `tag` replaces the names under which clouds export Karpenter's tag; `nodes` are NodePools by the id of a machine.
    """

    tag: str = ""
    nodes: Mapping[str, str] | None = None


def read_bill(paths: Sequence[str], problems: Problems, detail: Detail | None = None) -> Bill | None:
    """Return the bill that files and folders hold, or None with what is wrong with them added to `problems`.

    Raises ModuleNotFoundError without DuckDB.
    """
    before = len(problems.found)
    files = list(_files(paths, problems))
    connection = _connection()
    try:
        tables = [table for path in files if (table := _table(connection, path, problems)) is not None]
        if len(problems.found) > before:
            return None
        charges = [charge for table in tables for charge in _charges(connection, table, detail, problems)]
        _check(connection, tables, charges, problems)
    finally:
        connection.close()
    if len(problems.found) > before or not charges:
        return None
    forms = dict.fromkeys(table.form.name for table in tables)
    return Bill(tuple(charges), charges[0].currency, tuple(files), tuple(forms))


def _connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for setting in (
        "autoinstall_known_extensions = false",
        "preserve_insertion_order = false",
        "memory_limit = '400MiB'",
        "TimeZone = 'UTC'",
    ):
        connection.execute(f"SET {setting}")
    return connection


def _files(paths: Sequence[str], problems: Problems) -> Iterator[str]:
    """Yield the files that paths name, those of folders sorted."""
    for path in paths:
        if os.path.isdir(path):
            within = sorted(str(p) for p in Path(path).rglob("*") if p.name.lower().endswith(_SUFFIXES))
            if not within:
                problems.add(Place(path), "no file in this folder is an export", _ALLOWED)
            yield from within
        elif not os.path.exists(path):
            problems.add(Place(path), "does not exist", _ALLOWED)
        elif (special := special_file(path)) is not None:
            problems.extend([replace(special, place=Place(path), allowed=_ALLOWED)])
        else:
            yield path


def _table(connection: duckdb.DuckDBPyConnection, path: str, problems: Problems) -> _Table | None:
    """Return a file as a table of a known form, or None with a problem added."""
    place = Place(path)
    try:
        with open(path, "rb") as file:
            head = file.read(4)
    except OSError as error:
        problems.add(place, f"cannot be read: {(error.strerror or str(error)).lower()}", _ALLOWED)
        return None
    if not head:
        problems.add(place, "is empty", _ALLOWED)
        return None
    name = path.replace("'", "''")
    packed = ", compression = 'gzip'" if head[:2] == b"\x1f\x8b" else ", compression = 'none'"
    is_parquet = head == _PARQUET
    scan = f"read_parquet('{name}')" if is_parquet else f"read_csv('{name}', all_varchar = true, header = true{packed})"
    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()
    except duckdb.Error as error:
        problems.add(place, f"cannot be read as {'Parquet' if is_parquet else 'CSV'}: {_first_line(error)}", _ALLOWED)
        return None
    columns = {str(row[0]): str(row[1]) for row in described}
    return _of_a_form(path, scan, columns, problems)


def _of_a_form(path: str, scan: str, columns: Mapping[str, str], problems: Problems) -> _Table | None:
    form = min(FORMS, key=lambda one: len(one.lacks(columns)) / len(one.needed))
    lacking = form.lacks(columns)
    if not lacking:
        return _Table(path, scan, columns, form)
    if len(lacking) == len(form.needed):
        problems.add(Place(path), f"has none of the columns of an export, but {_some(tuple(columns))}", _ALLOWED)
    else:
        text = f"looks like an export of {form.name}, but lacks the columns {listed(lacking)}"
        problems.add(Place(path), text, f"an export with {listed(form.needed)}")
    return None


def _some(names: Sequence[str]) -> str:
    return listed(names[:_NAMED]) + (f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(table: _Table, name: str) -> str:
    column = table.column(name)
    return f"'' AS {_quoted(name)}" if column is None else f"{column} AS {_quoted(name)}"


def _money(table: _Table, name: str) -> str:
    column = table.column(name)
    return "NULL" if column is None else f"TRY_CAST({column} AS {_MONEY})"


def _charges(
    connection: duckdb.DuckDBPyConnection, table: _Table, detail: Detail | None, problems: Problems
) -> Iterator[Charge]:
    """Yield the charges of a file; cells that cannot be read are problems."""
    form, place = table.form, Place(table.path)
    if detail is not None and detail.nodes is not None:
        _give_nodes(connection, detail.nodes)
    try:
        cursor = connection.execute(_query(table, detail))
        names = [column[0] for column in cursor.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    except duckdb.Error as error:
        problems.add(place, f"cannot be read: {_first_line(error)}", _ALLOWED)
        return
    if not rows:
        problems.add(place, "has no rows", _ALLOWED)
    for name in (form.start, *form.numbers):
        bad = _count(rows, f"bad {name}")
        if bad:
            example = next(row[f"as {name}"] for row in rows if row[f"bad {name}"])
            what = "a time" if name == form.start else "a number"
            problems.add(place, f"{name} is not {what} in {bad:,} rows, such as {example!r}", what)
    missing = _count(rows, "missing")
    if form.must_have_cost and missing:
        problems.add(place, f"{form.cost} is empty in {missing:,} of {_count(rows, 'rows'):,} rows", "a number")
    for row in rows:
        read = {name: ("" if row[name] is None else str(row[name])) for name in form.texts}
        group: dict[str, Any] = {**row, **read, "currency": str(row["currency"] or "").upper()}
        yield _with_detail(form.charge_of(group), row)


def _count(rows: Sequence[Mapping[str, Any]], name: str) -> int:
    return sum(int(row[name]) for row in rows)


def _cell(row: Mapping[str, Any], name: str) -> str:
    return str(row[name] or "")


def _with_detail(charge: Charge, row: Mapping[str, Any]) -> Charge:
    if "day" not in row:
        return charge
    return replace(
        charge,
        day=_cell(row, "day"),
        until=_cell(row, "until"),
        pool=_cell(row, "pool"),
        node=_cell(row, "node"),
    )


def _query(table: _Table, detail: Detail | None) -> str:
    """Return the query that sums a file. Maps become texts only once their rows are summed, which is much faster."""
    form = table.form
    start, currency = table.column(form.start), table.column(form.currency)
    time = f"TRY_CAST({start} AS TIMESTAMP)"
    cost = _money(table, form.cost)
    keys = [_text(table, name) for name in form.texts]
    keys += [f"{currency} AS currency", f"{cost} < 0 AS {NEGATIVE}", *_detail_keys(table, detail, time)]
    sums = ['count(*) AS "rows"', f'count(*) FILTER ({cost} IS NULL) AS "missing"']
    sums += [f"strftime(min({time}), '%Y-%m-%d') AS first", f"strftime(max({_last(table, time)}), '%Y-%m-%d') AS last"]
    sums += [f"{_sum(table, name)} AS {_quoted(name)}" for name in form.numbers]
    for name in (form.start, *form.numbers):
        sums += _bad_cells(table, name, time if name == form.start else _money(table, name))
    inner = f"SELECT {', '.join((*keys, *sums))} FROM {table.scan}{_nodes_join(table, detail)} GROUP BY ALL"
    as_json = [
        f"CAST(to_json({_quoted(name)}) AS VARCHAR) AS {_quoted(name)}" for name in form.details if table.is_object(name)
    ]
    return f"SELECT * REPLACE ({', '.join(as_json)}) FROM ({inner})" if as_json else inner


def _last(table: _Table, start: str) -> str:
    """Return the expression of the last moment of a row: an export by the month has one row for all of it."""
    end = table.column(table.form.end)
    return start if end is None else f"coalesce(TRY_CAST({end} AS TIMESTAMP) - INTERVAL 1 SECOND, {start})"


def _sum(table: _Table, name: str) -> str:
    return f"sum({_money(table, name)})" if table.column(name) is not None else f"CAST(NULL AS {_MONEY})"


def _bad_cells(table: _Table, name: str, value: str) -> Iterator[str]:
    """Yield how many cells of a column cannot be read, and one of them."""
    column = table.column(name)
    if column is None or table.is_typed(name):
        yield f"0 AS {_quoted(f'bad {name}')}"
        return
    bad = f"{value} IS NULL AND {column} IS NOT NULL AND CAST({column} AS VARCHAR) <> ''"
    yield f"count(*) FILTER ({bad}) AS {_quoted(f'bad {name}')}"
    yield f"any_value(CAST({column} AS VARCHAR)) FILTER ({bad}) AS {_quoted(f'as {name}')}"


def _detail_keys(table: _Table, detail: Detail | None, time: str) -> Iterator[str]:
    if detail is None:
        return
    yield f"strftime({time}, '%Y-%m-%d') AS day"
    yield f"strftime({_last(table, time)}, '%Y-%m-%d') AS until"
    resource = table.column(table.form.resource)
    has_nodes = detail.nodes is not None and resource is not None
    tag = _tag(table, detail.tag)
    yield f"coalesce({'nodes.pool, ' if has_nodes else ''}{tag}, '') AS pool"
    yield "nodes.id AS node" if has_nodes else "'' AS node"


def _nodes_join(table: _Table, detail: Detail | None) -> str:
    resource = table.column(table.form.resource)
    if detail is None or detail.nodes is None or resource is None:
        return ""
    # Some exports have the id of a machine, others a name that ends in it.
    return f" LEFT JOIN nodes ON nodes.id = lower(regexp_extract({resource}, '[^/]*$'))"


def _give_nodes(connection: duckdb.DuckDBPyConnection, nodes: Mapping[str, str]) -> None:
    connection.execute("CREATE OR REPLACE TEMP TABLE nodes (id VARCHAR, pool VARCHAR)")
    connection.executemany(
        "INSERT INTO nodes VALUES (?, ?)", [(name.lower(), pool) for name, pool in nodes.items()] or [("", "")]
    )


def _tag(table: _Table, tag: str) -> str:
    """Return the expression of a row's NodePool by its tag, NULL where the export has no tags."""
    names = (tag,) if tag else NODE_POOL_TAGS
    column, known = table.column(table.form.tags), {name.lower(): name for name in table.columns}
    flat = [f"resource_tags_{name.replace(':', '_').replace('/', '_').replace('.', '_')}" for name in names]
    parts = [f"NULLIF({_quoted(known[name])}, '')" for name in dict.fromkeys(flat) if name in known]
    if column is not None and table.is_a("MAP", table.form.tags):
        parts += [f"CAST({column}[{_literal(name)}] AS VARCHAR)" for name in names]
    elif column is not None:
        paths = [_literal(f'$."{name}"') for name in names]
        is_struct = table.is_a("STRUCT", table.form.tags)
        text = f"to_json({column})" if is_struct else f"CASE WHEN json_valid({column}) THEN {column} END"
        parts += [f"json_extract_string({text}, {path})" for path in paths]
    return f"coalesce({', '.join(parts)})" if parts else "NULL"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _check(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[_Table], charges: Sequence[Charge], problems: Problems
) -> None:
    """Add what is wrong with the files together: several currencies, and rows that two of them have."""
    currencies = {charge.currency for charge in charges}
    if "" in currencies:
        problems.add(Place(listed(sorted({t.path for t in tables}))), "some rows name no currency", "a currency in each row")
    elif len(currencies) > 1:
        files = listed(sorted({table.path for table in tables}))
        problems.add(Place(files), f"the rows are in {listed(sorted(currencies))}", "a bill in one currency")
    if len(tables) > 1 and not problems:
        _check_overlap(connection, tables, problems)


def _check_overlap(connection: duckdb.DuckDBPyConnection, tables: Sequence[_Table], problems: Problems) -> None:
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


def _sample(connection: duckdb.DuckDBPyConnection, table: _Table) -> _Sample:
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
