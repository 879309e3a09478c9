"""The second price of a plan: what its nodes cost once Karpenter has consolidated them (spec: disruption 4, 5).

The plan is assumed to have happened: all nodes are ready and all pods run at the same instant. From there Karpenter goes on,
step by step, under the policies, times and budgets of the NodePools.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.errors import InputError
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.disk_costs import has_estimates, price
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.trajectory import MOST_STEPS, Trajectory, until_stable
from cutlist.planning.controllers import split_by_controller
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.settled import Settled
from cutlist.planning.planned_cluster import with_plan
from cutlist.verbs.cluster_state import FIRST_INSTANT, cluster_state_of, newest_time

_TWO_CONTROLLERS: Final = "EKS Auto Mode and self-managed Karpenter each consolidate only the nodes of their own NodePools"
_GANG_WAITS: Final = "nodes of a gang that waits stay empty, and are not consolidated as long as its pods would fit there"
MOST_STEPS_OF_SMALL: Final = 50
"""How many steps of a small plan are followed; one that needs more is left without a second price."""


def with_settled(plan: Plan, inputs: PlanInputs) -> Plan:
    """Return the plan of these inputs with what its nodes cost once Karpenter has consolidated them.

    A plan with nodes of unknown price, or without new nodes, stays as it is; one with a gang that waits says so. Raises
    InputError for NodePools of two controllers.
    """
    if _has_waiting_gang(plan):
        return replace(plan, unsettled=_GANG_WAITS)
    return replace(plan, settled=_settled(plan, inputs, MOST_STEPS))


def with_settled_if_small(plan: Plan, inputs: PlanInputs) -> Plan:
    """Return the plan with the same if few steps find it, and unchanged otherwise.

    What disruption refuses, such as NodePools of two controllers, is no mistake of a plan that nobody asked to follow: of
    these the plan says why it has no second price.
    """
    if len(split_by_controller(inputs.node_pools)) > 1:
        return replace(plan, unsettled=_TWO_CONTROLLERS)
    if _has_waiting_gang(plan):
        return replace(plan, unsettled=_GANG_WAITS)
    try:
        settled = _settled(plan, inputs, MOST_STEPS_OF_SMALL)
    except InputError:
        return plan
    return plan if settled is None or settled.end == "steps" else replace(plan, settled=settled)


def _has_waiting_gang(plan: Plan) -> bool:
    return any(gang.binds_together and gang.nodes for gang in plan.incomplete_gangs)


def _settled(plan: Plan, inputs: PlanInputs, most_steps: int) -> Settled | None:
    if not plan.nodes or plan.totals.unpriced_nodes:
        return None
    arrival = newest_time(inputs) or FIRST_INSTANT
    cluster = cluster_state_of(with_plan(inputs, plan, arrival), arrival, FeatureGates())
    trajectory = until_stable(cluster, most_steps)
    claims = _claims(cluster)
    return Settled(
        price_before=round(price(cluster), 10),
        price=round(price(trajectory.cluster), 10),
        nodes_before=claims,
        nodes=_claims(trajectory.cluster),
        existing=claims - plan.totals.nodes,
        commands=sum(len(step.commands) for step in trajectory.steps),
        moves=sum(trajectory.evictions.values()),
        seconds=_seconds(trajectory),
        end=trajectory.end.value,
        estimated=has_estimates(trajectory.cluster),
        arrival=arrival if any(map(_has_schedule, inputs.node_pools)) else None,
    )


def _claims(cluster: ClusterState) -> int:
    return sum(node.claim is not None for node in cluster.nodes)


def _seconds(trajectory: Trajectory) -> float:
    """Return the time from the start to the end of the last command."""
    last = trajectory.steps[-1] if trajectory.steps else None
    return 0.0 if last is None else last.at + last.takes - trajectory.started


def _has_schedule(pool: NodePool) -> bool:
    return any(budget.schedule is not None for budget in pool.disruption.budgets)
