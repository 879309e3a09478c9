"""The consequences of a loss of spot capacity, as CSV: a row for each lost node, new node and pending pod."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.catalog.prices import is_estimate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.csv import Cell, rows_csv
from cutlist.state.statenode import StateNode

_TITLES: Final = ("kind", "name", "instance_type", "capacity_type", "zone", "price_per_hour", "price_estimated", "pods", "why")


def interrupt_csv(loss: SpotLoss) -> str:
    """Return the rows."""
    return rows_csv(_TITLES, _rows(loss))


def _rows(loss: SpotLoss) -> Iterator[Sequence[Cell]]:
    for node in loss.lost:
        yield ("lost", *_node(node, loss.before))
    for node in loss.launched:
        yield ("launched", *_node(node, loss.after))
    for pod, (count, why) in sorted(loss.pending.items()):
        yield ("pending", pod, "", "", "", None, None, count, why)


def _node(node: StateNode, cluster: ClusterState) -> Sequence[Cell]:
    pods = sum(pod.reschedulable for pod in node.pods)
    bought = (node.instance_type or "", node.capacity_type or "", node.zone or "")
    return (node.name, *bought, cluster.bill_of(node), is_estimate(cluster.paid_for(node)), pods, "")
