"""Why workloads get their nodes, as CSV: a row for each thing that decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.planning.model.explanation import Explanation
from cutlist.report.csv import Cell, rows_csv

Row = dict[str, Cell]

_TITLES: Final = (
    *("kind", "workload", "controller", "node_pool", "node", "nodes", "instance_type", "capacity_type", "zones"),
    *("price_per_hour", "pods", "reason", "remedy"),
)


def explain_csv(found: Sequence[Explanation]) -> str:
    """Rows of these kinds, each with the workload and the controller:

    `node` for all new nodes that are alike, with the price of one and the workload's pods on all; `existing` for a node that is
    there; `refusing` for nodes that are there and take none; `pending` for pods without a node; `node_pool` for what each
    NodePool said; `given_up` for a preference that pods do without; `spot` for a place where spot capacity was lost.
    """
    return rows_csv(_TITLES, (_cells(one, row) for one in found for row in _rows(one)))


def _cells(one: Explanation, row: Row) -> list[Cell]:
    whole = {"workload": one.workload, "controller": one.controller, **row}
    return [whole.get(title) for title in _TITLES]


def _rows(one: Explanation) -> Iterator[Row]:
    for node in one.nodes:
        pods = node.count * sum(share.count for share in node.pods if share.workload == one.workload)
        bought: Row = {"instance_type": node.instance_type, "capacity_type": node.capacity_type, "zones": " ".join(node.zones)}
        counts: Row = {"nodes": node.count, "price_per_hour": node.price, "pods": pods}
        yield {"kind": "node", "node_pool": node.node_pool, **bought, **counts}
    for name, pods in one.existing:
        yield {"kind": "existing", "node": name, "pods": pods}
    for reason, nodes in one.refusing:
        yield {"kind": "refusing", "nodes": nodes, "reason": reason}
    for waiting in one.pending:
        yield {"kind": "pending", "pods": waiting.count, "reason": waiting.reason, "remedy": waiting.remedy}
    for answer in one.answers:
        told: Row = {"pods": answer.took, "reason": answer.refusal, "remedy": answer.remedy}
        yield {"kind": "node_pool", "node_pool": answer.node_pool, **told}
    for given_up in one.given_up:
        yield {"kind": "given_up", "pods": given_up.pods, "reason": given_up.what}
    for text in one.spot:
        yield {"kind": "spot", "reason": text}
