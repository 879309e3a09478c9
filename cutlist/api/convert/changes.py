"""What a conversion changes, as data: the edit itself, what kind of change it is, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from cutlist.api.convert.edits import Edit, Set
from cutlist.api.versions import SERVED
from cutlist.core.errors import Place

Kind = Literal["carried over", "changed default", "changes meaning", "lost", "needs a decision"]
"""How much a change matters: the same in other words; another default than before; another behaviour; gone; yours to decide."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one object. `old` and `new` are paths in the old and the new object, empty where there is none.

    `is_ours` says that no program of Karpenter ever made this step: it is how Cutlist reads the fields.
    """

    kind: Kind
    text: str
    old: str = ""
    new: str = ""
    advice: str = ""
    is_ours: bool = False
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Reported:
    """A change, with the object it is about (`NodePool general`) and where in the user's files that stands."""

    subject: str
    place: Place
    change: Change


def version_change(kind: str) -> Change:
    """Return the change to the version of a kind that is served today."""
    served = SERVED[kind]
    return Change("carried over", f"apiVersion is {served}", "apiVersion", "apiVersion", edits=(Set(("apiVersion",), served),))


def edits_of(changes: Iterable[Change]) -> Iterator[Edit]:
    """Yield the edits of changes, in their order."""
    for change in changes:
        yield from change.edits
