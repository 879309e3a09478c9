"""The consequences of a loss of spot capacity, as CSV: a row for each lost node, new node and pending pod."""

from __future__ import annotations

from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.columns import csv_table
from cutlist.report.csv import NamedCells
from cutlist.verbs.interrupt.columns import CSV, launched_nodes, lost_nodes


def interrupt_csv(loss: SpotLoss) -> str:
    """Return the rows."""
    pending = (_pending(pod, count, why) for pod, (count, why) in sorted(loss.pending.items()))
    return csv_table(CSV, [*lost_nodes(loss), *launched_nodes(loss)], pending)


def _pending(pod: str, count: int, why: str) -> NamedCells:
    return {"kind": "pending", "name": pod, "pods": count, "why": why}
