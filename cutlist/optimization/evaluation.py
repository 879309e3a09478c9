"""Evaluate a choice of NodePools: the exact plan, and the figures by which choices are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.catalog.interruptions import monthly_rate
from cutlist.catalog.ranges import EXACT, Deviations, PriceRange
from cutlist.core.labels import SPOT
from cutlist.planning.controllers import split_by_controller
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.nodes import deviations
from cutlist.planning.pass_inputs import PassInputs, SharedTypes, pass_inputs

NO_RATES: Final[Mapping[str, float]] = MappingProxyType({})
Parts = dict[str, tuple[PlanInputs, PassInputs]]


@dataclass(frozen=True, slots=True)
class CostAndRisk:
    """What a plan costs and risks.

    `price` is USD/hour with disks, None where a node has no known price. `spot_share` is the largest part of the price in one
    spot pool: one type in one zone. `lost_with_node` and `lost_with_zone` are the pods that are lost when the node or the zone
    with most pods fails; nodes whose zone is open count in the first possible one. `pending` are pods by workload, `zones` are
    those with nodes. `deviations` say how far estimated prices may be off. `interruptions` are how many spot nodes are
    interrupted in a month and `evictions` how many pods of all lose their node that way, as a part, None where some rate is not
    known; `at_once` is the largest part of the pods in one spot pool.
    `settled` is the price once Karpenter has consolidated the nodes, where that was asked for.
    """

    price: float | None
    nodes: int
    pending: tuple[tuple[str, int], ...]
    spot_share: float
    lost_with_node: int
    lost_with_zone: int
    zones: tuple[str, ...] = field(default=(), compare=False)
    deviations: Deviations = field(default=EXACT, compare=False)
    interruptions: float | None = field(default=0.0, compare=False)
    at_once: float = field(default=0.0, compare=False)
    evictions: float | None = field(default=0.0, compare=False)
    settled: float | None = field(default=None, compare=False)

    @property
    def price_range(self) -> PriceRange | None:
        """Return the range of the price, or None if it is unknown or no part of it is an estimate with a range."""
        return None if self.price is None else self.deviations.around(self.price)

    @property
    def lasting(self) -> float | None:
        """Return the price that counts: once settled, where that was asked for."""
        return self.price if self.settled is None else self.settled

    @property
    def pending_pods(self) -> int:
        """Return how many pods stay pending."""
        return sum(count for _, count in self.pending)

    @staticmethod
    def of(plan: Plan, rates: Mapping[str, float] = NO_RATES) -> CostAndRisk:
        """Return the figures of a plan; `rates` are the parts of spot instances that are interrupted in a month, by type."""
        totals = plan.totals
        price = totals.whole_price_per_hour  # a plan without the price of a node would win every comparison
        spot: dict[tuple[str, str], float] = {}
        zones: Counter[str] = Counter()
        spot_pods: Counter[tuple[str, str]] = Counter()
        interruptions = evictions = 0.0
        is_known = True
        for node in plan.nodes:
            zone = node.zone or next(iter(node.zones), "")
            zones[zone] += node.count * node.pods_each
            if node.capacity_type == SPOT:
                pool = (node.instance_type, zone)
                spot[pool] = spot.get(pool, 0.0) + node.count * (node.price_with_disks or 0.0)
                spot_pods[pool] += node.count * node.pods_each
                part = rates.get(node.instance_type)
                is_known = is_known and part is not None
                interruptions += node.count * monthly_rate(part or 0.0)
                evictions += node.count * node.pods_each * monthly_rate(part or 0.0)
        pods = max(1, sum(zones.values()))
        return CostAndRisk(
            price=price,
            nodes=totals.nodes,
            pending=_by_workload(plan),
            spot_share=max(spot.values(), default=0.0) / price if price else 0.0,
            lost_with_node=max((node.pods_each for node in plan.nodes), default=0),
            lost_with_zone=max(zones.values(), default=0),
            zones=tuple(sorted(zones)),
            deviations=deviations(plan.nodes),
            interruptions=interruptions if is_known else None,
            at_once=max(spot_pods.values(), default=0) / pods,
            evictions=evictions / pods if is_known else None,
        )


def more_pending(figures: CostAndRisk, today: CostAndRisk) -> dict[str, int]:
    """Return how many pods stay pending that do not today, of each workload that has any."""
    may_wait = Counter(dict(today.pending))
    return dict(Counter(dict(figures.pending)) - may_wait)


def _by_workload(plan: Plan) -> tuple[tuple[str, int], ...]:
    # A workload has an entry for each reason.
    counts: Counter[str] = Counter()
    for pods in plan.pending:
        counts[pods.workload] += pods.count
    return tuple(sorted(counts.items()))


class CandidateInputs:
    """Inputs whose NodePools differ in requirements, or whose workloads differ. They share instance types and indexes, which
    are made once."""

    def __init__(self, inputs: PlanInputs) -> None:
        self._shared = {
            name: None if inputs.overlays else SharedTypes.of(replace(inputs, node_pools=pools))
            for name, pools in _by_controller(inputs).items()
        }

    def parts(self, inputs: PlanInputs) -> Parts:
        """Return each controller's part of inputs whose NodePools have the names that are known here."""
        parts = {name: replace(inputs, node_pools=pools) for name, pools in _by_controller(inputs).items()}
        return {name: (part, pass_inputs(part, self._shared[name])) for name, part in parts.items()}


def _by_controller(inputs: PlanInputs) -> dict[str, tuple[NodePool, ...]]:
    return {name: tuple(pools) for name, pools in split_by_controller(inputs.node_pools).items()} or {"": ()}
