"""AutoModeCluster: a cluster whose nodes EKS manages, from the network to the NodePools, as one resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NotRequired, TypedDict

import pulumi

from cutlist import api
from cutlist.core.errors import Problems
from pulumi_cutlist.aws.add_ons import AddOn
from pulumi_cutlist.aws.auto_mode import AutoMode, AutoModeArgs, AutoModePlan, plan_auto_mode
from pulumi_cutlist.aws.control_plane import ControlPlane
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsIdentityArgs
from pulumi_cutlist.aws.interface_pass import InterfacePass
from pulumi_cutlist.aws.joined_extras import PartScope, make_extras
from pulumi_cutlist.aws.joined_plan import CLUSTER_LINKS, OF_AUTO_MODE, CommonPlans, JoinedParts, PartPlanner, zones_of
from pulumi_cutlist.aws.karpenter_cluster_args import ClusterNetwork
from pulumi_cutlist.aws.kubernetes_provider import kubernetes_provider
from pulumi_cutlist.aws.network import Network, VpcPlan
from pulumi_cutlist.aws.spot_role import SpotServiceLinkedRole
from pulumi_cutlist.known import as_inputs
from pulumi_cutlist.kubernetes import NodeConfiguration
from pulumi_cutlist.kubernetes.manifests import Manifest
from pulumi_cutlist.kubernetes.node_configuration import plain_objects
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs
from pulumi_cutlist.protection import Protection
from pulumi_cutlist.shapes import shaped
from pulumi_cutlist.spelling import in_snake_case


class AutoModeClusterArgs(TypedDict):
    """Inputs of AutoModeCluster. Sections named like a component take that component's further inputs."""

    cluster_name: str
    """Name of the cluster: at most 100 letters, digits, - and _. Names of everything else come from it."""
    region: str
    """Region of the cluster, such as eu-west-1."""
    account_id: str
    """Id of the account, twelve digits."""
    kubernetes_version: str
    """Version of Kubernetes, such as "1.34"."""
    admins: dict[str, str]
    """ARNs of the roles or users who administer the cluster, by names of your choice. Who runs Pulumi has to be among them."""
    production: NotRequired[bool]
    """Whether the cluster and its key are protected from deletion, by Pulumi and by EKS: a destroy is refused before it takes
    anything away. Defaults to false. Turn it off by an update before the stack is destroyed."""
    public_access_cidrs: NotRequired[list[str]]
    """Address ranges from which the API is reached outside the VPC. Without them it is not."""
    network: NotRequired[ClusterNetwork]
    """The VPC. Defaults to one that is made."""
    built_in_pools: NotRequired[list[str]]
    """Which of EKS's own NodePools are on: general-purpose, system. Defaults to both; an empty list turns both off."""
    add_ons: NotRequired[dict[str, AddOn]]
    """Add-ons by name, beside what Auto Mode has built in. Defaults to none."""
    spot_role: NotRequired[str]
    """What is done for the account's role for spot instances: ensure (the default), create or skip."""
    node_pools: NotRequired[list[Manifest[api.NodePool]]]
    """NodePools of your own as Kubernetes has them; in Python also typed objects. Defaults to none."""
    node_classes: NotRequired[list[Manifest[api.AutoNodeClass]]]
    """NodeClasses of your own that the pools refer to. Their role is that of the cluster's nodes, or one that is let in."""
    control_plane: NotRequired[dict[str, Any]]
    """Further inputs of AutoMode's control_plane, such as encrypt_secrets or log_types."""
    auto_mode: NotRequired[dict[str, Any]]
    """Further inputs of AutoMode, such as custom_node_roles."""
    external_dns_identity: NotRequired[dict[str, Any]]
    """Further inputs of ExternalDnsIdentity: hosted_zone_ids, or every_zone. Left out, ExternalDNS gets no role here."""
    observability: NotRequired[dict[str, Any]]
    """Inputs of Observability. Left out, it is not installed."""
    name_style: NotRequired[str]
    """How names are made: karpenter, regional or auto. Defaults to karpenter."""
    permissions_boundary: NotRequired[str]
    """ARN of the policy that bounds every role that is made."""
    tags: NotRequired[dict[str, str]]
    """Tags of every resource that is made."""


_SECTIONS: Final = {
    "control_plane": ControlPlane,
    "auto_mode": AutoModeArgs,
    "external_dns_identity": ExternalDnsIdentityArgs,
    "observability": ObservabilityArgs,
}


@dataclass(frozen=True, slots=True)
class AutoModeParts(JoinedParts):
    """The inputs of every part of one AutoModeCluster."""

    def cluster(self, zones: list[str]) -> dict[str, Any]:
        """Return the inputs of AutoMode, but for subnets."""
        own = {key: self.args[key] for key in ("built_in_pools", "add_ons") if key in self.args}
        return {"control_plane": self.control_plane(zones), **own, **self.section("auto_mode")}


@dataclass(frozen=True, slots=True)
class AutoModeClusterPlan:
    """A cluster that can be made, with the plans of its parts."""

    args: AutoModeClusterArgs
    parts: AutoModeParts
    network: VpcPlan
    cluster: AutoModePlan
    common: CommonPlans


def plan_auto_mode_cluster(args: Mapping[str, Any]) -> AutoModeClusterPlan:
    """What the inputs ask for. Raises InputError with every mistake that any part finds in them."""
    planner = PartPlanner(Problems())
    inputs = shaped(in_snake_case(plain_objects(args), AutoModeClusterArgs, _SECTIONS), AutoModeClusterArgs, planner.problems)
    parts = AutoModeParts(inputs)
    planner.sections(inputs, _SECTIONS)
    network = planner.network(parts)
    cluster = planner.plan(plan_auto_mode, parts.cluster(zones_of(network)), OF_AUTO_MODE, CLUSTER_LINKS)
    common = planner.common(parts)
    planner.raise_if_any()
    return AutoModeClusterPlan(inputs, parts, planner.planned(network), planner.planned(cluster), planner.planned(common))


class AutoModeCluster(pulumi.ComponentResource):
    """Network, cluster in Auto Mode, and NodePools of your own, in an order in which they can be destroyed again.

    Raises InputError with every mistake in the inputs of all parts, before anything is registered.
    """

    cluster_name: pulumi.Output[str]
    """Name of the cluster."""
    endpoint: pulumi.Output[str]
    """Where the API server is."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig that logs in anew each time by `aws eks get-token`. It holds no secret."""
    vpc_id: pulumi.Output[str]
    """Id of the VPC."""
    node_role_name: pulumi.Output[str]
    """Name of the role of nodes, for more NodeClasses."""
    node_pool_names: pulumi.Output[list[str]]
    """Names of the NodePools of your own. What uses them waits for the objects, and is deleted before them."""

    def __init__(self, name: str, args: AutoModeClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        plan = plan_auto_mode_cluster(args)
        super().__init__("cutlist:index:AutoModeCluster", name, {**plan.args}, opts)
        parts, scope = plan.parts, PartScope(name, self)
        vpc, cluster = plan.network, plan.cluster
        network = Network(scope.name_of("network"), vpc.args, scope.options(), plan=vpc)
        where = parts.last_interfaces(network.vpc_id)
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
        objects = plan.common.configuration
        options = inside.options(self.cluster, spot)
        configuration = NodeConfiguration(inside.name_of("nodes"), objects.args, options, plan=objects)
        extras = make_extras(inside, plan.common, self.cluster, configuration)
        ends = [self.cluster, spot, configuration, *extras]
        Protection(f"{name}-protection", protect=parts.is_protected, last=ends, parent=self)
        self.cluster_name, self.endpoint = self.cluster.cluster_name, self.cluster.endpoint
        self.kubeconfig, self.vpc_id = self.cluster.kubeconfig, network.vpc_id
        self.node_role_name, self.node_pool_names = self.cluster.node_role_name, configuration.node_pool_names
        self.register_outputs(
            {
                "clusterName": self.cluster_name,
                "endpoint": self.endpoint,
                "kubeconfig": self.kubeconfig,
                "vpcId": self.vpc_id,
                "nodeRoleName": self.node_role_name,
                "nodePoolNames": self.node_pool_names,
            }
        )
