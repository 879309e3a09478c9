"""What the checks of all inputs share: how messages name an input, and values of closed sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from cutlist.core.errors import Place, Problem, Problems, nearest

E = TypeVar("E", bound=StrEnum)


def camel_case(name: str) -> str:
    """Return the name of an input as messages have it, and as programs in other languages write it."""
    first, *words = name.split("_")
    return first + "".join(word.capitalize() for word in words)


HERE: Final = Place()
"""Where the inputs of a component are written when it is made by itself."""


class Places(Protocol):
    """Where the inputs of a component are written, each by the name that it has there."""

    def member(self, name: str) -> Place:
        """Return where one input is written."""


def one_of(value: object, allowed: Iterable[str], place: Place) -> Iterator[Problem]:
    """Yield a value outside of a closed set, with the nearest that is in it."""
    known = [str(member) for member in allowed]
    if value not in known:
        yield Problem(place, f"unknown value {value!r}", ", ".join(known), nearest(str(value), known))


def chosen(value: str, otherwise: E, place: Place, problems: Problems) -> E:
    """Return the member of a closed set that a value names. `otherwise`, one of the set, stands in for an unknown value, which
    is noted."""
    members = type(otherwise)
    wrong = list(one_of(value, members, place))
    problems.extend(wrong)
    return otherwise if wrong else members(value)
