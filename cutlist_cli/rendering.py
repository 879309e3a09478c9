"""How much of what helm renders is done, in the line of progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from cutlist.documents.delivery.counting import Rendered, unwatched
from cutlist_cli.progress import progress_line

_TEXT: Final = "rendering charts"


@contextmanager
def show_rendering() -> Iterator[Rendered]:
    """Show at a terminal how many charts, and objects of controllers that stand for others, are rendered."""
    if click.get_current_context(silent=True) is None:
        with unwatched() as rendered:
            yield rendered
        return
    with progress_line(_TEXT) as say:
        yield lambda done, known: say(f"{_TEXT}: {done:,} of {known:,} are done", done / known)
