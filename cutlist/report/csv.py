"""Answers as CSV, one row for each thing, for spreadsheets: a cell that one would take for a formula begins with `'`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.answers.disrupt import DisruptionForecast
from cutlist.answers.nodes import NodeRow, Roster
from cutlist.disruption.forecast import NodeForecast
from cutlist.planning.model import Plan, PlannedNode, PoolTypes, TypeRow, amount_text_exact
from cutlist.report.plain import escape, instant

Cell = str | int | float | None

_FORMULA: Final = ("=", "+", "-", "@")
_PLAN: Final = (
    *("kind", "node_pool", "workload", "count", "instance_type", "capacity_type", "zones", "price_per_hour", "price_source"),
    *("cpu_requested", "cpu_allocatable", "memory_requested", "memory_allocatable", "pods", "reason"),
)
_TYPES: Final = (
    *("node_pool", "instance_type", "cpu", "memory", "cpu_allocatable", "memory_allocatable", "pods_allocatable", "zones"),
    *("on_demand_per_hour", "on_demand_estimated", "spot_per_hour", "spot_estimated"),
)
_NODES: Final = (
    *("node_pool", "node", "instance_type", "capacity_type", "zone", "cpu_requested", "cpu_allocatable", "memory_requested"),
    *("memory_allocatable", "pods", "price_per_hour", "age_seconds", "states"),
)
_OUTLOOK: Final = (
    *("node_pool", "node", "instance_type", "capacity_type", "zone", "price_per_hour", "disruption_cost", "pods", "verdict"),
    *("why", "drifted", "expires"),
)


def plan_csv(plan: Plan) -> str:
    """A row for all nodes that are alike, of kind `node` with the price of one, then one for each pending workload."""
    rows: list[Sequence[Cell]] = [_node(n) for n in plan.nodes]
    rows += [("pending", None, p.workload, p.count, *[None] * 10, p.reason) for p in plan.pending]
    return rows_csv(_PLAN, rows)


def types_csv(pools: Sequence[PoolTypes], limit: int = 0) -> str:
    """A row for each type of each NodePool, at most `limit` a NodePool, 0 for all that are given."""
    return rows_csv(
        _TYPES, [_type(pool.node_pool, row) for pool in pools for row in (pool.types[:limit] if limit else pool.types)]
    )


def nodes_csv(roster: Roster) -> str:
    """A row for each node of a cluster."""
    return rows_csv(_NODES, map(_there, roster.nodes))


def outlook_csv(forecast: DisruptionForecast) -> str:
    """A row for each node with what is in store for it."""
    return rows_csv(_OUTLOOK, map(_in_store, forecast.forecast.nodes))


def _node(node: PlannedNode) -> Sequence[Cell]:
    amounts = [_amount(name, of.get(name, 0)) for name in ("cpu", "memory") for of in (node.requests, node.allocatable)]
    pods = "; ".join(f"{s.count} x {s.workload}" for s in node.pods)
    bought = (node.instance_type, node.capacity_type, " ".join(node.zones), node.price, node.price_source)
    return "node", node.node_pool, None, node.count, *bought, *amounts, pods, None


def _type(pool: str, row: TypeRow) -> Sequence[Cell]:
    usable = [_amount(name, row.allocatable.get(name, 0)) for name in ("cpu", "memory", "pods")]
    sold = (row.on_demand, str(row.is_on_demand_estimated).lower(), row.spot, str(row.is_spot_estimated).lower())
    return pool, row.name, _amount("cpu", row.cpu), _amount("memory", row.memory), *usable, " ".join(row.zones), *sold


def _there(node: NodeRow) -> Sequence[Cell]:
    amounts = [_amount(name, of.get(name, 0)) for name in ("cpu", "memory") for of in (node.requested, node.allocatable)]
    bought = (node.instance_type, node.capacity_type, node.zone)
    price = None if node.price is None else node.price.usd_per_hour
    return node.pool, node.name, *bought, *amounts, node.pods, price, node.age, " ".join(node.states)


def _in_store(node: NodeForecast) -> Sequence[Cell]:
    bought = (node.instance_type, node.capacity_type, node.zone, node.price, node.cost, node.pods)
    expires = None if node.expires is None else instant(node.expires)
    return node.pool, node.name, *bought, str(node.verdict), node.why, node.drifted, expires


def _amount(resource: str, nanos: int) -> str:
    return amount_text_exact(resource, nanos)


def rows_csv(titles: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Rows under their titles; None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    shown = escape(cell)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
