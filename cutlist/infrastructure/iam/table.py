"""The form of the table of permissions: a row is a statement, with the reason for it and its first version."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.core.karpenter.versions import FIRST, Minor
from cutlist.infrastructure.iam.choices import CallerResource, Choices, Discovery, Feature
from cutlist.infrastructure.iam.documents import Condition, Operator
from cutlist.infrastructure.names import ClusterFacts


class Part(StrEnum):
    """The documents of the controller; a single one would be too long for IAM (spec: aws-infrastructure 3.3)."""

    NODE_LIFECYCLE = "NodeLifecycle"
    IAM_INTEGRATION = "IAMIntegration"
    EKS_INTEGRATION = "EKSIntegration"
    INTERRUPTION = "Interruption"
    ZONAL_SHIFT = "ZonalShift"
    RESOURCE_DISCOVERY = "ResourceDiscovery"
    ENCRYPTION = "Encryption"
    EXTRA = "Extra"


@dataclass(frozen=True, slots=True)
class When:
    """The versions of the controller, and the features, with which a permission is granted."""

    since: Minor = FIRST
    needs: Feature | None = None
    unless: Feature | None = None

    def applies(self, version: Minor, features: Collection[Feature]) -> bool:
        """Tell whether a controller with these features gets the permission."""
        wanted = self.needs is None or self.needs in features
        return version >= self.since and wanted and (self.unless is None or self.unless not in features)


ALWAYS: Final = When()


@dataclass(frozen=True, slots=True)
class TableAction:
    """An action of a row."""

    name: str
    when: When = ALWAYS


@dataclass(frozen=True, slots=True)
class Arn:
    """Resources by the pattern of their ARN; `region` and `account` are the cluster's unless given. Both may be empty."""

    service: str
    resource: str
    region: str | None = None
    account: str | None = None

    def of(self, facts: ClusterFacts) -> str:
        """Return the ARN pattern for one cluster."""
        resource = self.resource.format(region=facts.region, cluster=facts.cluster)
        return facts.arn(self.service, resource, region=self.region, account=self.account)


@dataclass(frozen=True, slots=True)
class Everything:
    """All resources, for actions that IAM cannot restrict by resource."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The resources that a row is about."""

    what: Arn | CallerResource | Everything
    when: When = ALWAYS

    def resources(self, facts: ClusterFacts, choices: Choices) -> tuple[str, ...]:
        """Return their ARNs for one cluster."""
        match self.what:
            case Arn():
                return (self.what.of(facts),)
            case CallerResource():
                return choices.given(self.what)
            case Everything():
                return ("*",)


@dataclass(frozen=True, slots=True)
class Row:
    """A statement: its number in the table and its document, what it grants, why, and when.

    Texts of conditions may name a fact of the cluster in braces, such as `{cluster}`.
    """

    number: str
    part: Part
    sid: str
    actions: tuple[TableAction, ...]
    reach: tuple[Reach, ...]
    why: str
    conditions: tuple[Condition, ...] = ()
    when: When = ALWAYS


def filled(text: str, facts: ClusterFacts, discovery: Discovery) -> str:
    """Return a text of the table with the facts of a cluster filled in."""
    return text.format(
        cluster=facts.cluster,
        region=facts.region,
        account=facts.account,
        owned_tag=facts.owned_tag,
        cluster_arn=facts.cluster_arn,
        discovery_key=discovery.key,
        discovery_value=discovery.value,
    )


def actions(*names: str) -> tuple[TableAction, ...]:
    """Return actions that are always granted."""
    return tuple(TableAction(name) for name in names)


def equals(key: str, *values: str) -> Condition:
    """Return the condition that a key has one of these values."""
    return Condition(Operator.STRING_EQUALS, key, values)


def has(key: str) -> Condition:
    """Return the condition that a request has a key, with any value."""
    return Condition(Operator.STRING_LIKE, key, ("*",))
