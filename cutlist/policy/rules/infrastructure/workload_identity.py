"""What pods get by way of their service account or their machine: roles of AWS (spec: aws-infrastructure 3.2, NC-01)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import count
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule

_ASSOCIATIONS: Final = (
    "aws:eks/podIdentityAssociation:PodIdentityAssociation",
    "aws-native:eks:PodIdentityAssociation",
)
_ACCOUNTS: Final = ("kubernetes:v1:ServiceAccount", "kubernetes:core/v1:ServiceAccount")
_ROLES: Final = ("eks.amazonaws.com/role-arn", "azure.workload.identity/client-id")
_DEFAULT: Final = "default"
_HOPS: Final = count("hops", 2, "The most hops that an answer of the metadata service may take by default.")


@object_rule(
    "IF-27",
    "Roles are for service accounts with a purpose",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="every pod of a namespace that nobody gave an account, and that may then do what the role may",
    looks_at=(*_ASSOCIATIONS, *_ACCOUNTS),
    source="aws-infrastructure 3.2, azure 1.5",
)
def purposeful(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no association of Pod Identity, and no annotation of a service account, gives a role to the account that pods
    have by default."""
    if resource.type in _ACCOUNTS:
        if resource.name == _DEFAULT:
            annotations = resource.at("metadata", "annotations")
            yield from (_for_all(annotations.at(key)) for key in _ROLES if annotations.at(key).is_there)
        return
    account = resource.at("serviceAccount")
    if account.text in (_DEFAULT, "*"):
        yield _for_all(account)


def _for_all(part: Part) -> Finding:
    text = "a role for the account default, which every pod has that names none"
    return part.violation(text, "a service account with a purpose", "name the workload's own account")


@object_rule(
    "IF-28",
    "The account's default for metadata requires tokens",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="machines that say nothing about their metadata service, on which a pod steals the credentials of the node",
    looks_at=("aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults",),
    source="aws-infrastructure NC-01, H1",
    parameters=(_HOPS,),
)
def metadata_defaults(defaults: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the default of an account and region does not make tokens optional, nor lets answers through many hops."""
    tokens, hops = defaults.at("httpTokens"), defaults.at("httpPutResponseHopLimit")
    if tokens.text == "optional":
        yield tokens.violation("httpTokens: optional", "required", "write httpTokens: required")
    if (hops.number or 0) > settings[_HOPS.name]:
        yield hops.violation(f"a hop limit of {hops.number:g}", f"at most {settings[_HOPS.name]}", "write a lower limit")


RULES = (purposeful, metadata_defaults)
