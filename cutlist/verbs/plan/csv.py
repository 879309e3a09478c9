"""A plan as CSV: a row for each group of equal nodes, for each node group beside Karpenter, and for each pending workload."""

from __future__ import annotations

from cutlist.planning.model import PendingPods, Plan
from cutlist.planning.model.node_groups import NodeGroup
from cutlist.report.columns import csv_table
from cutlist.report.csv import NamedCells
from cutlist.verbs.plan.beside_views import csv_row
from cutlist.verbs.plan.columns import CSV


def plan_csv(plan: Plan) -> str:
    """Return a row of kind `node` for each group of equal nodes, with the price of one, then one of kind `node group` for each
    beside Karpenter, and one for each pending workload."""
    return csv_table(CSV, map(NodeGroup.one, plan.nodes), [*map(csv_row, plan.node_groups), *map(_pending, plan.pending)])


def _pending(pods: PendingPods) -> NamedCells:
    return {"kind": "pending", "workload": pods.workload, "count": pods.count, "reason": pods.reason}
