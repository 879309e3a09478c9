"""Rules of a CRD as rows of a table: the rule in CEL as the CRD has it, next to the same in Python.

A row checks plain data as the API server stores it, defaults included. A finding has the CRD's words at the place that the API
server names; Cutlist's own message names the exact element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cutlist.api.findings import Finding, Location, Reported, Stage, path_of
from cutlist.api.structure import ABSENT
from cutlist.core.errors import Layer


class Breach(NamedTuple):
    """A breach of a rule: the members below the rule's place, an addition to its message, what is allowed, and the nearest
    right value.

    `is_failure` says that the CRD's expression is not false but cannot be evaluated, for example because a list that it reads
    is missing. `instead` are better words than the rule's; empty if another mistake at the same place covers it.
    """

    at: Location = ()
    more: str = ""
    allowed: str = ""
    nearest: str = ""
    is_failure: bool = False
    instead: str | None = None


Breaches = Iterable[Breach]
Part = Mapping[str, Any]
"""A part of a manifest that a rule is about."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule on a single object. `path` is where it applies, with `[]` for every element of a list.

    `cel` is the CRD's text; a list of label keys in it is abbreviated as `[...]`.
    """

    path: str
    message: str
    cel: str
    breaches: Callable[[Any], Breaches]

    def at(self, loc: Location, here: Any, value: Any, old: Any) -> Breaches:
        """Return the breaches of the rule at a place. Parts that an update leaves unchanged may stay (ratcheting), except
        failures."""
        breaches = list(self.breaches(here))
        return () if is_unchanged(loc, value, old) and not all(breach.is_failure for breach in breaches) else breaches


@dataclass(frozen=True, slots=True)
class Transition:
    """A rule on what an update changes; it does not apply when an object is created."""

    path: str
    message: str
    cel: str
    breaches: Callable[[Any, Any], Breaches]

    def at(self, loc: Location, here: Any, value: Any, old: Any) -> Breaches:  # noqa: ARG002 - the shape of Rule.at
        """Return the breaches of the rule at one of its places."""
        before = before_at(loc, old)
        return self.breaches(here, before) if type(before) is type(here) else ()


Row = Rule | Transition


def broken(rows: Iterable[Row], value: Any, old: Any = ABSENT, malformed: Sequence[Location] = ()) -> Iterator[Finding]:
    """Yield the findings of the rules on a stored object. A rule is skipped if something that it reads is malformed."""
    for row in rows:
        for loc, here in places(row.path, value):
            if not any(wrong[: len(loc)] == loc for wrong in malformed):
                for breach in row.at(loc, here, value, old):
                    lines = (Reported(path_of(loc), row.message, Stage.RULE),)
                    words = row.message + breach.more if breach.instead is None else breach.instead
                    yield Finding(path_of((*loc, *breach.at)), words, breach.allowed, breach.nearest, Layer.RULE, lines)


def places(path: str, value: Any) -> Iterator[tuple[Location, Any]]:
    """Return the values at a path, each with its location; none if the path does not exist."""
    located: list[tuple[Location, Any]] = [((), value)]
    for name in path.split("."):
        bare = name.removesuffix("[]")
        located = [
            ((*loc, bare), here[bare]) for loc, here in located if isinstance(here, Mapping) and here.get(bare) is not None
        ]
        if name != bare:
            located = [
                ((*loc, i), element) for loc, here in located if isinstance(here, list) for i, element in enumerate(here)
            ]
    return iter(located)


def before_at(loc: Location, old: Any) -> Any:
    """Return the previous value at a location; ABSENT if there was none, and always inside lists, whose elements have no
    identity."""
    for member in loc:
        if not isinstance(old, Mapping) or isinstance(member, int) or member not in old:
            return ABSENT
        old = old[member]
    return old


def is_unchanged(loc: Location, value: Any, old: Any) -> bool:
    """Tell whether an update leaves a place unchanged, or everything around it."""
    here = value
    for member in loc:
        here = here[member]
        old = before_at((member,), old)
        if old is ABSENT:
            return False
        if here == old:
            return True
    return False
