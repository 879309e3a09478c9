"""What an upgrade of Karpenter changes, as text for a terminal."""

from __future__ import annotations

from typing import Final

from cutlist.infrastructure.charts.upgrade import Delta, Subject, Upgrade
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
            page.line((subject.value.capitalize() if subject.value.islower() else subject.value, HEADING))
            for delta in deltas:
                _delta(page, delta)
            page.blank()
    for obstacle in upgrade.obstacles:
        page.paragraph(obstacle, first="  stop".ljust(_INDENT), indent=_INDENT, style=BAD)
    page.line(_verdict(upgrade))
    return page.text(colour=colour)


def _delta(page: Page, delta: Delta) -> None:
    first = f"  {_FIRST}" if delta.is_first else "  -"
    page.paragraph(delta.text, first=first.ljust(_INDENT), indent=_INDENT, style=WARN if delta.is_first else "")


def _verdict(upgrade: Upgrade) -> tuple[str, str]:
    if upgrade.obstacles:
        return "This upgrade must not be made like this.", BAD
    ahead = sum(delta.is_first for delta in upgrade.deltas)
    if not upgrade.deltas:
        return "Nothing changes.", QUIET
    return f"{counted(ahead, 'thing')} to do first, {counted(len(upgrade.deltas) - ahead, 'change')} to know of.", GOOD
