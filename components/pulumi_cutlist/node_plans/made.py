"""The plans that a program makes, and which of them are of the same nodes: those are paid once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.spec_digests import planned_specs
from pulumi_cutlist.node_plans.request import PlanRequest


class ShownPlan(NamedTuple):
    """A plan, what it was made from, and whether it is that of a cluster of the program, by its component."""

    plan: Plan
    inputs: PlanInputs
    of_cluster: bool


@dataclass(frozen=True, slots=True)
class MadePlan:
    """A plan that a NodePlan of a program asks for: the NodePlan's name, what it asks, what that read, and the plan."""

    name: str
    request: PlanRequest
    inputs: PlanInputs
    plan: Plan

    @property
    def shown(self) -> ShownPlan:
        """Return the plan with what it was made from."""
        return ShownPlan(self.plan, self.inputs, self.request.is_of_cluster)


def counted_once(shown: Iterable[ShownPlan]) -> Sequence[Plan]:
    """Return the plans without those that show nodes of a cluster again: of the same region, with a NodePool of the spec of
    one of the cluster's own plan."""
    listed = tuple(shown)
    of_clusters = {key for item in listed if item.of_cluster for key in _pools(item)}
    return tuple(item.plan for item in listed if item.of_cluster or of_clusters.isdisjoint(_pools(item)))


def _pools(shown: ShownPlan) -> Iterator[tuple[str, str, str]]:
    for key, digests in planned_specs(shown.inputs).items():
        if key.startswith("NodePool/"):
            yield shown.inputs.catalog.region, key, str(sorted(digests.items()))
