"""What no document around Karpenter may grant, whoever wrote it (spec: aws-infrastructure 3.5, IF-01, IF-02)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problem
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
    """An action that is safe only under a condition, on these kinds of resources; no kinds means all."""

    action: str
    keys: tuple[str, ...]
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Danger:
    """A statement that grants too much through an action, as it is written. `guard` is the action that lacks its condition, or
    that is granted on too much; empty where the action must not be granted at all."""

    problem: Problem
    action: str
    guard: str = ""

    def concerns(self, action: str) -> bool:
        """Tell whether this is the reason why one action is granted too widely."""
        return self.guard == action if self.guard else covers(self.action, action)


PASSING: Final = "iam:PassRole"
_CREATION_KEYS: Final = ("aws:RequestTag/",)
_OWNERSHIP_KEYS: Final = ("aws:ResourceTag/",)
_TAG_KEYS: Final = "aws:TagKeys"
_GUARDS: Final = (
    _Guard(PASSING, ("iam:PassedToService",)),
    _Guard("ec2:CreateTags", ("ec2:CreateAction", _TAG_KEYS)),
    _Guard("ec2:DeleteTags", (*_OWNERSHIP_KEYS, _TAG_KEYS)),
    _Guard("ec2:RunInstances", _CREATION_KEYS, _CREATED),
    _Guard("ec2:CreateFleet", _CREATION_KEYS, _CREATED),
    _Guard("ec2:RunInstances", (*_CREATION_KEYS, *_OWNERSHIP_KEYS), ("launch-template",)),
    _Guard("ec2:CreateFleet", (*_CREATION_KEYS, *_OWNERSHIP_KEYS), ("launch-template",)),
    _Guard("ec2:CreateLaunchTemplate", _CREATION_KEYS),
    _Guard("ec2:TerminateInstances", _OWNERSHIP_KEYS),
    _Guard("ec2:RebootInstances", _OWNERSHIP_KEYS),
    _Guard("ec2:DeleteLaunchTemplate", _OWNERSHIP_KEYS),
    _Guard("iam:DeleteInstanceProfile", _OWNERSHIP_KEYS),
    _Guard("iam:AddRoleToInstanceProfile", _OWNERSHIP_KEYS),
)


def dangers(document: Document, facts: ClusterFacts, place: Place) -> Iterator[Danger]:
    """Yield every statement of a document that grants too much, each with what would be right."""
    for index, statement in enumerate(document):
        if statement.effect is Effect.ALLOW:
            at = place.at(f"{place.path}[{index}] {statement.sid}".strip())
            yield from _of_actions(statement, at)
            yield from (danger for guard in _GUARDS for danger in _unguarded(guard, statement, facts, at))


def _of_actions(statement: Statement, at: Place) -> Iterator[Danger]:
    for action in statement.actions:
        if _grants_a_service(action):
            yield Danger(Problem(at, f"{action!r} grants a whole service", "the actions that are needed, one by one"), action)
            continue
        for forbidden, why in _NEVER.items():
            if covers(action, forbidden):
                yield Danger(Problem(at, f"{action!r} grants {forbidden}", why), action)


def _unguarded(guard: _Guard, statement: Statement, facts: ClusterFacts, at: Place) -> Iterator[Danger]:
    granting = next((action for action in statement.actions if covers(action, guard.action)), None)
    if granting is None or _grants_a_service(granting):  # reported already
        return
    if guard.action == PASSING:
        named = (resource for resource in statement.resources if "*" in resource or "?" in resource)
        problems = (Problem(at, f"iam:PassRole on {resource!r}", "the ARN of each role, enumerated") for resource in named)
        yield from (Danger(problem, granting, guard.action) for problem in problems)
    if any(_guards(condition, guard) for condition in statement.conditions):
        return
    if not guard.kinds or any(_reaches_kind(statement, kind, facts) for kind in guard.kinds):
        keys = " or ".join(key + "*" if key.endswith("/") else key for key in guard.keys)
        problem = Problem(at, f"{granting!r} without a condition on what it applies to", f"a condition on {keys}")
        yield Danger(problem, granting, guard.action)


def _grants_a_service(action: str) -> bool:
    return any(covers(action, f"{service}:{_ANY_ACTION}") for service in _SERVICES)


def _guards(condition: Condition, guard: _Guard) -> bool:
    keys = tuple(key.casefold() for key in guard.keys)
    return condition.key.casefold().startswith(keys) and not _lets_all_through(condition)


def _lets_all_through(condition: Condition) -> bool:
    """Tell whether a condition lets every request pass, or every request that omits the key: "if it exists", and "all" of no
    values."""
    if condition.operator is Operator.FOR_ALL_STRING_EQUALS:
        return condition.key.casefold() != _TAG_KEYS.casefold()  # a request about tags always has their keys
    likes = condition.operator in (Operator.STRING_LIKE, Operator.ARN_LIKE)
    return condition.operator is Operator.STRING_EQUALS_IF_EXISTS or (likes and any(not v.strip("*") for v in condition.values))


def _reaches_kind(statement: Statement, kind: str, facts: ClusterFacts) -> bool:
    arn = facts.arn("ec2", f"{kind}/one")
    return any(reaches(resource, arn) for resource in statement.resources)
