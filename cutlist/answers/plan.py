"""The plan: which nodes a set of workloads will get. One pure function of its inputs (design: floor 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cutlist.core.notes import notes_in_order
from cutlist.planning.allowed import allowed_by
from cutlist.planning.controllers import SELF_MANAGED, apart, together, without_launch
from cutlist.planning.findings import advice_in, findings, warnings_in
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.measures import measures
from cutlist.planning.model import Plan
from cutlist.planning.model.measures import Measures
from cutlist.planning.nodes import filled_nodes, planned_nodes, pod_sizes
from cutlist.planning.notes import assumptions, pass_notes, rejected_overlays, warnings
from cutlist.planning.passes import Outcome, run_passes
from cutlist.planning.pending import pending_pods
from cutlist.planning.pool_types import used_classes
from cutlist.planning.prepared import Prepared, overlaid_types, prepared

__all__ = ["PlanInputs", "assembled", "plan", "plan_with_measures", "with_launches"]


def plan(inputs: PlanInputs) -> Plan:
    """Return which nodes appear, at what price, and what stays pending. Equal inputs give equal plans, byte for byte.

    NodePools of EKS Auto Mode and of self-managed Karpenter are two controllers that plan by themselves.

    >>> from cutlist import plan, read_inputs
    >>> made = plan(read_inputs(["docs/examples/pools.yaml", "docs/examples/app.yaml"], region="us-west-2"))
    >>> [(node.count, node.instance_type, node.capacity_type) for node in made.nodes]
    [(1, 'c6a.2xlarge', 'spot')]
    >>> [(pods.workload, pods.count) for pods in made.pending]
    [('deployment/trainer', 1)]
    """
    return _plan(_prepared(inputs))


def plan_with_measures(inputs: PlanInputs, before: Plan | None = None) -> tuple[Plan, Measures]:
    """The plan in figures that gates look at as well; `before` is an earlier plan of the same environment."""
    parts = _prepared(inputs)
    made, classes = _plan(parts), used_classes(inputs.node_pools, inputs.node_classes)
    allowed = [one for part, ready in parts.values() for one in allowed_by(part.node_pools, ready.tables, classes)]
    return made, measures(made, inputs, allowed, before)


def _prepared(inputs: PlanInputs) -> dict[str, tuple[PlanInputs, Prepared]]:
    """What each controller plans with; one without a name where there is no NodePool at all."""
    pools = apart(inputs.node_pools) or {"": ()}
    parts = {name: replace(inputs, node_pools=ours) for name, ours in pools.items()}
    return {name: (part, prepared(part)) for name, part in parts.items()}


def _plan(parts: Mapping[str, tuple[PlanInputs, Prepared]]) -> Plan:
    """The plan of all controllers."""
    plans = {name: assembled(part, ready, run_passes(ready.passes, ready.tables)) for name, (part, ready) in parts.items()}
    return together(plans) if len(plans) > 1 else next(iter(plans.values()))


def assembled(inputs: PlanInputs, ready: Prepared, outcome: Outcome) -> Plan:
    """The plan of one controller from what its passes came to."""
    registry, batches = ready.passes.registry, ready.batches
    classes = used_classes(inputs.node_pools, inputs.node_classes)
    nodes = planned_nodes(
        outcome.result, batches, registry, classes, inputs.cloud, strict_min_values=inputs.options.strict_min_values
    )
    found = findings(inputs, ready.tables, classes)
    return Plan(
        region=inputs.catalog.region,
        nodes=nodes,
        existing=filled_nodes(outcome.result, batches),
        pending=pending_pods(outcome, batches),
        assumptions=notes_in_order([*ready.notes, *assumptions(inputs, nodes), *pass_notes(outcome), *advice_in(found)]),
        warnings=notes_in_order(
            [*inputs.warnings, *warnings(inputs, nodes), *rejected_overlays(ready.overlaid), *warnings_in(found)]
        ),
        passes=outcome.passes,
        pod_sizes=pod_sizes(nodes, batches),
    )


def with_launches(made: Plan, inputs: PlanInputs) -> Plan:
    """The plan of these inputs with the fleet requests that its nodes lead to: one for all nodes that would send the same.

    Nodes of EKS Auto Mode have none, for what EKS asks for is not published; on Azure there is no such request.
    """
    ours = replace(inputs, node_pools=apart(inputs.node_pools).get(SELF_MANAGED, ()))
    classes = used_classes(ours.node_pools, inputs.node_classes)
    launches = inputs.cloud.launches(overlaid_types(ours).types, classes, inputs.options)
    nodes = tuple(replace(node, launch=launches.number(node)) for node in made.nodes)
    notes = (*made.assumptions, *without_launch(nodes, inputs.node_pools))
    return replace(made, nodes=nodes, launches=launches.all, assumptions=notes_in_order(notes))
