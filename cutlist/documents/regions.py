"""A region that files name, and what names it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedRegion:
    """A region of AWS or a location of Azure, as its cloud spells it, and what names it; `folder` is that of the configuration
    of which it is the region, empty for one of all that is read."""

    region: str
    where: str
    folder: str = ""
