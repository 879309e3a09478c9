"""Keys that a stack makes: they rotate, have an alias, and are deleted a month after their removal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pulumi
import pulumi_aws as aws

from cutlist.infrastructure.iam.documents import Document
from pulumi_cutlist.aws.identity.roles import Tags

_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class KeyPlan:
    """A key before it is made: where it is, what it encrypts, who may use it, and its alias without `alias/`, None for one that
    the engine chooses."""

    region: str
    description: str
    policy: Document
    alias: str | None


@dataclass(frozen=True, slots=True)
class MadeKey:
    """A key with its alias."""

    key: aws.kms.Key
    alias: aws.kms.Alias


def make_key(parent: pulumi.Resource, name: str, plan: KeyPlan, tags: Tags | None, *, protect: bool = False) -> MadeKey:
    """Register a key under a component whose name is `name`; while it is protected, a destroy is refused."""
    key = aws.kms.Key(
        f"{name}-key",
        region=plan.region,
        description=plan.description,
        enable_key_rotation=True,
        deletion_window_in_days=_DAYS,
        policy=plan.policy.text(),
        tags=tags,
        opts=pulumi.ResourceOptions(parent=parent, protect=protect or None),
    )
    alias = aws.kms.Alias(
        f"{name}-key",
        region=plan.region,
        name=plan.alias and f"alias/{plan.alias}",
        target_key_id=key.key_id,
        opts=pulumi.ResourceOptions(parent=parent),
    )
    return MadeKey(key, alias)
