"""The subnets that a plan's nodes and pods use, in text, Markdown and on pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.planning.model.addresses import SubnetUse
from cutlist.report.columns import Figure, Figures, add_table, count, markdown_table, named, number
from cutlist.report.markup import folded
from cutlist.report.page import HEADING, Page
from cutlist.report.plain import escape, percent

TITLE: Final = "Subnets"
_Figure = Figure[SubnetUse]


def _full(use: SubnetUse) -> str:
    if use.missing:
        return "now"
    if use.full_in_months is None:
        return "-"
    return f"on {use.full_on}" if use.full_on else f"in {use.full_in_months:,.1f} months"


_SUBNET: Final[_Figure] = named("subnet", lambda s: s.name, style="bold")
_ZONE: Final[_Figure] = named("zone", lambda s: s.zone)
_BLOCK: Final[_Figure] = named("block", lambda s: s.cidr)
_FOR: Final[_Figure] = Figure("for", lambda s: "pods" if s.is_for_pods else "nodes")
_NODES: Final[_Figure] = count("new nodes", lambda s: s.nodes)
_USED: Final[_Figure] = count("in use", lambda s: s.used)
_NEEDED: Final[_Figure] = count("for the plan", lambda s: s.needed + s.missing)
_OF: Final[_Figure] = count("addresses", lambda s: s.addresses)
_SHARE: Final[_Figure] = number("share", lambda s: percent(s.share))
_VERDICT: Final[_Figure] = Figure("verdict", lambda s: s.verdict)
_FULL: Final[_Figure] = Figure("full", _full)

TEXT: Final[tuple[Figures[SubnetUse], ...]] = (
    (_SUBNET, _ZONE, _BLOCK, _FOR, _NODES, _USED, _NEEDED, _OF, _SHARE, _VERDICT, _FULL),
    (_SUBNET, _ZONE, _USED, _NEEDED, _OF, _SHARE, _VERDICT, _FULL),
    (_SUBNET, _SHARE, _VERDICT, _FULL),
)
TABLE: Final[Figures[SubnetUse]] = TEXT[0]
"""The columns of Markdown and pages."""


def subnet_line(plan: Plan) -> str:
    """Return in a line whether the plan fits its subnets; empty where none is known."""
    if not plan.subnets:
        return ""
    full = [use.name for use in plan.subnets if use.missing]
    if full:
        return f"the plan does not fit {counted(len(full), 'subnet')}: {', '.join(map(escape, full))}"
    most = max(plan.subnets, key=lambda use: use.share or 0.0)
    growing = [use for use in plan.subnets if use.full_in_months is not None]
    first = min(growing, key=lambda use: use.full_in_months or 0.0, default=None)
    soonest = "" if first is None else f"; {escape(first.name)} is full {_full(first)}"
    return f"the plan fits; {escape(most.name)} is then {percent(most.share)} taken{soonest}"


def subnet_section(page: Page, uses: Sequence[SubnetUse]) -> None:
    """Add the subnets to a text."""
    if uses:
        page.blank()
        page.line((TITLE, HEADING))
        add_table(page, TEXT, uses)


def subnet_table(uses: Sequence[SubnetUse]) -> list[str]:
    """Return the subnets as a folded table in Markdown."""
    return folded(f"{TITLE} ({len(uses):,})", markdown_table(TABLE, uses)) if uses else []
