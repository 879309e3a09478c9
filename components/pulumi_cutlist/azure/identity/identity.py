"""AksIdentity: a cluster's identity on Azure, with its rights, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import pulumi
import pulumi_azure_native as azure

from cutlist.infrastructure.aks import roles
from cutlist.infrastructure.aks.names import AksFacts
from pulumi_cutlist.azure.checking import checked
from pulumi_cutlist.azure.cluster.args import AksKubeletIdentityArgs
from pulumi_cutlist.azure.identity.role_assignments import assign, assign_subnets
from pulumi_cutlist.azure.names_args import AksClusterNames, read_facts
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.lists import MapOf
from pulumi_cutlist.inputs.program_words import ProgramComponent
from pulumi_cutlist.inputs.spelling import outputs_of


class AksIdentityArgs(TypedDict):
    """Inputs of AksIdentity."""

    cluster: AksClusterNames
    """The cluster that it is for."""
    network_id: NotRequired[pulumi.Input[str]]
    """A virtual network that the cluster may use and change: load balancers, routes, subnets."""
    subnet_ids: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Subnets by name that the cluster may use but not change, instead of a network. Include those of all node classes."""
    disk_encryption_set_id: NotRequired[pulumi.Input[str]]
    """Disk encryption set for the nodes' disks."""
    private_dns_zone_id: NotRequired[pulumi.Input[str]]
    """Your own DNS zone for the address of a private cluster."""
    own_kubelet_identity: NotRequired[bool]
    """Whether to create the nodes' identity before the cluster, so that you can give it permissions on registries and vaults.
    Defaults to no: AKS creates one."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags of the identities."""


@dataclass(frozen=True, slots=True)
class AksIdentityPlan:
    """An identity that can be made."""

    args: AksIdentityArgs
    facts: AksFacts


def plan_aks_identity(args: AksIdentityArgs) -> AksIdentityPlan:
    """Return what the inputs ask for. Raises InputError with every mistake in them."""
    inputs, notes = checked(args, AksIdentityArgs)
    facts = read_facts(inputs["cluster"], notes)
    if "network_id" in inputs and "subnet_ids" in inputs:
        notes.refuse("subnetIds", "both networkId and subnetIds", "one of them")
    notes.problems.raise_if_any()
    return AksIdentityPlan(inputs, facts)


class AksIdentity(ProgramComponent):
    """An identity for a cluster, with the permissions that it needs before the cluster exists.

    What uses identityId waits for all of them and is deleted before them. Raises InputError with every mistake found, before
    anything is registered.
    """

    identity_id: pulumi.Output[str]
    """Id of the cluster's identity, known in a preview as well."""
    principal_id: pulumi.Output[str]
    """Principal id of the cluster's identity, for role assignments."""
    kubelet_client_id: pulumi.Output[str | None]
    """Client id of the nodes' identity; null if AKS creates it."""
    kubelet_object_id: pulumi.Output[str | None]
    """Principal id of the nodes' identity, for role assignments; null if AKS creates it."""
    kubelet_resource_id: pulumi.Output[str | None]
    """Id of the nodes' identity; null if AKS creates it."""

    def __init__(
        self,
        name: str,
        args: AksIdentityArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: AksIdentityPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        if plan is None:
            plan = plan_aks_identity(args)
            args = plan.args
        super().__init__("cutlist:index:AksIdentity", name, {**args}, opts)
        self.kubelet: AksKubeletIdentityArgs | None = None
        facts, tags = plan.facts, args.get("tags")
        cluster = make_identity(name, facts, "cluster", tags, self)
        rights = _rights(name, facts, args, cluster.principal_id, self)
        self.kubelet_client_id = self.kubelet_object_id = self.kubelet_resource_id = pulumi.Output.from_input(None)
        if args.get("own_kubelet_identity"):
            kubelet = make_identity(f"{name}-kubelet", facts, "kubelet", tags, self)
            kubelet_id = after(facts.identity_id("kubelet"), kubelet)
            operator = assign(f"{name}-kubelet", facts, roles.IDENTITY_OPERATOR, kubelet_id, cluster.principal_id, self)
            rights.append(operator)
            self.kubelet_client_id, self.kubelet_object_id = kubelet.client_id, kubelet.principal_id
            self.kubelet_resource_id = pulumi.Output.from_input(kubelet_id)
            self.kubelet = {"client_id": kubelet.client_id, "object_id": kubelet.principal_id, "resource_id": kubelet_id}
        self.identity_id = after(facts.identity_id("cluster"), cluster, *rights)
        self.principal_id = cluster.principal_id
        self.register_outputs(outputs_of(self))


def make_identity(
    name: str, facts: AksFacts, of: str, tags: Mapping[str, pulumi.Input[str]] | None, parent: pulumi.Resource
) -> "azure.managedidentity.UserAssignedIdentity":
    """Register an identity of one of a cluster's parts."""
    return azure.managedidentity.UserAssignedIdentity(
        name,
        resource_name_=facts.named(of),
        resource_group_name=facts.resource_group,
        location=facts.location,
        tags=tags,
        opts=pulumi.ResourceOptions(parent=parent),
    )


def _rights(
    name: str, facts: AksFacts, args: AksIdentityArgs, principal: pulumi.Output[str], parent: pulumi.Resource
) -> list[pulumi.Resource]:
    """Register what the cluster may do with what others own."""
    resources: list[pulumi.Resource] = []
    for role, scope in (
        (roles.NETWORK_CONTRIBUTOR, args.get("network_id")),
        (roles.READER, args.get("disk_encryption_set_id")),
        (roles.DNS_CONTRIBUTOR, args.get("private_dns_zone_id")),
    ):
        if scope is not None:
            resources.append(assign(f"{name}-{role.key}", facts, role, scope, principal, parent))
    if "subnet_ids" in args:
        resources.extend(assign_subnets(name, facts, args["subnet_ids"], principal, parent))
    return resources
