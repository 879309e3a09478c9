"""The nodes of a cluster as CSV: a row for each node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.planning.model import amount_text_exact
from cutlist.planning.model.extended import use_in_words
from cutlist.report.csv import Cell, rows_csv
from cutlist.verbs.nodes.roster import NodeRow, Roster

_TITLES: Final = (
    *("node_pool", "node", "instance_type", "capacity_type", "zone", "cpu_requested", "cpu_allocatable", "memory_requested"),
    *(
        "memory_allocatable",
        "pods",
        "price_per_hour",
        "age_seconds",
        "states",
        "price_estimated",
        "other_resources",
        "disk_price_per_hour",
    ),
)


def nodes_csv(roster: Roster) -> str:
    """Return a row for each node."""
    return rows_csv(_TITLES, map(_node, roster.nodes))


def _node(node: NodeRow) -> Sequence[Cell]:
    amounts = [
        amount_text_exact(resource, of.get(resource, 0))
        for resource in ("cpu", "memory")
        for of in (node.requested, node.allocatable)
    ]
    offering = (node.instance_type, node.capacity_type, node.zone)
    price, estimated = (None, None) if node.price is None else (node.price.usd_per_hour, node.price.estimated)
    rest = " ".join(node.states), estimated, use_in_words(node.extended) or None
    disks = None if node.disks is None else node.disks.usd_per_hour
    return node.pool, node.name, *offering, *amounts, node.pods, price, node.age, *rest, disks
