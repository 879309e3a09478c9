"""A plan as CSV: a row for each group of equal nodes, for each node group beside Karpenter, for equal volumes, for each
pending workload, and for each figure of the plan as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from cutlist.core.wording import counted
from cutlist.planning.model import PendingPods, Plan
from cutlist.planning.model.node_groups import NodeGroup
from cutlist.planning.model.scaling import Scaling
from cutlist.report.columns import csv_table
from cutlist.report.csv import NamedCells
from cutlist.verbs.plan.beside_views import csv_row
from cutlist.verbs.plan.columns import CSV
from cutlist.verbs.plan.scaling_words import rollout_line
from cutlist.verbs.plan.settled_words import settled_line
from cutlist.verbs.plan.volume_views import csv_row as volume_row


def plan_csv(plan: Plan) -> str:
    """Return a row of kind `node` for each group of equal nodes, with the price of one, then one of kind `node group` for each
    beside Karpenter, one of kind `volume` for equal volumes, and one for each pending workload.

    The last rows are figures of the whole plan, each with the price of all nodes in it: `total` with its range, `bound`,
    `settled`, `minimum` and `maximum` of the autoscalers, `rollout` with what it needs besides, and `restriction` with what it
    costs.
    """
    others = [*map(csv_row, plan.node_groups), *map(volume_row, plan.volumes), *map(_pending, plan.pending), *_figures(plan)]
    return csv_table(CSV, map(NodeGroup.one, plan.nodes), others)


def _pending(pods: PendingPods) -> NamedCells:
    return {"kind": "pending", "workload": pods.workload, "count": pods.count, "reason": pods.reason}


def _figures(plan: Plan) -> Iterator[NamedCells]:
    """Yield the figures of the whole plan; nothing for one without new nodes."""
    if not plan.nodes:
        return
    totals = plan.totals
    total = _figure("total", totals.nodes, totals.price_per_hour, estimated=plan.has_estimates)
    of = totals.price_range
    yield total if of is None else {**total, "price_per_hour_low": round(of.low, 10), "price_per_hour_high": round(of.high, 10)}
    if plan.bound_per_hour is not None:
        yield _figure("bound", None, plan.bound_per_hour, plan.bound_kind or "")
    if plan.settled is not None:
        settled = plan.settled
        yield _figure("settled", settled.nodes, settled.price, settled_line(plan), estimated=settled.estimated)
    elif plan.unsettled:
        yield _figure("settled", None, None, settled_line(plan))
    if plan.scaling is not None:
        yield from _of_scaling(plan.scaling, rollout_line(plan))
    priced = (plan.drivers or ()) if plan.restrictions is None else plan.restrictions.priced
    for row in priced:
        yield {**_figure("restriction", None, row.price, f"{row.what}: {row.field}"), "workload": " ".join(row.objects)}


def _of_scaling(scaling: Scaling, rollout: str) -> Iterator[NamedCells]:
    """Yield the plans at the ends of the autoscalers, and what rollouts need, with the words on that."""
    for kind, of in (("minimum", scaling.minimum), ("maximum", scaling.maximum)):
        if of is not None:
            pods = f"{counted(of.pods, 'pod')}, {of.pending:,} pending"
            yield _figure(kind, of.nodes, of.price, pods, estimated=of.is_estimated)
    needed = scaling.rollouts
    if needed is not None:
        cells = _figure("rollout", needed.nodes, needed.price, rollout, estimated=needed.is_estimated)
        yield {**cells, "workload": " ".join(needed.workloads)}


def _figure(kind: str, nodes: int | None, price: float | None, words: str = "", *, estimated: bool = False) -> NamedCells:
    return {"kind": kind, "count": nodes, "price_per_hour": price, "reason": words or None, "price_estimated": estimated}
