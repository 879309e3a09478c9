"""Where objects come from, and how all that is wrong with one is raised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from cutlist.api._findings import Finding
from cutlist.core.errors import InputError, Place


class Source(Protocol):
    """Where an object comes from, able to say where a path of it stands."""

    def at(self, path: str) -> Place:
        """The place of a path."""
        ...


@dataclass(frozen=True, slots=True)
class BuiltInPython:
    """The source of an object that no file holds: its kind and name stand for the file."""

    kind: str
    name: str

    @staticmethod
    def of(kind: str, manifest: Mapping[str, Any]) -> BuiltInPython:
        """The source of a manifest in plain data."""
        metadata = manifest.get("metadata")
        name = metadata.get("name") if isinstance(metadata, Mapping) else None
        return BuiltInPython(kind, name if isinstance(name, str) else "")

    def at(self, path: str) -> Place:
        """The place of a path."""
        return Place(f"{self.kind}/{self.name}" if self.name else self.kind, path=path)


def refuse(findings: Iterable[Finding], source: Source) -> None:
    """Raise InputError with the findings, if there are any."""
    problems = [finding.problem(source.at(finding.path)) for finding in findings if finding.message]
    if problems:
        raise InputError(problems)
