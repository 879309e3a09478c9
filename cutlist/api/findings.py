"""The mistakes inside an object, in Cutlist's words and in those of the component that refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from cutlist.core.errors import Layer, Place, Problem


class Stage(StrEnum):
    """The stage at which a message appears. At the last two, a controller finds it in a stored object; at the others, the
    object is refused."""

    DECODE = "decode"
    STRICT = "strict"
    SCHEMA = "schema"
    RULE = "rule"
    RUNTIME = "runtime"
    TYPED = "typed"


class Reported(NamedTuple):
    """The message of the API server or a controller about a mistake: the path that it names, and its words. A controller names
    no path: here, `path` is the place that the message is about, which distinguishes two equal messages.
    """

    path: str
    message: str
    stage: Stage


class Finding(NamedTuple):
    """A mistake in an object: the path in the API's spelling, what is wrong, what is allowed, and the nearest right value.
    `reported` is what the user would read without Cutlist; empty for what only Cutlist refuses. A finding without a message is
    not shown, since another one at the same place covers it. `statements` of docs/spec describe what a release began to refuse.
    """

    path: str
    message: str
    allowed: str = ""
    nearest: str = ""
    layer: Layer = Layer.LINT
    reported: tuple[Reported, ...] = ()
    statements: str = ""

    def problem(self, place: Place) -> Problem:
        """Return the mistake with its place in the user's files."""
        is_strict = bool(self.reported) and all(line.stage is Stage.STRICT for line in self.reported)
        effect = _LEFT_OUT if is_strict and self.layer is Layer.SCHEMA else ""
        return Problem(place, self.message, self.allowed, self.nearest, self.layer, statements=self.statements, effect=effect)


_LEFT_OUT: Final = "refused by kubectl, and left out where a client does not ask for strict validation, as Helm 3 does not"


Location = tuple[int | str, ...]
"""The place of a value inside an object."""


class SchemaViolation(NamedTuple):
    """A breach of a schema or of a field's type: its kind, the place, the value there, and the bound that it broke."""

    kind: str
    loc: Location
    value: Any
    context: Mapping[str, Any] = {}


class Hints(NamedTuple):
    """Texts for the messages about a kind: patterns in words, the new places of moved fields, and sentences about some missing
    fields, with what is allowed."""

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
    """Return a value as messages describe it."""
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
    """Return a value's text, cut if it is too long."""
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
