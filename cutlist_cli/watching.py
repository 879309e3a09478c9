"""What an account, a cluster or public files are being asked, in the line of progress, and how long the other regions take."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

from cutlist_cli.progress import Say, progress_line
from cutlist_live.progress import Watcher

_TEXT: Final = "asking"


class LineWatcher(Watcher):
    """Says which call is made and how much of its answer has come.

    Of several regions, which are read one after the other, it says how many are done. Each asks about as much as the one
    before it, so from the second one on it also knows which part of a region is done.
    """

    def __init__(self, say: Say, regions: Sequence[str] = ()) -> None:
        self._say = say
        self._regions = list(dict.fromkeys(regions))
        self._asked: dict[str, int] = {}
        self._text, self._count = _TEXT, 0

    def asking(self, region: str, what: str) -> None:
        """Begin a new text."""
        self._asked[region] = self._asked.get(region, 0) + 1
        number = self._number(region)
        place = f"{region} ({number + 1} of {len(self._regions)})" if len(self._regions) > 1 else region
        self._text, self._count = f"{place}: {what}", 0
        self._show(region)

    def answered(self, count: int) -> None:
        """Add to the count."""
        self._count += count
        self._show(next(reversed(self._asked), ""))

    def _show(self, region: str) -> None:
        text = f"{self._text} {self._count:,}" if self._count else self._text
        self._say(text, self._part(region) if len(self._regions) > 1 else None)

    def _number(self, region: str) -> int:
        return self._regions.index(region) if region in self._regions else 0

    def _part(self, region: str) -> float:
        """Return which part of the regions is done."""
        number = self._number(region)
        before = self._asked.get(self._regions[number - 1], 0) if number else 0
        within = min((self._asked.get(region, 0) - 1) / before, 1.0) if before else 0.0
        return (number + within) / len(self._regions)


@contextlib.contextmanager
def on_terminal(regions: Sequence[str] = ()) -> Iterator[Watcher]:
    """Yield a watcher that shows on a terminal what is asked, and how long the rest of the regions takes."""
    with progress_line(_TEXT) as say:
        yield LineWatcher(say, regions)
