"""The differences between two sides, as CSV: a row for each thing that changes or is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.planning.model.comparison import Comparison
from cutlist.report.columns import kinds_csv, named_cells
from cutlist.report.csv import NamedCells
from cutlist.verbs.diff import columns
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.money import in_usd
from cutlist.verbs.diff.nodes import BlastRadius
from cutlist.verbs.diff.objects import ObjectChange
from cutlist.verbs.diff.volumes import VolumePrices

_TITLES: Final = (
    *("kind", "change", "node_pool", "instance_type", "capacity_type", "workload", "node", "node_claim", "before", "now"),
    *("price_per_hour_before", "price_per_hour_now", "reason", "members", "starts", "gone_at_the_earliest", "gone_by", "why"),
    "price_estimated",
    "object",
    "fix",
    *("price_per_month_before", "price_per_month_now", "price_per_month_change", "nodes", "edit"),
    *("price_per_month_change_low", "price_per_month_change_high"),
)


def diff_csv(difference: Difference) -> str:
    """Return rows of several kinds. Instants are in UTC.

    `nodes` for nodes of one NodePool, type and capacity type, with the price of all of them; `existing` for the pods of a
    workload on an existing node; `pending` for a workload that waits; `object` for one that is added or removed, and `field`
    for each field of one that changes, its path in `members`; and for NodeClaims `deleted`, `replaced`, `possible` if only the
    account decides, `before` for those that drift anyway, and `spared`. Last, `trap` for what to look at, `volumes` for what
    all volumes cost and `claim` for each claim that changes, `month` for the sum of the nodes, `node_pool` for what the nodes
    of a NodePool cost, and `edit` for each edit with its part, of which `repacked` is what placing running pods again does
    without any, and `together` what edits do only with each other.
    """
    claims = _claims(difference.blast) if difference.blast is not None else ()
    rows = [*_changes(difference.comparison), *_objects(difference.objects or ()), *claims, *_prices(difference)]
    return kinds_csv(_TITLES, rows)


def _prices(difference: Difference) -> Iterator[NamedCells]:
    month, of = difference.month, difference.comparison.price_range
    for trap in difference.traps:
        yield {"kind": "trap", "node_pool": trap.node_pool, "reason": trap.text, "fix": trap.fix}
    if difference.volumes is not None:
        yield from _volumes(difference.volumes)
    if not difference.node_pools:
        return
    yield {
        "kind": "month",
        "price_per_month_before": in_usd(month.before),
        "price_per_month_now": in_usd(month.after),
        "price_per_month_change": in_usd(month.difference),
        "price_per_month_change_low": None if of is None else round(of.low_per_month, 2),
        "price_per_month_change_high": None if of is None else round(of.high_per_month, 2),
    }
    yield from (named_cells(columns.POOLS, row, kind="node_pool") for row in columns.pool_rows(difference))
    if difference.because is not None:
        edits = columns.edit_columns(month.currency)
        yield from (named_cells(edits, row, kind="edit") for row in difference.because.edits)
        if difference.because.repacked is not None:
            yield {"kind": "repacked", "price_per_month_change": in_usd(difference.because.repacked)}
        if difference.because.together is not None:
            yield {"kind": "together", "price_per_month_change": in_usd(difference.because.together)}


def _volumes(prices: VolumePrices) -> Iterator[NamedCells]:
    yield {
        "kind": "volumes",
        "price_per_month_before": in_usd(prices.before),
        "price_per_month_now": in_usd(prices.after),
        "price_per_month_change": in_usd(prices.difference),
    }
    for of in prices.changes:
        row = {"workload": of.workload, "object": of.claim, "before": of.before or None, "now": of.after or None}
        yield {"kind": "claim", **row}


def _changes(comparison: Comparison) -> Iterator[NamedCells]:
    nodes = columns.csv_nodes(comparison)
    yield from (named_cells(nodes, change, kind="nodes") for change in comparison.nodes)
    yield from (named_cells(columns.CSV_EXISTING, change, kind="existing") for change in comparison.existing)
    yield from (named_cells(columns.CSV_PENDING, change, kind="pending") for change in comparison.pending)


def _objects(changes: Sequence[ObjectChange]) -> Iterator[NamedCells]:
    for change in changes:
        if not change.fields:
            yield named_cells(columns.CSV_EFFECT, change, kind="object")
        what = named_cells(columns.CSV_OBJECT, change, kind="field")
        yield from (named_cells(columns.FIELDS, field, **what) for field in change.fields)


def _claims(blast: BlastRadius) -> Iterator[NamedCells]:
    turns = {turn.claim: named_cells(columns.CSV_TURN, turn) for turn in blast.rollout.turns}
    for pool, claims in blast.deleted.items():
        for claim in claims:
            yield {"kind": "deleted", "node_pool": pool, "node_claim": claim, "reason": "its NodePool is removed"}
    for kind, nodes in (("replaced", blast.replaced), ("possible", blast.possible), ("before", blast.before)):
        yield from (named_cells(columns.CSV_DRIFTED, node, kind=kind, **turns.get(node.claim, {})) for node in nodes)
    for claim in blast.spared:
        yield {"kind": "spared", "node_claim": claim}
