"""A cause: its name, when it is reported, what to do about it, and the function that looks for its evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict, Unpack

from cutlist.verification.deviations import Aspect, Deviation
from cutlist.verification.situation import Situation

Evidence = Callable[[Deviation, Situation], str]
"""Returns the evidence of the cause as a sentence without its full stop, or an empty string without evidence."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a cluster may differ from its plan.

    `named_when` says which evidence it takes, `remedy` what to do. `explains` are the aspects of a node that it can explain. A
    `weak` one is only likely, and is reported only if no other is.
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
    """Return a decorator that turns a function that returns evidence into a cause."""

    def named(evidence: Evidence) -> Cause:
        return Cause(id=id_, title=title, evidence=evidence, **details)

    return named
