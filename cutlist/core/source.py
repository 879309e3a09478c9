"""Where a figure or a fact is said, and when."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a figure or a fact, in words for people, and its date (ISO: a day or a month)."""

    date: str
    text: str

    def __str__(self) -> str:
        return f"{self.text}, {self.date}"
