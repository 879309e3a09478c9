"""AksNodeProvisioning: a cluster that makes its nodes by itself, with everything around it, as one resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Any

import pulumi
import pulumi_azure_native as azure

from cutlist.infrastructure.unchangeable import changes_of_aks
from pulumi_cutlist.azure.checking import log_warnings
from pulumi_cutlist.azure.cluster.args import AksClusterArgs
from pulumi_cutlist.azure.cluster.cluster import AksCluster
from pulumi_cutlist.azure.cluster.outputs import kubernetes_provider
from pulumi_cutlist.azure.identity.disk_keys import AksDiskKeys
from pulumi_cutlist.azure.identity.identity import AksIdentity, AksIdentityArgs
from pulumi_cutlist.azure.network.network import AksNetwork
from pulumi_cutlist.azure.whole_cluster.provisioning_args import AksNodeProvisioningArgs
from pulumi_cutlist.azure.whole_cluster.provisioning_plan import ProvisioningPlan, plan_provisioning
from pulumi_cutlist.inputs.edits import ObjectEdits
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared
from pulumi_cutlist.kubernetes.manifests import with_objects_by_name
from pulumi_cutlist.kubernetes.node_configuration import NodeConfiguration
from pulumi_cutlist.options import refuse_orphaning
from pulumi_cutlist.protection import Protection


class AksNodeProvisioning(Component):
    """A network, an identity with its permissions, a cluster with node provisioning, and its NodePools with their classes.

    It checks all inputs together. Raises InputError with every mistake found, before anything is registered. NodePools are
    deleted before the cluster, and the cluster before its subnets and permissions. With `production` a destroy removes nothing.
    """

    cluster_id: pulumi.Output[str]
    """Id of the cluster."""
    cluster_name: pulumi.Output[str]
    """Name of the cluster."""
    fqdn: pulumi.Output[str]
    """Address of the API server."""
    version: pulumi.Output[str]
    """Version of Kubernetes."""
    oidc_issuer: pulumi.Output[str]
    """URL of the cluster's OIDC issuer."""
    node_resource_group: pulumi.Output[str]
    """Name of the node resource group."""
    kubelet_object_id: pulumi.Output[str]
    """Principal id of the nodes' identity, for role assignments such as on an image registry."""
    kubelet_client_id: pulumi.Output[str]
    """Client id of the nodes' identity."""
    kubelet_resource_id: pulumi.Output[str]
    """Id of the nodes' identity."""
    subnet_ids: pulumi.Output[dict[str, str]]
    """Ids of the subnets by name; none if AKS creates the network."""
    node_pool_names: pulumi.Output[list[str]]
    """Names of the NodePools. What uses them waits for the objects, and is deleted before them."""
    planned_nodes: pulumi.Output[dict[str, Any]]
    """Totals of the node plan that the workloads make, such as nodes and pricePerHour; empty without workloads."""

    @planned(plan_provisioning)
    def __init__(self, name: str, args: AksNodeProvisioningArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        refuse_orphaning(opts)
        plan = plan_provisioning(args)
        self._edits = edits = ObjectEdits()
        opts = compared(self, name, "provisioning", changes_of_aks, opts)
        opts = pulumi.ResourceOptions.merge(opts, edits.of_version(f"{name}-provisioning", "settings", "kubernetes_version"))
        super().__init__("cutlist:index:AksNodeProvisioning", name, with_objects_by_name(plan.args), opts)
        log_warnings(plan.warnings, self)
        self.planned_nodes = plan.node_plan.show(name, self)
        behind = pulumi.ResourceOptions(parent=self, depends_on=_resource_group(name, plan, self))
        network, keys = plan.network, plan.disk_keys
        self.network = AksNetwork(f"{name}-network", network.args, behind, plan=network) if network else None
        disk_keys = AksDiskKeys(f"{name}-disks", keys.args, behind, plan=keys) if keys else None
        of_identity = self._identity(plan, disk_keys)
        identity = AksIdentity(f"{name}-identity", of_identity, behind, plan=plan.identity)
        of_cluster = self._cluster(plan, identity, disk_keys)
        self.cluster = AksCluster(f"{name}-cluster", of_cluster, behind, plan=plan.cluster)
        self.provider = kubernetes_provider(name, self.cluster, parent=self)
        nodes = self._nodes(name, plan)
        ends = [part for part in (self.network, self.cluster, self.provider, nodes) if part is not None]
        Protection(f"{name}-protection", protect=plan.is_protected, last=ends, parent=self)
        self.node_pool_names = nodes.node_pool_names if nodes else pulumi.Output.from_input([])
        self.cluster_id, self.cluster_name = self.cluster.cluster_id, self.cluster.cluster_name
        self.oidc_issuer, self.node_resource_group = self.cluster.oidc_issuer, self.cluster.node_resource_group
        self.fqdn, self.version = self.cluster.fqdn, self.cluster.version
        self.kubelet_object_id, self.kubelet_client_id = self.cluster.kubelet_object_id, self.cluster.kubelet_client_id
        self.kubelet_resource_id = self.cluster.kubelet_resource_id
        if plan.nodes is not None:
            plan.node_plan.show_replaced(edits, plan.nodes.objects, self)
        self.subnet_ids = self.network.subnet_ids if self.network else pulumi.Output.from_input({})
        self.register_outputs(outputs_of(self))

    def _identity(self, plan: ProvisioningPlan, disk_keys: AksDiskKeys | None) -> AksIdentityArgs:
        """Return the inputs of the identity with what it has rights on."""
        args: AksIdentityArgs = {**plan.identity.args}
        if self.network is not None and plan.network is not None and plan.subnets_alone:
            ids = self.network.subnet_ids
            args["subnet_ids"] = {name: ids[name] for name in plan.network.network.subnets}
        elif self.network is not None:
            args["network_id"] = self.network.network_id
        if disk_keys is not None:
            args["disk_encryption_set_id"] = disk_keys.disk_encryption_set_id
        return args

    def _cluster(self, plan: ProvisioningPlan, identity: AksIdentity, disk_keys: AksDiskKeys | None) -> AksClusterArgs:
        """Return the inputs of the cluster with what other parts supply."""
        args: AksClusterArgs = {**plan.cluster.args, "identity_id": identity.identity_id}
        if self.network is not None:
            args["subnet_id"] = self.network.node_subnet_id
        if identity.kubelet is not None:
            args["kubelet_identity"] = identity.kubelet
        if disk_keys is not None:
            args["disk_encryption_set_id"] = disk_keys.disk_encryption_set_id
        return args

    def _nodes(self, name: str, plan: ProvisioningPlan) -> NodeConfiguration | None:
        """Register the objects. They are deleted before the cluster and before every subnet that nodes live in."""
        if plan.nodes is None:
            return None
        needed = [self.network] if self.network else []
        options = pulumi.ResourceOptions(parent=self, providers=[self.provider], depends_on=needed)
        return NodeConfiguration(f"{name}-nodes", plan.nodes.args, options, plan=plan.nodes)


def _resource_group(name: str, plan: ProvisioningPlan, parent: pulumi.Resource) -> list[pulumi.Resource]:
    if not plan.args.get("own_resource_group", True):
        return []
    group = azure.resources.ResourceGroup(
        name,
        resource_group_name=plan.facts.resource_group,
        location=plan.facts.location,
        tags=plan.args.get("tags"),
        opts=pulumi.ResourceOptions(parent=parent),
    )
    return [group]
