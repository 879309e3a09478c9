"""What no document around Karpenter may grant, whoever wrote it (spec: aws-infrastructure 3.5, IF-01, IF-02)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.errors import Place, Problem
from cutlist.infrastructure.iam.documents import Condition, Document, Effect, Operator, Statement
from cutlist.infrastructure.iam.evaluator import covers, reaches
from cutlist.infrastructure.names import ClusterFacts

_NEVER: Final = {
    "iam:CreateServiceLinkedRole": "the role for spot is made once an account, by its own component",
    "ssm:SendCommand": "reading the parameters of images needs ssm:GetParameter alone",
    "eks:DeleteCluster": "the controller needs eks:DescribeCluster alone",
}
_SERVICES: Final = ("ec2", "eks", "iam", "kms", "sqs", "ssm")
_ANY_ACTION: Final = "AnyActionAtAll"
_CREATED: Final = ("fleet", "instance", "volume", "network-interface", "spot-instances-request")


@dataclass(frozen=True, slots=True)
class _Guard:
    """An action that is safe under a condition alone, on these kinds of resources; no kinds for all."""

    action: str
    keys: tuple[str, ...]
    kinds: tuple[str, ...] = ()


_CREATION_KEYS: Final = ("aws:RequestTag/",)
_OWNERSHIP_KEYS: Final = ("aws:ResourceTag/",)
_GUARDS: Final = (
    _Guard("iam:PassRole", ("iam:PassedToService",)),
    _Guard("ec2:CreateTags", ("ec2:CreateAction", "aws:TagKeys")),
    _Guard("ec2:RunInstances", _CREATION_KEYS, _CREATED),
    _Guard("ec2:CreateFleet", _CREATION_KEYS, _CREATED),
    _Guard("ec2:RunInstances", (*_CREATION_KEYS, *_OWNERSHIP_KEYS), ("launch-template",)),
    _Guard("ec2:CreateFleet", (*_CREATION_KEYS, *_OWNERSHIP_KEYS), ("launch-template",)),
    _Guard("ec2:CreateLaunchTemplate", _CREATION_KEYS),
    _Guard("ec2:TerminateInstances", _OWNERSHIP_KEYS),
    _Guard("ec2:DeleteLaunchTemplate", _OWNERSHIP_KEYS),
    _Guard("iam:DeleteInstanceProfile", _OWNERSHIP_KEYS),
    _Guard("iam:AddRoleToInstanceProfile", _OWNERSHIP_KEYS),
)


def dangers(document: Document, facts: ClusterFacts, place: Place) -> Iterator[Problem]:
    """Every statement of a document that grants too much, each with what would be right."""
    for index, statement in enumerate(document):
        if statement.effect is Effect.ALLOW:
            at = place.at(f"{place.path}[{index}] {statement.sid}".strip())
            yield from _of_actions(statement, at)
            yield from (problem for guard in _GUARDS for problem in _unguarded(guard, statement, facts, at))


def _of_actions(statement: Statement, at: Place) -> Iterator[Problem]:
    for action in statement.actions:
        if _grants_a_service(action):
            yield Problem(at, f"{action!r} grants a whole service", "the actions that are needed, one by one")
            continue
        for forbidden, why in _NEVER.items():
            if covers(action, forbidden):
                yield Problem(at, f"{action!r} grants {forbidden}", why)


def _unguarded(guard: _Guard, statement: Statement, facts: ClusterFacts, at: Place) -> Iterator[Problem]:
    granting = next((action for action in statement.actions if covers(action, guard.action)), None)
    if granting is None or _grants_a_service(granting):  # told already
        return
    if guard.action == "iam:PassRole":
        named = (resource for resource in statement.resources if "*" in resource or "?" in resource)
        yield from (Problem(at, f"iam:PassRole on {resource!r}", "the ARN of each role, enumerated") for resource in named)
    if any(_guards(condition, guard) for condition in statement.conditions):
        return
    if not guard.kinds or any(_reaches_kind(statement, kind, facts) for kind in guard.kinds):
        keys = " or ".join(key + "*" if key.endswith("/") else key for key in guard.keys)
        yield Problem(at, f"{granting!r} without a condition on what it applies to", f"a condition on {keys}")


def _grants_a_service(action: str) -> bool:
    return any(covers(action, f"{service}:{_ANY_ACTION}") for service in _SERVICES)


def _guards(condition: Condition, guard: _Guard) -> bool:
    # A condition "if it exists" lets a request through that simply leaves the key out.
    keys = tuple(key.casefold() for key in guard.keys)
    return condition.operator is not Operator.STRING_EQUALS_IF_EXISTS and condition.key.casefold().startswith(keys)


def _reaches_kind(statement: Statement, kind: str, facts: ClusterFacts) -> bool:
    one = facts.arn("ec2", f"{kind}/one")
    return any(reaches(resource, one) for resource in statement.resources)
