"""The API server's reasons to refuse an object, in the forms of its messages: required, invalid, unsupported ..."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.errors import Layer, Problem, nearest
from cutlist.core.setting import Advice
from cutlist.core.shapes import Report, shown

RULES: Final = 35
"""The minor version of Kubernetes 1 whose rules count where no version is chosen."""


@dataclass(frozen=True, slots=True)
class Refusals(Report):
    """Collects why the API server refuses one document, with the paths that it names. `minor` is its minor version of
    Kubernetes, on which some rules depend. A snapshot of a cluster leaves members out, so nothing is reported as missing from
    an object that is not `is_whole`.
    """

    layer: Layer = Layer.RULE
    minor: int = RULES
    is_whole: bool = True

    def add(self, path: str, message: str, allowed: str | Advice = "", meant: str = "") -> None:
        """Add a mistake at a path."""
        self.problems.extend([Problem(self.document.at(path), message, str(allowed), meant, self.layer)])

    def add_at(self, written: str, path: str, message: str, allowed: str = "", meant: str = "") -> None:
        """Add a mistake whose path the API server shortens: the line is that of the path as written."""
        place = replace(self.document.at(written), path=path)
        self.problems.extend([Problem(place, message, allowed, meant, self.layer)])

    def required(self, path: str, why: str = "") -> None:
        """Add that a value is missing or empty, unless the object is not whole."""
        if self.is_whole:
            self.add(path, f"is missing: {why}" if why else "is missing")

    def invalid(self, path: str, value: Any, why: str, allowed: str = "") -> None:
        """Add why a value is not accepted, in words that follow it, such as `must be greater than or equal to 0`."""
        self.add(path, f"{shown(value)} {why}", allowed)

    def unsupported(self, path: str, value: Any, allowed: Iterable[str]) -> None:
        """Add that a value is not one of a closed set."""
        words = tuple(allowed)
        self.add(path, f"{shown(value)} is unknown", ", ".join(words), nearest(str(value), words))

    def duplicate(self, path: str, value: Any) -> None:
        """Add that a value is a repeated one."""
        self.add(path, f"{shown(value)} occurs twice")

    def not_found(self, path: str, value: Any, what: str, known: Iterable[str]) -> None:
        """Add that a name refers to nothing in a whole object; `what` is what it should name, such as `volume`."""
        words = tuple(known)
        if self.is_whole:
            self.add(path, f"this object has no {what} {shown(value)}", ", ".join(words), nearest(str(value), words))


def one_of(value: Any, path: str, allowed: Iterable[str], refusals: Refusals) -> None:
    """Add that a value is not one of a closed set; a missing value is accepted."""
    if value is not None and value not in (words := tuple(allowed)):
        refusals.unsupported(path, value, words)


def not_negative(value: Any, path: str, refusals: Refusals) -> None:
    """Add that a number is below 0; a missing value is accepted."""
    if value is not None and value < 0:
        refusals.invalid(path, value, "must be greater than or equal to 0")
