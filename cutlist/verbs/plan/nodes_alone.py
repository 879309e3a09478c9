"""The new nodes of a plan, or these and how many pods stay pending, without what else it says: enough for prices, and quick
where many plans are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cutlist.planning.beside.filling import with_node_groups
from cutlist.planning.beside.nodes import further_nodes, group_nodes
from cutlist.planning.cloud import KeptPredictions
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PendingPods, Plan, PlannedNode
from cutlist.planning.nodes import planned_nodes
from cutlist.planning.pass_inputs import PassInputs
from cutlist.planning.passes import PassesOutcome, run_joint_passes
from cutlist.verbs.plan.answer import inputs_by_controller, joint_plan


def nodes_alone(inputs: PlanInputs, kept: KeptPredictions | None = None) -> Plan:
    """Return a plan with the nodes that `plan` has, without what else they may become, and nothing else: no pending pods,
    reasons, notes, volumes or addresses. `kept` are predictions that several such plans share."""
    parts = [ready for _, ready in inputs_by_controller(inputs, kept).values()]
    beside = further_nodes(group_nodes(inputs, parts[0].passes))
    outcomes = run_joint_passes([ready.controller for ready in parts], beside=beside)
    nodes = (node for ready, outcome in zip(parts, outcomes, strict=True) for node in _nodes_of(ready, outcome))
    return Plan(inputs.catalog.region, tuple(sorted(nodes, key=lambda node: node.node_pool)))


def nodes_and_pending(parts: Mapping[str, tuple[PlanInputs, PassInputs]]) -> Plan:
    """Return the joint plan of controllers with its nodes, without what else these may become, and with its pending pods,
    without reasons; `parts` are the inputs of each by name."""
    if len(parts) > 1:
        return joint_plan(parts)  # a pod that one of them leaves pending may have a node of another one
    inputs, ready = next(iter(parts.values()))
    groups = group_nodes(inputs, ready.passes)
    (outcome,) = run_joint_passes([ready.controller], beside=further_nodes(groups))
    found = Plan(inputs.catalog.region, _nodes_of(ready, outcome), pending=tuple(_pending(ready, outcome)))
    return with_node_groups(found, groups, outcome, ready.passes)


def _pending(ready: PassInputs, outcome: PassesOutcome) -> Iterator[PendingPods]:
    for unplaced in outcome.result.unplaced:
        yield PendingPods(ready.batches[unplaced.batch].name, unplaced.count, "")
    for number in outcome.result.ignored:
        if ready.batches[number].count:
            yield PendingPods(ready.batches[number].name, ready.batches[number].count, "", skipped=True)


def _nodes_of(ready: PassInputs, outcome: PassesOutcome) -> tuple[PlannedNode, ...]:
    registry, predictions = ready.passes.registry, ready.predictions
    return planned_nodes(outcome.result, ready.batches, registry, predictions, ready.idle, with_candidates=False)
