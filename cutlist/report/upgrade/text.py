"""What an upgrade of Karpenter changes, as text for a terminal."""

from __future__ import annotations

from typing import Final

from cutlist.infrastructure.charts.notes import Subject
from cutlist.infrastructure.charts.upgrade import Delta, Upgrade
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import counted

_FIRST: Final = "first"
_INDENT: Final = 9


def render_upgrade(upgrade: Upgrade, width: int = 100, colour: bool = False) -> str:
    """Return what changes, subject by subject, what has to be done first at the top, then the verdict. Ends in a newline."""
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
    first = f"  {_FIRST}" if delta.is_first else "  -"
    page.paragraph(delta.cited, first=first.ljust(_INDENT), indent=_INDENT, style=WARN if delta.is_first else "")


def heading(subject: Subject) -> str:
    """Return a subject as the heading of its changes."""
    return subject.value.capitalize() if subject.value.islower() else subject.value


def verdict(upgrade: Upgrade) -> tuple[str, str]:
    """Return the last sentence on an upgrade, and its style."""
    if upgrade.obstacles:
        return "This upgrade must not be made like this.", BAD
    ahead = sum(delta.is_first for delta in upgrade.deltas)
    if not upgrade.deltas:
        return "Nothing changes.", QUIET
    return f"{counted(ahead, 'thing')} to do first, {counted(len(upgrade.deltas) - ahead, 'change')} to know of.", GOOD
