"""Progress of a command for users who wait at a terminal: one line on standard error that is removed at the end."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Final

import click

PATIENCE: Final = 1.0
"""Number of seconds before the line is shown, and between two updates of it."""
_CLEAR: Final = "\r\x1b[K"
_BAR: Final = 20
_CURRENT_LINE: Final = "cutlist.progress"


def bar(done: int, of: int) -> str:
    """Return how far work has come, as a bar."""
    filled = _BAR * done // of
    return f"[{'#' * filled}{'.' * (_BAR - filled)}]"


@dataclass(slots=True)
class _ProgressLine:
    """A line that says what is being done until it is done; quick work shows nothing."""

    text: str
    is_done: Event = field(default_factory=Event)

    def say(self, text: str) -> None:
        """Put another text in its place."""
        self.text = text

    def run(self) -> None:
        """Show the line and keep it up to date."""
        start, is_shown = time.monotonic(), False
        while not self.is_done.wait(PATIENCE):
            sys.stderr.write(f"{_CLEAR}{self.text}, {time.monotonic() - start:.0f} s")
            sys.stderr.flush()
            is_shown = True
        if is_shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


@contextlib.contextmanager
def progress_line(text: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done, and for how long, while the block runs: after a second, and only on a terminal.

    Yields a function that replaces the text. A nested block shows its own text while it runs. Output of a child process in the
    meantime begins after the line.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
        return
    meta = click.get_current_context().meta
    outer: _ProgressLine | None = meta.get(_CURRENT_LINE)
    if outer is not None:
        outer_text, outer.text = outer.text, text
        try:
            yield outer.say
        finally:
            outer.text = outer_text
        return
    meta[_CURRENT_LINE] = line = _ProgressLine(text)
    thread = Thread(target=line.run, daemon=True)
    thread.start()
    try:
        yield line.say
    finally:
        line.is_done.set()
        thread.join()
        del meta[_CURRENT_LINE]
