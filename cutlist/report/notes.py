"""Notes of a plan or a table as a list under a heading."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.notes import Note
from cutlist.report.page import HEADING, Page


def note_list(page: Page, title: str, notes: Sequence[Note], style: str) -> None:
    """Add the notes to the page; nothing when there are none."""
    if not notes:
        return
    page.blank()
    page.line((title, HEADING))
    for note in notes:
        page.paragraph(note.text, first="  - ", indent=4, style=style)
