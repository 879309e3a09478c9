"""Replacements in a text, applied at once."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Patches:
    """Replacements that are collected first and applied at once."""

    pieces: list[tuple[int, int, str]] = field(default_factory=list)

    def put(self, start: int, end: int, text: str) -> None:
        """Replace the text between two positions."""
        self.pieces.append((start, end, text))

    def insert(self, at: int, text: str) -> None:
        """Insert a text at a position; a later insertion comes after it."""
        self.put(at, at, text)

    def cut(self, start: int, end: int) -> None:
        """Remove the text between two positions."""
        self.put(start, end, "")

    def applied(self, text: str) -> str | None:
        """Return the text with all replacements applied; None when two of them overlap."""
        result, at = "", 0
        for start, end, piece in sorted(self.pieces, key=lambda p: (p[0], p[1])):
            if start < at:
                return None
            result += text[at:start]
            result += ("\n" if piece and start == end == len(text) and result and not result.endswith("\n") else "") + piece
            at = end
        return result + text[at:]
