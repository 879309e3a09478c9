"""The figures of nodes with their forecast, and the columns that each form of it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.disruption.forecast import NodeForecast, PoolBudget
from cutlist.disruption.reasons import Reason
from cutlist.disruption.timeline import ForcedRemoval
from cutlist.report.columns import Figure, Figures, count, csv_table, only_csv
from cutlist.report.estimates import Money, currency_of
from cutlist.report.markup import code, words
from cutlist.report.node_figures import CAPACITY, NODE, POOL, TYPE, ZONE
from cutlist.report.plain import hour_column, instant, short_name
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.words import allowed_text, latest_text, reason_text, removal_text, verdict_text

_Figure = Figure[NodeForecast]
_Budget = Figure[PoolBudget]
_Removal = Figure[ForcedRemoval]


def text_layouts(nodes: Sequence[NodeForecast]) -> tuple[Figures[NodeForecast], ...]:
    """Return the layouts from the widest to the narrowest; the outlook stands below each node."""
    price = _price(nodes)
    return (NODE, TYPE, CAPACITY, ZONE, price, _PODS), (NODE, TYPE, price, _PODS), (NODE, price, _PODS)


def comment_columns(nodes: Sequence[NodeForecast], now: float) -> Figures[NodeForecast]:
    """Return the columns in Markdown."""
    return (NODE, POOL, TYPE.titled("type"), CAPACITY, _PODS, _price(nodes), _outlook(now))


def fragment_columns(nodes: Sequence[NodeForecast], now: float) -> Figures[NodeForecast]:
    """Return the columns in a notebook."""
    return (NODE, POOL, TYPE.titled("type"), CAPACITY, ZONE, _PODS, _price(nodes), _outlook(now))


def _outlook(now: float) -> _Figure:
    return Figure("outlook", lambda n: verdict_text(n, now), markdown=lambda n: words(verdict_text(n, now)), page_class="w")


def page_columns(nodes: Sequence[NodeForecast], now: float) -> Figures[NodeForecast]:
    """Return the columns of the table on pages, where the verdict is a badge."""
    verdict: _Figure = Figure("verdict", lambda n: str(n.verdict), words_class=lambda n: f"badge {n.verdict}")
    why: _Figure = Figure("why", lambda n: reason_text(n, now), page_class="w")
    return (NODE, POOL, TYPE.titled("type"), CAPACITY, ZONE, _PODS, _price(nodes), verdict, why)


def _price(nodes: Sequence[NodeForecast]) -> _Figure:
    text = hour_column([node.bill for node in nodes])
    figure: _Figure = Figure(
        "$/hour",
        lambda n: Money.of_price(n.price).hour_cell(text) if n.bill else "-",
        "right",
        estimated=lambda n: bool(n.bill) and n.is_estimated,
        page=lambda n: Money.of_price(n.price).hour_cell() if n.bill else "-",
        page_class="n",
        sign="$",
    )
    return figure.in_currency(currency_of(node.price for node in nodes))


_PODS: Final[_Figure] = count("pods", lambda n: n.pods, "pods")
_CSV: Final[Figures[NodeForecast]] = (
    POOL,
    NODE,
    TYPE,
    CAPACITY,
    ZONE,
    only_csv("price_per_hour", lambda n: n.bill),
    only_csv("disruption_cost", lambda n: n.cost),
    _PODS,
    only_csv("verdict", lambda n: str(n.verdict)),
    only_csv("why", lambda n: n.why),
    only_csv("drifted", lambda n: n.drifted),
    only_csv("expires", lambda n: None if n.expires is None else instant(n.expires)),
    only_csv("price_estimated", lambda n: n.is_estimated),
    only_csv("disk_price_per_hour", lambda n: usd(n.disk_price)),
)


def csv(answer: DisruptionForecast) -> str:
    """Return a row for each node."""
    return csv_table(_CSV, answer.forecast.nodes)


# --- how many nodes may be disrupted now


def budget_columns(reasons: Sequence[Reason]) -> Figures[PoolBudget]:
    """Return the columns of a text."""
    return (_OF_POOL, *_BUDGET_NODES, *map(_left, reasons))


def comment_budgets(reasons: Sequence[Reason]) -> Figures[PoolBudget]:
    """Return those in Markdown."""
    unreadable: _Budget = Figure("", lambda b: f"cannot read {', '.join(map(code, b.unreadable))}" if b.unreadable else "")
    return (_OF_POOL.titled("NodePool"), *_BUDGET_NODES, *map(_left, reasons), unreadable)


def _left(reason: Reason) -> _Budget:
    return Figure(reason, lambda b: allowed_text(b.remaining[reason]), "right")


_OF_POOL: Final[_Budget] = Figure("budget left", lambda b: b.pool, least=12, is_name=True)
_BUDGET_NODES: Final[Figures[PoolBudget]] = (count("nodes", lambda b: b.nodes), count("going", lambda b: b.disrupted))


# --- nodes that are removed forcibly


def removal_columns(now: float) -> Figures[ForcedRemoval]:
    """Return the columns of a text."""
    return (_REMOVED, _REMOVED_FROM, _when("at", now), _REMOVED_BY)


def comment_removals(now: float) -> Figures[ForcedRemoval]:
    """Return those in Markdown."""
    return (_REMOVED.titled("node"), _REMOVED_FROM, _when("when", now), _REMOVED_BY.titled("ends by"))


def _when(title: str, now: float) -> _Removal:
    return Figure(title, lambda r: removal_text(r, now), markdown=lambda r: words(removal_text(r, now)))


_REMOVED: Final[_Removal] = Figure("forced removal", lambda r: short_name(r.node), least=12, is_name=True)
_REMOVED_FROM: Final[_Removal] = Figure("NodePool", lambda r: r.pool, is_name=True)
_REMOVED_BY: Final[_Removal] = Figure(
    "removed by", lambda r: "-" if r.blocked else latest_text(r), markdown=lambda r: words(r.blocked or latest_text(r))
)
