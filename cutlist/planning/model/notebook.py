"""How values are displayed in a notebook: by a view, imported when needed."""

from __future__ import annotations

from importlib import import_module
from typing import Final

_VIEW: Final = "cutlist.verbs.notebook"
"""The module of `fragment`. Views import the values that they show, so a value names its view and does not import it."""


class NotebookValue:
    """A value that a notebook shows as tables rather than text."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return a fragment of HTML in which every name is escaped."""
        return str(import_module(_VIEW).fragment(self))
