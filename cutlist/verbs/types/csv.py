"""The instance types that NodePools allow, as CSV: a row for each type of each NodePool."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.planning.model import PoolTypes
from cutlist.report.columns import csv_table
from cutlist.verbs.types.columns import CSV, pool_rows


def types_csv(pools: Sequence[PoolTypes], limit: int = 0) -> str:
    """Return a row for each type of each NodePool, at most `limit` per NodePool, 0 for all that are given."""
    return csv_table(CSV, (row for pool in pools for row in pool_rows(pool, limit)))
