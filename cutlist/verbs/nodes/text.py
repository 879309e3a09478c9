"""The nodes of a cluster as text for a terminal: the sums that users of eks-node-viewer know, then a row for each node."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Final

from cutlist.core.quantity import amount_text
from cutlist.core.wording import counted
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.planning.model.extended import Use, use_in_words
from cutlist.report.columns import Figure, laid_out
from cutlist.report.fills import add_fills
from cutlist.report.page import BAD, GOOD, HEADING, WARN, Group, Page, Row
from cutlist.report.plain import (
    age_text,
    bar,
    currency_sign,
    escape,
    hour_column,
    hourly,
    instant,
    monthly,
    per_month,
    percent,
    short_name,
)
from cutlist.report.price_sources import price_footnote
from cutlist.verbs.disrupt.words import disks_text
from cutlist.verbs.nodes.roster import NodeRow, Roster
from cutlist.verbs.nodes.words import node_price_sources, roster_overlay_text

_LABEL: Final = 9
_NAMED: Final = 10


def render_nodes(roster: Roster, width: int = 100, colour: bool = False) -> str:
    """Return the nodes as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    where = f" in {roster.region}" if roster.region else ""
    page.line((f"Cluster{where}", HEADING), f", as of {instant(roster.now)}" if roster.now else "")
    page.blank()
    _summary(page, roster)
    if roster.nodes:
        page.blank()
        _table(page, roster)
    page.blank()
    price_footnote(page, *node_price_sources(roster.nodes))
    return page.text(colour=colour).rstrip("\n") + "\n"


def _summary(page: Page, roster: Roster) -> None:
    page.paragraph(f"{len(roster.nodes):,}{_price(roster)}", first="nodes", indent=_LABEL)
    add_fills(page, lambda name: Use(*(roster.total(of, name) for of in ("requested", "allocatable"))), roster.extended)
    waiting = (f"{roster.pending:,} pending", BAD if roster.pending else GOOD)
    rest = f", {roster.running:,} running, {roster.bound:,} bound"
    page.line("pods".ljust(_LABEL), (f"{roster.pods:,}", HEADING), ": ", waiting, rest)
    if roster.launching:
        names = ", ".join(escape(name) for name in roster.launching[:_NAMED])
        more = f" and {len(roster.launching) - _NAMED:,} more" if len(roster.launching) > _NAMED else ""
        page.paragraph(f"{names}{more}", first="launching", indent=_LABEL + 2, style=WARN)
    for unready in roster.unready_classes:
        text = f"EC2NodeClass {escape(unready.name)} is not ready. {unready.reason.message}"
        page.paragraph(text, first="class", indent=_LABEL, style=BAD)


def _price(roster: Roster) -> str:
    if not roster.region:
        return ""
    hour, month = roster.price_per_hour, roster.price_per_month
    if hour is None or month is None:
        return ", of unknown price"
    mark = "*" if roster.has_estimates else ""
    unknown = f", and {counted(roster.unpriced, 'node')} of unknown price" if roster.unpriced else ""
    sign = currency_sign(roster.currency)
    disks = disks_text(roster.disk_price_per_hour, roster.without_disks, sign)
    ranked = roster_overlay_text(roster, sign)
    share = f"; {percent(roster.estimated_part)} of it estimated" if roster.estimated_part else ""
    return f", {sign}{hourly(hour)}{mark} per hour, {sign}{monthly(month)}{mark} per month{unknown}{share}{disks}{ranked}"


def _table(page: Page, roster: Roster) -> None:
    columns, cells = laid_out(_layouts(roster), roster.nodes, page.width)
    groups = [
        Group(
            f"NodePool {pool}" if pool else "Other nodes",
            tuple(Row(shown, escape(use_in_words(node.extended))) for node, shown in members),
        )
        for pool, members in groupby(zip(roster.nodes, cells, strict=True), key=lambda row: row[0].pool)
    ]
    page.table(columns, groups)


def _filled(resource: str, width: int) -> Callable[[NodeRow], str]:
    def show(node: NodeRow) -> str:
        part = node.fill(resource)
        return f"{bar(part, width)} {percent(part):>4}"

    return show


def _amounts(resource: str) -> Callable[[NodeRow], str]:
    def show(node: NodeRow) -> str:
        used, total = (amount_text(resource, of.get(resource, 0)) for of in (node.requested, node.allocatable))
        return f"{used} of {total}"

    return show


def _priced(hours: float, text: Callable[[float], str]) -> Callable[[NodeRow], str]:
    def show(node: NodeRow) -> str:
        if node.price is None:
            return "- "
        return text(node.price.usd_per_hour * hours) + ("*" if node.price.estimated else " ")

    return show


def _state(node: NodeRow) -> str:
    return ", ".join(node.states)


_Column = Figure[NodeRow]
_NODE: Final[_Column] = Figure("node", lambda n: short_name(n.name), least=12)
_TYPE: Final[_Column] = Figure("instance type", lambda n: n.instance_type or "-", least=8, style="bold")
_CAPACITY: Final[_Column] = Figure("capacity", lambda n: n.capacity_type or "-")
_ZONE: Final[_Column] = Figure("zone", lambda n: n.zone or "-")
_CPU: Final[_Column] = Figure("cpu", _filled("cpu", 10))
_CPU_SHORT: Final[_Column] = Figure("cpu", _filled("cpu", 5))
_CPU_AMOUNTS: Final[_Column] = Figure("requested", _amounts("cpu"), "right")
_MEMORY: Final[_Column] = Figure("memory", _filled("memory", 10))
_MEMORY_SHORT: Final[_Column] = Figure("memory", _filled("memory", 5))
_MEMORY_AMOUNTS: Final[_Column] = Figure("requested", _amounts("memory"), "right")
_PODS: Final[_Column] = Figure("pods", lambda n: f"{n.pods:,}", "right")
_MONTH: Final[_Column] = Figure("$/month ", _priced(HOURS_PER_MONTH, per_month), "right")
_AGE: Final[_Column] = Figure("age", lambda n: age_text(n.age), "right")
_STATE: Final[_Column] = Figure("state", _state, least=5)


def _layouts(roster: Roster) -> tuple[tuple[_Column, ...], ...]:
    """Return the layouts from the widest to the narrowest; with prices if a region is known."""
    text = hour_column([None if node.price is None else node.price.usd_per_hour for node in roster.nodes])
    hour = (Figure("$/hour ", _priced(1, text), "right"),) if roster.region else ()
    prices = (*hour, _MONTH) if roster.region else ()
    return (
        (
            *(_NODE, _TYPE, _CAPACITY, _ZONE, _CPU, _CPU_AMOUNTS, _MEMORY, _MEMORY_AMOUNTS),
            *(_PODS, *prices, _AGE, _STATE),
        ),
        (_NODE, _TYPE, _CAPACITY, _ZONE, _CPU, _MEMORY, _PODS, *prices, _AGE, _STATE),
        (_NODE, _TYPE, _CAPACITY, _ZONE, _CPU_SHORT, _MEMORY_SHORT, _PODS, *hour, _AGE, _STATE),
        (_NODE, _TYPE, _CAPACITY, _CPU_SHORT, _MEMORY_SHORT, _PODS, *hour, _AGE, _STATE),
        (_NODE, _TYPE, _CPU_SHORT, _MEMORY_SHORT, _PODS, *hour, _STATE),
    )
