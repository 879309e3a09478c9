"""A setting: its name, what it takes, what it is for, and where it counts. `cutlist.settings` declares all of them.

Messages refer to settings as objects. Only where a message leaves Cutlist is a setting spelled, as users write it there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any, Protocol

from cutlist.core.wording import camel_case


class Edge(StrEnum):
    """Where users meet settings."""

    PYTHON = "a function of cutlist"
    COMMAND_LINE = "the command line"
    PROJECT_FILE = "cutlist.yaml, or pyproject.toml"
    FLEET_FILE = "the file of a fleet"
    STACK = "the configuration of a stack"
    COMPONENT = "the inputs of a component"
    ASSISTANT = "the tools of assistants"


class Kind(Enum):
    """What a setting takes."""

    TEXT = auto()
    FLAG = auto()
    PATH = auto()
    FILE = auto()
    """A path that is not a folder's."""
    FOLDER = auto()
    """A path that is not a file's."""
    STREAM = auto()
    """A path, or `-` for standard input."""
    INSTANT = auto()
    WHOLE_NUMBER = auto()
    NUMBER = auto()
    PERCENTAGE = auto()
    """A whole number, with or without the percent sign."""


class Spelled(Protocol):
    """Something that each edge spells in its own way."""

    def spelled(self, edge: Edge) -> str:
        """Return what users of an edge write."""


Part = str | Spelled


def sentence(parts: str | tuple[Part, ...], edge: Edge) -> str:
    """Return a text in the words of an edge, from its parts."""
    listed = (parts,) if isinstance(parts, str) else parts
    return "".join(part if isinstance(part, str) else part.spelled(edge) for part in listed)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `name` is its name in Python.

    `help` says what it is for, `aside` what of that is only for the command line, and `otherwise` in words what counts without
    it, where `default` does not say so. `repeated` says that it may be given several times. `least` and `most` are the limits
    of a number, and `above` one that it has to exceed. `choices` are the only values of a text, of which one with commas has
    several; `bare` is the value of an option without one. `prefixes` may stand before a path. On the command line `variables`
    of the environment can set it.

    `option` is its long option where that is not the name, which is also its name in files; `former` are earlier ones, which
    the command line still takes and no help lists; `short` is its short one; `shown` how messages of the command line write it,
    if not as the long option; `input` its name in stacks and components. `unset` has a reason for each edge where it does not
    count.
    """

    name: str
    help: str | tuple[Part, ...]
    kind: Kind = Kind.TEXT
    several: bool = False
    default: Any = None
    shows_default: bool = True
    aside: str = ""
    otherwise: str = ""
    repeated: str = "May be given several times."
    metavar: str = ""
    choices: tuple[str, ...] = ()
    has_commas: bool = False
    bare: str = ""
    least: float | None = None
    most: float | None = None
    above: float | None = None
    prefixes: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    option: str = ""
    former: tuple[str, ...] = ()
    short: str = ""
    shown: str = ""
    input: str = ""
    unset: Mapping[Edge, str] = field(default_factory=dict, hash=False)

    @property
    def flag(self) -> str:
        """Return its long option."""
        return f"--{self.key}"

    @property
    def key(self) -> str:
        """Return its name in files."""
        return self.option or self.name.replace("_", "-")

    def described(self, edge: Edge) -> str:
        """Return what it is for, in the words of an edge."""
        text = sentence(self.help, edge)
        if edge is Edge.COMMAND_LINE:
            return text + self.aside
        return text if text.endswith(".") else f"{text}."

    def counts(self, edge: Edge) -> bool:
        """Tell whether users of an edge can set it; `unset` says why they cannot."""
        return edge not in self.unset

    def spelled(self, edge: Edge) -> str:
        """Return what users of an edge write."""
        match edge:
            case Edge.COMMAND_LINE:
                return self.shown or self.flag
            case Edge.PROJECT_FILE | Edge.FLEET_FILE:
                return self.key
            case Edge.STACK | Edge.COMPONENT:
                return camel_case(self.input or self.name)
            case Edge.ASSISTANT:
                return self.key.replace("-", "_")
        return self.name


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do about a mistake: ways out of it in parts, of which some are settings. `nearest` is what was probably meant."""

    ways: tuple[tuple[Part, ...], ...]
    joint: str = ", or "
    nearest: Spelled | None = None

    @staticmethod
    def of(*ways: Part | tuple[Part, ...], joint: str = ", or ", nearest: Spelled | None = None) -> Advice:
        """Return advice; a way is a text, a setting, or a tuple of both. Empty texts are left out."""
        parts = (way if isinstance(way, tuple) else (way,) for way in ways if way != "")
        return Advice(tuple(parts), joint, nearest)

    def spelled(self, edge: Edge) -> str:
        """Return the advice for users of an edge, without the ways by settings that do not count there."""
        ways = [way for way in self.ways if all(part.counts(edge) for part in way if isinstance(part, Setting))]
        return self.joint.join(sentence(tuple(map(_turned_on, way)), edge) for way in ways)

    def __str__(self) -> str:
        return self.spelled(Edge.PYTHON)


@dataclass(frozen=True, slots=True)
class _TurnedOn:
    """A flag that somebody is advised to give: a function takes it with its value."""

    flag: Setting

    def spelled(self, edge: Edge) -> str:
        """Return what users of an edge write."""
        text = self.flag.spelled(edge)
        return f"{text}=True" if edge is Edge.PYTHON else text


def _turned_on(part: Part) -> Part:
    return _TurnedOn(part) if isinstance(part, Setting) and part.kind is Kind.FLAG else part
