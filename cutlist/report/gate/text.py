"""What gates say, for a terminal: what stops the change first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.policy.gates import Outcome, Report, Verdict
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import counted, escape

_STYLES: Final = {"stopping": BAD, "advisory": WARN}


def render_gate(report: Report, width: int = 100, colour: bool = False) -> str:
    """Every outcome with its place, what is allowed and one repair; then what was looked at. Ends in a newline."""
    page = Page(width)
    for sort, heading, listed in sections(report):
        page.line((heading, HEADING))
        for one in listed:
            _outcome(page, one, _STYLES.get(sort, QUIET))
        page.blank()
    if report.off:
        page.paragraph(f"Switched off: {', '.join(report.off)}.", style=QUIET)
    looked_at = f"{counted(report.rules, 'rule')} on {counted(report.looked_at, 'object')}, environment {report.environment}"
    counts = report.counts
    if report.has_passed:
        page.paragraph(f"Passed: {looked_at}; {counts['advisory']} advisory, {counts['unknown']} open.", style=GOOD)
    else:
        page.paragraph(f"Stopped by {counted(counts['stopping'], 'violation')}: {looked_at}.", style=BAD)
    return page.text(colour=colour)


def _outcome(page: Page, one: Outcome, style: str) -> None:
    page.paragraph(f"{one.rule} {escape(one.about)}: {escape(one.found)}", first="  ", indent=2, style=style)
    where = escape(str(one.place))
    if where:
        page.paragraph(where, first="    ", indent=4, style=QUIET)
    if one.verdict is Verdict.EXEMPT:
        page.paragraph(escape(one.note), first="    ", indent=4, style=QUIET)
    elif one.verdict is Verdict.VIOLATED:
        page.paragraph(escape(one.allowed), first="    allowed: ", indent=13)
        page.paragraph(escape(one.advice), first="    repair: ", indent=12, style=GOOD)


_HEADINGS: Final = {
    "stopping": "Stops the change",
    "advisory": "Advice",
    "unknown": "Cannot be told",
    "exempt": "Exempt",
}


def sections(report: Report) -> Iterator[tuple[str, str, list[Outcome]]]:
    """Each sort of outcome that there is, with its heading and its outcomes."""
    for sort, heading in _HEADINGS.items():
        if listed := [one for one in report.outcomes if report.sort(one) == sort]:
            yield sort, heading, listed
