"""What principals may do over everything that gives them rights, AWS's own policies included (spec: IF-21, 3.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.unknown import UNKNOWN
from cutlist.infrastructure.iam.abilities import CONTROLLER
from cutlist.infrastructure.iam.dangers import Danger
from cutlist.infrastructure.iam.managed_policies import managed_name, managed_policies
from cutlist.policy.rules.access import iam_documents
from cutlist.policy.rules.access.principals import RIGHTS, Principals
from cutlist.policy.rules.access.role_chains import chained
from cutlist.policy.rules.findings import Finding, Violation
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule

_EVERYTHING: Final = "*"
_SHOWN: Final = 3
_INVERTED: Final = ("NotAction", "NotResource")
_KNOWN: Final = texts("policies", (), "Names of your own policies outside the stack that may be attached.")


@stack_rule(
    "IF-21",
    "No identity around the cluster can take over the account or the cluster",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="one stolen pod or key that rewrites policies, becomes any role, opens the cluster or reads every secret",
    looks_at=RIGHTS,
    source="aws-infrastructure IF-21, 3.5",
    parameters=(_KNOWN,),
)
def take_over(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that no document and none of AWS's own policies that is attached lets its principal change policies, trust or
    boundaries, create keys, assume any role, run code under another's role, open the cluster, read all secrets, write to any
    bucket, open buckets or repositories, or stop logs.

    The principal may not do what any of its documents denies, or what its boundary does not allow. A policy that is a boundary
    and nothing else grants nothing. What a policy of another stack grants is undetermined. Whoever may assume a role may do
    what the role may do.
    """
    principals = Principals.among(resources)
    dangerous: dict[str, Resource] = {}
    for resource in resources.of_type(*RIGHTS):
        for finding in _of_resource(resource, principals, frozenset(settings[_KNOWN.name])):
            yield finding
            if isinstance(finding, Violation):
                dangerous |= {f"{h.type} {h.urn or h.name}": h for h in principals.holders(resource) if h is not None}
    yield from chained(principals, tuple(dangerous.values()))


def _of_resource(resource: Resource, principals: Principals, known: frozenset[str]) -> Iterator[Finding]:
    try:
        for part in iam_documents.documents_in(resource) if not principals.is_boundary_alone(resource) else ():
            yield from _in_document(part, principals)
        if resource.type in iam_documents.ATTACHED:
            yield from _attached(resource, principals, known)
    except NotKnownError as unknown:
        yield unknown.finding


def _in_document(part: Part, principals: Principals) -> Iterator[Finding]:
    denials = principals.denials(part)
    by_statement: dict[tuple[str, str], tuple[Danger, dict[str, None]]] = {}
    for written in iam_documents.written_documents(part):
        for danger in iam_documents.every_danger_in(written, denials):
            is_ours = danger.ability and danger.ability not in CONTROLLER
            if is_ours and principals.lets_through(part.resource, danger.ability) and written.statements is not None:
                statement = written.statements[danger.statement]
                inverted = next((key for key in _INVERTED if statement.at(key).is_there), "")
                key = danger.problem.place.path, inverted or danger.action
                by_statement.setdefault(key, (danger, {}))[1][danger.ability] = None
    for (path, action), (danger, held) in by_statement.items():
        text = action if list(held) == [action] else f"{action!r}, which grants {_listed(tuple(held))}"
        right = danger.problem.allowed
        yield Part(part.resource, path, None).violation(text, right, f"remove {action!r}, or grant only what is allowed")


def _attached(resource: Resource, principals: Principals, known: frozenset[str]) -> Iterator[Finding]:
    for part in iam_documents.attached_policies(resource):
        name = managed_name(part.data) if isinstance(part.data, str) else ""
        actions = managed_policies().dangerous.get(name, ())
        held = tuple(action for action in actions if principals.lets_through(resource, action))
        if held:
            granted = "every action" if held == (_EVERYTHING,) else _listed(held)
            text = f"{name}, which grants {granted}"
            yield part.violation(text, "the actions that are needed, one by one", "write a policy of your own")
        elif name and not actions and name not in managed_policies().others:
            yield part.cannot_tell(f"what AWS's policy {name} grants: Cutlist does not know it")
    for part in principals.unknown_policies(resource):
        if part.data is UNKNOWN:
            yield part.cannot_tell("which policy is attached, and what it grants")
            continue
        name = part.text.rpartition("/")[2]
        if name not in known:
            yield part.cannot_tell(
                f"what the policy {name} grants: it is not among the resources, nor in the rule's {_KNOWN.name}"
            )


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


RULES = (take_over,)
