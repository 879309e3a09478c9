"""How values show themselves in a notebook: by a view, imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Final

_VIEW: Final = "cutlist.report.html.fragments"
"""Where `fragment` lives. Views import the values that they show, so a value names its view and does not import it."""


class NotebookValue:
    """A value that a notebook shows as tables and not as text."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return a fragment of HTML in which every name is escaped."""
        return str(import_module(_VIEW).fragment(self))
