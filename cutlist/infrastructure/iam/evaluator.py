"""IAM's answer to a request: an explicit deny wins, then any allow, and without either the request is denied.

This is a part of IAM's own evaluation, for the operators of the documents here (spec: aws-infrastructure 13). Account-wide
policies, sessions and quotas are not part of it. IAM ignores case in names of actions and condition keys, but not in values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from cutlist.infrastructure.iam.documents import Condition, Document, Effect, Operator, Statement

_Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """One action on one resource. `context` has the values of condition keys: one, or several such as for `aws:TagKeys`.

    `principal` is the service, provider or ARN that makes the request; documents of an identity ignore it. A call that touches
    several resources is several requests, and each of them must be allowed.
    """

    action: str
    resource: str = ""
    context: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    principal: str = ""

    def values(self, key: str) -> _Values:
        """Return the request's values of a condition key, none if the request lacks it."""
        wanted = key.casefold()
        values = next((value for name, value in self.context.items() if name.casefold() == wanted), ())
        return (values,) if isinstance(values, str) else values


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer, and the statement that gave it; None when no statement applied."""

    allowed: bool
    by: Statement | None = None


def decide(documents: Iterable[Document], request: Request) -> Decision:
    """Return whether all documents of one identity, or of one resource, together allow a request, and the statement that
    decides."""
    matching = [statement for document in documents for statement in document if matches(statement, request)]
    # One Deny outweighs every Allow, wherever it stands.
    denying = next((statement for statement in matching if statement.effect is Effect.DENY), None)
    if denying:
        return Decision(False, denying)
    return Decision(bool(matching), matching[0] if matching else None)


def matches(statement: Statement, request: Request) -> bool:
    """Tell whether a statement applies to a request: its action, resource and principal, and every condition."""
    return (
        any(covers(action, request.action) for action in statement.actions)
        and (not statement.resources or any(reaches(resource, request.resource) for resource in statement.resources))
        and (not statement.principals or _is_principal(statement, request.principal))
        and all(holds(condition, request) for condition in statement.conditions)
    )


def holds(condition: Condition, request: Request) -> bool:
    """Tell whether a request meets one condition."""
    return _TESTS[condition.operator](condition.values, request.values(condition.key))


@lru_cache(maxsize=8192)
def covers(pattern: str, action: str) -> bool:
    """Tell whether a statement's action, which may have wildcards, includes an action."""
    return _like(pattern.casefold(), action.casefold())


@lru_cache(maxsize=8192)
def reaches(pattern: str, resource: str) -> bool:
    """Tell whether a statement's resource, which may have wildcards in each part of its ARN, includes a resource."""
    return pattern == "*" or _like_arn(pattern, resource)


def _is_principal(statement: Statement, name: str) -> bool:
    return any(known in ("*", name) for principal in statement.principals for known in principal.names)


def _equals(wanted: _Values, values: _Values) -> bool:
    return any(value in wanted for value in values)


def _equals_if_exists(wanted: _Values, values: _Values) -> bool:
    return not values or _equals(wanted, values)


def _all_equal(wanted: _Values, values: _Values) -> bool:
    return all(value in wanted for value in values)


def _is_like(wanted: _Values, values: _Values) -> bool:
    return any(_like(pattern, value) for value in values for pattern in wanted)


def _is_arn_like(wanted: _Values, values: _Values) -> bool:
    return any(_like_arn(pattern, value) for value in values for pattern in wanted)


def _is_bool(wanted: _Values, values: _Values) -> bool:
    return any(value.casefold() == pattern.casefold() for value in values for pattern in wanted)


# ArnEquals and ArnLike behave alike in IAM: each part of an ARN is compared separately, with wildcards.
_TESTS: Final[Mapping[Operator, Callable[[_Values, _Values], bool]]] = {
    Operator.STRING_EQUALS: _equals,
    Operator.STRING_EQUALS_IF_EXISTS: _equals_if_exists,
    Operator.FOR_ALL_STRING_EQUALS: _all_equal,
    Operator.STRING_LIKE: _is_like,
    Operator.ARN_EQUALS: _is_arn_like,
    Operator.ARN_LIKE: _is_arn_like,
    Operator.BOOL: _is_bool,
}


def _like_arn(pattern: str, value: str) -> bool:
    wanted, parts = pattern.split(":", 5), value.split(":", 5)
    return len(wanted) == len(parts) == 6 and all(
        _like(pattern_part, other) for pattern_part, other in zip(wanted, parts, strict=True)
    )


def _like(pattern: str, value: str) -> bool:
    return _expression(pattern).fullmatch(value) is not None


@lru_cache(maxsize=4096)
def _expression(pattern: str) -> re.Pattern[str]:
    wildcards = {"*": ".*", "?": "."}
    return re.compile("".join(wildcards.get(character) or re.escape(character) for character in pattern), re.DOTALL)
