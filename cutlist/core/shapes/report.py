"""Where mistakes in data are reported: each with its path, which the document turns into a place of the user's files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from cutlist.core.errors import Place, Problems
from cutlist.core.setting import Advice


class Located(Protocol):
    """An object that knows where each path of some data is in the user's files, such as a `Document`."""

    def at(self, path: str) -> Place:
        """Return the file, document and line where a path is written."""


class Paths:
    """Data that is in no file: a place is only its path."""

    def at(self, path: str) -> Place:
        """Return a place without a file or line."""
        return Place(path=path)


@dataclass(frozen=True, slots=True)
class Below:
    """A part of a document: paths begin below it."""

    document: Located
    path: str

    def at(self, path: str) -> Place:
        """Return the place of a path inside the part; of the part itself for an empty one."""
        return self.document.at(join(self.path, path) if path else self.path)


@dataclass(frozen=True, slots=True)
class Report:
    """Collects the mistakes of one document."""

    document: Located
    problems: Problems

    def add(self, path: str, message: str, allowed: str | Advice = "", meant: str = "") -> None:
        """Add a mistake at a path."""
        self.problems.add(self.document.at(path), message, allowed, meant)


def join(path: str, member: str) -> str:
    """Return the path of a member, which may itself be a path: `items[0]` and `spec` are `items[0].spec`."""
    return member if not path else f"{path}{member}" if member.startswith("[") else f"{path}.{member}"


def quoted(path: str, name: str) -> str:
    """Return the path of a member, in quotes if its name has a dot or slash: `tags['a.b/c']`."""
    return f"{path}[{name!r}]" if "." in name or "/" in name else join(path, name)


def kind_of(value: Any) -> str:
    """Return the type of a value in YAML's terms."""
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    return "nothing" if value is None else shown(value)


def shown(value: Any) -> str:
    """Return a value as messages quote it."""
    written = {True: "true", False: "false", None: "null"}.get(value) if value is None or isinstance(value, bool) else None
    return written or (repr(value) if len(repr(value)) <= 60 else repr(value)[:57] + "...")
