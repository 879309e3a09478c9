"""The figures of nodes with their forecast, and the columns that each form of it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.disruption.forecast import NodeForecast
from cutlist.report.columns import Figure, Figures, count, named, only_csv
from cutlist.report.markup import words
from cutlist.report.plain import hour_column, hourly, instant, short_name
from cutlist.verbs.disrupt.words import reason_text, verdict_text

_Figure = Figure[NodeForecast]


def text_layouts(nodes: Sequence[NodeForecast]) -> tuple[Figures[NodeForecast], ...]:
    """Return the layouts from the widest to the narrowest; the outlook stands below each node."""
    price = _price(nodes)
    return (_NODE, _TYPE, _CAPACITY, _ZONE, price, _PODS), (_NODE, _TYPE, price, _PODS), (_NODE, price, _PODS)


def comment_columns(nodes: Sequence[NodeForecast], now: float) -> Figures[NodeForecast]:
    """Return the columns in Markdown."""
    outlook: _Figure = Figure("outlook", lambda n: words(verdict_text(n, now)))
    return (_NODE, _POOL, _TYPE.titled("type"), _CAPACITY, _PODS, _price(nodes), outlook)


def page_columns(nodes: Sequence[NodeForecast], now: float) -> Figures[NodeForecast]:
    """Return the columns of pages."""
    verdict: _Figure = Figure("verdict", lambda n: str(n.verdict), badge=lambda n: str(n.verdict))
    why: _Figure = Figure("why", lambda n: reason_text(n, now), page_class="w")
    return (_NODE, _POOL, _TYPE.titled("type"), _CAPACITY, _ZONE, _PODS, _price(nodes), verdict, why)


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


_NODE: Final[_Figure] = Figure(
    "node", lambda n: short_name(n.name), least=12, name="node", exact=lambda n: n.name, is_name=True, page_class="k"
)
_POOL: Final[_Figure] = named("NodePool", lambda n: n.pool, "node_pool")
_TYPE: Final[_Figure] = named("instance type", lambda n: n.instance_type, "instance_type")
_CAPACITY: Final[_Figure] = named("capacity", lambda n: n.capacity_type, "capacity_type", page_class="k")
_ZONE: Final[_Figure] = named("zone", lambda n: n.zone, "zone", page_class="k")
_PODS: Final[_Figure] = count("pods", lambda n: n.pods, "pods")
CSV: Final[Figures[NodeForecast]] = (
    _POOL,
    _NODE,
    _TYPE,
    _CAPACITY,
    _ZONE,
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
