"""Labels of instance types as requirements: one object for equal ones, since thousands of types say the same."""

from __future__ import annotations

from functools import cache

from cutlist.core.requirement import Requirement


@cache
def is_in(key: str, *values: str) -> Requirement:
    """Return `key In values`, one object for equal arguments; without values DoesNotExist."""
    return Requirement(key, False, frozenset(values))


def absent(*keys: str) -> tuple[Requirement, ...]:
    """Return labels that a type does not have: DoesNotExist for each key."""
    return tuple(map(is_in, keys))


def one_of(key: str, value: str | int | None) -> Requirement:
    """Return a label with a value; None leaves it DoesNotExist."""
    return is_in(key) if value is None else is_in(key, str(value))


def flag(value: bool) -> str:
    """Return a truth value as labels write it."""
    return "true" if value else "false"
