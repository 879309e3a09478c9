"""AksKarpenter: a Karpenter of your own on AKS, as a resource of a stack (spec: azure 1.9)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import Any, Final, NotRequired, TypedDict

import pulumi
import pulumi_azure_native as azure
import pulumi_kubernetes as k8s

from cutlist.infrastructure.aks import self_hosted
from cutlist.infrastructure.aks.names import group_id
from cutlist.infrastructure.aks.roles import CONTROLLER_ROLES
from pulumi_cutlist.azure.checking import checked
from pulumi_cutlist.azure.cluster.settings import read_profile
from pulumi_cutlist.azure.cluster.settings_args import AksNetworkProfileArgs
from pulumi_cutlist.azure.identity.identity import make_identity
from pulumi_cutlist.azure.identity.role_assignments import assign
from pulumi_cutlist.azure.names_args import AksClusterNames, read_facts
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.lists import MapOf
from pulumi_cutlist.inputs.program_words import ProgramComponent
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.options import child_options, refuse_orphaning

_CRD_SECONDS: Final = 600
_CONTROLLER_SECONDS: Final = 900


class AksKarpenterArgs(TypedDict):
    """Inputs of AksKarpenter. The cluster's own node provisioning is Manual."""

    cluster: AksClusterNames
    """The cluster that it is for."""
    karpenter_version: str
    """The exact version of both charts, such as 1.14.0."""
    oidc_issuer: pulumi.Input[str]
    """URL of the cluster's OIDC issuer."""
    cluster_endpoint: pulumi.Input[str]
    """Address of the API server, with https://."""
    node_resource_group: pulumi.Input[str]
    """Name of the node resource group, such as an AksCluster's output, so that permissions on it wait for it."""
    subnet_id: pulumi.Input[str]
    """The subnet of nodes whose class names none."""
    bootstrap_token: pulumi.Input[str]
    """The token with which nodes join, ID.SECRET; a secret."""
    ssh_public_key: pulumi.Input[str]
    """The SSH public key of the nodes' administrators."""
    kubelet_client_id: pulumi.Input[str]
    """Client id of the nodes' identity."""
    kubelet_resource_id: pulumi.Input[str]
    """Id of the nodes' identity."""
    network: NotRequired[AksNetworkProfileArgs]
    """How pods get their addresses: the same as the cluster's. Defaults to the overlay with Cilium."""
    vnet_guid: NotRequired[pulumi.Input[str]]
    """The resourceGuid of the network, for your own network."""
    disk_encryption_set_id: NotRequired[pulumi.Input[str]]
    """Disk encryption set for the nodes' disks."""
    namespace: NotRequired[str]
    """Defaults to kube-system."""
    memory_overhead: NotRequired[float]
    """The share of a machine's memory that Azure reserves, for planning. Defaults to 0.075."""
    values: NotRequired[dict[str, Any]]
    """Further values of the controller's chart. Values that identity and environment need take precedence."""
    install_crds: NotRequired[bool]
    """Whether to install the chart of the CRDs. Defaults to true."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags of the identity."""


@dataclass(frozen=True, slots=True)
class AksKarpenterPlan:
    """A controller that can be made."""

    args: AksKarpenterArgs
    controller: self_hosted.ControllerFacts


def plan_aks_karpenter(args: AksKarpenterArgs) -> AksKarpenterPlan:
    """Return what the inputs ask for. Raises InputError with every mistake in them."""
    inputs, notes = checked(args, AksKarpenterArgs)
    controller = self_hosted.ControllerFacts(
        read_facts(inputs["cluster"], notes),
        inputs["karpenter_version"],
        read_profile(inputs.get("network") or AksNetworkProfileArgs()),
        inputs.get("namespace", self_hosted.NAMESPACE),
        inputs.get("memory_overhead", 0.075),
    )
    self_hosted.check_controller(controller, inputs.get("values") or {}, notes)
    notes.problems.raise_if_any()
    return AksKarpenterPlan(inputs, controller)


class AksKarpenter(ProgramComponent):
    """An identity for Karpenter's service account, its three roles on the node resource group, and Karpenter's charts.

    It installs the charts in the cluster of the Kubernetes provider in the options. NodePools and their classes must depend on
    this component (`depends_on`), so that they are deleted before it. Raises InputError with every mistake found, before
    anything is registered.
    """

    namespace: pulumi.Output[str]
    """The namespace, once the controller runs in it."""
    client_id: pulumi.Output[str]
    """Client id of the controller's identity."""

    def __init__(self, name: str, args: AksKarpenterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        refuse_orphaning(opts)
        plan = plan_aks_karpenter(args)
        inputs, controller = plan.args, plan.controller
        super().__init__("cutlist:index:AksKarpenter", name, {**inputs, "bootstrap_token": _secret(inputs)}, opts)
        facts = controller.cluster
        identity = make_identity(name, facts, "karpenter", inputs.get("tags"), self)
        trust = _trust(name, controller, inputs, identity, self)
        group = pulumi.Output.from_input(inputs["node_resource_group"]).apply(lambda own: group_id(facts.subscription, own))
        rights = [assign(f"{name}-{role.key}", facts, role, group, identity.principal_id, self) for role in CONTROLLER_ROLES]
        needed: list[pulumi.Resource] = [trust, *rights]
        if inputs.get("install_crds", True):
            needed.append(self._release(f"{name}-crds", self_hosted.CRD_CHART, controller, {}, [], opts))
        variables = self_hosted.environment(controller, _variables(inputs))
        values = self_hosted.chart_values(variables, identity.client_id, inputs.get("values") or {})
        release = self._release(f"{name}-controller", self_hosted.CHART, controller, values, needed, opts)
        self.namespace = release.urn.apply(lambda _: controller.namespace)
        self.client_id = identity.client_id
        self.register_outputs(outputs_of(self))

    def _release(
        self,
        name: str,
        chart: str,
        controller: self_hosted.ControllerFacts,
        values: dict[str, Any],
        after: list[pulumi.Resource],
        opts: pulumi.ResourceOptions | None,
    ) -> pulumi.Resource:
        release: pulumi.Resource = k8s.helm.v3.Release(
            name,
            name=chart,
            chart=f"{self_hosted.REPOSITORY}/{chart}",
            version=controller.version,
            namespace=controller.namespace,
            create_namespace=controller.namespace != self_hosted.NAMESPACE,
            skip_crds=chart == self_hosted.CHART,
            timeout=_CONTROLLER_SECONDS if chart == self_hosted.CHART else _CRD_SECONDS,
            values=values,
            opts=child_options(self, opts, after),
        )
        return release


def _trust(
    name: str,
    controller: self_hosted.ControllerFacts,
    args: AksKarpenterArgs,
    identity: "azure.managedidentity.UserAssignedIdentity",
    parent: pulumi.Resource,
) -> pulumi.Resource:
    """Let tokens of one service account stand for the identity."""
    return azure.managedidentity.FederatedIdentityCredential(
        name,
        resource_group_name=controller.cluster.resource_group,
        resource_name_=after(controller.cluster.named("karpenter"), identity),
        federated_identity_credential_resource_name="karpenter",
        issuer=args["oidc_issuer"],
        subject=controller.subject,
        audiences=[self_hosted.AUDIENCE],
        opts=pulumi.ResourceOptions(parent=parent),
    )


def _variables(args: AksKarpenterArgs) -> dict[str, Any]:
    """Return the variables that only an account knows."""
    return {
        "CLUSTER_ENDPOINT": args["cluster_endpoint"],
        "KUBELET_BOOTSTRAP_TOKEN": _secret(args),
        "SSH_PUBLIC_KEY": args["ssh_public_key"],
        "VNET_SUBNET_ID": args["subnet_id"],
        "AZURE_NODE_RESOURCE_GROUP": args["node_resource_group"],
        "VNET_GUID": args.get("vnet_guid"),
        "NODE_IDENTITIES": args["kubelet_resource_id"],
        "KUBELET_IDENTITY_CLIENT_ID": args["kubelet_client_id"],
        "NODE_OSDISK_DISKENCRYPTIONSET_ID": args.get("disk_encryption_set_id"),
    }


def _secret(args: AksKarpenterArgs) -> pulumi.Output[str]:
    return pulumi.Output.secret(args["bootstrap_token"])
