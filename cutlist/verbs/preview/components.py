"""The components of a program as views of its preview show them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShownComponent:
    """A component of the program by its path from the stack, with the number of resources below it."""

    path: str
    type: str
    resources: int
