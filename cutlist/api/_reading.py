"""The one way in: from a manifest, read or built from Python arguments, to its fields or to all that is wrong with it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from pydantic import ValidationError

from cutlist.api._findings import Finding, Hints, structure_findings
from cutlist.api._model import Model
from cutlist.errors import InputError, Place, Problem

M = TypeVar("M", bound=Model)

_UNKNOWN: Final = "extra_forbidden"


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


def fields_of(model: type[M], manifest: Mapping[str, Any], hints: Hints) -> tuple[M | None, list[Finding]]:
    """The fields of a manifest and what is wrong with its structure.

    Fields that are not known are findings, but do not keep the rest from being read, so that rules can be looked at too.
    """
    try:
        return model.of(manifest), []
    except ValidationError as error:
        found = structure_findings(error, model, hints)
        unknown = [one["loc"] for one in error.errors(include_url=False) if one["type"] == _UNKNOWN]
    try:
        return model.of(_without(manifest, unknown)), found
    except ValidationError:
        return None, found


def refuse(findings: Iterable[Finding], source: Source) -> None:
    """Raise InputError with the findings, if there are any."""
    problems = [Problem(source.at(f.path), f.message, f.allowed, f.nearest) for f in findings]
    if problems:
        raise InputError(problems)


def plain_copy(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a manifest that its receiver may change."""
    return copy.deepcopy(dict(manifest))


def _without(manifest: Mapping[str, Any], locations: Iterable[tuple[int | str, ...]]) -> dict[str, Any]:
    rest = plain_copy(manifest)
    for *parents, last in locations:
        holder: Any = rest
        for member in parents:
            holder = holder[member]
        del holder[last]
    return rest
