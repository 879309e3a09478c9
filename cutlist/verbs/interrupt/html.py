"""The consequences of a loss of spot capacity as a page: waiting pods, lost nodes and new nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cutlist.catalog.prices import is_estimate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.disk_costs import has_estimates, price, unpriced_nodes
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.html.node_kinds import NodeKind, node_kinds
from cutlist.report.html.rendering import render
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class _Row:
    """A node with its pods that need another one, and its price in USD per hour; `mark` is that of an estimate."""

    node: StateNode
    pods: int
    price: float | None
    mark: str


def interrupt_html(loss: SpotLoss, region: str) -> str:
    """Return the loss as one page."""
    pending = [(pod, count, why) for pod, (count, why) in sorted(loss.pending.items())]
    return render(
        "interrupt/page.html.j2",
        loss=loss,
        region=region,
        where=loss.zone or region,
        waiting=sum(count for _, count, _ in pending),
        pending=pending,
        lost=_rows(loss.lost, loss.before),
        launched=_rows(loss.launched, loss.after),
        lost_kinds=_kinds(_rows(loss.lost, loss.before)),
        launched_kinds=_kinds(_rows(loss.launched, loss.after)),
        change=round(price(loss.after) - price(loss.before), 6),
        before=price(loss.before),
        after=price(loss.after),
        marks=["*" if has_estimates(cluster) else "" for cluster in (loss.before, loss.after)],
        unpriced=unpriced_nodes(loss.before),
    )


def _kinds(rows: Iterable[_Row]) -> tuple[NodeKind, ...]:
    return node_kinds(
        NodeKind(
            row.node.pool,
            row.node.instance_type,
            row.node.capacity_type,
            (row.node.zone,) if row.node.zone else (),
            row.pods,
            row.price,
            row.mark,
        )
        for row in rows
    )


def _rows(nodes: Iterable[StateNode], cluster: ClusterState) -> list[_Row]:
    return [
        _Row(
            node,
            sum(pod.reschedulable for pod in node.pods),
            cluster.bill_of(node),
            "*" if is_estimate(cluster.paid_for(node)) else "",
        )
        for node in nodes
    ]
