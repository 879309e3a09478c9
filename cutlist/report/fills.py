"""How full nodes are, as lines of a terminal: cpu and memory, then extended resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cutlist.core.quantity import NANO
from cutlist.planning.model.extended import Use
from cutlist.report.page import Page
from cutlist.report.plain import GIB, bar, percent, use_lines

_LABEL: Final = 9
_BAR: Final = 20
_UNITS: Final = (("cpu", "cores", NANO), ("memory", "GiB", GIB))


def add_fills(page: Page, use: Callable[[str], Use], extended: Mapping[str, Use]) -> None:
    """Add a line with a bar for each resource that some node has."""
    for name, unit, size in _UNITS:
        of = use(name)
        if of.part is not None:
            amounts = f"{of.requested / size:,.1f} of {of.allocatable / size:,.1f} {unit}"
            page.line(name.ljust(_LABEL), bar(of.part, _BAR), f" {percent(of.part):>4}  {amounts}")
    for line in use_lines(extended, _BAR):
        page.paragraph(line)
