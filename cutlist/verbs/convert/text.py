"""What a conversion changed, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from cutlist.api.convert import Conversion, Reported
from cutlist.core.wording import counted
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import escape

_STYLES: Final = {
    "needs a decision": BAD,
    "changes meaning": WARN,
    "changed default": WARN,
    "lost": "",
    "carried over": QUIET,
}
"""The kinds of changes in order of importance for a reader, and the style of each."""

_ORDER: Final = tuple(_STYLES)
_INDENT: Final = max(map(len, _ORDER)) + 4


def render_convert(conversion: Conversion, width: int = 100, colour: bool = False) -> str:
    """Return what changes, object by object, then what changes for all of them. Ends in a newline."""
    page = Page(width)
    if not conversion.converted and not conversion.changes:
        page.line("Nothing to convert: no object of an old version is in the input.")
        return page.text(colour=colour)
    for (subject, source), group in groupby(conversion.changes, key=lambda r: (r.subject, r.place.source)):
        page.line((escape(subject), HEADING), f"  {escape(source)}")
        for change in sorted(group, key=lambda r: _ORDER.index(r.change.kind)):
            _change(page, change)
        page.blank()
    if conversion.notes:
        page.line(("What v1 changes for all objects", HEADING))
        for note in conversion.notes:
            page.paragraph(note, first="  - ", indent=4)
        page.blank()
    for service in conversion.services or ():
        page.paragraph(f"{service.text}.")
    if any(change.change.is_ours for change in conversion.changes):
        page.paragraph("How Cutlist reads objects from before v1beta1: no webhook made this step.", first="* ", indent=2)
    page.line(_summary(conversion))
    return page.text(colour=colour)


def _change(page: Page, reported: Reported) -> None:
    change, first = reported.change, f"  {reported.change.kind}".ljust(_INDENT)
    text = f"{change.text} *" if change.is_ours else change.text
    line = f"line {reported.place.line}" if reported.place.line else ""
    if change.kind == "carried over" and not change.advice:
        page.paragraph(f"{text} ({line})" if line else text, first=first, indent=_INDENT, style=_STYLES[change.kind])
        return
    page.paragraph(text, first=first, indent=_INDENT, style=_STYLES[change.kind])
    if change.advice:
        page.paragraph(change.advice, first=f"{' ' * _INDENT}advice: ", indent=_INDENT + 8, style=GOOD)
    where = ", ".join(part for part in (line, _paths(change.old, change.new)) if part)
    if where:
        page.paragraph(where, first=" " * _INDENT, indent=_INDENT, style=QUIET)


def _paths(old: str, new: str) -> str:
    return f"{old} -> {new}" if old and new and old != new else old or new


def _summary(conversion: Conversion) -> str:
    count = {kind: sum(reported.change.kind == kind for reported in conversion.changes) for kind in _ORDER}
    parts = [f"{number} {kind}" for kind, number in count.items() if number]
    return f"Converted {counted(len(conversion.converted), 'object')}: {_listed(parts)}."


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts) or "nothing to say of them"
