"""The instance types that NodePools allow, as CSV: a row for each type of each NodePool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.catalog.prices import is_estimate, usd
from cutlist.planning.model import PoolTypes, TypeRow, amount_text_exact
from cutlist.report.csv import Cell, rows_csv

_TITLES: Final = (
    *("node_pool", "instance_type", "cpu", "memory", "cpu_allocatable", "memory_allocatable", "pods_allocatable", "zones"),
    *("on_demand_per_hour", "on_demand_estimated", "spot_per_hour", "spot_estimated"),
)


def types_csv(pools: Sequence[PoolTypes], limit: int = 0) -> str:
    """Return a row for each type of each NodePool, at most `limit` per NodePool, 0 for all that are given."""
    rows = (_type(pool.node_pool, row) for pool in pools for row in (pool.types[:limit] if limit else pool.types))
    return rows_csv(_TITLES, rows)


def _type(pool: str, row: TypeRow) -> Sequence[Cell]:
    size = (amount_text_exact("cpu", row.cpu), amount_text_exact("memory", row.memory))
    allocatable = [amount_text_exact(resource, row.allocatable.get(resource, 0)) for resource in ("cpu", "memory", "pods")]
    prices = [cell for p in (row.on_demand, row.spot) for cell in (usd(p), str(is_estimate(p)).lower())]
    return pool, row.name, *size, *allocatable, " ".join(row.zones), *prices
