"""What a command is doing, for whoever waits at a terminal: one line on standard error, which goes away again."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Final

import click

PATIENCE: Final = 1.0
"""Seconds after which somebody who waits wants to know what for, and between two looks at the clock."""
_CLEAR: Final = "\r\x1b[K"
_TELLING: Final = "cutlist.telling"


@dataclass(slots=True)
class _Teller:
    """Says what goes on until it is done; nothing when that is soon."""

    what: str
    done: Event = field(default_factory=Event)

    def run(self) -> None:
        begun, told = time.monotonic(), False
        while not self.done.wait(PATIENCE):
            sys.stderr.write(f"{_CLEAR}{self.what}, {time.monotonic() - begun:.0f} s")
            sys.stderr.flush()
            told = True
        if told:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


@contextlib.contextmanager
def telling(what: str) -> Iterator[None]:
    """Say what goes on, and since when, while the block runs: after a second, and only where standard error is a terminal.

    A block within another has its own words as long as it runs. What a program that is run
    writes to the terminal meanwhile begins behind them.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    meta = click.get_current_context().meta
    outer: _Teller | None = meta.get(_TELLING)
    if outer is not None:
        before, outer.what = outer.what, what
        try:
            yield
        finally:
            outer.what = before
        return
    meta[_TELLING] = teller = _Teller(what)
    thread = Thread(target=teller.run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        teller.done.set()
        thread.join()
        del meta[_TELLING]
