"""Why something is as it is, as text for a terminal: one sentence, what would help, and the facts."""

from __future__ import annotations

from typing import Final

from cutlist.report.page import BAD, GOOD, HEADING, QUIET, Page
from cutlist.report.plain import shorten
from cutlist.verbs.why.reason import Why

_WIDEST: Final = 28
_HELPS: Final = "helps: "


def render_why(answer: Why, width: int = 100, colour: bool = False) -> str:
    """Return the answer as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    page.paragraph(answer.sentence, style=BAD if answer.waits else HEADING)
    if answer.remedy:
        page.paragraph(answer.remedy, first=_HELPS, indent=len(_HELPS), style=GOOD)
    if answer.facts:
        page.blank()
    widest = min(_WIDEST, width // 3, max((len(fact.title) for fact in answer.facts), default=0))
    for fact in answer.facts:
        title = shorten(fact.title, widest).ljust(widest)
        page.paragraph(fact.text, first=f"  {title}  ", indent=widest + 4, style=QUIET)
    return page.text(colour=colour)
