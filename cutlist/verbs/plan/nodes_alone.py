"""The new nodes of a plan without what else it says: enough for its price, and quick where many plans are made."""

from __future__ import annotations

from cutlist.planning.beside.nodes import further_nodes, group_nodes
from cutlist.planning.cloud import KeptPredictions
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.nodes import planned_nodes
from cutlist.planning.pass_inputs import PassInputs
from cutlist.planning.passes import PassesOutcome, run_joint_passes
from cutlist.verbs.plan.answer import inputs_by_controller


def nodes_alone(inputs: PlanInputs, kept: KeptPredictions | None = None) -> Plan:
    """Return a plan with the nodes that `plan` has, without what else they may become, and nothing else: no pending pods,
    reasons, notes, volumes or addresses. `kept` are predictions that several such plans share."""
    parts = [ready for _, ready in inputs_by_controller(inputs, kept).values()]
    beside = further_nodes(group_nodes(inputs, parts[0].passes))
    outcomes = run_joint_passes([ready.controller for ready in parts], beside=beside)
    nodes = (node for ready, outcome in zip(parts, outcomes, strict=True) for node in _nodes_of(ready, outcome))
    return Plan(inputs.catalog.region, tuple(sorted(nodes, key=lambda node: node.node_pool)))


def _nodes_of(ready: PassInputs, outcome: PassesOutcome) -> tuple[PlannedNode, ...]:
    registry, predictions = ready.passes.registry, ready.predictions
    return planned_nodes(outcome.result, ready.batches, registry, predictions, ready.idle, with_candidates=False)
