"""A bill compared with what was expected, as text and as Markdown."""

from __future__ import annotations

from cutlist.report.columns import add_table, markdown_table
from cutlist.report.page import GOOD, HEADING, QUIET, Page
from cutlist.report.plain import money, signed_money
from cutlist.verbs.verify.bill import BillVerification
from cutlist.verbs.verify.bill_columns import difference_figures, lines_of, pool_figures


def render_bill(answer: BillVerification, width: int = 100, colour: bool = False) -> str:
    """Return how a bill differs from what was expected, the largest differences first. Ends in a newline."""
    page = Page(width)
    page.paragraph(_headline(answer), style=HEADING)
    page.blank()
    add_table(page, [pool_figures(answer.currency)], answer.node_pools)
    page.blank()
    if answer.is_as_expected:
        page.line(("Nothing differs by a cent.", GOOD))
    for line in () if answer.is_as_expected else lines_of(answer):
        page.line((f"{signed_money(line.cost, answer.currency):>14}  ", HEADING), line.title)
        if line.evidence:
            page.paragraph(line.evidence, first=" " * 16, style=QUIET)
    page.blank()
    if answer.aside:
        page.paragraph(f"Not compared: {_aside(answer)}.", style=QUIET)
    return page.text(colour=colour)


def bill_markdown(answer: BillVerification) -> str:
    """Return the same as a comment for a pull request. Ends in a newline."""
    lines = [f"**{_headline(answer)}**", "", *markdown_table(pool_figures(answer.currency), answer.node_pools), ""]
    if answer.is_as_expected:
        lines += ["Nothing differs by a cent.", ""]
    else:
        lines += [*markdown_table(difference_figures(answer.currency), lines_of(answer)), ""]
    lines += [f"Not compared: {_aside(answer)}."] if answer.aside else []
    return "\n".join(lines).rstrip() + "\n"


def _headline(answer: BillVerification) -> str:
    costs = f"{money(answer.billed, answer.currency)} billed, {money(answer.expected, answer.currency)} expected"
    period = answer.first if answer.first == answer.last else f"{answer.first} to {answer.last}"
    return f"{costs}: {signed_money(answer.difference, answer.currency)}, {period} in {answer.region}"


def _aside(answer: BillVerification) -> str:
    return ", ".join(f"{money(part.cost, answer.currency)} for {part.what}" for part in answer.aside)
