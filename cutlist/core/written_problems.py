"""A mistake, and the place of one, in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cutlist.core.errors import Layer, Place, Problem
from cutlist.core.records import FLAT, CountOrNull, Key, Parts, TextOrNull, about, form_of

_Layer = Annotated[
    Layer | str, form_of(Layer | None).through(lambda layer: Layer(layer) if layer else None), about("Who refuses it.")
]


@dataclass(frozen=True, slots=True)
class _Line:
    source: Annotated[TextOrNull, Key("file")]
    document: CountOrNull
    line: CountOrNull


@dataclass(frozen=True, slots=True)
class _Path(_Line):
    path: TextOrNull


@dataclass(frozen=True, slots=True)
class _Problem:
    """A mistake: where it is, what is wrong, and what would be right."""

    place: Annotated[_Path, FLAT]
    layer: _Layer
    message: str
    allowed: TextOrNull
    nearest: TextOrNull


WrittenPlace = Annotated[Place, Parts(_Line)]
"""A place; in JSON its file, document and line."""
WrittenProblem = Annotated[Problem, form_of(_Problem)]
"""A mistake with its place, and the path there."""
