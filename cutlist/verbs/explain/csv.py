"""Why workloads get their nodes, as CSV: a row for each deciding fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.planning.model.explanation import Explanation
from cutlist.report.csv import Cell, NamedCells, rows_csv

_TITLES: Final = (
    *("kind", "workload", "controller", "node_pool", "node", "nodes", "instance_type", "capacity_type", "zones"),
    *("price_per_hour", "pods", "reason", "remedy"),
    *("price_estimated", "disk_price_per_hour"),
)


def explain_csv(explanations: Sequence[Explanation]) -> str:
    """Return rows of these kinds, each with the workload and the controller:

    `node` for all equal new nodes, with the price of one and the workload's pods on all; `existing` for an existing node;
    `refusing` for existing nodes that accept none; `pending` for pods without a node; `node_pool` for the answer of each
    NodePool; `given_up` for a relaxed preference; `spot` for a place where spot capacity was lost.
    """
    return rows_csv(_TITLES, (_cells(explanation, row) for explanation in explanations for row in _rows(explanation)))


def _cells(explanation: Explanation, row: NamedCells) -> list[Cell]:
    cells = {"workload": explanation.workload, "controller": explanation.controller, **row}
    return [cells.get(title) for title in _TITLES]


def _rows(explanation: Explanation) -> Iterator[NamedCells]:
    for node in explanation.nodes:
        pods = node.count * sum(share.count for share in node.pods if share.workload == explanation.workload)
        bought: NamedCells = {
            "instance_type": node.instance_type,
            "capacity_type": node.capacity_type,
            "zones": " ".join(node.zones),
        }
        counts: NamedCells = {"nodes": node.count, "price_per_hour": usd(node.price), "pods": pods}
        prices: NamedCells = {"price_estimated": node.is_estimated, "disk_price_per_hour": usd(node.disk_price)}
        yield {"kind": "node", "node_pool": node.node_pool, **bought, **counts, **prices}
    for name, pods in explanation.existing:
        yield {"kind": "existing", "node": name, "pods": pods}
    for reason, nodes in explanation.refusing:
        yield {"kind": "refusing", "nodes": nodes, "reason": reason}
    for pending in explanation.pending:
        yield {"kind": "pending", "pods": pending.count, "reason": pending.reason, "remedy": pending.remedy}
    for answer in explanation.answers:
        cells: NamedCells = {"pods": answer.took, "reason": answer.refusal, "remedy": answer.remedy}
        yield {"kind": "node_pool", "node_pool": answer.node_pool, **cells}
    for given_up in explanation.given_up:
        yield {"kind": "given_up", "pods": given_up.pods, "reason": given_up.what}
    for text in explanation.spot:
        yield {"kind": "spot", "reason": text}
