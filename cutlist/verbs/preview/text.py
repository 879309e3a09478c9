"""The cost of a program's resources, as text: a headline, a table by component, the sum, the sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.catalog.prices import HOURS_PER_MONTH, Price
from cutlist.core.wording import counted
from cutlist.infrastructure.costs import Bill
from cutlist.report.estimates import Money
from cutlist.report.page import HEADING, QUIET, Column, Group, Page, Row
from cutlist.report.plain import currency_sign, currency_unit
from cutlist.report.price_sources import estimated_share, price_footnote
from cutlist.report.shares import month_parts
from cutlist.verbs.preview.amounts import BillAmounts, BilledCharge
from cutlist.verbs.preview.columns import TEXT

LEFT_OUT: Final = "Not included: what the cluster creates once it runs, such as load balancers and volumes."


def render_preview_headline(stack: str, resources: int, bill: Bill, width: int = 100, colour: bool = False) -> str:
    """Return what a stack costs per month, and how that is split between its resources and the planned nodes."""
    page = Page(width)
    page.opening(*headline_of_preview(stack, resources, bill), HEADING)
    return page.text(colour=colour)


def headline_of_preview(stack: str, resources: int, bill: Bill) -> tuple[str, str]:
    """Return what a stack costs per month, and the rest of the sentence: what it is, and how the cost is split."""
    what = f": stack {stack}, {counted(resources, 'resource')}"
    if not bill.charges and bill.nodes_per_hour is None:
        return "Nothing has a price", what
    at_least = "" if bill.is_complete else "At least "
    total = f"{at_least}{total_of(bill)} a month"
    total += f" ({span})" if (span := span_of(bill)) else ""
    of_resources, of_nodes = parts_of(bill)
    parts = [f"{of_resources} for resources"] if bill.charges else []
    if of_nodes is not None:
        parts.append(f"{of_nodes} for nodes of the plan")
    return f"{total[:1].upper()}{total[1:]}", f"{what}; {', '.join(parts)}"


def total_of(bill: Bill) -> str:
    """Return what everything costs a month: the sum of its parts as they are shown."""
    money = Money(bill.usd_per_hour, bill.price_range, bill.currency, _mark(bill.has_estimates))
    return money.month() if money.of is None else f"about {money.sign}{BillAmounts.of(bill).total}"


def span_of(bill: Bill) -> str:
    """Return the range of this sum; empty where no node is estimated."""
    return Money(bill.usd_per_hour, bill.price_range, bill.currency).month_span()


def parts_of(bill: Bill) -> tuple[str, str | None]:
    """Return what resources and nodes cost a month, with their marks: rounded where nodes have a range, else in parts that add
    up. None for nodes of unknown price."""
    marks = _mark(bill.has_estimated_charges), _mark(bill.nodes_estimated)
    if bill.nodes_range is not None and bill.nodes_per_hour is not None:
        return (
            Money(bill.resources_per_hour, None, bill.currency, marks[0]).month(),
            Money(bill.nodes_per_hour, bill.nodes_range, bill.currency, marks[1]).month(),
        )
    sign = currency_sign(bill.currency)
    resources, nodes = month_parts([bill.resources_per_hour, bill.nodes_per_hour], bill.usd_per_hour)
    return f"{sign}{resources}{marks[0]}", None if nodes is None else f"{sign}{nodes}{marks[1]}"


def _mark(estimated: bool, otherwise: str = "") -> str:
    return "*" if estimated else otherwise


def render_bill(bill: Bill, width: int = 100, colour: bool = False) -> str:
    """Return the bill as text of at most `width` columns, with colour as ANSI codes; empty when nothing is billed."""
    if not bill.charges:
        return ""
    page = Page(width)
    page.line(("What it costs", HEADING))
    page.blank()
    amounts = BillAmounts.of(bill)
    groups = [Group(f"{c.name}  {c.type}", tuple(map(_row, charges))) for c, charges in amounts.by_component()]
    columns = (Column("", least=24), Column("count", "right"), Column(f"{currency_unit(bill.currency)}/month ", "right"))
    page.table(columns, [*groups, Group("Together", tuple(_sums(bill, amounts)))])
    page.blank()
    _footnotes(page, bill)
    return page.text(colour=colour)


def _row(billed: BilledCharge) -> Row:
    what, *numbers = (figure.in_text(billed) for figure in TEXT)
    return Row((f"  {what}", *numbers), words=billed.charge.note)


def _sums(bill: Bill, amounts: BillAmounts) -> Iterator[Row]:
    yield Row(("  resources whose price is known", "", _amount(amounts.resources, bill.has_estimated_charges)))
    if amounts.nodes is not None:
        disks, overlaid = bill.disks_per_hour, bill.overlay_nodes_per_hour
        parts = [f"{Money(disks, None, bill.currency).month()} of it for disks"] if disks else []
        if overlaid is not None:
            parts.append(f"{Money(overlaid, None, bill.currency).month()} as NodeOverlays make Karpenter see it")
        yield Row(("  nodes of the plan", "", _amount(amounts.nodes, bill.nodes_estimated)), words="; ".join(parts))
    total = "  total" if bill.is_complete else "  total, at least"
    yield Row((total, "", _amount(amounts.total, bill.has_estimates)), words=estimated_share(bill.estimated_part))


def _amount(month: str, estimated: bool) -> str:
    return month + _mark(estimated, " ")


def _footnotes(page: Page, bill: Bill) -> None:
    prices = [charge.price for charge in bill.charges if charge.price is not None]
    listed = {kind: sorted({_source(p) for p in prices if p.estimated is kind}) for kind in (True, False)}
    if bill.nodes_estimated:
        listed[True].append("that of nodes, as the plan says")
    price_footnote(page, listed[True], listed[False])
    page.paragraph(f"A month has {HOURS_PER_MONTH} hours. {LEFT_OUT}", style=QUIET)


def _source(price: Price) -> str:
    return f"{price.source} ({price.date})" if price.date else price.source
