"""IAM statements from any author, as IAM reads them: names of elements in any case, single values, inverted elements. `reading`
reads what inputs of components may contain, and refuses the rest. This module reads everything that IAM accepts, so that the
rules see what a document grants in any spelling.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.infrastructure.iam.documents import Document, Effect
from cutlist.infrastructure.iam.evaluator import covers

_ELEMENTS: Final = {
    name.casefold(): name
    for name in (
        *("Version", "Id", "Statement", "Sid", "Effect", "Principal", "NotPrincipal"),
        *("Action", "NotAction", "Resource", "NotResource", "Condition"),
    )
}
_Pairs = list[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class Test:
    """One test of a condition, under an operator that may be any text."""

    operator: str
    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grant:
    """A statement of a document. With `all_but_actions`, it is about every action that `actions` do not cover;
    `all_but_resources` does the same for resources."""

    index: int
    sid: str
    effect: Effect
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    tests: tuple[Test, ...] = ()
    all_but_actions: bool = False
    all_but_resources: bool = False

    def action_for(self, action: str) -> str | None:
        """Return the pattern by which the statement is about an action; None if it is not."""
        pattern = next((pattern for pattern in self.actions if covers(pattern, action)), None)
        if not self.all_but_actions:
            return pattern
        return action if pattern is None else None


def of_document(document: Document) -> tuple[Grant, ...]:
    """Return the statements of a document."""
    return tuple(
        Grant(
            index,
            statement.sid,
            statement.effect,
            statement.actions,
            statement.resources,
            tuple(Test(c.operator.value, c.key, c.values) for c in statement.conditions),
        )
        for index, statement in enumerate(document)
    )


def readings(written: Any) -> Iterator[Any]:
    """Yield the data of a document, given as JSON text or as data, with the elements under IAM's own names.

    If a member is written twice, possibly in different case, it is undocumented which one counts: then one reading has the
    first of each, and another the last. Yields None for text that is not JSON.
    """
    last, first = _read(written, _last), _read(written, _first)
    yield last
    if first != last:
        yield first


def grants(statements: list[Any]) -> tuple[Grant, ...]:
    """Return the statements of a reading. Anything that is not a mapping is left out."""
    return tuple(_grant(index, data) for index, data in enumerate(statements) if isinstance(data, Mapping))


def statements_of(reading: Any) -> list[Any] | None:
    """Return the statements of a reading as a list; None when it has none."""
    statements = reading.get("Statement") if isinstance(reading, Mapping) else None
    if isinstance(statements, Mapping):
        return [statements]
    return list(statements) if isinstance(statements, list | tuple) else None


def texts(value: Any) -> tuple[str, ...]:
    """Return a single value, or a list of them, as texts; values other than texts, numbers and booleans are left out."""
    listed = value if isinstance(value, list | tuple) else (value,)
    return tuple(_text(item) for item in listed if isinstance(item, str | bool | int | float))


def _text(value: str | bool | int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _grant(index: int, data: Mapping[str, Any]) -> Grant:
    inverted = "Action" not in data and "NotAction" in data
    elsewhere = "Resource" not in data and "NotResource" in data
    return Grant(
        index,
        str(data.get("Sid") or ""),
        Effect.DENY if str(data.get("Effect")).casefold() == "deny" else Effect.ALLOW,
        tuple(action.strip() for action in texts(data.get("NotAction" if inverted else "Action"))),
        texts(data.get("NotResource" if elsewhere else "Resource")),
        tuple(tests_of(data.get("Condition"))),
        inverted,
        elsewhere,
    )


def tests_of(condition: Any) -> Iterator[Test]:
    """Yield the tests of a condition; nothing unless it is a mapping."""
    for operator, tests in condition.items() if isinstance(condition, Mapping) else ():
        for key, values in tests.items() if isinstance(tests, Mapping) else ():
            yield Test(str(operator), str(key), texts(values))


_LONGEST: Final = 2**18  # characters of a document: eight times any service's limit, with room for spaces


def _read(written: Any, pick: Callable[[_Pairs], dict[str, Any]]) -> Any:
    if not isinstance(written, str):
        return _renamed(written, pick)
    if len(written) > _LONGEST:
        return None
    try:
        return json.loads(written, object_pairs_hook=pick)
    except (ValueError, RecursionError):
        return None


def _renamed(data: Any, pick: Callable[[_Pairs], dict[str, Any]]) -> Any:
    if isinstance(data, Mapping):
        return pick([(str(key), _renamed(value, pick)) for key, value in data.items()])
    return [_renamed(item, pick) for item in data] if isinstance(data, list | tuple) else data


def _last(pairs: _Pairs) -> dict[str, Any]:
    return {_ELEMENTS.get(key.casefold(), key): value for key, value in pairs}


def _first(pairs: _Pairs) -> dict[str, Any]:
    return _last(pairs[::-1])
