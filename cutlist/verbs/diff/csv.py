"""The differences between two sides, as CSV: a row for each thing that changes or is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.rollout import Turn
from cutlist.planning.model.comparison import Comparison
from cutlist.report.csv import NamedCells, rows_csv
from cutlist.report.plain import instant
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.nodes import BlastRadius
from cutlist.verbs.diff.objects import ObjectChange
from cutlist.verbs.diff.words import choice_change, field_effect, field_value, object_effect, object_name

_TITLES: Final = (
    *("kind", "change", "node_pool", "instance_type", "capacity_type", "workload", "node", "node_claim", "before", "now"),
    *("price_per_hour_before", "price_per_hour_now", "reason", "members", "starts", "gone_at_the_earliest", "gone_by", "why"),
    "price_estimated",
    "object",
)


def diff_csv(difference: Difference) -> str:
    """Return rows of several kinds. Instants are in UTC.

    `nodes` for nodes of one NodePool, type and capacity type, with the price of all of them; `existing` for the pods of a
    workload on an existing node; `pending` for a workload that waits; `object` for one that is added or removed, and `field`
    for each field of one that changes, its path in `members`; and for NodeClaims `deleted`, `replaced`, `possible` if only the
    account decides, `before` for those that drift anyway, and `spared`.
    """
    claims = _claims(difference.blast) if difference.blast is not None else ()
    rows = [*_changes(difference.comparison), *_objects(difference.objects or ()), *claims]
    return rows_csv(_TITLES, ([row.get(title) for title in _TITLES] for row in rows))


def _changes(comparison: Comparison) -> Iterator[NamedCells]:
    for nodes in comparison.nodes:
        bought = {"instance_type": nodes.instance_type, "capacity_type": nodes.capacity_type}
        counts = {"before": nodes.before.count, "now": nodes.after.count}
        prices = {
            "price_per_hour_before": nodes.before.price,
            "price_per_hour_now": nodes.after.price,
            "price_estimated": nodes.is_estimated,
        }
        reason = choice_change(nodes, comparison.after.region)
        what = {"kind": "nodes", "change": str(nodes.kind), "node_pool": nodes.node_pool}
        yield {**what, **bought, **counts, **prices, "reason": reason}
    for change in comparison.existing:
        what = {"kind": "existing", "change": str(change.kind), "node": change.node, "workload": change.workload}
        yield {**what, "before": change.before, "now": change.after}
    for pods in comparison.pending:
        counts = {"before": pods.before.count, "now": pods.after.count}
        reasons = "; ".join(pods.after.reasons or pods.before.reasons)
        yield {"kind": "pending", "change": str(pods.kind), "workload": pods.workload, **counts, "reason": reasons}


def _objects(changes: Sequence[ObjectChange]) -> Iterator[NamedCells]:
    for change in changes:
        what: NamedCells = {"change": str(change.change), "object": object_name(change)}
        if not change.fields:
            yield {"kind": "object", **what, "reason": object_effect(change)}
        for field in change.fields:
            values: NamedCells = {"before": _cell(field.before), "now": _cell(field.after)}
            yield {"kind": "field", **what, "members": field.path, **values, "reason": field_effect(field)}


def _cell(value: Any) -> str | None:
    return None if value is None else field_value(value)


def _claims(blast: BlastRadius) -> Iterator[NamedCells]:
    turns = {turn.claim: turn for turn in blast.rollout.turns}
    for pool, claims in blast.deleted.items():
        for claim in claims:
            yield {"kind": "deleted", "node_pool": pool, "node_claim": claim, "reason": "its NodePool is removed"}
    for kind, nodes in (("replaced", blast.replaced), ("possible", blast.possible), ("before", blast.before)):
        for node in nodes:
            yield {"kind": kind, **_drifted(node), **_turn(turns.get(node.claim))}
    for claim in blast.spared:
        yield {"kind": "spared", "node_claim": claim}


def _drifted(node: DriftedNode) -> NamedCells:
    return {"node_pool": node.node_pool, "node_claim": node.claim, "reason": node.reason, "members": "; ".join(node.members)}


def _turn(turn: Turn | None) -> NamedCells:
    if turn is None:
        return {}
    times = {"starts": turn.starts, "gone_at_the_earliest": turn.ends, "gone_by": turn.latest}
    cells: NamedCells = {name: instant(at) for name, at in times.items() if at is not None}
    return {"node": turn.node, **cells, "why": turn.why}
