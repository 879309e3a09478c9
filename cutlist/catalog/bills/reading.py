"""Read the exports of a bill with DuckDB: each file is summed by what tells its rows apart, and only the sums come back.

DuckDB is in the extra `bill`. It reads in parallel and in little memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb

from cutlist.catalog.bills.bill import Bill
from cutlist.catalog.bills.charges import Charge
from cutlist.catalog.bills.overlaps import check_overlap
from cutlist.catalog.bills.queries import Detail, query_of
from cutlist.catalog.bills.tables import ALLOWED, Table, files_of, mistake, table_of
from cutlist.core.errors import Place, Problems
from cutlist.core.wording import counted, listed


def read_bill(paths: Sequence[str], problems: Problems, detail: Detail | None = None) -> Bill | None:
    """Return the bill that files and folders hold, or None with what is wrong with them added to `problems`.

    Raises ModuleNotFoundError without DuckDB.
    """
    before = len(problems.found)
    files = list(files_of(paths, problems))
    connection = _connection()
    try:
        tables = [table for path in files if (table := table_of(connection, path, problems)) is not None]
        if len(problems.found) > before:
            return None
        if detail is not None and detail.nodes is not None:
            _give_nodes(connection, detail.nodes)
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
        "enable_progress_bar = false",
        "preserve_insertion_order = false",
        "memory_limit = '400MiB'",
        "TimeZone = 'UTC'",
    ):
        connection.execute(f"SET {setting}")
    return connection


def _charges(
    connection: duckdb.DuckDBPyConnection, table: Table, detail: Detail | None, problems: Problems
) -> Iterator[Charge]:
    """Yield the charges of a file; cells that cannot be read are problems."""
    form, place = table.form, Place(table.path)
    try:
        cursor = connection.execute(query_of(table, detail))
        names = [column[0] for column in cursor.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    except duckdb.Error as error:
        problems.add(place, f"cannot be read: {mistake(error)}", ALLOWED)
        return
    if not rows:
        problems.add(place, "has no rows", ALLOWED)
    for name in (form.start, *form.numbers):
        bad = _count(rows, f"bad {name}")
        if bad:
            example = next(row[f"as {name}"] for row in rows if row[f"bad {name}"])
            what = "a time" if name == form.start else "a number"
            problems.add(place, f"{name} is not {what} in {counted(bad, 'row')}, such as {example!r}", what)
    missing = _count(rows, "missing")
    if missing:
        problems.add(place, f"{form.cost} is empty in {missing:,} of {counted(_count(rows, 'rows'), 'row')}", "a number")
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


def _give_nodes(connection: duckdb.DuckDBPyConnection, nodes: Mapping[str, str]) -> None:
    connection.execute("CREATE TEMP TABLE nodes (id VARCHAR, pool VARCHAR)")
    connection.executemany(
        "INSERT INTO nodes VALUES (?, ?)", [(name.lower(), pool) for name, pool in nodes.items()] or [("", "")]
    )


def _check(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[Table], charges: Sequence[Charge], problems: Problems
) -> None:
    """Add what is wrong with the files together: several currencies, and rows that two of them have."""
    currencies = {charge.currency for charge in charges}
    if "" in currencies:
        problems.add(Place(listed(sorted({t.path for t in tables}))), "some rows name no currency", "a currency in each row")
    elif len(currencies) > 1:
        files = listed(sorted({table.path for table in tables}))
        problems.add(Place(files), f"the rows are in {listed(sorted(currencies))}", "a bill in one currency")
    if len(tables) > 1 and not problems:
        check_overlap(connection, tables, problems)
