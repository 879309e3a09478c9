"""The outputs of every cluster, whether it was made here or adopted, and the way into it for the objects of a stack (spec:
aws-infrastructure 0.4)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Any, NotRequired, TypedDict, cast

import pulumi
import pulumi_kubernetes as k8s

from cutlist.infrastructure.kubeconfig import kubeconfig
from cutlist.infrastructure.names import ClusterFacts
from pulumi_cutlist.aws.credentials import credentials_of, login_of
from pulumi_cutlist.kubernetes.object_provider import object_provider


class KubeconfigInputs(TypedDict):
    """A view of the inputs of every cluster that decide how its kubeconfig logs in."""

    kubeconfig_role_arn: NotRequired[pulumi.Input[str]]
    kubeconfig_profile: NotRequired[str]


class ClusterOutputs:
    """The outputs that all kinds of clusters share."""

    cluster_name: pulumi.Output[str]
    """Name of the cluster. What uses it waits for the cluster."""
    cluster_arn: pulumi.Output[str]
    """ARN of the cluster."""
    endpoint: pulumi.Output[str]
    """Address of the API server."""
    certificate_authority: pulumi.Output[str]
    """Certificate authority of the API server, in base64."""
    security_group_id: pulumi.Output[str]
    """The security group that EKS created for the cluster."""
    oidc_issuer: pulumi.Output[str]
    """URL of the cluster's OIDC issuer, with https://."""
    oidc_provider_arn: pulumi.Output[str | None]
    """ARN of the OIDC provider for roles of service accounts, or null if the cluster has none."""
    version: pulumi.Output[str]
    """Version of Kubernetes."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig that logs in each time with `aws eks get-token`. It holds no secret. What uses it waits for the
    administrators' access."""

    _gates: tuple[pulumi.Resource, ...] = ()
    _provider_kubeconfig: pulumi.Output[str] | None = None
    _is_adopted: bool = False

    @property
    def access(self) -> tuple[pulumi.Resource, ...]:
        """Return the resource that gives administrators access: it has to exist before all objects in the cluster, and outlive
        them."""
        return self._gates

    @property
    def provider_kubeconfig(self) -> pulumi.Output[str]:
        """Return the kubeconfig by which the program itself logs in: with the profile or role of the AWS provider, where the
        inputs name none. The output has neither: others have their own."""
        return self.kubeconfig if self._provider_kubeconfig is None else self._provider_kubeconfig

    @property
    def is_adopted(self) -> bool:
        """Tell whether the cluster existed before, so that objects in it may exist too."""
        return self._is_adopted

    def _set_outputs(self, cluster: Any, facts: ClusterFacts, args: KubeconfigInputs) -> None:
        """Set the outputs from a cluster that was made. `args` holds the inputs for the kubeconfig."""
        self.cluster_name = cluster.name
        self.cluster_arn = cluster.arn
        self.endpoint = cluster.endpoint
        self.certificate_authority = cluster.certificate_authority.apply(lambda authority: authority["data"])
        # Only EKS reports the endpoint; it is never an input. Combined with it, the group stays unknown for as long as it must.
        reported = pulumi.Output.all(cluster.vpc_config, cluster.endpoint)
        self.security_group_id = reported.apply(lambda known: str(known[0]["cluster_security_group_id"]))
        self.oidc_issuer = cluster.identities.apply(lambda identities: identities[0]["oidcs"][0]["issuer"])
        self.version = cluster.version
        self.kubeconfig = self._log_in(facts, args)

    def _log_in(self, facts: ClusterFacts, args: KubeconfigInputs) -> pulumi.Output[str]:
        """Return the kubeconfig, and set that of the program."""
        credentials = credentials_of(cast("pulumi.Resource", self))
        if credentials and args.get("kubeconfig_role_arn") is None and not args.get("kubeconfig_profile"):
            self._provider_kubeconfig = self._text(facts, login_of(credentials))
        role, profile = args.get("kubeconfig_role_arn"), args.get("kubeconfig_profile")
        return self._text(facts, pulumi.Output.all(role=role, profile=profile))

    def _text(self, facts: ClusterFacts, login: pulumi.Output[dict[str, Any]]) -> pulumi.Output[str]:
        def text(known: dict[str, Any]) -> str:
            return kubeconfig(
                facts.cluster,
                facts.region,
                known["endpoint"],
                known["authority"],
                role_arn=known["login"].get("role"),
                profile=known["login"].get("profile"),
            )

        return pulumi.Output.all(
            endpoint=self.endpoint,
            authority=self.certificate_authority,
            login=login,
            gates=[gate.urn for gate in self._gates],
        ).apply(text)


def kubernetes_provider(name: str, cluster: ClusterOutputs, parent: pulumi.Resource | None = None) -> k8s.Provider:
    """Return a provider for objects in a cluster, to be given to what makes them.

    Objects wait for the administrators' access and are deleted before it. Those that exist already are taken over in an adopted
    cluster alone. A different cluster ARN replaces the provider.
    """
    opts = pulumi.ResourceOptions(parent=parent, depends_on=list(cluster.access))
    return object_provider(name, cluster.provider_kubeconfig, cluster.cluster_arn, upsert=cluster.is_adopted, opts=opts)
