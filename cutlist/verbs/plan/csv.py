"""A plan as CSV: a row for each group of equal nodes, for each node group beside Karpenter, for equal volumes, and for each
pending workload."""

from __future__ import annotations

from cutlist.planning.model import PendingPods, Plan
from cutlist.planning.model.node_groups import NodeGroup
from cutlist.report.columns import csv_table
from cutlist.report.csv import NamedCells
from cutlist.verbs.plan.beside_views import csv_row
from cutlist.verbs.plan.columns import CSV
from cutlist.verbs.plan.volume_views import csv_row as volume_row


def plan_csv(plan: Plan) -> str:
    """Return a row of kind `node` for each group of equal nodes, with the price of one, then one of kind `node group` for each
    beside Karpenter, one of kind `volume` for equal volumes, and one for each pending workload."""
    others = [*map(csv_row, plan.node_groups), *map(volume_row, plan.volumes), *map(_pending, plan.pending)]
    return csv_table(CSV, map(NodeGroup.one, plan.nodes), others)


def _pending(pods: PendingPods) -> NamedCells:
    return {"kind": "pending", "workload": pods.workload, "count": pods.count, "reason": pods.reason}
