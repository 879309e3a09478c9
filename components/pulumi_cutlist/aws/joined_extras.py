"""What a joined cluster has beside its nodes when it is asked for: a role for ExternalDNS, and what watches Karpenter."""

from __future__ import annotations

import pulumi

from pulumi_cutlist.aws.cluster_outputs import ClusterOutputs
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsIdentity
from pulumi_cutlist.aws.joined_parts import JoinedParts
from pulumi_cutlist.aws.part_maker import PartMaker
from pulumi_cutlist.kubernetes import Observability


def make_extras(maker: PartMaker, parts: JoinedParts, cluster: ClusterOutputs, nodes: pulumi.Resource) -> list[pulumi.Resource]:
    """Make what is asked for, so that ExternalDNS starts with its role and everything has nodes to run on."""
    made: list[pulumi.Resource] = []
    links: dict[str, pulumi.Output[str]] = {}
    if "external_dns_identity" in parts.given:
        provider = parts.oidc_provider(cluster.oidc_provider_arn, cluster.oidc_issuer)
        given = parts.external_dns_identity({"cluster": cluster.cluster_name, **provider})
        identity = maker.make(ExternalDnsIdentity, "external-dns", given)
        made.append(identity)
        if parts.uses_irsa:
            links["role_arn"] = identity.role_arn
    if "observability" in parts.given:
        made.append(maker.make(Observability, "observability", parts.observability(links), nodes, *made))
    return made
