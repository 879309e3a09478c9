"""What a plan costs when its workloads have other numbers of pods, as data: at the ends of autoscalers, and during rollouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cutlist.core.records import Count, Key, about
from cutlist.planning.model.spelling import ExactPrice


@dataclass(frozen=True, slots=True)
class ScaledPlan:
    """The plan of other numbers of pods in its totals. Prices are USD per hour, None where a node's is unknown."""

    pods: Annotated[Count, about("Placed pods.")]
    pending: Count
    nodes: Count
    price: Annotated[ExactPrice, Key("pricePerHour")]
    is_estimated: Annotated[bool, Key("priceEstimated")] = False


@dataclass(frozen=True, slots=True)
class RolloutNodes:
    """The pods that a rollout has besides the replicas, and what the nodes for them cost. Prices are USD per hour."""

    workloads: tuple[str, ...]
    pods: Annotated[Count, about("Pods above the replicas, by maxSurge.")]
    pending: Annotated[Count, about("How many more pods stay pending meanwhile.")]
    nodes: Annotated[Count, about("How many more nodes there are meanwhile.")]
    price: Annotated[ExactPrice, Key("pricePerHour"), about("USD for an hour of these nodes; null when it is not known.")]
    is_estimated: Annotated[bool, Key("priceEstimated")] = False


@dataclass(frozen=True, slots=True)
class Scaling:
    """What a plan costs at the ends of autoscalers, and while Deployments are rolled out.

    `minimum` and `maximum` are None without an autoscaler, `rollouts` is None where no Deployment has pods above its replicas.
    `largest` is the Deployment whose rollout costs most alone.
    """

    minimum: ScaledPlan | None = None
    maximum: ScaledPlan | None = None
    rollouts: Annotated[RolloutNodes | None, about("All Deployments at once.")] = None
    largest: Annotated[RolloutNodes | None, Key("largestRollout"), about("The Deployment that costs most alone.")] = None
