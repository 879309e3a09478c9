"""A cause: its name, when it is named, what to do about it, and the function that looks for its evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import NotRequired, TypedDict, Unpack

from cutlist.core.values import dataclass
from cutlist.verification.deviations import Aspect, Deviation
from cutlist.verification.situation import Situation

Evidence = Callable[[Deviation, Situation], str]
"""Returns what shows that the cause holds, as a sentence without its full stop; an empty string where it does not."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a cluster may differ from its plan.

    `named_when` says on what evidence it is named, `remedy` what to do. `explains` are what of a node it may be the cause of.
    A `weak` one is only likely: it is named where nothing else is.
    """

    id: str
    title: str
    named_when: str
    remedy: str
    explains: frozenset[Aspect]
    evidence: Evidence = field(repr=False, compare=False)
    weak: bool = False

    def of(self, deviation: Deviation, situation: Situation) -> str:
        """Return the evidence that this is a cause of a deviation, or an empty string if it is not."""
        return self.evidence(deviation, situation) if deviation.aspect in self.explains else ""


class _Details(TypedDict):
    """The arguments of a cause, as in `Cause`, except those that name it."""

    named_when: str
    remedy: str
    explains: frozenset[Aspect]
    weak: NotRequired[bool]


def cause(id_: str, title: str, **details: Unpack[_Details]) -> Callable[[Evidence], Cause]:
    """Return a decorator that makes a cause of a function that returns the evidence of it."""

    def named(evidence: Evidence) -> Cause:
        return Cause(id=id_, title=title, evidence=evidence, **details)

    return named
