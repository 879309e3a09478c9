"""Whether a condition keeps a statement from applying to every request.

A condition limits, lets everything through, or is not understood. One that is not understood must not make a document look
safer: it counts as absent from an Allow, and as never met in a Deny.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from cutlist.infrastructure.iam.evaluator import reaches
from cutlist.infrastructure.iam.grants import Grant, Test

_VARIABLE: Final = re.compile(r"\$\{(?![*?$]\})[^}]*\}")
_LITERAL: Final = re.compile(r"\$\{([*?$])\}")
_RESOURCE_TAG: Final = ":resourcetag/"
_PRINCIPAL_TAG: Final = re.compile(r"\$\{aws:PrincipalTag/[^},'*?$]+\}", re.IGNORECASE)
_ALL: Final = "forallvalues:"
_ANY: Final = "foranyvalue:"
_PATTERNS: Final = frozenset({"stringlike", "arnlike", "arnequals"})
_EXACT: Final = frozenset({"stringequals", "stringequalsignorecase"})
_ARN_PARTS: Final = 6
_IF_EXISTS: Final = "ifexists"
_REQUIRED: Final[Mapping[str, str]] = {
    "stringnotequals": "StringEquals",
    "stringnotequalsignorecase": "StringEqualsIgnoreCase",
    "stringnotlike": "StringLike",
    "arnnotequals": "ArnEquals",
    "arnnotlike": "ArnLike",
    "foranyvalue:stringnotequals": "ForAllValues:StringEquals",
    "foranyvalue:stringnotlike": "ForAllValues:StringLike",
}
"""The requirement of a Deny with an operator that excludes, which also denies requests without the key."""
TAG_KEYS: Final = "aws:TagKeys"


def names(test: Test, keys: Collection[str]) -> bool:
    """Tell whether a test is about one of some keys. A key that ends in `/` stands for all that begin with it."""
    key = test.key.casefold()
    return any(key == k.casefold() or (k.endswith("/") and key.startswith(k.casefold())) for k in keys)


def limits(test: Test) -> bool:
    """Tell whether a test lets only requests with certain values through.

    It does not when a request may omit the key (`...IfExists`, `ForAllValues:`, `Null`), when it only excludes values, when a
    pattern matches every value, when a value is a variable that the request itself fills, or when the operator is unknown.
    `ForAllValues:` on the keys of tags does limit: a request about tags always has them. So does a resource's tag that must
    equal one of the principal's: it matches nothing if the principal has none.
    """
    operator = test.operator.casefold()
    if operator.startswith(_ALL):
        if test.key.casefold() != TAG_KEYS.casefold():
            return False
    elif test.key.casefold() == TAG_KEYS.casefold():
        return False  # one key may have the right value, and the others any
    operator = operator.removeprefix(_ALL).removeprefix(_ANY)
    is_pattern = operator in _PATTERNS
    return (
        (is_pattern or operator in _EXACT)
        and bool(test.values)
        and all(_is_narrow(v, is_pattern) or _is_shared(test.key, v) for v in test.values)
    )


def fixed_part(value: str) -> str:
    """Return the beginning of a pattern, up to its first wildcard or variable."""
    return re.split(r"[*?]|\$\{", value, maxsplit=1)[0]


def is_exact(test: Test) -> bool:
    """Tell whether a test lets through only the values that it spells out, without wildcards and variables."""
    is_pattern = test.operator.casefold().removeprefix(_ANY) in _PATTERNS
    return limits(test) and not any("${" in value or (is_pattern and re.search(r"[*?]", value)) for value in test.values)


def is_limited(grant: Grant, keys: Collection[str]) -> bool:
    """Tell whether a test of one of some keys limits a statement."""
    return any(names(test, keys) and limits(test) for test in grant.tests)


def _is_narrow(value: str, is_pattern: bool) -> bool:
    rest = _LITERAL.sub("x", _VARIABLE.sub("*" if is_pattern else "", value))
    if is_pattern:
        return bool(rest.replace(":", "").strip("*?").removeprefix("arn").strip("*?"))
    return bool(rest) or not value


def _is_shared(key: str, value: str) -> bool:
    return _RESOURCE_TAG in key.casefold() and _PRINCIPAL_TAG.fullmatch(value) is not None


def left_by(denies: Collection[Grant], grant: Grant, action: str) -> Iterator[Grant]:
    """Yield the rest of a statement that allows an action after statements that deny: one statement for each resource that is
    not denied completely, with the tests that denials require. A Deny with a condition removes nothing, since some request may
    not meet it. But a Deny of every other value, such as `StringNotEquals` on `iam:PassedToService`, requires the value; with a
    second test, it requires neither.
    """
    concerned = [deny for deny in denies if deny.action_for(action) is not None]
    whole = grant.all_but_resources or not grant.resources
    for part in (grant,) if whole else (replace(grant, resources=(resource,)) for resource in grant.resources):
        taking = [deny for deny in concerned if _takes_all(deny, part)]
        if all(deny.tests for deny in taking):
            demanded = tuple(test for deny in taking if len(deny.tests) == 1 for test in _demanded(deny.tests[0]))
            yield replace(part, tests=(*part.tests, *demanded)) if demanded else part


def _demanded(test: Test) -> Iterator[Test]:
    operator = _REQUIRED.get(test.operator.casefold().removesuffix(_IF_EXISTS))
    if operator is not None:
        yield Test(operator, test.key, test.values)


def _takes_all(deny: Grant, grant: Grant) -> bool:
    if deny.all_but_resources:
        return not grant.all_but_resources and not any(
            could_reach(a, d) for d in deny.resources for a in grant.resources or ("*",)
        )
    if "*" in deny.resources:
        return True
    return not grant.all_but_resources and all(
        any(pattern == resource or ("?" not in pattern and reaches(pattern, resource)) for pattern in deny.resources)
        for resource in grant.resources or ("*",)
    )


@lru_cache(maxsize=8192)
def could_reach(pattern: str, kind: str) -> bool:
    """Tell whether some ARN or text matches both patterns. Two whole ARNs are compared part by part."""
    parts, others = pattern.split(":", 5), kind.split(":", 5)
    if len(parts) == len(others) == _ARN_PARTS:
        return all(_overlap(part, other) for part, other in zip(parts, others, strict=True))
    return _overlap(pattern, kind)


def _overlap(pattern: str, kind: str) -> bool:
    # Pairs of positions that some text reaches in both patterns. There are no more than the product of the lengths, while
    # trying wildcards one by one would take exponential time on some patterns.
    known = {(0, 0)}
    waiting = [(0, 0)]
    while waiting:
        left, right = waiting.pop()
        if left == len(pattern) and right == len(kind):
            return True
        for step in _steps(pattern[left : left + 1], kind[right : right + 1]):
            place = (left + step[0], right + step[1])
            if place not in known:
                known.add(place)
                waiting.append(place)
    return False


def _steps(left: str, right: str) -> Iterable[tuple[int, int]]:
    """Return the positions in two patterns that both can reach together with at most one more character of a text."""
    if left == "*":
        yield (1, 0)
        if right and right != "*":
            yield (0, 1)
    if right == "*":
        yield (0, 1)
        if left and left != "*":
            yield (1, 0)
    if left and right and "*" not in (left, right) and (left == right or "?" in (left, right)):
        yield (1, 1)
