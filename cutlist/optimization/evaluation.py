"""What a choice of NodePools comes to: the exact plan, and the figures that choices are compared by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cutlist.api import NodePool
from cutlist.core.labels import SPOT
from cutlist.planning.controllers import split_by_controller
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.pass_inputs import PassInputs, SharedTypes, pass_inputs

Parts = dict[str, tuple[PlanInputs, PassInputs]]


@dataclass(frozen=True, slots=True)
class Figures:
    """What a plan costs and risks.

    `price` is USD/hour with disks, None where a node has no known price. `spot_share` is the largest part of the price in one
    spot pool: one type in one zone. `lost_with_node` and `lost_with_zone` are the pods that are lost when the node or the zone
    with most pods fails; nodes whose zone is open count where they are taken to be. `pending` are pods by workload.
    """

    price: float | None
    nodes: int
    pending: tuple[tuple[str, int], ...]
    spot_share: float
    lost_with_node: int
    lost_with_zone: int

    @property
    def pending_pods(self) -> int:
        """Return how many pods stay pending."""
        return sum(count for _, count in self.pending)

    @staticmethod
    def of(plan: Plan) -> Figures:
        """Return the figures of a plan."""
        totals = plan.totals
        spot: dict[tuple[str, str], float] = {}
        zones: Counter[str] = Counter()
        for node in plan.nodes:
            zone = node.zone or next(iter(node.zones), "")
            zones[zone] += node.count * node.pods_each
            if node.capacity_type == SPOT:
                pool = (node.instance_type, zone)
                spot[pool] = spot.get(pool, 0.0) + node.count * (node.price_with_disks or 0.0)
        price = None if totals.unpriced_nodes else totals.price_per_hour
        return Figures(
            price=price,
            nodes=totals.nodes,
            pending=tuple((p.workload, p.count) for p in plan.pending),
            spot_share=max(spot.values(), default=0.0) / price if price else 0.0,
            lost_with_node=max((node.pods_each for node in plan.nodes), default=0),
            lost_with_zone=max(zones.values(), default=0),
        )


class CandidateInputs:
    """The inputs of passes for NodePools that differ in requirements alone: types and their indexes are made once."""

    def __init__(self, inputs: PlanInputs) -> None:
        self.inputs = inputs
        self._shared = {
            name: None if inputs.overlays else SharedTypes.of(replace(inputs, node_pools=tuple(pools)))
            for name, pools in self._by_controller(inputs.node_pools).items()
        }

    def parts(self, pools: Sequence[NodePool]) -> Parts:
        """Return the inputs of each controller for some pools, of the names that the input has."""
        parts = {
            name: replace(self.inputs, node_pools=tuple(of_controller))
            for name, of_controller in self._by_controller(pools).items()
        }
        return {name: (part, pass_inputs(part, self._shared[name])) for name, part in parts.items()}

    @staticmethod
    def _by_controller(pools: Sequence[NodePool]) -> dict[str, Sequence[NodePool]]:
        return dict(split_by_controller(pools)) or {"": ()}
