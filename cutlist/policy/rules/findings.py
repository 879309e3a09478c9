"""The findings of a rule on an object. A rule without findings passes."""

from __future__ import annotations

from cutlist.core.errors import Place
from cutlist.core.values import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """The rule is broken: by which object (`NodePool/general`), where, by what, what is allowed, and one way to repair it."""

    about: str
    place: Place
    path: str
    found: str
    allowed: str
    advice: str


@dataclass(frozen=True, slots=True)
class CannotTell:
    """Whether the rule is broken is undetermined, because of something unknown here, which `unknown` names."""

    about: str
    place: Place
    path: str
    unknown: str


Finding = Violation | CannotTell
