"""The query that sums a file of an export by what tells its rows apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.bills.forms import NEGATIVE, NODE_POOL_TAGS
from cutlist.catalog.bills.tables import Table, literal, quoted

_MONEY: Final = "DECIMAL(28,10)"


@dataclass(frozen=True, slots=True)
class Detail:
    """What a bill is read by in addition: days, NodePools by a tag, and nodes by the ids of machines.

    `tag` replaces the names under which clouds export Karpenter's tag; `nodes` are NodePools by the id of a machine.
    """

    tag: str = ""
    nodes: Mapping[str, str] | None = None


def query_of(table: Table, detail: Detail | None) -> str:
    """Return the query that sums a file. Maps become texts only once their rows are summed, which is much faster."""
    form = table.form
    start, currency = table.column(form.start), table.column(form.currency)
    time = f"TRY_CAST({start} AS TIMESTAMP)"
    cost = _money(table, form.cost)
    keys = [_text(table, name) for name in form.texts]
    keys += [f"{currency} AS currency", f"{cost} < 0 AS {NEGATIVE}", f"{_filled(table)} AS filled"]
    keys += _detail_keys(table, detail, time)
    sums = ['count(*) AS "rows"', f'count(*) FILTER ({cost} IS NULL) AS "missing"']
    sums += [f"strftime(min({time}), '%Y-%m-%d') AS first", f"strftime(max({_last(table, time)}), '%Y-%m-%d') AS last"]
    sums += [f"{_sum(table, name)} AS {quoted(name)}" for name in form.numbers]
    for name in (form.start, *form.numbers):
        sums += _bad_cells(table, name, time if name == form.start else _money(table, name))
    inner = f"SELECT {', '.join((*keys, *sums))} FROM {table.scan}{_nodes_join(table, detail)} GROUP BY ALL"
    as_json = [f"CAST(to_json({quoted(name)}) AS VARCHAR) AS {quoted(name)}" for name in form.details if table.is_object(name)]
    return f"SELECT * REPLACE ({', '.join(as_json)}) FROM ({inner})" if as_json else inner


def _filled(table: Table) -> str:
    """Return the expression of which numbers a row has, as bits: where some rows lack one, another stands for it."""
    bits = (f"CASE WHEN {_money(table, name)} IS NULL THEN 0 ELSE {1 << n} END" for n, name in enumerate(table.form.numbers))
    return " + ".join(bits)


def _last(table: Table, start: str) -> str:
    """Return the expression of the last moment of a row: an export by the month has one row for all of it."""
    end = table.column(table.form.end)
    return start if end is None else f"coalesce(TRY_CAST({end} AS TIMESTAMP) - INTERVAL 1 SECOND, {start})"


def _sum(table: Table, name: str) -> str:
    return f"sum({_money(table, name)})" if table.column(name) is not None else f"CAST(NULL AS {_MONEY})"


def _bad_cells(table: Table, name: str, value: str) -> Iterator[str]:
    """Yield how many cells of a column cannot be read, and one of them."""
    column = table.column(name)
    if column is None or table.is_typed(name):
        yield f"0 AS {quoted(f'bad {name}')}"
        return
    bad = f"{value} IS NULL AND {column} IS NOT NULL AND CAST({column} AS VARCHAR) <> ''"
    yield f"count(*) FILTER ({bad}) AS {quoted(f'bad {name}')}"
    yield f"any_value(CAST({column} AS VARCHAR)) FILTER ({bad}) AS {quoted(f'as {name}')}"


def _detail_keys(table: Table, detail: Detail | None, time: str) -> Iterator[str]:
    if detail is None:
        return
    yield f"strftime({time}, '%Y-%m-%d') AS day"
    yield f"strftime({_last(table, time)}, '%Y-%m-%d') AS until"
    resource = table.column(table.form.resource)
    has_nodes = detail.nodes is not None and resource is not None
    tag = _tag(table, detail.tag)
    yield f"coalesce({'nodes.pool, ' if has_nodes else ''}{tag}, '') AS pool"
    yield "nodes.id AS node" if has_nodes else "'' AS node"


def _nodes_join(table: Table, detail: Detail | None) -> str:
    resource = table.column(table.form.resource)
    if detail is None or detail.nodes is None or resource is None:
        return ""
    # Some exports have the id of a machine, others a name that ends in it.
    return f" LEFT JOIN nodes ON nodes.id = lower(regexp_extract({resource}, '[^/]*$'))"


def _tag(table: Table, tag: str) -> str:
    """Return the expression of a row's NodePool by its tag, NULL where the export has no tags."""
    names = (tag,) if tag else NODE_POOL_TAGS
    column, known = table.column(table.form.tags), {name.lower(): name for name in table.columns}
    flat = [f"resource_tags_{name.replace(':', '_').replace('/', '_').replace('.', '_')}" for name in names]
    parts = [f"NULLIF({quoted(known[name])}, '')" for name in dict.fromkeys(flat) if name in known]
    if column is not None and table.is_a("MAP", table.form.tags):
        parts += [f"CAST({column}[{literal(name)}] AS VARCHAR)" for name in names]
    elif column is not None:
        paths = [literal(f'$."{name}"') for name in names]
        is_struct = table.is_a("STRUCT", table.form.tags)
        text = f"to_json({column})" if is_struct else f"CASE WHEN json_valid({column}) THEN {column} END"
        parts += [f"json_extract_string({text}, {path})" for path in paths]
    return f"coalesce({', '.join(parts)})" if parts else "NULL"


def _text(table: Table, name: str) -> str:
    column = table.column(name)
    return f"'' AS {quoted(name)}" if column is None else f"{column} AS {quoted(name)}"


def _money(table: Table, name: str) -> str:
    column = table.column(name)
    return "NULL" if column is None else f"TRY_CAST({column} AS {_MONEY})"
