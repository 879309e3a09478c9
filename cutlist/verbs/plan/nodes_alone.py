"""The new nodes of a plan without what else it says: enough for its price, and quick where many plans are made."""

from __future__ import annotations

from cutlist.planning.beside.nodes import further_nodes, group_nodes
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.nodes import planned_nodes
from cutlist.planning.passes import run_joint_passes
from cutlist.verbs.plan.answer import inputs_by_controller


def nodes_alone(inputs: PlanInputs) -> Plan:
    """Return a plan with the nodes that `plan` has, and nothing else: no pending pods, reasons, notes, volumes or addresses."""
    parts = [ready for _, ready in inputs_by_controller(inputs).values()]
    beside = further_nodes(group_nodes(inputs, parts[0].passes))
    outcomes = run_joint_passes([ready.controller for ready in parts], beside=beside)
    nodes = (
        node
        for ready, outcome in zip(parts, outcomes, strict=True)
        for node in planned_nodes(outcome.result, ready.batches, ready.passes.registry, ready.predictions)
    )
    return Plan(inputs.catalog.region, tuple(sorted(nodes, key=lambda node: node.node_pool)))
