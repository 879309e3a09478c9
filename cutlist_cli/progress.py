"""Progress of a command for users who wait at a terminal: one line on standard error that is removed at the end."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from threading import Event, Thread
from typing import Final, Protocol

import click

PATIENCE: Final = 1.0
"""Number of seconds before the line is shown, and between two updates of it."""
_CLEAR: Final = "\r\x1b[K"
_BAR: Final = 20
_CURRENT_LINE: Final = "cutlist.progress"
_EARLY: Final = 0.02
"""The part of the work from which the rest can be estimated from the time that it took."""
_MINUTE: Final = 60  # seconds
Part = Callable[[], float]
"""Returns which part of the work is done, from 0 to 1."""


class Say(Protocol):
    """Puts another text in the place of that of a line, and says which part of the work is done."""

    def __call__(self, text: str, part: float | Part | None = None, /, *, at_most: bool = False) -> None:
        """Show the text; with a part, from 0 to 1, or what returns it, also how long the rest takes if it goes on like this.

        `at_most` says that the work may end before all of it is done.
        """


def time_left(seconds: float, part: float, *, at_most: bool = False) -> str:
    """Return how long the rest of some work takes, if a part of it took so many seconds; empty where it is too early to say."""
    if not _EARLY <= part < 1:
        return ""
    left, word = seconds * (1 - part) / part, "at most" if at_most else "about"
    return f"{word} {left:.0f} s left" if left < 2 * _MINUTE else f"{word} {left / _MINUTE:.0f} min left"


def bar(done: int, of: int) -> str:
    """Return how far work has come, as a bar."""
    filled = _BAR * done // of
    return f"[{'#' * filled}{'.' * (_BAR - filled)}]"


@dataclass(frozen=True, slots=True)
class _Work:
    """What is being done since an instant of the monotonic clock, and which part of it is done."""

    begun: float
    text: str
    part: Part | None = None
    at_most: bool = False

    def left(self, now: float) -> str:
        """Return how long the rest takes; empty where nobody knows."""
        return "" if self.part is None else time_left(now - self.begun, self.part(), at_most=self.at_most)


@dataclass(slots=True)
class _ProgressLine:
    """A line that says what is being done until it is done; quick work shows nothing."""

    work: _Work
    is_done: Event = field(default_factory=Event)

    def say_of(self, begun: float) -> Say:
        """Return what puts another text in its place, about work that began at an instant."""

        def say(text: str, part: float | Part | None = None, /, *, at_most: bool = False) -> None:
            self.work = _Work(begun, text, (lambda: part) if isinstance(part, float) else part, at_most)

        return say

    @contextlib.contextmanager
    def within(self, text: str, part: Part | None) -> Iterator[Say]:
        """Show the text of work that is a part of what is being done. While nobody knows how much of it is done, the line goes
        on to say how long all of it takes."""
        outer, begun = self.work, time.monotonic()
        self.work = replace(outer, text=text) if part is None else _Work(begun, text, part)
        try:
            yield self.say_of(begun)
        finally:
            self.work = outer

    def run(self) -> None:
        """Show the line and keep it up to date."""
        start, is_shown = self.work.begun, False
        while not self.is_done.wait(PATIENCE):
            now, work = time.monotonic(), self.work
            left = work.left(now)
            sys.stderr.write(f"{_CLEAR}{work.text}, {now - start:.0f} s{f', {left}' if left else ''}")
            sys.stderr.flush()
            is_shown = True
        if is_shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


@contextlib.contextmanager
def progress_line(text: str, part: Part | None = None) -> Iterator[Say]:
    """Show what is being done, and for how long, while the block runs: after a second, and only on a terminal. `part` tells
    which part of it is done, by which the line says how long the rest takes.

    Yields a function that replaces the text. A nested block shows its own text while it runs. Output of a child process in the
    meantime begins after the line.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _, __=None, /, *, at_most=False: None  # noqa: ARG005 - the protocol's name
        return
    meta = click.get_current_context().meta
    outer: _ProgressLine | None = meta.get(_CURRENT_LINE)
    if outer is not None:
        with outer.within(text, part) as say:
            yield say
        return
    begun = time.monotonic()
    meta[_CURRENT_LINE] = line = _ProgressLine(_Work(begun, text, part))
    thread = Thread(target=line.run, daemon=True)
    thread.start()
    try:
        yield line.say_of(begun)
    finally:
        line.is_done.set()
        thread.join()
        del meta[_CURRENT_LINE]
