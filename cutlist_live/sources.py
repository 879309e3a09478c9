"""The sources that rows of a catalogue file name by codes."""

from __future__ import annotations

from cutlist.catalog import Price
from cutlist.catalog.format import Source


class RowSources:
    """Gives a code to each source of a file that is being written on a day."""

    def __init__(self, date: str) -> None:
        self._date = date
        self._kept: dict[Source, str] = {}
        self.known: dict[str, Source] = {}

    def read(self, code: str, text: str) -> str:
        """The code of what was read today."""
        self.known.setdefault(code, Source(self._date, text))
        return code

    def kept(self, price: Price) -> str:
        """The code of a price that stays as it was known before, with its source and date."""
        source = Source(price.date, price.source)
        if source not in self._kept:
            self._kept[source] = f"{'e' if price.estimated else 'K'}{len(self._kept) + 1}"
            self.known[self._kept[source]] = source
        return self._kept[source]


def figure(price: float) -> str:
    """A price as a cell holds it."""
    return f"{price:.10f}".rstrip("0").rstrip(".")
