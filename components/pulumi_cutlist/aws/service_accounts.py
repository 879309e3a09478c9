"""How the pods of one service account get a role: by Pod Identity, or by the cluster's OIDC provider (spec: 3.1, 3.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws

from cutlist.infrastructure.controller_access import ROLE_ANNOTATION, Credentials, RequestedCredentials
from cutlist.infrastructure.iam.documents import Condition, Document
from cutlist.infrastructure.iam.trust import pod_identity_trust, web_identity_trust
from cutlist.infrastructure.names import ClusterFacts


@dataclass(frozen=True, slots=True)
class Provider:
    """A cluster's OIDC provider: its ARN, and the URL of its issuer."""

    arn: pulumi.Input[str]
    issuer: pulumi.Input[str]


def requested_credentials(args: Mapping[str, Any], links: Collection[str] = ()) -> RequestedCredentials:
    """Return how a component's inputs ask for the role to be given; other parts supply the `links` later."""
    inputs = {"oidcProviderArn": "oidc_provider_arn", "oidcIssuer": "oidc_issuer"}
    present = frozenset(written for written, key in inputs.items() if args.get(key) is not None or key in links)
    way = args.get("credentials", Credentials.POD_IDENTITY.value)
    return RequestedCredentials(way, present, args.get("service_account_annotations", {}))


def provider_of(args: Mapping[str, Any], credentials: Credentials) -> Provider | None:
    """The provider that checked inputs name; None with Pod Identity, which needs none."""
    return Provider(args["oidc_provider_arn"], args["oidc_issuer"]) if credentials is Credentials.IRSA else None


def trust(facts: ClusterFacts, provider: Provider | None, *more: Condition) -> Document | pulumi.Output[Document]:
    """Trust of a role by way of the provider, for the service account of the facts; by Pod Identity without one. `more`
    conditions narrow what is trusted with Pod Identity."""
    if provider is None:
        return pod_identity_trust(facts, *more)
    known = pulumi.Output.all(provider.arn, provider.issuer)
    return known.apply(lambda both: web_identity_trust(facts, both[0], both[1]))


def associate(
    parent: pulumi.Resource, name: str, facts: ClusterFacts, args: Mapping[str, Any], role_arn: pulumi.Output[str]
) -> aws.eks.PodIdentityAssociation:
    """Register what gives a role to the service account of the facts with Pod Identity, under a component whose name is
    `name`."""
    return aws.eks.PodIdentityAssociation(
        f"{name}-association",
        cluster_name=args.get("cluster", facts.cluster),
        namespace=facts.namespace,
        service_account=facts.service_account,
        role_arn=role_arn,
        target_role_arn=args.get("target_role_arn"),
        tags=args.get("tags"),
        # A service account has one association at a time.
        opts=pulumi.ResourceOptions(parent=parent, delete_before_replace=True),
    )


def role_annotations(
    credentials: Credentials, role_arn: pulumi.Output[str], own: Mapping[str, str] | None = None
) -> pulumi.Output[dict[str, str]]:
    """Annotations for the service account: its own, and with IRSA the one that names the role."""
    kept = dict(own or {})
    if credentials is Credentials.POD_IDENTITY:
        return pulumi.Output.from_input(kept)
    return role_arn.apply(lambda arn: {**kept, ROLE_ANNOTATION: arn})
