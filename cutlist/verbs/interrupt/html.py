"""The consequences of a loss of spot capacity as a page: waiting pods, lost nodes and new nodes."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.disruption.disk_costs import has_estimates, price, unpriced_nodes
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.html.node_kinds import NodeKind, node_kinds
from cutlist.report.html.rendering import render
from cutlist.verbs.interrupt.columns import PAGE, ChangedNode, launched_nodes, lost_nodes


def interrupt_html(loss: SpotLoss, region: str) -> str:
    """Return the loss as one page."""
    pending = [(pod, count, why) for pod, (count, why) in sorted(loss.pending.items())]
    lost, launched = lost_nodes(loss), launched_nodes(loss)
    return render(
        "interrupt/page.html.j2",
        loss=loss,
        region=region,
        where=loss.zone or region,
        waiting=sum(count for _, count, _ in pending),
        pending=pending,
        columns=PAGE,
        lost=lost,
        launched=launched,
        lost_kinds=_kinds(lost),
        launched_kinds=_kinds(launched),
        change=round(price(loss.after) - price(loss.before), 6),
        before=price(loss.before),
        after=price(loss.after),
        marks=["*" if has_estimates(cluster) else "" for cluster in (loss.before, loss.after)],
        unpriced=unpriced_nodes(loss.before),
    )


def _kinds(rows: Iterable[ChangedNode]) -> tuple[NodeKind, ...]:
    return node_kinds(
        NodeKind(
            row.pool,
            row.instance_type,
            row.capacity_type,
            (row.zone,) if row.zone else (),
            row.pods,
            row.bill,
            "*" if row.is_estimated else "",
        )
        for row in rows
    )
