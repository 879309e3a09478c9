"""Karpenter's plans for nodes, as CSV: a row for each node with its forecast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.disruption.forecast import NodeForecast
from cutlist.report.csv import Cell, rows_csv
from cutlist.report.plain import instant
from cutlist.verbs.disrupt.answer import DisruptionForecast

_TITLES: Final = (
    *("node_pool", "node", "instance_type", "capacity_type", "zone", "price_per_hour", "disruption_cost", "pods", "verdict"),
    *("why", "drifted", "expires", "price_estimated", "disk_price_per_hour"),
)


def disrupt_csv(forecast: DisruptionForecast) -> str:
    """Return a row for each node."""
    return rows_csv(_TITLES, map(_node, forecast.forecast.nodes))


def _node(node: NodeForecast) -> Sequence[Cell]:
    offering = (node.instance_type, node.capacity_type, node.zone, node.bill, node.cost, node.pods)
    expires = None if node.expires is None else instant(node.expires)
    return (
        node.pool,
        node.name,
        *offering,
        str(node.verdict),
        node.why,
        node.drifted,
        expires,
        node.is_estimated,
        usd(node.disk_price),
    )
