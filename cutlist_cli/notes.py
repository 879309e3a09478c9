"""Notes about files that were not read, for answers that have no notes of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cutlist.core.notes import NOT_READ, Notes, notes_in_order
from cutlist.planning.services import running_services
from cutlist_cli import terminal

if TYPE_CHECKING:
    from cutlist.core.notes import Note
    from cutlist.planning.inputs import PlanInputs


@contextmanager
def notes_shown() -> Iterator[Notes]:
    """Yield a collector of notes, and write which files were not read as `show_not_read` does."""
    notes = Notes()
    yield notes
    show_not_read(notes.all())


def show_services(inputs: PlanInputs) -> None:
    """Write to standard error which Karpenter each service runs that launches nodes for the inputs."""
    for service in running_services(inputs):
        terminal.write_note(service.text)


def show_not_read(notes: Iterable[Note], whose: str = "") -> None:
    """Write to standard error which files were not read, for answers that have no notes of their own.

    `whose` begins each note where there are several answers.
    """
    for note in notes_in_order(notes):
        if note.code in NOT_READ:
            terminal.write_note(whose + note.text)
