"""The findings of a rule on an object. A rule without findings passes."""

from __future__ import annotations

from dataclasses import dataclass

from cutlist.core.errors import Place, Problem
from cutlist.policy.rules.profile import Grade


@dataclass(frozen=True, slots=True)
class Violation:
    """The rule is broken: by which object (`NodePool/general`), where, by what, what is allowed, and one way to repair it.

    `grade` is how grave it is, where it is less grave than others of its rule.
    """

    about: str
    place: Place
    path: str
    found: str
    allowed: str
    advice: str
    grade: Grade | None = None


@dataclass(frozen=True, slots=True)
class CannotTell:
    """Whether the rule is broken is undetermined, because of something unknown here, which `unknown` names."""

    about: str
    place: Place
    path: str
    unknown: str


Finding = Violation | CannotTell


def repair_of(problem: Problem) -> str:
    """Return what to do about a mistake that the reader of an input has found."""
    if problem.nearest:
        return f"did you mean {problem.nearest}?"
    if problem.is_unread:
        return "name a file that exists and can be read"
    if problem.place.path:
        return f"correct {problem.place.path}"
    return f"correct line {problem.place.line}" if problem.place.line else "correct what the message names"
