"""The figures of nodes, and the columns that each form of them has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cutlist.catalog.prices import is_estimate, usd
from cutlist.core.quantity import amount_text
from cutlist.planning.model.extended import use_in_words
from cutlist.report.columns import Figure, Figures, count, csv_table, fill, filled_bar, in_currency, only_csv
from cutlist.report.estimates import Money
from cutlist.report.markup import code, words
from cutlist.report.node_figures import CAPACITY, NODE, POOL, ZONE, exact_amounts
from cutlist.report.plain import age_text, currency_sign, hour_column
from cutlist.verbs.nodes.roster import READY, NodeRow, Roster
from cutlist.verbs.nodes.words import cost_of

_Figure = Figure[NodeRow]
OfPool = tuple[str, Roster]
"""The name of a NodePool, empty for none, and its nodes."""


def text_layouts(roster: Roster) -> tuple[Figures[NodeRow], ...]:
    """Return the layouts from the widest to the narrowest; with prices if a region is known."""
    hour = in_currency((_hour(roster).titled("$/hour"),), roster.currency) if roster.region else ()
    prices = (*hour, _MONTH.in_currency(roster.currency)) if roster.region else ()
    amounts = (_bar("cpu"), _amounts("cpu"), _bar("memory"), _amounts("memory"))
    bars, short = (_bar("cpu"), _bar("memory")), (_bar("cpu", 5), _bar("memory", 5))
    return (
        (NODE, _TYPE, CAPACITY, ZONE, *amounts, _PODS, *prices, _AGE, _STATE),
        (NODE, _TYPE, CAPACITY, ZONE, *bars, _PODS, *prices, _AGE, _STATE),
        (NODE, _TYPE, CAPACITY, ZONE, *short, _PODS, *hour, _AGE, _STATE),
        (NODE, _TYPE, CAPACITY, *short, _PODS, *hour, _AGE, _STATE),
        (NODE, _TYPE, *short, _PODS, *hour, _STATE),
    )


def comment_columns(roster: Roster) -> Figures[NodeRow]:
    """Return the columns in Markdown; with prices if a region is known."""
    return tuple(figure for figure in page_columns(roster) if roster.region or figure.title != _PRICE)


def page_columns(roster: Roster) -> Figures[NodeRow]:
    """Return the columns of pages, on which columns without any value are left out."""
    type_ = _TYPE.titled("type")
    return (NODE, POOL, type_, CAPACITY, ZONE, _CPU, _MEMORY, _PODS, _hour(roster), _AGE, _STATE)


def pool_columns(pools: Sequence[OfPool]) -> Figures[OfPool]:
    """Return the columns in Markdown for each NodePool with its nodes; with prices if a region is known."""
    text = hour_column([nodes.price_per_hour for _, nodes in pools])

    def price(row: OfPool) -> str:
        hour = row[1].price_per_hour
        return "unknown" if hour is None else cost_of(row[1]).hour_cell(text)

    def marked(row: OfPool) -> bool:
        return row[1].price_per_hour is not None and row[1].has_estimates

    has_prices = any(nodes.region for _, nodes in pools)
    return (*_OF_POOL, *((Figure(_PRICE, price, "right", estimated=marked),) if has_prices else ()))


def _hour(roster: Roster) -> _Figure:
    text = hour_column([usd(node.price) for node in roster.nodes])
    return Figure(
        _PRICE,
        lambda n: "-" if n.price is None else Money.of_price(n.price).hour_cell(text),
        "right",
        estimated=_is_estimated,
        page=lambda n: "-" if n.price is None else Money.of_price(n.price).hour_cell(),
        page_class="n",
        sign=currency_sign(roster.currency),
    )


def _is_estimated(node: NodeRow) -> bool:
    return is_estimate(node.price)


def _fill(resource: str) -> Callable[[NodeRow], float | None]:
    return lambda node: node.fill(resource)


def _bar(resource: str, width: int = 10) -> _Figure:
    return filled_bar(resource, _fill(resource), width)


def _amounts(resource: str) -> _Figure:
    def show(node: NodeRow) -> str:
        return " of ".join(amount_text(resource, of.get(resource, 0)) for of in (node.requested, node.allocatable))

    return Figure("requested", show, "right")


def _type_in_markdown(node: NodeRow) -> str:
    use = use_in_words(node.extended)
    return (code(node.instance_type) if node.instance_type else "-") + (f"<br>{words(use)}" if use else "")


_PRICE: Final = "price/hour"
_TYPE: Final[_Figure] = Figure(
    "instance type",
    lambda n: n.instance_type or "-",
    least=8,
    style="bold",
    name="instance_type",
    exact=lambda n: n.instance_type,
    markdown=_type_in_markdown,
    small=lambda n: [use_in_words(n.extended)] if n.extended else [],
)
_CPU: Final[_Figure] = fill("cpu", _fill("cpu"), "CPU")
_MEMORY: Final[_Figure] = fill("memory", _fill("memory"), "Memory")
_PODS: Final[_Figure] = count("pods", lambda n: n.pods, "pods")
_MONTH: Final[_Figure] = Figure(
    "$/month",
    lambda n: "-" if n.price is None else Money.of_price(n.price).month_cell(),
    "right",
    estimated=_is_estimated,
)
_AGE: Final[_Figure] = Figure(
    "age", lambda n: age_text(n.age), "right", name="age_seconds", exact=lambda n: n.age, page_class="n"
)
_STATE: Final[_Figure] = Figure(
    "state",
    lambda n: ", ".join(n.states),
    least=5,
    name="states",
    exact=lambda n: " ".join(n.states),
    markdown=lambda n: words(", ".join(n.states)),
)
_OF_POOL: Final[Figures[OfPool]] = (
    Figure("NodePool", lambda row: row[0], markdown=lambda row: code(row[0]) if row[0] else "other nodes"),
    count("nodes", lambda row: len(row[1].nodes)),
    count("not ready", lambda row: sum(node.states != (READY,) for node in row[1].nodes)),
    fill("cpu", lambda row: row[1].fill("cpu"), "CPU"),
    fill("memory", lambda row: row[1].fill("memory"), "Memory"),
    count("pods", lambda row: sum(node.pods for node in row[1].nodes)),
)
_AMOUNTS: Final[Figures[NodeRow]] = exact_amounts(lambda n: n.requested, lambda n: n.allocatable)
_CSV: Final[Figures[NodeRow]] = (
    POOL,
    NODE,
    _TYPE,
    CAPACITY,
    ZONE,
    *_AMOUNTS,
    _PODS,
    only_csv("price_per_hour", lambda n: usd(n.price)),
    _AGE,
    _STATE,
    only_csv("price_estimated", lambda n: None if n.price is None else n.price.estimated),
    only_csv("other_resources", lambda n: use_in_words(n.extended) or None),
    only_csv("disk_price_per_hour", lambda n: usd(n.disks)),
)


def csv(roster: Roster) -> str:
    """Return a row for each node."""
    return csv_table(_CSV, roster.nodes)
