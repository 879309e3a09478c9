"""The figures of nodes that are lost or launched, and the columns that each form of them has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.prices import Price
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.report.columns import Figure, Figures, count, named, only_csv
from cutlist.report.plain import hour_column, hourly, monthly, per_month, short_name
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class ChangedNode:
    """A node that is `lost` or `launched`, its price, and what it costs in USD per hour, 0 if that is unknown."""

    kind: str
    node: StateNode
    price: Price | None
    bill: float

    @property
    def pods(self) -> int:
        """Return how many of its pods need another node if it ends."""
        return sum(pod.reschedulable for pod in self.node.pods)

    @property
    def is_estimated(self) -> bool:
        """Tell whether its price is an estimate."""
        return self.price is not None and self.price.estimated


_Figure = Figure[ChangedNode]


def lost_nodes(loss: SpotLoss) -> list[ChangedNode]:
    """Return the nodes that are interrupted."""
    return _changed("lost", loss.lost, loss.before)


def launched_nodes(loss: SpotLoss) -> list[ChangedNode]:
    """Return the new nodes, each as the cheapest type that its claim lists."""
    return _changed("launched", loss.launched, loss.after)


def _changed(kind: str, nodes: Sequence[StateNode], cluster: ClusterState) -> list[ChangedNode]:
    return [ChangedNode(kind, node, cluster.paid_for(node), cluster.bill_of(node)) for node in nodes]


def text_layouts(nodes: Sequence[ChangedNode]) -> tuple[Figures[ChangedNode], ...]:
    """Return the layouts from the widest to the narrowest."""
    price = _money("$/hour", hour_column([one.bill for one in nodes]))
    return (_NODE, _TYPE, _CAPACITY, _ZONE, price, _PODS), (_NODE, _TYPE, price, _PODS), (_NODE, price, _PODS)


def _money(title: str, text: Callable[[float], str]) -> _Figure:
    return Figure(
        title,
        lambda one: text(one.bill) if one.bill else "-",
        "right",
        estimated=lambda one: bool(one.bill) and one.is_estimated,
        page_class="n",
    )


_NODE: Final[_Figure] = Figure(
    "node",
    lambda one: short_name(one.node.name),
    least=12,
    name="name",
    exact=lambda one: one.node.name,
    is_name=True,
    page_class="k",
)
_TYPE: Final[_Figure] = named("instance type", lambda one: one.node.instance_type or "", "instance_type")
_CAPACITY: Final[_Figure] = named("capacity", lambda one: one.node.capacity_type or "", "capacity_type", page_class="k")
_ZONE: Final[_Figure] = named("zone", lambda one: one.node.zone or "", "zone", page_class="k")
_PODS: Final[_Figure] = count("pods", lambda one: one.pods, "pods")
COMMENT: Final = (_NODE, _TYPE, _CAPACITY, _ZONE, _money("$/month", lambda usd: per_month(usd * HOURS_PER_MONTH)), _PODS)
PAGE: Final = (
    *(_NODE, _TYPE.titled("type"), _CAPACITY, _ZONE, _PODS),
    _money("$/hour", lambda usd: f"${hourly(usd)}"),
    _money("$/month", lambda usd: f"${monthly(usd * HOURS_PER_MONTH)}"),
)
CSV: Final[Figures[ChangedNode]] = (
    only_csv("kind", lambda one: one.kind),
    _NODE,
    _TYPE,
    _CAPACITY,
    _ZONE,
    only_csv("price_per_hour", lambda one: one.bill),
    only_csv("price_estimated", lambda one: one.is_estimated),
    _PODS,
    only_csv("why", lambda _: None),
)
