"""Notes about files that were not read, for answers that have no notes of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cutlist.core.notes import NOT_READ, Notes, notes_in_order
from cutlist_cli import terminal

if TYPE_CHECKING:
    from cutlist.core.notes import Note
    from cutlist.core.services import RunningService


@contextmanager
def notes_shown() -> Iterator[Notes]:
    """Yield a collector of notes, and write which files were not read as `show_not_read` does."""
    notes = Notes()
    yield notes
    show_not_read(notes.all())


def show_services(services: Iterable[RunningService] | None) -> None:
    """Write to standard error which Karpenter each service runs."""
    for service in services or ():
        terminal.write_note(service.text)


def show_not_read(notes: Iterable[Note], whose: str = "") -> None:
    """Write to standard error which files were not read, for answers that have no notes of their own.

    `whose` begins each note where there are several answers.
    """
    for note in notes_in_order(notes):
        if note.code in NOT_READ:
            terminal.write_note(whose + note.text)
