"""IAM documents inside resources: where each type of resource has them, their statements, and what these grant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.infrastructure.iam.dangers import Danger, dangers_of, every_danger_of
from cutlist.infrastructure.iam.grants import Grant, grants, readings, statements_of
from cutlist.policy.rules import tokens
from cutlist.policy.rules.parts import Part, Resource, nowhere

DOCUMENTS: Final[Mapping[str, str]] = {
    tokens.IAM_POLICY: "policy",
    tokens.IAM_ROLE_POLICY: "policy",
    "aws:iam/userPolicy:UserPolicy": "policy",
    "aws:iam/groupPolicy:GroupPolicy": "policy",
    "aws:ssoadmin/permissionSetInlinePolicy:PermissionSetInlinePolicy": "inlinePolicy",
    "aws-native:iam:Policy": "policyDocument",
    "aws-native:iam:ManagedPolicy": "policyDocument",
    "aws-native:iam:RolePolicy": "policyDocument",
    "aws-native:iam:UserPolicy": "policyDocument",
    "aws-native:iam:GroupPolicy": "policyDocument",
}
"""The member that has the document, by type."""
INLINE: Final[Mapping[str, tuple[str, str]]] = {
    tokens.IAM_ROLE: ("inlinePolicies", "policy"),
    tokens.NATIVE_IAM_ROLE: ("policies", "policyDocument"),
    tokens.NATIVE_IAM_USER: ("policies", "policyDocument"),
    tokens.NATIVE_IAM_GROUP: ("policies", "policyDocument"),
}
"""The member that lists documents, and that of each item which has one, by type."""
MANAGED: Final = (tokens.IAM_POLICY, "aws-native:iam:ManagedPolicy")
"""The types of policies that are attached to principals, or limit them as boundaries."""
ATTACHED: Final[Mapping[str, str]] = {
    tokens.IAM_ATTACHMENT: "policyArn",
    tokens.IAM_ROLE: "managedPolicyArns",
    "aws:iam/userPolicyAttachment:UserPolicyAttachment": "policyArn",
    "aws:iam/groupPolicyAttachment:GroupPolicyAttachment": "policyArn",
    "aws:iam/policyAttachment:PolicyAttachment": "policyArn",
    "aws:iam/rolePolicyAttachmentsExclusive:RolePolicyAttachmentsExclusive": "policyArns",
    "aws:iam/userPolicyAttachmentsExclusive:UserPolicyAttachmentsExclusive": "policyArns",
    "aws:iam/groupPolicyAttachmentsExclusive:GroupPolicyAttachmentsExclusive": "policyArns",
    "aws:ssoadmin/managedPolicyAttachment:ManagedPolicyAttachment": "managedPolicyArn",
    tokens.NATIVE_IAM_ROLE: "managedPolicyArns",
    tokens.NATIVE_IAM_USER: "managedPolicyArns",
    tokens.NATIVE_IAM_GROUP: "managedPolicyArns",
}
"""The member that has ARNs of managed policies, by type."""
GRANTING: Final = tuple(dict.fromkeys((*DOCUMENTS, *INLINE)))


@dataclass(frozen=True, slots=True)
class Written:
    """A document as written: its statements as parts; None where the text is not a document."""

    part: Part
    statements: tuple[Part, ...] | None

    @property
    def size(self) -> int:
        """Return how much of IAM's limits it uses: characters, whitespace excluded."""
        data = self.part.whole()
        text = data if isinstance(data, str) else json.dumps(data, separators=(",", ":"))
        return sum(not character.isspace() for character in text)

    @property
    def grants(self) -> tuple[Grant, ...]:
        """Return the statements as values."""
        return grants([statement.data for statement in self.statements or ()])


def documents_in(resource: Resource) -> Iterator[Part]:
    """Yield the parts of a resource that have documents which grant rights."""
    if resource.type in DOCUMENTS:
        yield resource.at(DOCUMENTS[resource.type])
    if resource.type in INLINE:
        listed, member = INLINE[resource.type]
        yield from (part for item in resource.at(listed).items() if (part := item.at(member)).is_there)


def attached_policies(resource: Resource) -> Iterator[Part]:
    """Yield the parts of a resource that name managed policies by ARN."""
    if resource.type in ATTACHED:
        part = resource.at(ATTACHED[resource.type])
        yield from part.items() if isinstance(part.data, list | tuple) else (part,)


def written_document(part: Part) -> Written:
    """Return the document that a part holds, as JSON text or as data. Raises NotKnownError when it is not known yet."""
    return next(written_documents(part))


def written_documents(part: Part) -> Iterator[Written]:
    """Yield the document that a part holds; several where it has a member twice, for each member that may count."""
    for reading in readings(part.whole()):
        statements = statements_of(reading)
        if statements is None:
            yield Written(part, None)
        elif isinstance(reading["Statement"], Mapping):
            yield Written(part, (Part(part.resource, f"{part.path}.Statement", statements[0]),))
        else:
            parts = (Part(part.resource, f"{part.path}.Statement[{i}]", data) for i, data in enumerate(statements))
            yield Written(part, tuple(parts))


def dangers_in(written: Written, denials: Sequence[Grant] = ()) -> Iterator[Danger]:
    """Yield what a document grants too much, minus what other documents of its principal deny; places are paths in its
    resource."""
    return dangers_of(written.grants, nowhere(f"{written.part.path}.Statement"), denials)


def every_danger_in(written: Written, denials: Sequence[Grant] = ()) -> Iterator[Danger]:
    """Yield the same, and each action that is dangerous by itself even where its whole service is granted."""
    return every_danger_of(written.grants, nowhere(f"{written.part.path}.Statement"), denials)
