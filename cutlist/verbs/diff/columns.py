"""The figures of what differs between two sides, and the columns that each form has of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cutlist.catalog.prices import a_month
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.rollout import Turn
from cutlist.planning.model.changes import Bought, Change, ExistingChange, NodeChange, PendingChange
from cutlist.planning.model.comparison import Comparison
from cutlist.report.columns import Figure, Figures, count, in_currency, named, only_csv
from cutlist.report.html import Words
from cutlist.report.markup import words as escaped
from cutlist.report.plain import currency_sign, instant, monthly, short_name
from cutlist.verbs.diff import price_words, words
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.because import EditPart
from cutlist.verbs.diff.edit_words import edit_sentence
from cutlist.verbs.diff.money import PoolPrice, in_usd
from cutlist.verbs.diff.objects import ChangedField, ObjectChange, field_value
from cutlist.verbs.diff.shown_prices import ShownPrices, difference_of_sides, shown_parts, step_of_sides

_Nodes = Figure[NodeChange]
MARKS: Final = {Change.ADDED: "+", Change.REMOVED: "-", Change.CHANGED: "~"}
"""What precedes an entry of a list of changes."""


# --- what nodes cost by NodePool, and why


class PoolRow(NamedTuple):
    """What the nodes of a NodePool cost, and how a table of all writes that."""

    price: PoolPrice
    shown: ShownPrices


def pool_rows(difference: Difference) -> list[PoolRow]:
    """Return the NodePools with what their nodes cost; in a table, these add up to the sums as shown."""
    pools = difference.node_pools
    return list(map(PoolRow, pools, shown_parts(difference.month, pools)))


def _amount(
    title: str, name: str, of: Callable[[PoolPrice], int | None], shown: Callable[[ShownPrices], str]
) -> Figure[PoolRow]:
    return Figure(
        title,
        lambda row: shown(row.shown),
        "right",
        name=name,
        exact=lambda row: in_usd(of(row.price)),
        estimated=lambda row: row.price.is_estimated and bool(of(row.price)),
        markdown=lambda row: escaped(shown(row.shown)),
        page_class="n",
    )


def _direction_of(cents: int | None) -> str:
    return "rise bad" if (cents or 0) > 0 else "fall good" if cents else ""


_PRICED_POOL: Final[Figure[PoolRow]] = named("NodePool", lambda row: row.price.node_pool, "node_pool", least=10)
_NODES_BECAME: Final[Figure[PoolRow]] = Figure(
    "nodes",
    lambda row: price_words.pool_nodes(row.price),
    name="nodes",
    markdown=lambda row: escaped(price_words.pool_nodes(row.price)),
    page_class="w",
)
_POOL_CHANGE: Final[Figure[PoolRow]] = Figure(
    "difference",
    lambda row: row.shown.difference,
    "right",
    markdown=lambda row: escaped(row.shown.difference),
    name="price_per_month_change",
    exact=lambda row: in_usd(row.price.difference),
    page_class="n top",
    words_class=lambda row: _direction_of(row.price.difference),
)
_BEFORE_PRICE: Final = _amount("before", "price_per_month_before", lambda price: price.before, lambda shown: shown.before)
_NOW_PRICE: Final = _amount("now", "price_per_month_now", lambda price: price.after, lambda shown: shown.after)
POOLS: Final[Figures[PoolRow]] = (_PRICED_POOL, _BEFORE_PRICE, _NOW_PRICE, _POOL_CHANGE, _NODES_BECAME)
POOL_LAYOUTS: Final[tuple[Figures[PoolRow], ...]] = (POOLS[:-1],)
"""The columns of a text, which says below each row what the nodes became."""


def largest_first(rows: Sequence[PoolRow]) -> list[PoolRow]:
    """Return the NodePools in the order of what their nodes cost before or now, whichever is more."""
    return sorted(rows, key=lambda row: (-_most(row), row.price.node_pool))


def page_pools(difference: Difference, rows: Sequence[PoolRow]) -> Figures[PoolRow]:
    """Return the columns of pages for NodePools: prices with bars as parts of the largest, and how the choice of types and
    zones changed. The price of a NodePool that is alone is that of all nodes, which stands above."""
    choice: Figure[PoolRow] = Figure(
        "types and zones", lambda row: price_words.pool_choices(difference, row.price), page_class="w"
    )
    if len(rows) < 2:
        return (_PRICED_POOL, _NODES_BECAME, choice)
    most = max(map(_most, rows)) or 1
    before = replace(_BEFORE_PRICE, level=("memory", lambda row: (row.price.before or 0) / most))
    now = replace(_NOW_PRICE, level=("cpu", lambda row: (row.price.after or 0) / most))
    return (_PRICED_POOL, before, now, _POOL_CHANGE, _NODES_BECAME, choice)


def _most(row: PoolRow) -> int:
    return max(row.price.before or 0, row.price.after or 0)


_EDIT: Final[Figure[EditPart]] = Figure("edit", lambda row: edit_sentence(row.edit), name="edit", page_class="w")
_REACH: Final[Figure[EditPart]] = Figure(
    "nodes", lambda row: price_words.edit_effect(row) or "-", name="reason", exact=price_words.edit_effect, page_class="w"
)


def edit_columns(currency: str) -> Figures[EditPart]:
    """Return the columns for edits, each with its part of the difference in a currency."""
    part: Figure[EditPart] = Figure(
        "$/month",
        lambda row: price_words.part_of(row, currency),
        "right",
        name="price_per_month_change",
        exact=lambda row: in_usd(row.part),
        page_class="n top",
        words_class=lambda row: _direction_of(row.part),
    )
    return (_EDIT, *in_currency((part,), currency), _REACH)


# --- nodes that are planned


def _number(title: str, name: str, side: Callable[[NodeChange], Bought]) -> _Nodes:
    def show(change: NodeChange) -> str:
        return f"{side(change).count:,}" if side(change).count else "-"

    return Figure(title, show, "right", name=name, exact=lambda change: side(change).count, page_class="n")


def _month(title: str, name: str, side: Callable[[NodeChange], Bought], comparison: Comparison) -> _Nodes:
    sign, step = currency_sign(comparison.currency), step_of_sides(comparison)

    def show(change: NodeChange) -> str:
        bought = side(change)
        if not bought.count:
            return "-"
        if bought.price is None:
            return "unknown"
        month = a_month(bought.price)
        return f"{sign}{monthly(month) if step is None else step.text(month)}{'*' * bought.is_estimated}"

    return Figure(title, show, "right", name=name, exact=lambda change: side(change).price, page_class="n")


def _mark_on_page(change: NodeChange) -> str:
    return "*" if change.is_estimated and change.price_change is not None else ""


def _direction(change: NodeChange) -> str:
    more = change.price_change or 0.0
    return "rise bad" if more > 0 else "fall good" if more else ""


def _choice(region: str) -> _Nodes:
    return Figure("types and zones", lambda c: words.choice_change(c, region), name="reason", page_class="w")


_KIND: Final[Figure[NodeChange | ExistingChange | PendingChange]] = only_csv("change", lambda c: str(c.kind))
_MARK: Final[_Nodes] = Figure("", lambda c: MARKS[c.kind])
_POOL: Final[_Nodes] = Figure("NodePool", lambda c: c.node_pool, least=10, name="node_pool")
_TYPE: Final[_Nodes] = Figure("instance type", lambda c: c.instance_type, name="instance_type")
_CAPACITY: Final[_Nodes] = Figure("capacity", lambda c: c.capacity_type, name="capacity_type", page_class="k")
_COUNTS: Final[_Nodes] = Figure("nodes", lambda c: f"{c.before.count:,} -> {c.after.count:,}", "right")
_BEFORE: Final = _number("nodes before", "before", lambda c: c.before)
_NOW: Final = _number("now", "now", lambda c: c.after)


def node_layouts(currency: str) -> tuple[Figures[NodeChange], ...]:
    """Return the layouts of a text for planned nodes that change, the richest first."""
    more: _Nodes = Figure("$/month", lambda c: words.signed_month(c, currency), "right", estimated=lambda c: c.is_estimated)
    more = more.in_currency(currency)
    return ((_MARK, _POOL, _TYPE, _CAPACITY, _COUNTS, more), (_MARK, _TYPE, _COUNTS, more))


def _months(comparison: Comparison) -> Figures[NodeChange]:
    """Return the columns of what nodes cost before and now, rounded as the sums of both plans are."""
    before = _month("$/month before", "price_per_hour_before", lambda c: c.before, comparison)
    return before.in_currency(comparison.currency), _month("now", "price_per_hour_now", lambda c: c.after, comparison)


def page_nodes(comparison: Comparison) -> Figures[NodeChange]:
    """Return the columns of pages for planned nodes that change."""

    def more(change: NodeChange) -> str:
        amount = difference_of_sides(change, comparison) or words.signed_month(change, comparison.currency)
        return "same" if change.price_change == 0 else f"{amount}{_mark_on_page(change)}"

    change: _Nodes = Figure("change", more, "right", page_class="n top", words_class=_direction)
    bought = (_BEFORE, _NOW, *_months(comparison))
    return (_TYPE, _POOL, _CAPACITY, *bought, change, _choice(comparison.after.region))


def csv_nodes(comparison: Comparison) -> Figures[NodeChange]:
    """Return the columns of CSV for them."""
    estimated: _Nodes = only_csv("price_estimated", lambda c: c.is_estimated)
    bought = (_POOL, _TYPE, _CAPACITY, _BEFORE, _NOW, *_months(comparison))
    return (_KIND, *bought, estimated, _choice(comparison.after.region))


# --- pods on existing nodes, and waiting ones

PAGE_EXISTING: Final[Figures[ExistingChange]] = (
    Figure("node", lambda c: short_name(c.node), name="node", exact=lambda c: c.node),
    Figure("workload", lambda c: c.workload, name="workload"),
    count("pods before", lambda c: c.before, "before"),
    count("now", lambda c: c.after, "now"),
)
CSV_EXISTING: Final[Figures[ExistingChange]] = (_KIND, *PAGE_EXISTING)
PENDING: Final[Figures[PendingChange]] = (
    Figure("workload", lambda c: c.workload, name="workload"),
    count("pending before", lambda c: c.before.count, "before"),
    count("now", lambda c: c.after.count, "now"),
    Figure("why", lambda c: "; ".join(c.after.reasons or c.before.reasons), name="reason", page_class="w"),
)
CSV_PENDING: Final[Figures[PendingChange]] = (_KIND, *PENDING)


# --- objects


def _value(title: str, name: str, of: Callable[[ChangedField], object]) -> Figure[ChangedField]:
    def exact(field: ChangedField) -> str | None:
        return None if of(field) is None else field_value(of(field))

    return Figure(title, lambda field: field_value(of(field)), name=name, exact=exact, page_class="w")


FIELDS: Final[Figures[ChangedField]] = (
    Figure("field", lambda f: f.path, name="members", page_class="w"),
    _value("before", "before", lambda f: f.before),
    _value("now", "now", lambda f: f.after),
    Figure("nodes", words.field_effect, name="reason", page_class="w"),
)
CSV_OBJECT: Final[Figures[ObjectChange]] = (only_csv("change", lambda c: str(c.change)), only_csv("object", words.object_name))
CSV_EFFECT: Final[Figures[ObjectChange]] = (*CSV_OBJECT, only_csv("reason", words.object_effect))


# --- nodes that are replaced


def turn_columns(now: float) -> Figures[Turn]:
    """Return the columns of a text for nodes in the order in which they are replaced."""
    return (_NODE, _OF_POOL, _BECAUSE, _begins(now), _GONE_BY)


def page_turns(now: float) -> Figures[Turn]:
    """Return those of pages."""
    return (_NODE, _OF_POOL, _BECAUSE, _begins(now), _ENDS, _GONE_BY, _REMARKS)


def _begins(now: float) -> Figure[Turn]:
    return Figure("begins", lambda turn: words.begins(turn, now), page_class="k")


def _time(name: str, at: Callable[[Turn], float | None]) -> Figure[Turn]:
    def exact(turn: Turn) -> str | None:
        found = at(turn)
        return None if found is None else instant(found)

    return Figure("removed at the earliest", lambda turn: exact(turn) or "-", name=name, exact=exact, page_class="k")


_NODE: Final[Figure[Turn]] = Figure("node", lambda t: short_name(t.node), least=12, name="node", exact=lambda t: t.node)
_OF_POOL: Final[Figure[Turn]] = Figure("NodePool", lambda t: t.pool, least=8)
_BECAUSE: Final[Figure[Turn]] = Figure("because", lambda t: t.drift)
_ENDS: Final = _time("gone_at_the_earliest", lambda t: t.ends)
_GONE_BY: Final[Figure[Turn]] = Figure("removed by", words.gone_by, page_class="k")
_REMARKS: Final[Figure[Turn]] = Figure("remarks", words.kept_by, page_class="w")
CSV_TURN: Final[Figures[Turn]] = (
    _NODE,
    _time("starts", lambda t: t.starts),
    _ENDS,
    _time("gone_by", lambda t: t.latest),
    only_csv("why", lambda t: t.why),
)
CSV_DRIFTED: Final[Figures[DriftedNode]] = (
    only_csv("node_pool", lambda n: n.node_pool),
    only_csv("node_claim", lambda n: n.claim),
    only_csv("reason", lambda n: n.reason),
    only_csv("members", lambda n: "; ".join(n.members)),
)
PAGE_WORDS: Final[Mapping[str, Words]] = {
    "change_sentence": words.change_sentence,
    "changed_existing": lambda _: PAGE_EXISTING,
    "changed_nodes": page_nodes,
    "choice_change": words.choice_change,
}
"""The words and columns of pages that show what changes."""
