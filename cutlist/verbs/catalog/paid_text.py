"""The prices that follow from a bill, as text."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.report.columns import Figure, Figures, add_table
from cutlist.report.page import HEADING, QUIET, WARN, Page
from cutlist.report.plain import money
from cutlist.settings.catalog import TERM
from cutlist.verbs.catalog.paid import BillPart, PaidDiscount, PaidReport

_SHOWN: Final = 12  # families


def render_paid(answer: PaidReport, width: int = 100, colour: bool = False) -> str:
    """Return what the rows of a bill were, and the discounts that follow. Ends in a newline."""
    page = Page(width)
    add_table(page, [_parts(answer.currency)], [*answer.parts, answer.total])
    page.blank()
    if answer.discounts:
        page.line(("Less than the public price on demand", HEADING))
        add_table(page, [_DISCOUNTS], answer.discounts[:_SHOWN])
        hidden = len(answer.discounts) - _SHOWN
        if hidden > 0:
            page.line((f"and {counted(hidden, 'more family', 'more families')}", QUIET))
        page.blank()
    if answer.without_list_price:
        text = f"{counted(answer.without_list_price, 'price')} without a public price, so not in any discount."
        page.paragraph(text, style=WARN)
    if answer.without_term:
        hours = f"{answer.without_term:,.0f} hours under commitments have no rate"
        text = f"{hours}, because the bill does not say their term; give {TERM.flag}."
        page.paragraph(text, style=WARN)
    what = f"{counted(answer.prices, 'price')} of {counted(answer.types, 'instance type')}"
    page.paragraph(f"{what}, paid in {answer.period} ({answer.first} to {answer.last}), in {answer.currency}.", style=HEADING)
    return page.text(colour=colour)


def _parts(currency: str) -> Figures[BillPart]:
    return (
        Figure("rows", lambda part: f"{part.rows:,}", "right"),
        Figure("hours", lambda part: f"{part.hours:,.0f}" if part.hours else "-", "right"),
        Figure("cost", lambda part: money(part.cost, currency), "right"),
        Figure("what", lambda part: part.what),
    )


def _discount(value: float | None) -> str:
    return "-" if value is None else f"{value * 100:.1f}%"


_DISCOUNTS: Final[Figures[PaidDiscount]] = (
    Figure("family", lambda row: row.family, is_name=True),
    Figure("contracted", lambda row: _discount(row.contracted), "right"),
    Figure("committed", lambda row: _discount(row.committed), "right"),
)
