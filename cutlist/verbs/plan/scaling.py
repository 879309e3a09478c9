"""What a plan costs at the ends of its autoscalers, and while its Deployments are rolled out: each is a plan of its own (spec:
controllers 1, 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from cutlist.core.errors import Problems
from cutlist.optimization.evaluation import CandidateInputs
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.cost import by_workload
from cutlist.planning.model.scaling import RolloutNodes, Scaling
from cutlist.planning.planned_cluster import with_plan
from cutlist.simulation.demand.rollouts import rollouts_of
from cutlist.verbs.plan.answer import joint_plan
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.scaled import at_range_end, pods_of_workloads, with_more_pods

MOST_ROLLOUTS: Final = 12
"""Of how many Deployments the rollout is planned alone: those that probably cost most."""
_DEPLOYMENT: Final = "Deployment"


def with_scaling(plan: Plan, inputs: PlanInputs, most_rollouts: int = MOST_ROLLOUTS) -> Plan:
    """Return the plan of these inputs with what it costs at the ends of autoscalers, and while Deployments are rolled out.

    The ends are plans from scratch. A rollout finds the nodes of the plan there, and adds to them.
    """
    scaling = _at_ends(inputs) if any(group.range is not None for group in inputs.workloads.groups) else Scaling()
    pods, apart = pods_of_workloads(inputs.workloads.groups), plan.pods_apart
    # A rollout of pods that only wait needs nothing.
    surges = {name: surge for name, surge in surges_of(inputs).items() if apart.get(name, 0) < pods[name]}
    if surges and plan.nodes:
        rollouts = _Rollouts(plan, inputs)
        together = rollouts.of(surges)
        scaling = replace(scaling, rollouts=together, largest=_largest(rollouts, together, surges, most_rollouts))
    return replace(plan, scaling=scaling)


def _at_ends(inputs: PlanInputs) -> Scaling:
    """Return the totals of the plans at both ends of the autoscalers' ranges."""
    candidates, groups = CandidateInputs(inputs), inputs.workloads.groups
    minimum, maximum = (_plan_of(inputs, at_range_end(groups, end), candidates).as_scaled for end in (0, 1))
    return Scaling(minimum, maximum)


def surges_of(inputs: PlanInputs) -> Mapping[str, int]:
    """Return how many pods each Deployment of the plan has above its replicas while it is rolled out, by its name (C-26); those
    with none are left out."""
    documents = (document for document in inputs.documents if document.kind == _DEPLOYMENT)
    rollouts = rollouts_of(documents, Problems())  # strategies that the API server refuses have been reported
    pods = pods_of_workloads(inputs.workloads.groups)
    rolling = {name: rollout.rolling for name, rollout in rollouts.items() if rollout.rolling is not None and pods.get(name)}
    surges = {name: of.bounds(pods[name])[0] for name, of in rolling.items()}
    return {name: surge for name, surge in sorted(surges.items()) if surge}


class _Rollouts:
    """Rollouts in the cluster that a plan describes, which share its instance types."""

    def __init__(self, now: Plan, inputs: PlanInputs) -> None:
        self.now = now
        self._planned = with_plan(inputs, now)
        self._candidates = CandidateInputs(self._planned)

    def of(self, surges: Mapping[str, int]) -> RolloutNodes:
        """Return what some Deployments need while they are rolled out at once."""
        groups = with_more_pods(self._planned.workloads.groups, surges)
        added = _plan_of(self._planned, groups, self._candidates).as_scaled
        return RolloutNodes(
            workloads=tuple(surges),
            pods=sum(surges.values()),
            pending=max(0, added.pending - self.now.totals.pending),
            nodes=added.nodes,
            price=added.price,
            is_estimated=added.is_estimated,
        )


def _plan_of(inputs: PlanInputs, groups: tuple[PodGroup, ...], candidates: CandidateInputs) -> Plan:
    workloads = replace(inputs.workloads, groups=groups)
    return joint_plan(candidates.parts(replace(inputs, workloads=workloads)))


def _largest(rollouts: _Rollouts, together: RolloutNodes, surges: Mapping[str, int], most: int) -> RolloutNodes | None:
    """Return the rollout that costs most alone, among those of the Deployments with the most expensive pods."""
    if len(surges) == 1:
        return together
    if not together.nodes:
        return None
    alone = (rollouts.of({name: surges[name]}) for name in _likely(surges, rollouts.now)[:most])
    return max(alone, key=lambda of: (of.price or 0.0, of.nodes, of.pods), default=None)


def _likely(surges: Mapping[str, int], now: Plan) -> list[str]:
    """Return the Deployments in the order of what their further pods probably cost: as much as those that they have."""
    each = {cost.name: (cost.price or 0.0) / cost.pods for cost in by_workload(now) if cost.pods}
    return sorted(surges, key=lambda name: (-surges[name] * each.get(name, 0.0), name))
