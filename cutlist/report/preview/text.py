"""The cost of a program's resources, as text: a table by component, the sum with the planned nodes, the sources of prices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.catalog import HOURS_PER_MONTH, Price
from cutlist.infrastructure.costs import Bill, Charge, State
from cutlist.report.page import HEADING, QUIET, Column, Group, Page, Row
from cutlist.report.plain import per_hour, per_month, percent
from cutlist.report.price_sources import price_footnote

_COLUMNS: Final = (
    Column("", least=24),
    Column("count", "right"),
    Column("USD/hour ", "right"),
    Column("USD/month ", "right"),
)
_LEFT_OUT: Final = "What a running cluster makes by itself, such as load balancers and volumes, is not here."
_SHORT: Final = {State.BY_USE: "by use ", State.NOT_KNOWN: "not known "}


def render_bill(bill: Bill, width: int = 100, colour: bool = False) -> str:
    """Return the bill as text of at most `width` columns, with colour as ANSI codes; empty when nothing is billed."""
    if not bill.charges:
        return ""
    page = Page(width)
    page.line(("What it costs", HEADING))
    page.blank()
    groups = [Group(f"{c.name}  {c.type}", tuple(map(_row, c.charges))) for c in bill.components if c.charges]
    page.table(_COLUMNS, [*groups, Group("Together", tuple(_sums(bill)))])
    page.blank()
    _footnotes(page, bill)
    return page.text(colour=colour)


def _row(charge: Charge) -> Row:
    if charge.price is None or charge.usd_per_hour is None:
        amounts = (_SHORT[charge.state], "")
    else:
        amounts = _amounts(charge.usd_per_hour, charge.price.estimated)
    return Row((f"  {charge.what}", f"{charge.count:,}", *amounts), words=charge.note)


def _sums(bill: Bill) -> Iterator[Row]:
    estimated = any(charge.price is not None and charge.price.estimated for charge in bill.charges)
    yield Row(("  resources whose price is known", "", *_amounts(bill.resources_per_hour, estimated)))
    if bill.nodes_per_hour is not None:
        parts = [f"${per_hour(bill.disks_per_hour)} of it for disks"] if bill.disks_per_hour else []
        if bill.overlay_nodes_per_hour is not None:
            parts.append(f"${per_hour(bill.overlay_nodes_per_hour)} as NodeOverlays have Karpenter see it")
        yield Row(("  nodes of the plan", "", *_amounts(bill.nodes_per_hour, bill.nodes_estimated)), words="; ".join(parts))
    estimated = estimated or bill.nodes_estimated
    share = f"{percent(bill.estimated_part)} of it estimated" if bill.estimated_part else ""
    total = "  total" if bill.is_complete else "  total, at least"
    yield Row((total, "", *_amounts(bill.usd_per_hour, estimated)), words=share)


def _amounts(hourly: float, estimated: bool) -> tuple[str, str]:
    mark = "*" if estimated else " "
    return per_hour(hourly) + mark, per_month(hourly * HOURS_PER_MONTH) + mark


def _footnotes(page: Page, bill: Bill) -> None:
    prices = [charge.price for charge in bill.charges if charge.price is not None]
    listed = {kind: sorted({_source(p) for p in prices if p.estimated is kind}) for kind in (True, False)}
    if bill.nodes_estimated:
        listed[True].append("that of nodes, as the plan says")
    price_footnote(page, listed[True], listed[False])
    page.paragraph(f"A month has {HOURS_PER_MONTH} hours. {_LEFT_OUT}", style=QUIET)


def _source(price: Price) -> str:
    return f"{price.source} ({price.date})" if price.date else price.source
