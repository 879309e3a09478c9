"""Which plans are so small that what else is asked about them takes less time than the plan itself.

Only numbers decide, not a clock, so that equal inputs give equal answers. This module imports nothing that a plan does not
need.
"""

from __future__ import annotations

from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan

MOST_NODES: Final = 20
"""How many nodes, existing ones included, a plan may have that is followed until it has settled without being asked."""
MOST_PODS: Final = 2_000
"""How many placed pods such a plan may have."""
FAR_ABOVE: Final = 0.2
"""By which fraction of the bound a small plan has to exceed it before restrictions are priced without being asked."""


def settles_at_once(plan: Plan, inputs: PlanInputs) -> bool:
    """Tell whether it takes little time to find what Karpenter consolidates of a plan, and whether there may be anything.

    A single node is the cheapest for its pods: there is nothing to move them to, and nothing cheaper to replace it by. Planned
    nodes have pods, so a NodePool that consolidates only empty ones leaves them alone.
    """
    if not (_is_small(plan, inputs) and _has_several_nodes(plan, inputs)):
        return False
    return bool(inputs.cluster.nodes) or any(pool.consolidates_pods for pool in _pools_of(plan, inputs))


def scales_at_once(plan: Plan, inputs: PlanInputs) -> bool:
    """Tell whether a plan is so small that it can be planned again for other numbers of pods, and has several nodes or an
    autoscaler: what a rollout adds to a single node is not worth another plan unasked."""
    is_scaled = any(group.range is not None for group in inputs.workloads.groups)
    return _is_small(plan, inputs) and (is_scaled or _has_several_nodes(plan, inputs))


def is_far_above_bound(plan: Plan, inputs: PlanInputs) -> bool:
    """Tell whether a plan costs so much more than any packing has to that the cause is worth a few plans, and is small enough
    for these."""
    return _is_small(plan, inputs) and (plan.above_bound or 0.0) >= FAR_ABOVE


def _is_small(plan: Plan, inputs: PlanInputs) -> bool:
    totals = plan.totals
    return bool(plan.nodes) and totals.nodes + len(inputs.cluster.nodes) <= MOST_NODES and totals.pods <= MOST_PODS


def _has_several_nodes(plan: Plan, inputs: PlanInputs) -> bool:
    return plan.totals.nodes + len(inputs.cluster.nodes) > 1


def _pools_of(plan: Plan, inputs: PlanInputs) -> list[NodePool]:
    used = {node.node_pool for node in plan.nodes}
    return [pool for pool in inputs.node_pools if pool.name in used]
