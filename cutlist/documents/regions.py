"""A region that files name, and what names it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedRegion:
    """A region of AWS or a location of Azure, as its cloud spells it, and what names it."""

    region: str
    where: str
