"""Capabilities that EKS runs for a cluster: ACK, Argo CD and kro (spec: aws-infrastructure 1.13)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.infrastructure.iam.documents import Document
from cutlist.infrastructure.iam.trust import service_trust
from cutlist.infrastructure.inputs import one_of
from cutlist.infrastructure.name_checks import check_namespace
from cutlist.infrastructure.names import partition_of

KINDS: Final[Mapping[str, str]] = {"ack": "ACK", "argo_cd": "ARGOCD", "kro": "KRO"}
"""The types of capabilities as EKS names them, by their inputs. A cluster has one of each type."""
SERVICE: Final = "capabilities.eks.amazonaws.com"
"""The service that assumes the role of a capability."""
ROLES: Final = ("ADMIN", "EDITOR", "VIEWER")
"""Roles of Argo CD."""
IDENTITIES: Final = ("SSO_USER", "SSO_GROUP")
_INSTANCE: Final = re.compile(r"arn:aws:sso:::instance/(sso)?ins-[a-zA-Z0-9-.]{16}", re.ASCII)
_COMMERCIAL: Final = "aws"


@dataclass(frozen=True, slots=True)
class RoleMapping:
    """Which users or groups of Identity Center have a role of Argo CD: their types by id."""

    role: str
    identities: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class ArgoCdFacts:
    """What Argo CD is configured with; `idc_instance_arn` is empty while only an update knows it."""

    idc_instance_arn: str
    namespace: str = ""
    mappings: Sequence[RoleMapping] = field(default_factory=tuple)


def capability_trust() -> Document:
    """Return the trust of the role of a capability."""
    return service_trust("EKSCapabilityAssumeRole", SERVICE, ("sts:TagSession",))


def region_problems(region: str, at: Place) -> Iterator[Problem]:
    """Yield a problem in a partition where EKS runs no capabilities."""
    if partition_of(region) != _COMMERCIAL:
        yield Problem(at, f"EKS runs no capabilities in {region}", "leave it out, and install the software in the cluster")


def ack_problems(*, has_rights: bool, at: Place) -> Iterator[Problem]:
    """Yield a problem for an ACK that could manage nothing in the account."""
    if not has_rights:
        message = "the role would have no rights, and ACK manages resources with them"
        yield Problem(at.member("policyArns"), message, "ARNs of policies, or roleArn")


def argo_cd_problems(facts: ArgoCdFacts, at: Place) -> list[Problem]:
    """Return why EKS would refuse the configuration of Argo CD."""
    problems = Problems()
    if facts.idc_instance_arn and not _INSTANCE.fullmatch(facts.idc_instance_arn):
        example = "such as arn:aws:sso:::instance/ssoins-1234567890abcdef"
        message = f"{facts.idc_instance_arn!r} is not the ARN of an instance of IAM Identity Center"
        problems.add(at.member("idcInstanceArn"), message, example)
    if facts.namespace:
        check_namespace(facts.namespace, at.member("namespace"), problems)
    for index, mapping in enumerate(facts.mappings):
        place = at.member("roleMappings").item(index)
        problems.extend(one_of(mapping.role, ROLES, place.member("role")))
        if not mapping.identities:
            problems.add(place.member("identities"), "nobody has this role", "users or groups of IAM Identity Center")
        for number, (_, kind) in enumerate(mapping.identities):
            problems.extend(one_of(kind, IDENTITIES, place.member("identities").item(number).member("type")))
    return problems.found
