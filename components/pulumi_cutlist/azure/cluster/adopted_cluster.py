"""AksAdoptedCluster: an AKS cluster that others made, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import pulumi

from cutlist.infrastructure.aks.cluster import (
    ClusterChoices,
    IdentityType,
    check_identity,
    check_provisioning,
)
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.pools import AgentPool, PoolRules, check_pools
from cutlist.infrastructure.aks.profile import check_profile
from cutlist.infrastructure.aks.resource_ids import subnet_of
from cutlist.infrastructure.aks.versions import check_kubernetes
from pulumi_cutlist.azure.checking import checked, log_warnings
from pulumi_cutlist.azure.cluster.outputs import AksClusterOutputs
from pulumi_cutlist.azure.cluster.settings import read_profile
from pulumi_cutlist.azure.cluster.settings_args import AksNetworkProfileArgs, AksPoolArgs
from pulumi_cutlist.azure.names_args import AksClusterNames, read_facts
from pulumi_cutlist.inputs.program_words import ProgramComponent
from pulumi_cutlist.inputs.spelling import outputs_of


class AksAdoptedClusterArgs(TypedDict):
    """Inputs of AksAdoptedCluster: what `az aks show` reports of the cluster."""

    cluster: AksClusterNames
    """Its names."""
    version: str
    """Version of Kubernetes."""
    fqdn: pulumi.Input[str]
    """Address of the API server."""
    oidc_issuer: pulumi.Input[str]
    """URL of the cluster's OIDC issuer."""
    kubelet_client_id: NotRequired[pulumi.Input[str]]
    """Client id of the nodes' identity. Defaults to none."""
    kubelet_object_id: NotRequired[pulumi.Input[str]]
    """Principal id of the nodes' identity, for role assignments. Defaults to none."""
    kubelet_resource_id: NotRequired[pulumi.Input[str]]
    """Id of the nodes' identity. Defaults to none."""
    node_provisioning: NotRequired[str]
    """Whether AKS provisions nodes: Auto or Manual. Defaults to Auto."""
    network: NotRequired[AksNetworkProfileArgs]
    """How its pods get their addresses. Defaults to the overlay with Cilium."""
    subnet_id: NotRequired[str]
    """Subnet of the cluster's own nodes, if it is in your own network. Defaults to a network that AKS created."""
    identity_type: NotRequired[str]
    """Its identity on Azure: UserAssigned, SystemAssigned or ServicePrincipal. Defaults to SystemAssigned, and to UserAssigned
    in your own network."""
    pools: NotRequired[list[AksPoolArgs]]
    """Its pools. Defaults to three system nodes with the taint CriticalAddonsOnly."""
    kubeconfig: NotRequired[pulumi.Input[str]]
    """A kubeconfig. By default Cutlist asks Azure for it, in a preview too."""


@dataclass(frozen=True, slots=True)
class AksAdoptedClusterPlan:
    """A cluster that can be adopted, with what a person should read before."""

    args: AksAdoptedClusterArgs
    facts: AksFacts
    warnings: AksNotes


def plan_aks_adopted_cluster(args: AksAdoptedClusterArgs) -> AksAdoptedClusterPlan:
    """Return what the inputs say about the cluster. Raises InputError with every mistake in them."""
    inputs, notes = checked(args, AksAdoptedClusterArgs)
    facts = read_facts(inputs["cluster"], notes)
    _check(inputs, notes)
    notes.problems.raise_if_any()
    return AksAdoptedClusterPlan(inputs, facts, notes)


class AksAdoptedCluster(AksClusterOutputs, ProgramComponent):
    """An existing cluster, with the same outputs as a new one. The component never changes the cluster itself.

    Raises InputError with every given fact that node provisioning does not allow, before anything is registered.
    """

    _is_adopted = True

    def __init__(self, name: str, args: AksAdoptedClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        plan = plan_aks_adopted_cluster(args)
        inputs, facts = plan.args, plan.facts
        super().__init__("cutlist:index:AksAdoptedCluster", name, {**inputs}, opts)
        log_warnings(plan.warnings, self)
        self.resource_group = facts.resource_group
        self._kubeconfig = inputs.get("kubeconfig")
        self.cluster_id = pulumi.Output.from_input(facts.cluster_id)
        self.cluster_name = pulumi.Output.from_input(facts.cluster)
        self.fqdn = pulumi.Output.from_input(inputs["fqdn"])
        self.version = pulumi.Output.from_input(inputs["version"])
        self.node_resource_group = pulumi.Output.from_input(facts.node_resource_group)
        self.oidc_issuer = pulumi.Output.from_input(inputs["oidc_issuer"])
        self.kubelet_client_id = pulumi.Output.from_input(inputs.get("kubelet_client_id", ""))
        self.kubelet_object_id = pulumi.Output.from_input(inputs.get("kubelet_object_id", ""))
        self.kubelet_resource_id = pulumi.Output.from_input(inputs.get("kubelet_resource_id", ""))
        self.register_outputs(outputs_of(self))


def _check(args: AksAdoptedClusterArgs, notes: AksNotes) -> None:
    """Check the given facts of the cluster against everything that node provisioning refuses."""
    in_own = "subnet_id" in args
    default = IdentityType.USER_ASSIGNED if in_own else IdentityType.SYSTEM_ASSIGNED
    choices = ClusterChoices(
        provisioning=args.get("node_provisioning", "Auto"),
        identity_type=args.get("identity_type", default),
        given_network=in_own,
    )
    check_kubernetes(args["version"], "version", notes)
    check_provisioning(choices, notes)
    check_identity(choices, notes)
    profile = read_profile(args.get("network") or AksNetworkProfileArgs())
    check_profile(profile, provisioned=choices.is_provisioned, given_network=in_own, notes=notes)
    pools = [AgentPool(**pool) for pool in args.get("pools", [AksPoolArgs()])]
    check_pools(pools, PoolRules(choices.is_provisioned), notes)
    if in_own and subnet_of(args["subnet_id"]) is None:
        allowed = "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/NETWORK/subnets/NAME"
        notes.refuse("subnetId", f"{args['subnet_id']!r} is not the id of a subnet", allowed)
    if choices.is_manual:
        notes.warn("nodeProvisioning", "without node provisioning, only your own controller serves NodePools", "Auto")
