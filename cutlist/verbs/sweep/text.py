"""A sweep as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from cutlist.core.wording import counted, hourly
from cutlist.infrastructure.teardown.report import Result, SweepReport, SweptLeftover
from cutlist.report.page import BAD, HEADING, QUIET, WARN, Column, Group, Page, Row
from cutlist.report.plain import hour_column

_TITLES: Final = {
    Result.FAILED: "Failed",
    Result.DENIED: "Not permitted",
    Result.REMOVED: "Removed",
    Result.TO_REMOVE: "To be removed",
    Result.KEPT: "Kept",
    Result.REPORTED: "Left to you",
}
_COLUMNS: Final = (
    Column("kind"),
    Column("id", least=12),
    Column("name", least=8),
    Column("age", "right"),
    Column("$/h", "right"),
)


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
            page.table(_COLUMNS, [Group("", tuple(_row(finding, report.now, price) for finding in findings))])
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


def _row(finding: SweptLeftover, now: datetime, price_in_words: Callable[[float], str]) -> Row:
    leftover = finding.leftover
    price = "" if leftover.usd_per_hour is None else price_in_words(leftover.usd_per_hour)
    age = "" if leftover.created is None else _age(now, leftover.created)
    reason = finding.reason or ("; ".join(leftover.matched) if finding.result is not Result.REMOVED else "")
    return Row((leftover.kind, leftover.id, leftover.name, age, price), words=reason)


def _age(now: datetime, created: datetime) -> str:
    minutes = max(0, int((now - created).total_seconds() // 60))
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // (24 * 60)} d"


def conclusion(report: SweepReport) -> Iterator[tuple[str, str]]:
    """Yield what came of a sweep, each sentence with its style on a terminal."""
    if report.stop:
        yield f"{report.stop}: {report.why}", BAD
    left = len(report.of(Result.FAILED, Result.DENIED))
    if left:
        yield f"{counted(left, 'leftover')} could not be removed.", BAD
    elif going := report.of(Result.TO_REMOVE):
        yield f"{counted(len(going), 'leftover')} would be removed{_worth(going)}.", WARN
    elif not report.stop:
        yield "Nothing is left over.", ""


def _worth(findings: Sequence[SweptLeftover]) -> str:
    total = math.fsum(f.leftover.usd_per_hour or 0 for f in findings)
    return f", worth ${hourly(total)} an hour" if total else ""
