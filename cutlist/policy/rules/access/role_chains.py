"""Roles that are assumed through other roles: whoever may assume a role may do what the role may do (spec: aws-infrastructure
IF-21)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from cutlist.infrastructure.iam.documents import Effect
from cutlist.infrastructure.iam.limits import could_reach, left_by
from cutlist.policy.rules.access.callers import callers_of
from cutlist.policy.rules.access.iam_documents import GRANTING, documents_in, written_document, written_documents
from cutlist.policy.rules.access.principals import ROLES, Principals, own_name
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.infrastructure.role_trust import TRUST
from cutlist.policy.rules.parts import NotKnownError, Part, Resource

_ASSUMING: Final = "sts:AssumeRole"


def chained(principals: Principals, dangerous: Collection[Resource]) -> Iterator[Finding]:
    """Yield each statement that lets its principal assume one of some dangerous roles, in one step or in several.

    A step counts where the role's trust names the principal or its account.
    """
    # Whoever is reached is added once, so the search ends even where roles may assume each other.
    reached, waiting = list(dangerous), [role for role in dangerous if role.type in ROLES]
    while waiting:
        target = waiting.pop(0)
        for resource in principals.resources.of_type(*GRANTING):
            holders = [holder for holder in principals.holders(resource) if holder is not None]
            takers = [holder for holder in holders if holder not in reached and _trusts(target, holder)]
            statement = _assuming(resource, target, principals) if takers else None
            if statement is not None:
                text = f"{_ASSUMING} of the role {own_name(target)}, which may take over the account or the cluster"
                yield statement.violation(text, "roles that may not", f"remove the role {own_name(target)}")
                reached += takers
                waiting += [taker for taker in takers if taker.type in ROLES]


def _assuming(resource: Resource, target: Resource, principals: Principals) -> Part | None:
    """Return the statement of a resource's documents that lets a role be assumed; or None if no statement is known to."""
    path = target.data.get("path")
    arn = f"arn:*:iam::*:role{path if isinstance(path, str) else '/'}{own_name(target)}"
    try:
        for part in documents_in(resource):
            denials = principals.denials(part)
            for written in written_documents(part):
                denies = (*(grant for grant in written.grants if grant.effect is Effect.DENY), *denials)
                for grant in written.grants:
                    if grant.effect is Effect.ALLOW and grant.action_for(_ASSUMING) is not None and written.statements:
                        left = left_by(denies, grant, _ASSUMING)
                        if any(could_reach(name, arn) for piece in left for name in piece.resources):
                            return written.statements[grant.index]
    except NotKnownError:
        return None
    return None


def _trusts(role: Resource, principal: Resource) -> bool:
    """Tell whether a role's trust names a principal, its account or everybody. An unknown trust may."""
    try:
        statements = written_document(role.at(TRUST[role.type])).statements or ()
        trusted = [name for statement in statements for name in callers_of(statement.at("Principal"))]
    except NotKnownError:
        return True
    return any(name == "*" or name.isdigit() or name.endswith(":root") or _ends_with(name, principal) for name in trusted)


def _ends_with(arn: str, principal: Resource) -> bool:
    return arn.rpartition("/")[2] == own_name(principal)
