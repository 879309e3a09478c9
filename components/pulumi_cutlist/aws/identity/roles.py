"""IAM roles as resources: a role, and each policy attached on its own, so that attachments of others stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import pulumi
import pulumi_aws as aws

from cutlist.infrastructure.iam.documents import Document
from cutlist.infrastructure.names import ClusterFacts
from pulumi_cutlist.inputs.known import known

Tags: TypeAlias = pulumi.Input[Mapping[str, pulumi.Input[str]]]
"""Tags as the resources of AWS take them."""


@dataclass(frozen=True, slots=True)
class Rights:
    """What a role may do: names of AWS's own policies, ARNs of others, and documents by what they are for."""

    policies: Sequence[str] = ()
    policy_arns: Sequence[str] = ()
    inline: Mapping[str, pulumi.Output[Document] | Document] = field(default_factory=dict)

    def __add__(self, other: Rights) -> Rights:
        return Rights(
            (*self.policies, *other.policies), (*self.policy_arns, *other.policy_arns), {**self.inline, **other.inline}
        )


@dataclass(frozen=True, slots=True)
class RolePlan:
    """A role before it is made. `suffix` ends its name in the program, `prefix` begins its name in the account; without a
    `path` it has IAM's default, /."""

    suffix: str
    prefix: str
    trust: Document | pulumi.Output[Document]
    rights: Rights
    path: str | None = None


@dataclass(frozen=True, slots=True)
class MadeRole:
    """A role with what has to be attached before it is of use, and may be removed only after its user."""

    role: aws.iam.Role
    attachments: tuple[pulumi.Resource, ...]


def make_role(
    parent: pulumi.Resource,
    name: str,
    facts: ClusterFacts,
    plan: RolePlan,
    tags: Tags | None,
    boundary: pulumi.Input[str] | None = None,
) -> MadeRole:
    """Register a role under a component whose name is `name`."""
    under = pulumi.ResourceOptions(parent=parent)
    own = f"{name}-{plan.suffix}"
    role = aws.iam.Role(
        own,
        name=facts.named(plan.prefix, 64),
        path=plan.path,
        assume_role_policy=text_of(plan.trust),
        permissions_boundary=boundary,
        tags=tags,
        opts=under,
    )
    arns = {policy.rsplit("/", 1)[-1]: facts.managed_policy(policy) for policy in plan.rights.policies}
    arns |= {arn.rsplit("/", 1)[-1]: arn for arn in plan.rights.policy_arns}
    attached = [
        aws.iam.RolePolicyAttachment(f"{own}-{policy}", role=role.name, policy_arn=arn, opts=under)
        for policy, arn in arns.items()
    ]
    written = [
        aws.iam.RolePolicy(f"{own}-{purpose}", role=role.name, policy=text_of(document), opts=under)
        for purpose, document in plan.rights.inline.items()
    ]
    return MadeRole(role, (*attached, *written))


def known_arn(role: aws.iam.Role, facts: ClusterFacts, name: str | None, path: str = "/") -> pulumi.Output[str]:
    """Return the ARN of a role, known even in a preview; None until the update when the engine chooses its name."""
    return known(facts.role_arn(name, path) if name else None, role.arn, role)


def text_of(document: pulumi.Output[Document] | Document) -> str | pulumi.Output[str]:
    """Return a document as IAM takes it, at once or when it is known."""
    return document.apply(lambda known: known.text()) if isinstance(document, pulumi.Output) else document.text()
