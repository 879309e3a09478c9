"""Rules of a CRD as rows of a table: the rule in CEL as the CRD has it, and beside it the same in Python.

A row looks at plain data as the API server stores it, defaults included. What it finds has the CRD's words at the place that
the API server names, and for us the very element that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cutlist.api._findings import Finding, Reported, Stage, path_of
from cutlist.api.structure import ABSENT, Location
from cutlist.core.errors import Layer


class Breach(NamedTuple):
    """What breaks a rule: the members below the rule's place, a word more to its message, what is allowed, what is near.

    `is_failure`: the CRD's expression does not say no but cannot be evaluated, as when a list is missing that it looks at.
    `instead` are better words than the rule's; empty where another mistake at the same place says it all.
    """

    at: Location = ()
    more: str = ""
    allowed: str = ""
    nearest: str = ""
    is_failure: bool = False
    instead: str | None = None


Breaches = Iterable[Breach]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule on one object alone. `path` is where it stands, with `[]` for every element of a list.

    `cel` is the CRD's text; where that lists label keys, `[...]` stands for the list.
    """

    path: str
    message: str
    cel: str
    breaches: Callable[[Any], Breaches]

    def at(self, loc: Location, here: Any, value: Any, old: Any) -> Breaches:
        """Return what breaks the rule at a place. What an update leaves as it was may stay (ratcheting), failures aside."""
        breaches = list(self.breaches(here))
        return () if is_unchanged(loc, value, old) and not all(breach.is_failure for breach in breaches) else breaches


@dataclass(frozen=True, slots=True)
class Transition:
    """A rule on what an update changes; it is silent when an object is created."""

    path: str
    message: str
    cel: str
    breaches: Callable[[Any, Any], Breaches]

    def at(self, loc: Location, here: Any, value: Any, old: Any) -> Breaches:  # noqa: ARG002 - the shape of Rule.at
        """Return what breaks the rule at one of its places."""
        before = before_at(loc, old)
        return self.breaches(here, before) if type(before) is type(here) else ()


Row = Rule | Transition


def broken(rows: Iterable[Row], value: Any, old: Any = ABSENT, malformed: Sequence[Location] = ()) -> Iterator[Finding]:
    """Yield what breaks the rules in a stored object. A rule is passed over where something that it looks at is malformed."""
    for row in rows:
        for loc, here in places(row.path, value):
            if not any(wrong[: len(loc)] == loc for wrong in malformed):
                lines = (Reported(path_of(loc), row.message, Stage.RULE),)
                for breach in row.at(loc, here, value, old):
                    words = row.message + breach.more if breach.instead is None else breach.instead
                    yield Finding(path_of((*loc, *breach.at)), words, breach.allowed, breach.nearest, Layer.RULE, lines)


def places(path: str, value: Any) -> Iterator[tuple[Location, Any]]:
    """Return the values at a path, each with where it is; none where the path leads nowhere."""
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
    """Return the value that was there before; ABSENT where there was none, and in lists, whose elements have no identity."""
    for member in loc:
        if not isinstance(old, Mapping) or isinstance(member, int) or member not in old:
            return ABSENT
        old = old[member]
    return old


def is_unchanged(loc: Location, value: Any, old: Any) -> bool:
    """Tell whether an update leaves a place as it was, alone or with all around it."""
    here = value
    for member in loc:
        here = here[member]
        old = before_at((member,), old)
        if old is ABSENT:
            return False
        if here == old:
            return True
    return False
