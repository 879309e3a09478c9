"""A simulated cluster by the hour, as CSV: money and nodes by NodePool and capacity type, pods, fill, evictions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from cutlist.core.instants import instant_text
from cutlist.report.csv import Cell, rows_csv
from cutlist.simulation.ledger import PoolAndCapacity
from cutlist.simulation.result import HourOfCluster
from cutlist.verbs.simulate.answer import ClusterSimulation

_TITLES: Final = ("hour", "usd", "nodes", "pods", "pending", "fill", "evictions")


def simulate_csv(simulation: ClusterSimulation) -> str:
    """Return a row for each hour: its numbers, then those of each NodePool and capacity type that had nodes."""
    groups = sorted({group for hour in simulation.result.series for group in hour.nodes})
    titles = [f"{measure} {pool} {capacity}".rstrip() for pool, capacity in groups for measure in ("usd", "nodes")]
    return rows_csv((*_TITLES, *titles), [_row(hour, groups) for hour in simulation.result.series])


def _row(hour: HourOfCluster, groups: Sequence[PoolAndCapacity]) -> Sequence[Cell]:
    numbers = (math.fsum(hour.usd.values()), math.fsum(hour.nodes.values()), hour.pods, hour.pending)
    fill = None if hour.fill is None else round(hour.fill, 4)
    of_groups = [round(value, 4) for g in groups for value in (hour.usd.get(g, 0.0), hour.nodes.get(g, 0.0))]
    return (instant_text(hour.at), *(round(number, 4) for number in numbers), fill, hour.evictions, *of_groups)
