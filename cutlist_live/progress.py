"""Observers of an update's progress."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Protocol


class Watcher:
    """An observer that is notified of an update's steps and does nothing."""

    def asking(self, region: str, what: str) -> None:
        """Record that a call to the API begins."""

    def answered(self, count: int) -> None:
        """Record that a page with this many entries arrived."""


class _Status(Protocol):
    def update(self, status: str) -> None: ...


class TerminalWatcher(Watcher):
    """Shows one changing line."""

    def __init__(self, status: _Status) -> None:
        self._status = status
        self._text = ""
        self._count = 0

    def asking(self, region: str, what: str) -> None:
        """Begin a new line."""
        self._text, self._count = f"{region}: {what}", 0
        self._status.update(self._text)

    def answered(self, count: int) -> None:
        """Add to the count."""
        self._count += count
        self._status.update(f"{self._text} {self._count}")


@contextlib.contextmanager
def on_terminal() -> Iterator[Watcher]:
    """Yield a watcher that writes to standard error if that is a terminal, else one that does nothing."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Watcher()
        return
    with console.status("") as status:
        yield TerminalWatcher(status)
