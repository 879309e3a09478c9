"""A sweep as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.core.money import money_sum
from cutlist.core.wording import counted, hourly
from cutlist.infrastructure.teardown.report import Result, SweepReport, SweptLeftover
from cutlist.report.columns import add_table
from cutlist.report.page import BAD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import hour_column
from cutlist.verbs.sweep.columns import text_columns

_TITLES: Final = {
    Result.FAILED: "Failed",
    Result.DENIED: "Not permitted",
    Result.REMOVED: "Removed",
    Result.TO_REMOVE: "To be removed",
    Result.KEPT: "Kept",
    Result.REPORTED: "Left to you",
}


def render_sweep(report: SweepReport, width: int = 100, colour: bool = False) -> str:
    """Return a sweep as text of at most `width` columns, grouped by result; with colour as ANSI codes."""
    page = Page(width)
    facts = report.facts
    page.line((f"Cluster {facts.cluster}", HEADING), f" in {facts.region}, account {facts.account}{_state(report)}")
    for result, title in _TITLES.items():
        if findings := report.of(result):
            page.blank()
            page.line((title, HEADING), f": {len(findings):,}")
            price = hour_column(finding.leftover.usd_per_hour for finding in findings)
            add_table(page, [text_columns(report.now, price)], findings, _reason)
    if report.unseen:
        page.blank()
        page.line(("Not looked at", HEADING))
        for reason in report.unseen:
            page.paragraph(reason, first="  ", indent=2, style=QUIET)
    page.blank()
    for text, style in conclusion(report):
        page.paragraph(text, style=style)
    return page.text(colour=colour)


def _state(report: SweepReport) -> str:
    return f": {report.state}" if report.state else ""


def _reason(finding: SweptLeftover) -> str:
    return finding.reason or ("; ".join(finding.leftover.matched) if finding.result is not Result.REMOVED else "")


def conclusion(report: SweepReport) -> Iterator[tuple[str, str]]:
    """Yield what came of a sweep, each sentence with its style on a terminal."""
    if report.stopped:
        yield f"{report.stopped.by}: {report.stopped.why}", BAD
    left = len(report.of(Result.FAILED, Result.DENIED))
    if left:
        yield f"{counted(left, 'leftover')} could not be removed.", BAD
    elif going := report.of(Result.TO_REMOVE):
        yield f"{counted(len(going), 'leftover')} would be removed{_worth(going)}.", WARN
    elif not report.stopped:
        yield "Nothing is left over.", ""


def _worth(findings: Sequence[SweptLeftover]) -> str:
    total = money_sum(f.leftover.usd_per_hour or 0 for f in findings)
    return f", worth ${hourly(total)} an hour" if total else ""
