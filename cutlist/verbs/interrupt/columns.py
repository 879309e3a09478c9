"""The figures of nodes that are lost or launched, and the columns that each form of them has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.prices import Price
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.spot_loss import SpotLoss, UnplacedPods
from cutlist.report.columns import Figure, Figures, count, csv_table, named_cells, only_csv
from cutlist.report.estimates import Money, currency_of
from cutlist.report.node_figures import CAPACITY, NODE, TYPE, ZONE
from cutlist.report.plain import hour_column, monthly
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class ChangedNode:
    """A node that is `lost` or `launched`: its pods that need another node if it ends, its price, and what it costs in USD per
    hour, 0 if that is unknown."""

    kind: str
    name: str
    pool: str
    instance_type: str
    capacity_type: str
    zone: str
    pods: int
    price: Price | None
    bill: float

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
    return [
        ChangedNode(
            kind,
            *(node.name, node.pool, node.instance_type, node.capacity_type, node.zone),
            sum(pod.reschedulable for pod in node.pods),
            cluster.paid_for(node),
            cluster.bill_of(node),
        )
        for node in nodes
    ]


def text_layouts(nodes: Sequence[ChangedNode]) -> tuple[Figures[ChangedNode], ...]:
    """Return the layouts from the widest to the narrowest."""
    text = hour_column([one.bill for one in nodes])
    price = _money("$/hour", lambda money: money.hour_cell(text)).in_currency(currency_of(one.price for one in nodes))
    return (NODE, TYPE, CAPACITY, ZONE, price, _PODS), (NODE, TYPE, price, _PODS), (NODE, price, _PODS)


def _money(title: str, text: Callable[[Money], str], sign: str = "") -> _Figure:
    return Figure(
        title,
        lambda one: text(Money.of_price(one.price)) if one.bill else "-",
        "right",
        estimated=lambda one: bool(one.bill) and one.is_estimated,
        page_class="n",
        sign=sign,
    )


_PODS: Final[_Figure] = count("pods", lambda one: one.pods, "pods")
_MONTH: Final[_Figure] = _money("$/month", lambda money: money.month_cell())
COMMENT: Final[Figures[ChangedNode]] = (NODE, TYPE, CAPACITY, ZONE, _MONTH, _PODS)
PAGE: Final[Figures[ChangedNode]] = (
    *(NODE, TYPE.titled("type"), CAPACITY, ZONE, _PODS),
    _money("$/hour", lambda money: money.hour_cell(), "$"),
    _money("$/month", lambda money: money.month_cell(monthly), "$"),
)
_CSV: Final[Figures[ChangedNode]] = (
    only_csv("kind", lambda one: one.kind),
    only_csv("name", lambda one: one.name),
    TYPE,
    CAPACITY,
    ZONE,
    only_csv("price_per_hour", lambda one: one.bill),
    only_csv("price_estimated", lambda one: one.is_estimated),
    _PODS,
    only_csv("why", lambda _: None),
)
PENDING: Final[Figures[UnplacedPods]] = (
    Figure("workload", lambda pods: pods.pod, name="name"),
    count("count", lambda pods: pods.count, "pods"),
    Figure("why", lambda pods: pods.why, name="why", page_class="w"),
)


def csv(loss: SpotLoss) -> str:
    """Return a row for each lost node, new node and pending pod."""
    pending = (named_cells(PENDING, pods, kind="pending") for pods in loss.pending)
    return csv_table(_CSV, [*lost_nodes(loss), *launched_nodes(loss)], pending)
