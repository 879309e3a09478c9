"""Policy documents of IAM, as a service reads them when it is given one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.account.checks import Check

_ACTION: Final = re.compile(r"\*|[a-z0-9-]+:[A-Za-z0-9*?]+")
_SID: Final = re.compile(r"[A-Za-z0-9]*")
_ARN: Final = re.compile(r"\*|arn:[^:]+:[^:]+:[^:]*:[^:]*:.+")
_ROOT: Final = re.compile(r"\*|[0-9]{12}|arn:aws[a-z-]*:iam::[0-9]{12}:(root|(role|user)/.+)")
_SERVICE: Final = re.compile(r"[a-z0-9.-]+\.(amazonaws\.com(\.cn)?|[a-z.-]+)")
_OF_ROLES: Final = frozenset(
    {
        *("sts:AssumeRole", "sts:AssumeRoleWithSAML", "sts:AssumeRoleWithWebIdentity"),
        *("sts:SetContext", "sts:SetSourceIdentity", "sts:TagSession"),
    }
)
_STATEMENT: Final = frozenset(
    {"Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition"}
)
_OPERATOR: Final = re.compile(
    r"(ForAllValues:|ForAnyValue:)?"
    r"(String(Not)?(Equals|EqualsIgnoreCase|Like)|Numeric(Not)?(Equals|LessThan|LessThanEquals|GreaterThan|GreaterThanEquals)"
    r"|Date(Not)?(Equals|LessThan|LessThanEquals|GreaterThan|GreaterThanEquals)|Bool|BinaryEquals|(Not)?IpAddress"
    r"|Arn(Not)?(Equals|Like)|Null)(IfExists)?"
)


def size(document: str) -> int:
    """Return the characters of a document that IAM counts: all but whitespace."""
    return len(re.sub(r"\s", "", document))


def identity_policy(longest: int) -> Check:
    """Accept documents that say what a principal may do: with resources, without principals."""
    return _document(longest, "Resource", "Principal", "a policy document with actions and resources")


def resource_policy(longest: int) -> Check:
    """Accept documents that say who may use what they are attached to."""
    return _document(longest, "Principal", "", "a policy document with principals and actions")


def trust_policy(longest: int) -> Check:
    """Accept documents that say who may assume a role: with principals, without resources."""
    return _document(longest, "Principal", "Resource", "a policy document with principals and without resources")


def trusted_actions(value: Any) -> bool:
    """Tell whether the statements of a trust are about taking on a role alone."""
    return all(set(_listed(statement.get("Action"))) <= _OF_ROLES for statement in _statements(value))


def keeps_a_manager(value: Any) -> bool:
    """Tell whether somebody may change the policy of a key. One that locks everybody out is refused."""
    allowed = (statement for statement in _statements(value) if statement.get("Effect") == "Allow")
    return any({"kms:*", "kms:Put*", "kms:PutKeyPolicy"} & set(_listed(statement.get("Action"))) for statement in allowed)


def fits_a_queue(value: Any) -> bool:
    """Tell whether a policy has no more statements, actions and principals than SQS takes."""
    statements = _statements(value)
    principals = [_principals(statement.get("Principal")) for statement in statements]
    return len(statements) <= 20 and sum(principals) <= 50 and all(len(_listed(one.get("Action"))) <= 7 for one in statements)


def _principals(principal: Any) -> int:
    return sum(len(_listed(members)) for members in principal.values()) if isinstance(principal, Mapping) else 1


def _statements(document: str) -> list[Mapping[str, Any]]:
    try:
        statements = json.loads(document).get("Statement") or []
    except ValueError:
        return []
    return [statements] if isinstance(statements, Mapping) else statements


def _document(longest: int, wanted: str, unwanted: str, says: str) -> Check:
    def accepts(value: Any) -> bool:
        return isinstance(value, str) and size(value) <= longest and not any(problems(value, wanted, unwanted))

    return Check(f"{says}, at most {longest:,} characters without whitespace", accepts)


def problems(document: str, wanted: str, unwanted: str = "") -> Iterator[str]:
    """Yield what the grammar of policies does not allow in a document."""
    try:
        content = json.loads(document)
    except ValueError:
        yield "no JSON"
        return
    if content.get("Version") != "2012-10-17":
        yield "another version than 2012-10-17"
    statements = content.get("Statement")
    statements = [statements] if isinstance(statements, Mapping) else statements
    if not statements:
        yield "no statement"
    identifiers = [statement["Sid"] for statement in statements or () if statement.get("Sid")]
    if len(set(identifiers)) < len(identifiers):
        yield "one Sid twice"
    for statement in statements or ():
        yield from _of_statement(statement, wanted, unwanted)


def _of_statement(statement: Mapping[str, Any], wanted: str, unwanted: str) -> Iterator[str]:
    yield from (f"{member} is not a member of a statement" for member in statement if member not in _STATEMENT)
    if statement.get("Effect") not in ("Allow", "Deny"):
        yield "an effect that is neither Allow nor Deny"
    if not _SID.fullmatch(statement.get("Sid", "")):
        yield f"the Sid {statement['Sid']}"
    if not ({wanted, f"Not{wanted}"} & statement.keys()):
        yield f"no {wanted}"
    if unwanted and {unwanted, f"Not{unwanted}"} & statement.keys():
        yield f"a {unwanted}"
    actions = _listed(statement.get("Action", statement.get("NotAction")))
    yield from (f"the action {action}" for action in actions if not _ACTION.fullmatch(action))
    if not actions:
        yield "no action"
    resources = _listed(statement.get("Resource", statement.get("NotResource")))
    yield from (f"the resource {resource}" for resource in resources if not _ARN.fullmatch(resource))
    if wanted == "Resource" and not resources:
        yield "no resource"
    yield from _of_principal(statement.get("Principal"))
    for operator, tests in (statement.get("Condition") or {}).items():
        if not _OPERATOR.fullmatch(operator):
            yield f"the operator {operator}"
        yield from (f"no value for {key}" for key, values in tests.items() if not _listed(values))


def _of_principal(principal: Any) -> Iterator[str]:
    if isinstance(principal, str):
        if principal != "*":
            yield f"the principal {principal}"
        return
    forms = {"AWS": _ROOT, "Service": _SERVICE, "Federated": _ARN, "CanonicalUser": re.compile(r"[0-9a-f]{64}")}
    for kind, members in (principal or {}).items():
        if kind not in forms:
            yield f"principals of the kind {kind}"
            continue
        yield from (f"the principal {member}" for member in _listed(members) if not forms[kind].fullmatch(member))


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())
