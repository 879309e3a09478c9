"""Which findings are warnings, and which are advice: as far as known, things happen as their author expects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.core.notes import Note
from cutlist.planning.traps.limits import ROUND

_ADVICE: Final = frozenset(
    (ROUND, "image-drivers", "images-move", "quota", "some-without-image", "too-small-for-daemons", "windows-version")
)


def warnings_in(notes: Iterable[Note]) -> list[Note]:
    """Return the notes on what may not happen as its author expects, in their order."""
    return [note for note in notes if note.code not in _ADVICE]


def advice_in(notes: Iterable[Note]) -> list[Note]:
    """Return the notes that are not warnings."""
    return [note for note in notes if note.code in _ADVICE]
