"""Labels of instance types as requirements: equal ones share one object, since thousands of types have the same labels."""

from __future__ import annotations

from functools import cache

from cutlist.core.requirement import Requirement


@cache
def is_in(key: str, *values: str) -> Requirement:
    """Return `key In values`, or DoesNotExist without values; the same object for equal arguments."""
    return Requirement(key, False, frozenset(values))


def absent(*keys: str) -> tuple[Requirement, ...]:
    """Return DoesNotExist for each key: labels that a type does not have."""
    return tuple(map(is_in, keys))


def one_of(key: str, value: str | int | None) -> Requirement:
    """Return a label with a value; DoesNotExist for None."""
    return is_in(key) if value is None else is_in(key, str(value))


def flag(value: bool) -> str:
    """Return a truth value as labels write it."""
    return "true" if value else "false"
