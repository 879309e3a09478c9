"""How full nodes are, as lines of a terminal: cpu and memory, then extended resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cutlist.core.quantity import NANO
from cutlist.planning.model.extended import Use, amounts_in_words
from cutlist.report.page import Page
from cutlist.report.plain import GIB, bar, escape, percent

_LABEL: Final = 9
_BAR: Final = 20
_UNITS: Final = (("cpu", "cores", NANO), ("memory", "GiB", GIB))


def add_fills(page: Page, use: Callable[[str], Use], extended: Mapping[str, Use]) -> None:
    """Add a line with a bar for each resource that some node has. The bars of extended resources are below their names,
    which are longer, so that all bars begin in one column."""
    for name, unit, size in _UNITS:
        of = use(name)
        if of.part is not None:
            amounts = f"{of.requested / size:,.1f} of {of.allocatable / size:,.1f} {unit}"
            page.line(name.ljust(_LABEL), bar(of.part, _BAR), f" {percent(of.part):>4}  {amounts}")
    for name, used in extended.items():
        page.line(escape(name))
        page.line(" " * _LABEL, bar(used.part or 0.0, _BAR), f" {percent(used.part):>4}  {amounts_in_words(name, used)}")
