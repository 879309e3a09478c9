"""Notes: what an answer assumed, and what looks wrong, each with the objects that it concerns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """An assumption, warning or finding; `code` is stable and kebab-case (`spot-price-estimated`), `text` is for people."""

    code: str
    text: str


def notes_in_order(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Each note once, by code and text, whatever came first."""
    return tuple(sorted(set(notes), key=lambda note: (note.code, note.text)))
