"""What an upgrade of Karpenter changes, as text for a terminal."""

from __future__ import annotations

from typing import Final

from cutlist.answers.upgrade import Upgrade
from cutlist.infrastructure.charts.notes import Subject, When
from cutlist.infrastructure.charts.upgrade import Delta
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import counted

_INDENT: Final = 9


def render_upgrade(upgrade: Upgrade, width: int = 100, colour: bool = False) -> str:
    """Return what changes, subject by subject, what is to be done at the top, then the verdict. Ends in a newline."""
    page = Page(width)
    page.line((f"Karpenter {upgrade.before} to {upgrade.after}", HEADING))
    page.blank()
    for subject in Subject:
        deltas = upgrade.of(subject)
        if deltas:
            page.line((heading(subject), HEADING))
            for delta in deltas:
                _delta(page, delta)
            page.blank()
    for note in upgrade.notes:
        page.paragraph(note, first="  note".ljust(_INDENT), indent=_INDENT, style=QUIET)
    for obstacle in upgrade.obstacles:
        page.paragraph(obstacle, first="  stop".ljust(_INDENT), indent=_INDENT, style=BAD)
    page.line(verdict(upgrade))
    return page.text(colour=colour)


def _delta(page: Page, delta: Delta) -> None:
    style = WARN if delta.when is When.FIRST else ""
    page.paragraph(delta.cited, first=f"  {delta.when or '-'}".ljust(_INDENT), indent=_INDENT, style=style)


def heading(subject: Subject) -> str:
    """Return a subject as the heading of its changes."""
    return subject.value.capitalize() if subject.value.islower() else subject.value


def verdict(upgrade: Upgrade) -> tuple[str, str]:
    """Return the last sentence on an upgrade, and its style."""
    if upgrade.obstacles:
        return "This upgrade must not be made like this.", BAD
    if not upgrade.deltas:
        return f"Nothing changes: {upgrade.before} is both versions.", QUIET
    first, during, after, rest = (sum(delta.when is when for delta in upgrade.deltas) for when in When)
    steps = f"{counted(first, 'thing')} to do first, {during:,} with the upgrade, {after:,} after it"
    return f"{steps}, {counted(rest, 'change')} to know of.", GOOD
