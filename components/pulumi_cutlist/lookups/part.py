"""What is known of the result of a function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Part:
    """The members of a result that are known, and what they are from. `open` are those that an account would have besides, also
    inside a known list; None means all others."""

    known: Mapping[str, Any]
    source: str
    open: tuple[str, ...] | None = ()
