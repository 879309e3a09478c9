"""Who watches an update."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Protocol


class Watcher:
    """Is told what an update does, and does nothing with it."""

    def asking(self, region: str, what: str) -> None:
        """Note that a call to the API begins."""

    def answered(self, count: int) -> None:
        """Note that a page came with so many entries."""


class _Status(Protocol):
    def update(self, status: str) -> None: ...


class TerminalWatcher(Watcher):
    """Shows one line that changes."""

    def __init__(self, status: _Status) -> None:
        self._status = status
        self._text = ""
        self._count = 0

    def asking(self, region: str, what: str) -> None:
        """Begin a new line."""
        self._text, self._count = f"{region}: {what}", 0
        self._status.update(self._text)

    def answered(self, count: int) -> None:
        """Count on."""
        self._count += count
        self._status.update(f"{self._text} {self._count}")


@contextlib.contextmanager
def on_terminal() -> Iterator[Watcher]:
    """Yield a watcher that writes to standard error, as long as that is a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Watcher()
        return
    with console.status("") as status:
        yield TerminalWatcher(status)
