"""Optional parts of a whole cluster: a role for ExternalDNS, and what watches Karpenter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import pulumi

from cutlist.infrastructure.controller_access import Credentials
from pulumi_cutlist.aws.cluster.outputs import ClusterOutputs
from pulumi_cutlist.aws.identity.external_dns_identity import ExternalDnsIdentity, ExternalDnsIdentityArgs
from pulumi_cutlist.aws.whole_cluster.part_args import CommonParts
from pulumi_cutlist.aws.whole_cluster.part_plans import CommonPlans
from pulumi_cutlist.inputs.late import Component
from pulumi_cutlist.kubernetes import Observability
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs


@dataclass(frozen=True, slots=True)
class PartScope:
    """Names and options of parts under one component; on a cluster's Kubernetes provider where there is one."""

    name: str
    parent: pulumi.Resource
    provider: pulumi.ProviderResource | None = None

    def name_of(self, part: str) -> str:
        """Return the name of a part in the program."""
        return f"{self.name}-{part}"

    def options(self, *needs: pulumi.Resource) -> pulumi.ResourceOptions:
        """Return the options of a part that is made after all that it needs and deleted before any of that."""
        providers = None if self.provider is None else {"kubernetes": self.provider}
        return pulumi.ResourceOptions(parent=self.parent, depends_on=list(needs) or None, providers=providers)


def warn_of_no_api_access(component: Component, parts: CommonParts) -> None:
    """Warn, before a cluster is made, if no input says how its API is reached."""
    if parts.api_access.warning:
        pulumi.log.warn(component.words.text(parts.api_access.warning), component)


def make_extras(scope: PartScope, plans: CommonPlans, cluster: ClusterOutputs, nodes: pulumi.Resource) -> list[pulumi.Resource]:
    """Make the optional parts, so that ExternalDNS starts with its role and everything has nodes to run on."""
    extras: list[pulumi.Resource] = []
    role_arn: pulumi.Output[str] | None = None
    if plans.external_dns is not None:
        args: ExternalDnsIdentityArgs = {"cluster": cluster.cluster_name, **plans.external_dns.args}
        if plans.external_dns.credentials is Credentials.IRSA:
            args.setdefault("oidc_provider_arn", cast("pulumi.Output[str]", cluster.oidc_provider_arn))
            args.setdefault("oidc_issuer", cluster.oidc_issuer)
        identity = ExternalDnsIdentity(scope.name_of("external-dns"), args, scope.options(), plan=plans.external_dns)
        extras.append(identity)
        if plans.external_dns.credentials is Credentials.IRSA:
            role_arn = identity.role_arn
    if plans.observability is not None:
        of_watching = _with_role(plans.observability.args, role_arn)
        options = scope.options(nodes, *extras)
        extras.append(Observability(scope.name_of("observability"), of_watching, options, plan=plans.observability))
    return extras


def _with_role(args: ObservabilityArgs, role_arn: pulumi.Output[str] | None) -> ObservabilityArgs:
    """Return the inputs with the role of the ExternalDNS that is installed."""
    if role_arn is None or "external_dns" not in args:
        return args
    return {**args, "external_dns": {**args["external_dns"], "role_arn": role_arn}}
