"""A plan as CSV: a row for each group of equal nodes, then a row for each pending workload."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.planning.model import Plan, PlannedNode, amount_text_exact
from cutlist.planning.model.extended import use_in_words
from cutlist.report.csv import Cell, rows_csv

_TITLES: Final = (
    *("kind", "node_pool", "workload", "count", "instance_type", "capacity_type", "zones", "price_per_hour", "price_source"),
    *("cpu_requested", "cpu_allocatable", "memory_requested", "memory_allocatable", "pods", "reason"),
    *("price_estimated", "disk_price_per_hour", "disk_price_source", "other_resources", "overlay_price_per_hour"),
)


def plan_csv(plan: Plan) -> str:
    """Return a row of kind `node` for each group of equal nodes, with the price of one, then one for each pending workload."""
    rows: list[Sequence[Cell]] = [_node(n) for n in plan.nodes]
    rows += [("pending", None, p.workload, p.count, *[None] * 10, p.reason, *[None] * 5) for p in plan.pending]
    return rows_csv(_TITLES, rows)


def _node(node: PlannedNode) -> Sequence[Cell]:
    amounts = [
        amount_text_exact(resource, of.get(resource, 0))
        for resource in ("cpu", "memory")
        for of in (node.requests, node.allocatable)
    ]
    pods = "; ".join(f"{s.count} x {s.workload}" for s in node.pods)
    source, disks = (None if price is None else price.provenance for price in (node.price, node.disk_price))
    offering = (node.instance_type, node.capacity_type, " ".join(node.zones), usd(node.price), source)
    prices = (node.is_estimated, usd(node.disk_price), disks, use_in_words(node.extended) or None)
    return "node", node.node_pool, None, node.count, *offering, *amounts, pods, None, *prices, node.overlay_price
