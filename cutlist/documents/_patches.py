"""Pieces of a text that are replaced, all of them said in places of the text as it was."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Patches:
    """Replacements that are gathered first and done at once."""

    found: list[tuple[int, int, str]] = field(default_factory=list)

    def put(self, start: int, end: int, text: str) -> None:
        """Another text from a place to another."""
        self.found.append((start, end, text))

    def insert(self, at: int, text: str) -> None:
        """A text at a place; what is inserted later comes after it."""
        self.put(at, at, text)

    def cut(self, start: int, end: int) -> None:
        """Nothing from a place to another."""
        self.put(start, end, "")

    def applied(self, text: str) -> str | None:
        """The text with all of it done; None when two pieces overlap."""
        made, at = "", 0
        for start, end, piece in sorted(self.found, key=lambda p: (p[0], p[1])):
            if start < at:
                return None
            made += text[at:start]
            made += ("\n" if piece and start == end == len(text) and made and not made.endswith("\n") else "") + piece
            at = end
        return made + text[at:]
