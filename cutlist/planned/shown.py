"""How answers show themselves in a notebook: by the view that is registered for them, as views stand above what they show."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final

GROUP: Final = "cutlist.views"
"""The entry point group of views."""
NOTEBOOK: Final = "notebook"
"""The view that makes a fragment of HTML of an answer."""


class Shown:
    """An answer that a notebook shows as tables and not as text."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """A fragment of HTML in which every name is escaped; None, and so the plain text, where no view is installed."""
        point = next(iter(entry_points(group=GROUP, name=NOTEBOOK)), None)
        return None if point is None else str(point.load()(self))
