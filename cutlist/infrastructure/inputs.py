"""The common part of checks of inputs: the names of inputs in messages, and values of closed sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from cutlist.core.errors import Place, Problem, Problems, nearest

E = TypeVar("E", bound=StrEnum)


HERE: Final = Place()
"""The place of the inputs of a component that is created alone."""


class Places(Protocol):
    """Where the inputs of a component are written, each by its name there."""

    def member(self, name: str) -> Place:
        """Return where an input is written."""


def one_of(value: object, allowed: Iterable[str], place: Place) -> Iterator[Problem]:
    """Yield a problem for a value outside a closed set, with the nearest member of the set."""
    known = [str(member) for member in allowed]
    if value not in known:
        yield Problem(place, f"unknown value {value!r}", ", ".join(known), nearest(str(value), known))


def chosen(value: str, otherwise: E, place: Place, problems: Problems) -> E:
    """Return the member of a closed set that a value names. An unknown value is reported and replaced by `otherwise`, a member
    of the set."""
    members = type(otherwise)
    wrong = list(one_of(value, members, place))
    problems.extend(wrong)
    return otherwise if wrong else members(value)
