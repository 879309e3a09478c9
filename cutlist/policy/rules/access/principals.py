"""Principals of a stack, and which of its documents, attachments and boundaries are theirs.

A principal is referred to by its name, by its ARN, or by an output that is known only after an update; for such an output, the
engine names the resource it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.infrastructure.iam.documents import Effect
from cutlist.infrastructure.iam.evaluator import covers
from cutlist.infrastructure.iam.grants import Grant
from cutlist.infrastructure.iam.managed_policies import managed_name, managed_policies
from cutlist.policy.rules import tokens
from cutlist.policy.rules.access.iam_documents import (
    ATTACHED,
    GRANTING,
    MANAGED,
    documents_in,
    every_danger_in,
    written_documents,
)
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.rule import Resources

ROLES: Final = (tokens.IAM_ROLE, tokens.NATIVE_IAM_ROLE)
USERS: Final = (tokens.IAM_USER, tokens.NATIVE_IAM_USER)
GROUPS: Final = (tokens.IAM_GROUP, tokens.NATIVE_IAM_GROUP)
PRINCIPALS: Final = (*ROLES, *USERS, *GROUPS)
_BOUNDARY: Final = "permissionsBoundary"
_NAMES: Final = ("name", "roleName", "userName", "groupName", "managedPolicyName", "policyName")
_ROLE, _USER, _GROUP = ({member: kinds} for member, kinds in (("role", ROLES), ("user", USERS), ("group", GROUPS)))
_SEVERAL: Final[Mapping[str, tuple[str, ...]]] = {"roles": ROLES, "users": USERS, "groups": GROUPS}
HOLDERS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    tokens.IAM_ROLE_POLICY: _ROLE,
    tokens.IAM_ATTACHMENT: _ROLE,
    "aws:iam/rolePolicyAttachmentsExclusive:RolePolicyAttachmentsExclusive": {"roleName": ROLES},
    "aws:iam/userPolicy:UserPolicy": _USER,
    "aws:iam/userPolicyAttachment:UserPolicyAttachment": _USER,
    "aws:iam/userPolicyAttachmentsExclusive:UserPolicyAttachmentsExclusive": {"userName": USERS},
    "aws:iam/groupPolicy:GroupPolicy": _GROUP,
    "aws:iam/groupPolicyAttachment:GroupPolicyAttachment": _GROUP,
    "aws:iam/groupPolicyAttachmentsExclusive:GroupPolicyAttachmentsExclusive": {"groupName": GROUPS},
    "aws:iam/policyAttachment:PolicyAttachment": _SEVERAL,
    "aws-native:iam:Policy": _SEVERAL,
    "aws-native:iam:ManagedPolicy": _SEVERAL,
    "aws-native:iam:RolePolicy": {"roleName": ROLES},
    "aws-native:iam:UserPolicy": {"userName": USERS},
    "aws-native:iam:GroupPolicy": {"groupName": GROUPS},
}
"""The members that name whom rights are for, with the types of these, by type."""
_MEMBERSHIPS: Final[Mapping[str, tuple[str, str]]] = {
    "aws:iam/userGroupMembership:UserGroupMembership": ("user", "groups"),
    "aws:iam/groupMembership:GroupMembership": ("users", "group"),
    "aws-native:iam:UserToGroupAddition": ("users", "groupName"),
}
"""The members that name users and groups, by type."""
RIGHTS: Final = tuple(dict.fromkeys((*PRINCIPALS, *HOLDERS, *ATTACHED, *GRANTING, *_MEMBERSHIPS)))
"""The types of resources that give somebody rights, or take them away."""


@dataclass(frozen=True, slots=True)
class Principals:
    """The principals among resources."""

    resources: Resources
    _by_name: Mapping[tuple[str, str], tuple[Resource, ...]] = field(repr=False)
    _holders: Mapping[Resource, tuple[Resource | None, ...]] = field(default_factory=dict, repr=False)
    _held: Mapping[Resource, tuple[Resource, ...]] = field(default_factory=dict, repr=False)

    @staticmethod
    def among(resources: Resources) -> Principals:
        """Return the principals and managed policies among resources, by type and name."""
        by_name: dict[tuple[str, str], tuple[Resource, ...]] = {}
        for resource in resources.of_type(*PRINCIPALS, *MANAGED):
            key = resource.type, own_name(resource)
            by_name[key] = (*by_name.get(key, ()), resource)
        principals = Principals(resources, by_name)
        attachments: dict[Resource, tuple[Resource, ...]] = {}
        of_unknown: tuple[Resource, ...] = ()
        for attachment in resources.of_type(*ATTACHED):
            policies = tuple(principals._own_policies(attachment))
            of_unknown += (attachment,) if None in policies else ()
            for policy in dict.fromkeys(policy for policy in policies if policy is not None):
                attachments[policy] = (*attachments.get(policy, ()), attachment)
        holders: dict[Resource, tuple[Resource | None, ...]] = {}
        held: dict[Resource, tuple[Resource, ...]] = {}
        for resource in resources.of_type(*RIGHTS):
            holders[resource] = principals._who_holds(resource, (*attachments.get(resource, ()), *of_unknown))
            for holder in dict.fromkeys(holder for holder in holders[resource] if holder is not None):
                held[holder] = (*held.get(holder, ()), resource)
        return Principals(resources, by_name, holders, held)

    def named_by(self, resource: Resource, member: str, types: Iterable[str]) -> tuple[Resource | None, ...]:
        """Return what a member refers to, one value or several: resources of some types, and None for each other value."""
        value = resource.data.get(member)
        values: Sequence[Any] = value if isinstance(value, list | tuple) else (() if value is None else (value,))
        return tuple(target for item in values for target in self._targets(resource, member, item, tuple(types)))

    def holders(self, resource: Resource) -> tuple[Resource | None, ...]:
        """Return the holders of a resource's documents and policies; None means an unknown holder. A managed policy that
        nothing attaches has no known holder."""
        return self._holders.get(resource, ())

    def is_boundary_alone(self, policy: Resource) -> bool:
        """Tell whether a managed policy only limits principals: it grants nothing where nothing attaches it."""
        return (
            policy.type in MANAGED
            and any(policy in self.named_by(owner, _BOUNDARY, MANAGED) for owner in self.resources.of_type(*PRINCIPALS))
            and not self.holders(policy)
        )

    def denials(self, part: Part) -> tuple[Grant, ...]:
        """Return what other documents deny to everybody who holds a document."""
        of_each = [
            []
            if holder is None
            else [
                grant
                for other in self._documents_of(holder)
                if (other.path, other.resource) != (part.path, part.resource)
                for grant in _denied(other)
            ]
            for holder in self.holders(part.resource)
        ]
        return tuple(grant for grant in of_each[0] if all(grant in denied for denied in of_each[1:])) if of_each else ()

    def lets_through(self, resource: Resource, action: str) -> bool:
        """Tell whether the boundaries of those who hold a resource's documents leave somebody a dangerous ability.

        A boundary that is not among the resources takes nothing away.
        """
        holders = self.holders(resource)
        return not holders or any(holder is None or self._boundary_allows(holder, action) for holder in holders)

    def unknown_policies(self, resource: Resource) -> Iterator[Part]:
        """Yield the parts of a resource that attach a policy which is neither AWS's own nor among the resources; unknown ones
        too."""
        part = resource.at(ATTACHED[resource.type])
        for item in part.items() if isinstance(part.data, list | tuple) else (part,):
            if item.data is UNKNOWN:
                if None in self._targets(resource, ATTACHED[resource.type], UNKNOWN, MANAGED):
                    yield item
            elif isinstance(item.data, str) and not managed_name(item.data):
                targets = self._targets(resource, ATTACHED[resource.type], item.data, MANAGED)
                if item.data.startswith("arn:") and None in targets:
                    yield item

    def _who_holds(self, resource: Resource, attachments: Iterable[Resource]) -> tuple[Resource | None, ...]:
        """Return the holders of a resource's rights; for a managed policy by the attachments that name it, or may."""
        if resource.type in PRINCIPALS:
            return (resource,)
        members = HOLDERS.get(resource.type, {})
        direct = tuple(target for member, kinds in members.items() for target in self.named_by(resource, member, kinds))
        if resource.type not in MANAGED:
            return direct or (None,)
        return (*direct, *(holder for attachment in attachments for holder in self._who_holds(attachment, ())))

    def _own_policies(self, attachment: Resource) -> Iterator[Resource | None]:
        value = attachment.data.get(ATTACHED[attachment.type])
        for item in value if isinstance(value, list | tuple) else (value,):
            if item is UNKNOWN or (isinstance(item, str) and not managed_name(item)):
                targets = self._targets(attachment, ATTACHED[attachment.type], item, MANAGED)
                yield from (target for target in targets if target is not None or item is UNKNOWN)

    def _targets(self, resource: Resource, member: str, value: Any, types: tuple[str, ...]) -> tuple[Resource | None, ...]:
        if value is UNKNOWN:
            urns = resource.references.get(member, ())
            referred = tuple(r for r in self.resources.of_type(*types) if r.urn and r.urn in urns)
            return referred or (None,)
        name = value.rpartition("/")[2] if isinstance(value, str) and value.startswith("arn:") else value
        named = tuple(target for type_ in types for target in self._by_name.get((type_, str(name)), ()))
        return named if len(named) == 1 else (None,)

    def _documents_of(self, principal: Resource) -> Iterator[Part]:
        """Yield every document that a principal is known to hold, those of its groups included."""
        for resource in self._held.get(principal, ()):
            try:
                yield from documents_in(resource)
            except NotKnownError:
                continue
        if principal.type in USERS:
            for group in self._groups_of(principal):
                yield from self._documents_of(group)

    def _groups_of(self, user: Resource) -> Iterator[Resource]:
        for membership in self.resources.of_type(*_MEMBERSHIPS):
            users, groups = _MEMBERSHIPS[membership.type]
            if user in self.named_by(membership, users, USERS):
                yield from (group for group in self.named_by(membership, groups, GROUPS) if group is not None)
        if user.type == tokens.NATIVE_IAM_USER:
            yield from (group for group in self.named_by(user, "groups", GROUPS) if group is not None)

    def _boundary_allows(self, owner: Resource, action: str) -> bool:
        boundary = owner.data.get(_BOUNDARY)
        name = managed_name(boundary) if isinstance(boundary, str) else ""
        if name in managed_policies().others:
            return False
        if name in managed_policies().dangerous:
            return any(_overlap(action, other) for other in managed_policies().dangerous[name])
        policies = self.named_by(owner, _BOUNDARY, MANAGED)
        return not policies or any(policy is None or _allows(policy, action) for policy in policies)


def own_name(resource: Resource) -> str:
    """Return the name that a resource has in its account, if it is written; else its name in the program."""
    return next((name for key in _NAMES if isinstance(name := resource.data.get(key), str)), resource.name)


def _denied(part: Part) -> list[Grant]:
    """Return what a document denies; nothing if it is not known, or has a member twice."""
    try:
        documents = list(written_documents(part))
    except NotKnownError:
        return []
    denies = [grant for document in documents for grant in document.grants if grant.effect is Effect.DENY]
    return [replace(grant, index=0, sid="") for grant in denies] if len(documents) == 1 else []


def _allows(boundary: Resource, action: str) -> bool:
    """Tell whether a boundary document lets a dangerous action through."""
    try:
        documents = [written for part in documents_in(boundary) for written in written_documents(part)]
    except NotKnownError:
        return True
    if any(written.statements is None for written in documents):
        return True
    subjects = {subject for written in documents for danger in every_danger_in(written) for subject in danger.subjects}
    return any(_overlap(action, subject) for subject in subjects)


def _overlap(action: str, other: str) -> bool:
    return covers(action, other) or covers(other, action)
