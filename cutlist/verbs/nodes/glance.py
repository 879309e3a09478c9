"""A cluster at a glance, as text: what it costs, how full it is, what Karpenter does next, and the nodes by price."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from cutlist.catalog.prices import is_estimate
from cutlist.core.wording import counted
from cutlist.disruption.forecast import DisruptionVerdict, NodeForecast
from cutlist.disruption.methods import METHODS
from cutlist.planning.model.extended import Use
from cutlist.report.columns import Figure, in_currency, laid_out
from cutlist.report.estimates import Money
from cutlist.report.fills import add_fills
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Group, Page, Row
from cutlist.report.plain import bar, escape, instant, percent, short_name
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.words import commands_text, savings_of, verdict_text
from cutlist.verbs.nodes.roster import READY, NodeRow, Roster
from cutlist.verbs.nodes.selection import ALL_NODES, Selection
from cutlist.verbs.nodes.words import cost_of

_LABEL: Final = 9
_NARROW: Final = 5
_AROUND: Final = 2  # lines around the rows: the titles of the columns, and the number of further nodes


@dataclass(frozen=True, slots=True)
class _NodeState:
    """A node, what Karpenter would do with it in a word, and why."""

    node: NodeRow
    verdict: str
    why: str


def render_glance(
    roster: Roster,
    coming: DisruptionForecast,
    width: int = 100,
    colour: bool = False,
    rows: int = 0,
    selection: Selection = ALL_NODES,
) -> str:
    """Return the cluster as text of at most `width` columns and, unless that is 0, of about `rows` lines.

    The most expensive nodes come first unless the selection says otherwise; those that do not fit are counted. Ends in a
    newline.
    """
    page = Page(width)
    page.opening(_money(roster), f": {counted(len(roster.nodes), 'node')} in {roster.region}, {instant(roster.now)}", HEADING)
    page.blank()
    _summary(page, roster, coming)
    if chosen := selection.sentence(len(selection.of(roster.nodes)), len(roster.nodes)):
        page.paragraph(chosen, first="shown", indent=_LABEL)
    page.blank()
    nodes_in_order = selection.of(sorted(roster.nodes, key=lambda node: -_usd(node)))
    states = _states(nodes_in_order, coming)
    labels = [_of_node(column) for column in selection.columns]
    shown = _fitting(states, rows - len(page.lines) - _AROUND) if rows else states
    columns, cells = laid_out([in_currency((*layout, *labels), roster.currency) for layout in _LAYOUTS], shown, width)
    nodes = (Row(row, below=escape(state.why)) for state, row in zip(shown, cells, strict=True))
    page.table(columns, [Group("", tuple(nodes))])
    if hidden := len(states) - len(shown):
        page.line((f"and {counted(hidden, 'more node')}", QUIET))
    return page.text(colour=colour)


def running_sentence(roster: Roster) -> str:
    """Return how many nodes run, what they cost a month, and how many pods are on them, in one sentence."""
    count, money = len(roster.nodes), _money(roster)
    when = f" as of {instant(roster.now)}" if roster.now else ""
    cost = f"{money[:1].lower()}{money[1:]}"
    run = f"{counted(count, 'node')} run{'s' if count == 1 else ''} already{when}"
    return f"{run}, at {cost}, with {counted(roster.bound, 'pod')}"


def _money(roster: Roster) -> str:
    if roster.price_per_month is None:
        return "Unknown price"
    at_least = "At least " if roster.unpriced else ""
    cost = cost_of(roster)
    text = f"{at_least}{cost.month()} a month" + (f" ({cost.month_span()})" if cost.of is not None else "")
    return f"{text[:1].upper()}{text[1:]}"


def _summary(page: Page, roster: Roster, coming: DisruptionForecast) -> None:
    add_fills(page, lambda name: Use(*(roster.total(of, name) for of in ("requested", "allocatable"))), roster.extended)
    waiting = (f"{roster.pending:,} pending", BAD if roster.pending else GOOD)
    page.line("pods".ljust(_LABEL), (f"{roster.pods:,}", HEADING), ": ", waiting, f", {roster.running:,} running")
    page.paragraph(_next(coming), first="next", indent=_LABEL, style=WARN if coming.forecast.commands else "")


def _next(coming: DisruptionForecast) -> str:
    """Return the next command of Karpenter, with what it saves."""
    forecast = coming.forecast
    if not forecast.commands or forecast.method is None:
        return "Karpenter leaves all nodes as they are"
    saved = savings_of(forecast, forecast.currency)
    return f"{METHODS[forecast.method]} {commands_text(forecast.commands)} and saves {saved.month()} a month"


def _fitting(states: list[_NodeState], lines: int) -> list[_NodeState]:
    """Return the first nodes whose rows fit this number of lines, at least one of them."""
    ends = accumulate(2 if state.why else 1 for state in states)
    return states[: max(sum(end <= lines for end in ends), 1)]


def _states(nodes: Iterable[NodeRow], coming: DisruptionForecast) -> list[_NodeState]:
    forecasts = {node.name: node for node in coming.forecast.nodes}
    return [_NodeState(node, *_state(node, forecasts.get(node.name), coming.forecast.now)) for node in nodes]


def _state(node: NodeRow, forecast: NodeForecast | None, now: float) -> tuple[str, str]:
    """Return what happens to a node in a word, and why."""
    if forecast is None or forecast.verdict is DisruptionVerdict.UNMANAGED:
        return (", ".join(node.states), "") if node.states != (READY,) else ("not Karpenter's", "")
    why = verdict_text(forecast, now)
    return str(forecast.verdict), "" if forecast.verdict is DisruptionVerdict.NEXT else why.removeprefix(
        f"{forecast.verdict}: "
    )


def _of_node(column: Figure[NodeRow]) -> Figure[_NodeState]:
    return Figure(column.title, lambda state: column.show(state.node), least=column.least)


def _usd(node: NodeRow) -> float:
    return 0.0 if node.price is None else node.price.usd_per_hour


def _month(state: _NodeState) -> str:
    price = state.node.price
    return "-" if price is None else Money.of_price(price).month_cell()


def _fill(resource: str) -> Callable[[_NodeState], str]:
    def show(state: _NodeState) -> str:
        part = state.node.fill(resource)
        return f"{bar(part, _NARROW)} {percent(part):>4}"

    return show


_NODE: Final[Figure[_NodeState]] = Figure("node", lambda s: short_name(s.node.name), least=12)
_POOL: Final[Figure[_NodeState]] = Figure("NodePool", lambda s: s.node.pool or "-", least=8)
_TYPE: Final[Figure[_NodeState]] = Figure("instance type", lambda s: s.node.instance_type or "-", style="bold")
_CAPACITY: Final[Figure[_NodeState]] = Figure("capacity", lambda s: s.node.capacity_type or "-")
_CPU: Final[Figure[_NodeState]] = Figure("cpu", _fill("cpu"))
_MEMORY: Final[Figure[_NodeState]] = Figure("memory", _fill("memory"))
_PODS: Final[Figure[_NodeState]] = Figure("pods", lambda s: f"{s.node.pods:,}", "right")
_MONTH: Final[Figure[_NodeState]] = Figure("$/month", _month, "right", estimated=lambda s: is_estimate(s.node.price))
_NEXT: Final[Figure[_NodeState]] = Figure("next", lambda s: s.verdict)
_LAYOUTS: Final = (
    (_NODE, _POOL, _TYPE, _CAPACITY, _CPU, _MEMORY, _PODS, _MONTH, _NEXT),
    (_NODE, _TYPE, _CAPACITY, _CPU, _MEMORY, _PODS, _MONTH, _NEXT),
    (_NODE, _TYPE, _CPU, _MEMORY, _MONTH, _NEXT),
    (_NODE, _CPU, _MONTH, _NEXT),
)
