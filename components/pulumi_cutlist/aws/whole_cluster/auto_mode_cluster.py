"""AutoModeCluster: a cluster whose nodes EKS manages, from the network to the NodePools, as one resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Optional

import pulumi

from cutlist.core.errors import Problems
from cutlist.infrastructure.inputs import HERE
from cutlist.infrastructure.unchangeable import changes_of_eks
from pulumi_cutlist.aws.caller import compared_cluster_caller
from pulumi_cutlist.aws.cluster.auto_mode import AutoMode, AutoModeArgs, AutoModePlan, plan_auto_mode
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane
from pulumi_cutlist.aws.cluster.outputs import kubernetes_provider
from pulumi_cutlist.aws.identity.external_dns_identity import ExternalDnsIdentityArgs
from pulumi_cutlist.aws.identity.spot_role import SpotServiceLinkedRole
from pulumi_cutlist.aws.network.network import Network, VpcPlan
from pulumi_cutlist.aws.teardown.interface_pass import InterfacePass, InterfacePassArgs
from pulumi_cutlist.aws.whole_cluster.args import AutoModeClusterArgs
from pulumi_cutlist.aws.whole_cluster.optional_parts import PartScope, make_extras, warn_of_no_api_access
from pulumi_cutlist.aws.whole_cluster.part_args import CommonParts, with_section
from pulumi_cutlist.aws.whole_cluster.part_plans import OF_AUTO_MODE, CommonPlans, PartPlanner, zones_of
from pulumi_cutlist.aws.whole_cluster.planned_cluster import of_auto_mode_cluster
from pulumi_cutlist.inputs.edits import ObjectEdits
from pulumi_cutlist.inputs.known import as_inputs
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared
from pulumi_cutlist.kubernetes import NodeConfiguration
from pulumi_cutlist.kubernetes.manifests import with_objects_by_name
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs
from pulumi_cutlist.node_plans.of_cluster import ClusterNodePlan
from pulumi_cutlist.protection import Protection

SECTIONS: Final = {
    "control_plane": ControlPlane,
    "auto_mode": AutoModeArgs,
    "external_dns_identity": ExternalDnsIdentityArgs,
    "observability": ObservabilityArgs,
}


@dataclass(frozen=True, slots=True)
class AutoModeParts(CommonParts):
    """The inputs of every part of one AutoModeCluster."""

    args: AutoModeClusterArgs

    def cluster(self, zones: list[str]) -> AutoModeArgs:
        """Return the inputs of AutoMode, except subnets."""
        args: AutoModeArgs = {"control_plane": self.control_plane(zones)}
        if "built_in_pools" in self.args:
            args["built_in_pools"] = self.args["built_in_pools"]
        if "add_ons" in self.args:
            args["add_ons"] = self.args["add_ons"]
        return with_section(args, self.args.get("auto_mode"))


@dataclass(frozen=True, slots=True)
class AutoModeClusterPlan:
    """A cluster that can be made, with the plans of its parts."""

    parts: AutoModeParts
    network: VpcPlan
    cluster: AutoModePlan
    common: CommonPlans
    node_plan: ClusterNodePlan


def plan_auto_mode_cluster(args: Mapping[str, object]) -> AutoModeClusterPlan:
    """Return what the inputs ask for. Raises InputError with every mistake that any part finds in them."""
    planner = PartPlanner(Problems())
    parts = AutoModeParts(planner.read(args, AutoModeClusterArgs, SECTIONS))
    network = planner.network(parts)
    cluster = planner.plan(plan_auto_mode, parts.cluster(zones_of(network)), OF_AUTO_MODE)
    common = planner.common(parts)
    planner.problems.extend(parts.api_access.problems(HERE))
    node_plan = None if network is None else planner.node_plan(parts, of_auto_mode_cluster(parts.args, network))
    planner.raise_if_any()
    return AutoModeClusterPlan(
        parts, planner.planned(network), planner.planned(cluster), planner.planned(common), planner.planned(node_plan)
    )


class AutoModeCluster(Component):
    """A network, a cluster in Auto Mode and your own NodePools, in an order that can be destroyed cleanly.

    Raises InputError with every mistake in the inputs of all parts, before anything is registered.
    """

    cluster_name: pulumi.Output[str]
    """Name of the cluster."""
    endpoint: pulumi.Output[str]
    """Address of the API server."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig that logs in each time with `aws eks get-token`. It holds no secret."""
    cluster_arn: pulumi.Output[str]
    """ARN of the cluster."""
    certificate_authority: pulumi.Output[str]
    """Certificate authority of the API server, in base64."""
    oidc_issuer: pulumi.Output[str]
    """URL of the cluster's OIDC issuer, with https://."""
    oidc_provider_arn: pulumi.Output[Optional[str]]  # noqa: UP045 - the component host knows this spelling inside Output
    """ARN of the OIDC provider for roles of service accounts, or null if the cluster has none."""
    security_group_id: pulumi.Output[str]
    """The security group that EKS created for the cluster."""
    vpc_id: pulumi.Output[str]
    """Id of the VPC."""
    private_subnet_ids: pulumi.Output[list[str]]
    """Subnets of nodes."""
    node_role_name: pulumi.Output[str]
    """Name of the role of nodes, for more NodeClasses."""
    node_role_arn: pulumi.Output[str]
    """ARN of the role of nodes."""
    node_pool_names: pulumi.Output[list[str]]
    """Names of the NodePools of your own. What uses them waits for the objects, and is deleted before them. None in the first
    of two steps."""
    planned_nodes: pulumi.Output[dict[str, Any]]
    """Totals of the node plan that the workloads make, such as nodes and pricePerHour; empty without workloads."""

    _SECTIONS = SECTIONS

    @planned(plan_auto_mode_cluster)
    def __init__(self, name: str, args: AutoModeClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        plan = plan_auto_mode_cluster(args)
        vpc, cluster = plan.network, plan.cluster
        of_plane, at = cluster.args["control_plane"], OF_AUTO_MODE.nested["controlPlane"]
        caller = compared_cluster_caller(self, cluster.control_plane.names, of_plane, at, makes_objects=True)
        self._edits = edits = ObjectEdits()
        opts = compared(self, name, "auto-mode", changes_of_eks, opts)
        opts = pulumi.ResourceOptions.merge(opts, edits.of_version(f"{name}-auto-mode", "kubernetes_version"))
        super().__init__("cutlist:index:AutoModeCluster", name, with_objects_by_name(plan.parts.args), opts)
        caller.warn(self)
        parts, scope = plan.parts, PartScope(name, self)
        warn_of_no_api_access(self, parts)
        self.planned_nodes = plan.node_plan.show(name, self)
        network = Network(scope.name_of("network"), vpc.args, scope.options(), plan=vpc)
        where = parts.sweep(InterfacePassArgs, network.vpc_id)
        last = InterfacePass(scope.name_of("interfaces"), where, scope.options(network))
        control_plane: ControlPlane = {
            "subnet_ids": as_inputs(network.control_plane_subnet_ids),
            **cluster.args["control_plane"],
        }
        of_cluster: AutoModeArgs = {**cluster.args, "control_plane": control_plane}
        self.cluster = AutoMode(scope.name_of("cluster"), of_cluster, scope.options(last, network), plan=cluster)
        spot_role = plan.common.spot_role
        spot = SpotServiceLinkedRole(scope.name_of("spot"), spot_role.args, scope.options(), plan=spot_role)
        self.provider = kubernetes_provider(f"{name}-kubernetes", self.cluster, self)
        inside = PartScope(name, self, self.provider)
        self.node_pool_names = pulumi.Output.from_input(list[str]())
        if not parts.api_access.is_first_step:
            objects = plan.common.configuration
            options = inside.options(self.cluster, spot)
            configuration = NodeConfiguration(inside.name_of("nodes"), objects.args, options, plan=objects)
            ends = [self.cluster, spot, configuration, *make_extras(inside, plan.common, self.cluster, configuration)]
            Protection(f"{name}-protection", protect=parts.is_protected, last=ends, parent=self)
            self.node_pool_names = configuration.node_pool_names
        self.cluster_name, self.endpoint = self.cluster.cluster_name, self.cluster.endpoint
        self.kubeconfig, self.vpc_id = self.cluster.kubeconfig, network.vpc_id
        self.node_role_name, self.node_role_arn = self.cluster.node_role_name, self.cluster.node_role_arn
        self.private_subnet_ids = network.private_subnet_ids
        self.cluster_arn, self.certificate_authority = self.cluster.cluster_arn, self.cluster.certificate_authority
        self.oidc_issuer, self.oidc_provider_arn = self.cluster.oidc_issuer, self.cluster.oidc_provider_arn
        self.security_group_id = self.cluster.security_group_id
        plan.node_plan.show_replaced(edits, plan.common.configuration.objects, self)
        self.register_outputs(outputs_of(self))
