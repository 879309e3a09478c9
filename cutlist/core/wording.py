"""Small parts of sentences that messages, reasons and reports share."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 node`, `1,200 nodes`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
