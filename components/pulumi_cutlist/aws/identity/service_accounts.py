"""How the pods of one service account get a role: by Pod Identity, or by the cluster's OIDC provider (spec: 3.1, 3.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Problems
from cutlist.infrastructure.controller_access import ROLE_ANNOTATION, Credentials, RequestedCredentials, credentials_of
from cutlist.infrastructure.iam.documents import Condition, Document
from cutlist.infrastructure.iam.trust import pod_identity_trust, source_arn, web_identity_trust
from cutlist.infrastructure.inputs import Places
from cutlist.infrastructure.names import ClusterFacts
from pulumi_cutlist.aws.identity.roles import Rights, RolePlan, known_arn, make_role
from pulumi_cutlist.inputs.lists import MapOf

_PROVIDER_INPUTS: Final = {"oidc_provider_arn": "oidcProviderArn", "oidc_issuer": "oidcIssuer"}


class PodRoleInputs(TypedDict):
    """The inputs that say how pods get a role, as a view of what a part with such a role declares."""

    cluster: NotRequired[pulumi.Input[str]]
    credentials: NotRequired[str]
    oidc_provider_arn: NotRequired[pulumi.Input[str]]
    oidc_issuer: NotRequired[pulumi.Input[str]]
    trust_source_arn: NotRequired[bool]
    path: NotRequired[str]
    permissions_boundary: NotRequired[pulumi.Input[str]]
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]


@dataclass(frozen=True, slots=True)
class Provider:
    """A cluster's OIDC provider: its ARN, and the URL of its issuer."""

    arn: pulumi.Input[str]
    issuer: pulumi.Input[str]


@dataclass(frozen=True, slots=True)
class PodRole:
    """A role that the pods of a service account have, and the annotations that the account needs for it."""

    name: pulumi.Output[str]
    arn: pulumi.Output[str]
    annotations: pulumi.Output[dict[str, str]]


def plan_credentials(
    args: PodRoleInputs, later: Collection[str], at: Places, problems: Problems, annotations: Mapping[str, str] | None = None
) -> Credentials:
    """Return how a component's inputs, written `at` these places, want pods to get the role, including inputs that come
    `later`. Mistakes in them are noted."""
    present = frozenset(written for key, written in _PROVIDER_INPUTS.items() if key in args or key in later)
    wanted = RequestedCredentials(args.get("credentials", Credentials.POD_IDENTITY.value), present, annotations or {})
    credentials = credentials_of(wanted, problems, at)
    if args.get("trust_source_arn", False) and credentials is Credentials.IRSA:
        message = "aws:SourceArn applies to Pod Identity, and irsa is used"
        problems.add(at.member("trustSourceArn"), message, "leave it out")
    return credentials


def make_pod_role(
    parent: pulumi.Resource, name: str, facts: ClusterFacts, args: PodRoleInputs, way: Credentials, prefix: str, rights: Rights
) -> PodRole:
    """Register a role for the service account of the facts, and what gives it to the pods in this way, under a component whose
    name is `name`. `prefix` begins the role's name in the account."""
    path = args.get("path", "/")
    plan = RolePlan("role", prefix, trust_of(args, facts, way), rights, path)
    role = make_role(parent, name, facts, plan, args.get("tags"), args.get("permissions_boundary")).role
    arn = known_arn(role, facts, facts.named(prefix, 64), path)
    if way is Credentials.POD_IDENTITY:
        associate(parent, name, facts, args, arn)
    return PodRole(role.name, arn, role_annotations(way, arn))


def trust_of(args: PodRoleInputs, facts: ClusterFacts, way: Credentials) -> Document | pulumi.Output[Document]:
    """Return the trust of the role that checked inputs ask for, with the condition on aws:SourceArn where they do."""
    provider = Provider(args["oidc_provider_arn"], args["oidc_issuer"]) if way is Credentials.IRSA else None
    return trust(facts, provider, *((source_arn(facts),) if args.get("trust_source_arn", False) else ()))


def trust(facts: ClusterFacts, provider: Provider | None, *more: Condition) -> Document | pulumi.Output[Document]:
    """Return the trust of a role by way of the provider, for the service account of the facts; by Pod Identity without one.
    `more` conditions narrow what is trusted with Pod Identity."""
    if provider is None:
        return pod_identity_trust(facts, *more)
    known = pulumi.Output.all(provider.arn, provider.issuer)
    return known.apply(lambda both: web_identity_trust(facts, both[0], both[1]))


def associate(
    parent: pulumi.Resource,
    name: str,
    facts: ClusterFacts,
    args: PodRoleInputs,
    role_arn: pulumi.Output[str],
    target_role_arn: pulumi.Input[str] | None = None,
) -> aws.eks.PodIdentityAssociation:
    """Register what gives a role to the service account of the facts with Pod Identity, under a component whose name is
    `name`."""
    return aws.eks.PodIdentityAssociation(
        f"{name}-association",
        region=facts.region,
        cluster_name=args.get("cluster", facts.cluster),
        namespace=facts.namespace,
        service_account=facts.service_account,
        role_arn=role_arn,
        target_role_arn=target_role_arn,
        tags=args.get("tags"),
        # A service account has one association at a time.
        opts=pulumi.ResourceOptions(parent=parent, delete_before_replace=True),
    )


def role_annotations(
    credentials: Credentials, role_arn: pulumi.Output[str], own: Mapping[str, str] | None = None
) -> pulumi.Output[dict[str, str]]:
    """Return the annotations for the service account: its own, and with IRSA the one that names the role."""
    kept = dict(own or {})
    if credentials is Credentials.POD_IDENTITY:
        return pulumi.Output.from_input(kept)
    return role_arn.apply(lambda arn: {**kept, ROLE_ANNOTATION: arn})
