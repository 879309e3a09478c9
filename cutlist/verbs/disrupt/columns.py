"""The figures of nodes with their forecast, and the columns that each form of it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.disruption.forecast import NodeForecast
from cutlist.report.columns import Figure, Figures, count, only_csv
from cutlist.report.markup import words
from cutlist.report.node_figures import CAPACITY, NODE, POOL, TYPE, ZONE
from cutlist.report.plain import hour_column, hourly, instant
from cutlist.verbs.disrupt.words import reason_text, verdict_text

_Figure = Figure[NodeForecast]


def text_layouts(nodes: Sequence[NodeForecast]) -> tuple[Figures[NodeForecast], ...]:
    """Return the layouts from the widest to the narrowest; the outlook stands below each node."""
    price = _price(nodes)
    return (NODE, TYPE, CAPACITY, ZONE, price, _PODS), (NODE, TYPE, price, _PODS), (NODE, price, _PODS)


def comment_columns(nodes: Sequence[NodeForecast], now: float) -> Figures[NodeForecast]:
    """Return the columns in Markdown."""
    outlook: _Figure = Figure("outlook", lambda n: words(verdict_text(n, now)))
    return (NODE, POOL, TYPE.titled("type"), CAPACITY, _PODS, _price(nodes), outlook)


def page_columns(nodes: Sequence[NodeForecast], now: float) -> Figures[NodeForecast]:
    """Return the columns of pages."""
    verdict: _Figure = Figure("verdict", lambda n: str(n.verdict), words_class=lambda n: f"badge {n.verdict}")
    why: _Figure = Figure("why", lambda n: reason_text(n, now), page_class="w")
    return (NODE, POOL, TYPE.titled("type"), CAPACITY, ZONE, _PODS, _price(nodes), verdict, why)


def _price(nodes: Sequence[NodeForecast]) -> _Figure:
    text = hour_column([node.bill for node in nodes])
    return Figure(
        "$/hour",
        lambda n: text(n.bill) if n.bill else "-",
        "right",
        estimated=lambda n: bool(n.bill) and n.is_estimated,
        page=lambda n: f"${hourly(n.bill)}" if n.bill else "-",
        page_class="n",
    )


_PODS: Final[_Figure] = count("pods", lambda n: n.pods, "pods")
CSV: Final[Figures[NodeForecast]] = (
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
