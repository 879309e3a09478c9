"""Karpenter's plans for nodes, as CSV: a row for each node with its forecast."""

from __future__ import annotations

from cutlist.report.columns import csv_table
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.columns import CSV


def disrupt_csv(forecast: DisruptionForecast) -> str:
    """Return a row for each node."""
    return csv_table(CSV, forecast.forecast.nodes)
