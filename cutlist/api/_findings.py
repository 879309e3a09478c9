"""What is wrong inside an object: in our words, and in those of who refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from cutlist.core.errors import Layer, Place, Problem


class Stage(StrEnum):
    """Where a message comes up. An object is refused by all but the last two, which a controller finds in a stored one."""

    DECODE = "decode"
    STRICT = "strict"
    SCHEMA = "schema"
    RULE = "rule"
    RUNTIME = "runtime"
    TYPED = "typed"


class Reported(NamedTuple):
    """What API server or controller say of a mistake: the path that they name, and their words.

    A controller names no path; there it is the place that its message is about, which tells two equal ones apart.
    """

    path: str
    message: str
    stage: Stage


class Finding(NamedTuple):
    """One mistake in an object: the path in the API's spelling, what is wrong, what is allowed, and the nearest right thing.

    `reported` is what the user would read without us; nothing for what only we refuse. Without a message of its own a finding
    is not shown: another one at the same place says it all.
    """

    path: str
    message: str
    allowed: str = ""
    nearest: str = ""
    layer: Layer = Layer.LINT
    reported: tuple[Reported, ...] = ()

    def problem(self, place: Place) -> Problem:
        """Return the mistake with its place in the user's files."""
        return Problem(place, self.message, self.allowed, self.nearest, self.layer)


class Hints(NamedTuple):
    """What a kind knows beyond its fields: patterns in words, where fields went that stood elsewhere before, and what to say
    of some that are missing, with what is allowed."""

    patterns: Mapping[str, str] = {}
    moved: Mapping[str, str] = {}
    missing: Mapping[str, tuple[str, str]] = {}


def path_of(loc: Iterable[int | str]) -> str:
    """Return a path in the API server's spelling: `spec.template.spec.requirements[0].values`."""
    path = ""
    for member in loc:
        path += f"[{member}]" if isinstance(member, int) else f".{member}" if path else member
    return path


def described(value: object) -> str:
    """Return a value as a message names it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {shortened(value)!r}"
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
    return "nothing"


def shortened(value: object) -> str:
    """Return a value's text, cut where it is long."""
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
