"""IAM documents as values: their statements, and the text and size that IAM sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

MANAGED_POLICY_LIMIT: Final = 6144  # characters of one managed policy, whitespace excluded
INLINE_POLICIES_LIMIT: Final = 10240  # characters of all inline policies of a role, whitespace excluded
EVERYTHING: Final = ("*",)
_VERSION: Final = "2012-10-17"


class Effect(StrEnum):
    """The effect of a statement on the requests that it matches."""

    ALLOW = "Allow"
    DENY = "Deny"


class Operator(StrEnum):
    """How a condition compares a value of a request with its own values."""

    STRING_EQUALS = "StringEquals"
    STRING_LIKE = "StringLike"
    STRING_EQUALS_IF_EXISTS = "StringEqualsIfExists"
    FOR_ALL_STRING_EQUALS = "ForAllValues:StringEquals"
    ARN_EQUALS = "ArnEquals"
    ARN_LIKE = "ArnLike"
    BOOL = "Bool"


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """A test of a request: its value under `key` must compare with one of `values`."""

    operator: Operator
    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Principal:
    """The principal of a trust or resource document's statement: `kind` is `Service`, `Federated` or `AWS`."""

    kind: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement. In a trust document, it has principals and no resources; in a policy of an identity, the other way round."""

    sid: str
    actions: tuple[str, ...]
    resources: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    principals: tuple[Principal, ...] = ()
    effect: Effect = Effect.ALLOW

    def as_data(self) -> dict[str, Any]:
        """Return the statement in IAM's JSON form."""
        data: dict[str, Any] = {"Sid": self.sid, "Effect": self.effect.value}
        if self.principals:
            data["Principal"] = _principals(self.principals)
        data["Action"] = _one_or_more(self.actions)
        if self.resources:
            data["Resource"] = _one_or_more(self.resources)
        if self.conditions:
            data["Condition"] = _conditions(self.conditions)
        return data


@dataclass(frozen=True, slots=True)
class Document:
    """An IAM document: statements in their order."""

    statements: tuple[Statement, ...]

    def as_data(self) -> dict[str, Any]:
        """Return the document in IAM's JSON form."""
        return {"Version": _VERSION, "Statement": [statement.as_data() for statement in self.statements]}

    def text(self) -> str:
        """Return the document as JSON without spaces; equal documents give equal texts."""
        return json.dumps(self.as_data(), separators=(",", ":"))

    @property
    def size(self) -> int:
        """Return its size for IAM's limits: characters, whitespace excluded."""
        return sum(not character.isspace() for character in self.text())

    def __iter__(self) -> Iterator[Statement]:
        return iter(self.statements)


def _one_or_more(values: tuple[str, ...]) -> str | list[str]:
    return values[0] if len(values) == 1 else list(values)


def _principals(principals: tuple[Principal, ...]) -> Any:
    if any(principal.names == EVERYTHING for principal in principals):
        return "*"
    return {principal.kind: _one_or_more(principal.names) for principal in principals}


def _conditions(conditions: tuple[Condition, ...]) -> dict[str, dict[str, Any]]:
    by_operator: dict[str, dict[str, Any]] = {}
    for condition in conditions:
        by_operator.setdefault(condition.operator.value, {})[condition.key] = _one_or_more(condition.values)
    return by_operator
