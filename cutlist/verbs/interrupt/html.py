"""The consequences of a loss of spot capacity as a page: waiting pods, lost nodes and new nodes."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.disruption.disk_costs import has_estimates
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.columns import in_currency
from cutlist.report.html.node_kinds import NodeKind, node_kinds
from cutlist.report.html.rendering import render
from cutlist.verbs.interrupt.columns import PAGE, PENDING, ChangedNode, launched_nodes, lost_nodes
from cutlist.verbs.interrupt.words import change_of, costs_of, month_change


def interrupt_html(loss: SpotLoss) -> str:
    """Return the loss as one page."""
    lost, launched, prices = lost_nodes(loss), launched_nodes(loss), loss.prices
    before, after = costs_of(loss)
    return render(
        "interrupt/page.html.j2",
        loss=loss,
        region=loss.region,
        where=loss.zone or loss.region,
        waiting=loss.waiting,
        pending=loss.pending,
        pending_columns=PENDING,
        columns=in_currency(PAGE, before.currency),
        lost=lost,
        launched=launched,
        lost_kinds=_kinds(lost),
        launched_kinds=_kinds(launched),
        change=change_of(loss),
        month_change=month_change(loss),
        before=before,
        after=after,
        marks=["*" if has_estimates(cluster) else "" for cluster in (loss.before, loss.after)],
        unpriced=prices.unpriced_nodes,
        ages=(loss.price_age,),
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
