"""Why workloads get their nodes, as CSV: a row for each deciding fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.planning.model.explanation import Explanation, Explanations
from cutlist.report.columns import kinds_csv, named_cells
from cutlist.report.csv import NamedCells
from cutlist.verbs.explain.columns import CSV, CSV_GIVEN_UP, CSV_PENDING, EXISTING, REFUSING, csv_nodes

_TITLES: Final = (
    *("kind", "workload", "controller", "node_pool", "node", "nodes", "instance_type", "capacity_type", "zones"),
    *("price_per_hour", "pods", "reason", "remedy"),
    *("price_estimated", "disk_price_per_hour", "os_disk"),
)


def explain_csv(answer: Explanations) -> str:
    """Return rows of these kinds, each with the workload and the controller:

    `node` for all equal new nodes, with the price of one and the workload's pods on all; `existing` for an existing node;
    `refusing` for existing nodes that accept none; `pending` for pods without a node; `node_pool` for the answer of each
    NodePool; `given_up` for a relaxed preference; `spot` for a place where spot capacity was lost.
    """
    return kinds_csv(_TITLES, (row for explanation in answer.explanations for row in _rows(explanation)))


def _rows(of: Explanation) -> Iterator[NamedCells]:
    subject: NamedCells = {"workload": of.workload, "controller": of.controller}
    nodes = csv_nodes(of.workload)
    yield from (named_cells(nodes, node, kind="node", **subject) for node in of.nodes)
    yield from (named_cells(EXISTING, node, kind="existing", **subject) for node in of.existing)
    yield from (named_cells(REFUSING, refusing, kind="refusing", **subject) for refusing in of.refusing)
    yield from (named_cells(CSV_PENDING, pending, kind="pending", **subject) for pending in of.pending)
    yield from (named_cells(CSV, answer, kind="node_pool", **subject) for answer in of.answers)
    yield from (named_cells(CSV_GIVEN_UP, given_up, kind="given_up", **subject) for given_up in of.given_up)
    yield from ({"kind": "spot", **subject, "reason": text} for text in of.spot)
