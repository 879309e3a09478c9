"""A law about several resources together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.account.sources import Source

Resources: TypeAlias = Sequence[tuple[str, str, Mapping[str, Any]]]
"""Resources as type, name in the program, and plain inputs."""


@dataclass(frozen=True, slots=True)
class Law:
    """Something about several resources, and the function that yields what breaks it."""

    says: str
    source: Source
    breaks: Callable[[Resources], Iterator[str]]


def of_type(resources: Resources, type_: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the resources of a type, by name in the program."""
    return ((name, inputs) for type_of, name, inputs in resources if type_of == type_)
