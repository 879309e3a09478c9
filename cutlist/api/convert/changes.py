"""The changes of a conversion as data: the edit itself, the kind of change, and the message about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.api.convert.edits import Edit, Set
from cutlist.api.versions import SERVED
from cutlist.core.errors import Place
from cutlist.core.records import FLAT, HIDDEN, After, Count, Key, Parts, TextOrNull, about, computed

Kind = Literal["carried over", "changed default", "changes meaning", "lost", "needs a decision"]
"""How much a change matters: the same in another spelling; another default; another behaviour; removed; a decision for the
user."""


@dataclass(frozen=True, slots=True)
class ConversionChange:
    """A change of one object. `old` and `new` are paths in the old and the new object, empty if the object is missing.
    `is_ours` says that no program of Karpenter ever made this step: Cutlist reads the fields this way.
    """

    kind: Kind
    text: Annotated[str, After("new")]
    old: Annotated[TextOrNull, about("Path in the old object.")] = ""
    new: Annotated[TextOrNull, about("Path in the new object.")] = ""
    advice: Annotated[TextOrNull, After("text")] = ""
    is_ours: Annotated[bool, HIDDEN] = False
    edits: Annotated[tuple[Edit, ...], HIDDEN] = ()

    @property
    @computed(after="advice")
    def read_by(self) -> Literal["cutlist", "karpenter"]:
        """Return who reads the fields this way."""
        return "cutlist" if self.is_ours else "karpenter"


@dataclass(frozen=True, slots=True)
class _Line:
    source: str
    document: Count
    line: Count


@dataclass(frozen=True, slots=True)
class Reported:
    """A change with its object (`NodePool general`) and where that is in the user's files."""

    subject: Annotated[str, Key("object")]
    place: Annotated[Place, Parts(_Line)]
    change: Annotated[ConversionChange, FLAT]


def version_change(kind: str) -> ConversionChange:
    """Return the change to the version of the kind that today's Karpenter serves."""
    served = SERVED[kind]
    return ConversionChange(
        "carried over", f"apiVersion is {served}", "apiVersion", "apiVersion", edits=(Set(("apiVersion",), served),)
    )


def edits_of(changes: Iterable[ConversionChange]) -> Iterator[Edit]:
    """Yield the edits of changes, in their order."""
    for change in changes:
        yield from change.edits
