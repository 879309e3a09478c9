"""What principals may do over everything that gives them rights, AWS's own policies included (spec: IF-21, 3.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.infrastructure.iam.abilities import CONTROLLER
from cutlist.infrastructure.iam.dangers import Danger
from cutlist.infrastructure.iam.managed_policies import managed_name, managed_policies
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.iam_documents import (
    ATTACHED,
    GRANTING,
    attached_policies,
    dangers_in,
    documents_in,
    written_documents,
)
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.rule import Resources, Settings, Severity, stack_rule
from cutlist.policy.rules.tokens import IAM_ATTACHMENT, IAM_ROLE, NATIVE_IAM_ROLE, NATIVE_IAM_USER

_EVERYTHING: Final = "*"
_SHOWN: Final = 3
_BOUNDED: Final = (IAM_ROLE, NATIVE_IAM_ROLE, NATIVE_IAM_USER)
_BOUNDARY: Final = "permissionsBoundary"
_NAMES: Final = ("name", "roleName", "userName")


@stack_rule(
    "IF-21",
    "Nobody around the cluster may take over the account or the cluster",
    Severity.MANDATORY,
    protects="whoever gets at one pod or one key rewrites policies, becomes any role, opens the cluster or reads every secret",
    looks_at=tuple(dict.fromkeys((*GRANTING, *ATTACHED))),
    source="aws-infrastructure IF-21, 3.5",
)
def take_over(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that no document and none of AWS's own policies that is attached lets its principal change policies, trust or
    boundaries, create keys, assume any role, open the cluster, read all secrets or stop logs. A boundary that is known to take
    an ability away does so."""
    del settings
    for resource in resources.all:
        try:
            for part in documents_in(resource):
                yield from _in_document(part)
            yield from _attached(resource, resources)
        except NotKnownError as unknown:
            yield unknown.finding


def _in_document(part: Part) -> Iterator[Finding]:
    by_statement: dict[tuple[str, str], list[Danger]] = {}
    for written in written_documents(part):
        for danger in dangers_in(written):
            if danger.ability and danger.ability not in CONTROLLER:
                by_statement.setdefault((danger.problem.place.path, danger.action), []).append(danger)
    for (path, action), dangers in by_statement.items():
        names = list(dict.fromkeys(danger.ability for danger in dangers))
        text = action if names == [action] else f"{action!r}, which grants {_listed(names)}"
        right = dangers[0].problem.allowed
        yield Part(part.resource, path, None).violation(text, right, f"remove {action!r}, or grant no more than {right}")


def _attached(resource: Resource, resources: Resources) -> Iterator[Finding]:
    for part in attached_policies(resource):
        name = managed_name(part.data) if isinstance(part.data, str) else ""
        actions = managed_policies().dangerous.get(name, ())
        if actions and not _is_bounded(resource, resources):
            granted = "every action" if actions == (_EVERYTHING,) else _listed(actions)
            text = f"{name}, which grants {granted}"
            yield part.violation(text, "the actions that are needed, one by one", "write a policy of your own")
        elif name and not actions and name not in managed_policies().others:
            yield part.cannot_tell(f"what AWS's policy {name} grants: the table does not have it")


def _listed(names: list[str] | tuple[str, ...]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _is_bounded(resource: Resource, resources: Resources) -> bool:
    """Tell whether the principal that gets a policy has a boundary of AWS's own that is known to hold no such ability."""
    owner: Resource | None = resource
    if resource.type not in _BOUNDED:
        role = resource.data.get("role") if resource.type == IAM_ATTACHMENT else None
        named = (r for r in resources.of_type(*_BOUNDED) if role in (r.name, *(r.data.get(name) for name in _NAMES)))
        owner = next(named, None) if isinstance(role, str) else None
    boundary = owner.data.get(_BOUNDARY) if owner is not None else None
    name = managed_name(boundary) if isinstance(boundary, str) else ""
    return name in managed_policies().others


RULES = (take_over,)
