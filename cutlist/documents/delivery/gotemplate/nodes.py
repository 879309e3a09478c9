"""The parts of a template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that is written in the template."""

    value: Any


@dataclass(frozen=True, slots=True)
class Member:
    """Members of something, one below the other: of the dot, of a variable, or of another expression."""

    of: Expression | None
    names: tuple[str, ...]
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments."""

    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands, each of which gets the value of the one before as its last argument; `variables` keep the value."""

    commands: tuple[Expression, ...]
    variables: tuple[str, ...] = ()
    declares: bool = True


Expression = Literal | Member | Call | Pipeline


@dataclass(frozen=True, slots=True)
class Text:
    """Text that stays as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """An expression whose value is printed, unless it only sets a variable."""

    pipeline: Pipeline


@dataclass(frozen=True, slots=True)
class Branch:
    """`if`, `with` or `range`, with what stands between it and its end, and after its `else`."""

    word: str
    pipeline: Pipeline
    body: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Leave:
    """`break` or `continue` in a `range`."""

    word: str


@dataclass(frozen=True, slots=True)
class Include:
    """A template of a name, with a value as its dot."""

    name: str
    pipeline: Pipeline | None


Node = Text | Action | Branch | Leave | Include
Block = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A template, and those that it defines by name."""

    body: Block
    defined: dict[str, Block]
