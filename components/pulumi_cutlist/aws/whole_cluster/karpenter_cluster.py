"""KarpenterCluster: a cluster that scales itself, from the network to the NodePools, as one resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import Any, Optional, cast

import pulumi

from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.unchangeable import changes_of_eks
from pulumi_cutlist.aws.caller import ComparedCaller, compared_caller, compared_cluster_caller
from pulumi_cutlist.aws.cluster.adopted_cluster import AdoptedCluster, AdoptedClusterPlan
from pulumi_cutlist.aws.cluster.cluster import Cluster, ClusterArgs
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane
from pulumi_cutlist.aws.cluster.outputs import ClusterOutputs, kubernetes_provider
from pulumi_cutlist.aws.identity.controller_identity import ControllerIdentity
from pulumi_cutlist.aws.identity.controller_identity_plan import ControllerIdentityArgs
from pulumi_cutlist.aws.identity.node_identity import NodeIdentity, NodeIdentityArgs
from pulumi_cutlist.aws.identity.spot_role import SpotServiceLinkedRole
from pulumi_cutlist.aws.karpenter.discovery import Discovery, DiscoveryArgs
from pulumi_cutlist.aws.karpenter.interruption import Interruption
from pulumi_cutlist.aws.karpenter.reservations import make_reservations
from pulumi_cutlist.aws.network.network import Network
from pulumi_cutlist.aws.teardown.drain_gate import DrainGate
from pulumi_cutlist.aws.teardown.interface_pass import InterfacePass, InterfacePassArgs
from pulumi_cutlist.aws.teardown.teardown import Teardown, TeardownArgs
from pulumi_cutlist.aws.whole_cluster.args import KarpenterClusterArgs
from pulumi_cutlist.aws.whole_cluster.karpenter_cluster_plan import SECTIONS, KarpenterClusterPlan, plan_karpenter_cluster
from pulumi_cutlist.aws.whole_cluster.optional_parts import PartScope, make_extras, warn_of_no_api_access
from pulumi_cutlist.aws.whole_cluster.part_plans import OF_CLUSTER
from pulumi_cutlist.inputs.edits import ObjectEdits
from pulumi_cutlist.inputs.known import as_inputs
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared
from pulumi_cutlist.kubernetes import KarpenterCharts, NodeConfiguration
from pulumi_cutlist.kubernetes.charts_plan import KarpenterChartsArgs
from pulumi_cutlist.kubernetes.manifests import with_objects_by_name
from pulumi_cutlist.kubernetes.node_configuration import NodeConfigurationArgs
from pulumi_cutlist.protection import Protection


class KarpenterCluster(Component):
    """Network, cluster, identities, interruption queue, Karpenter and its NodePools, in an order that can be destroyed cleanly.
    It can adopt an existing VPC or cluster. Raises InputError with every mistake in the inputs of all parts, before anything is
    registered.
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
    node_security_group_id: pulumi.Output[str]
    """The security group of nodes with the cluster's own tag: that of the cluster, unless nodes have a dedicated one."""
    vpc_id: pulumi.Output[str]
    """Id of the VPC."""
    private_subnet_ids: pulumi.Output[list[str]]
    """Subnets of nodes."""
    node_role_name: pulumi.Output[str]
    """Name of the role of nodes, for `spec.role` of more EC2NodeClasses."""
    node_role_arn: pulumi.Output[str]
    """ARN of the role of nodes."""
    controller_role_name: pulumi.Output[str]
    """Name of the controller's role."""
    controller_role_arn: pulumi.Output[str]
    """ARN of the controller's role."""
    queue_name: pulumi.Output[str]
    """Name of the interruption queue."""
    queue_arn: pulumi.Output[str]
    """ARN of the interruption queue."""
    subnet_selector_terms: pulumi.Output[list[dict[str, Any]]]
    """The discovery tags of subnets, or their ids, for subnetSelectorTerms of more EC2NodeClasses."""
    security_group_selector_terms: pulumi.Output[list[dict[str, Any]]]
    """Those of security groups, for securityGroupSelectorTerms."""
    karpenter_version: pulumi.Output[str]
    """The version of Karpenter that runs. What uses it waits for the controller. Empty in the first of two steps."""
    node_pool_names: pulumi.Output[list[str]]
    """Names of the NodePools. What uses them waits for the objects, and is deleted before them. None in the first of two
    steps."""
    planned_nodes: pulumi.Output[dict[str, Any]]
    """Totals of the node plan that the workloads make, such as nodes and pricePerHour; empty without workloads."""

    _SECTIONS = SECTIONS

    @planned(plan_karpenter_cluster)
    def __init__(self, name: str, args: KarpenterClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        checked = plan_karpenter_cluster(args)
        caller = _compared_caller(self, checked)
        self._edits = edits = ObjectEdits()
        opts = compared(self, name, "karpenter", changes_of_eks, opts)
        opts = pulumi.ResourceOptions.merge(opts, edits.of_version(f"{name}-karpenter", "kubernetes_version"))
        super().__init__("cutlist:index:KarpenterCluster", name, with_objects_by_name(checked.parts.args), opts)
        caller.warn(self)
        if not checked.parts.is_adopted:
            warn_of_no_api_access(self, checked.parts)
        self.planned_nodes = checked.node_plan.show(name, self)
        parts, vpc, scope = checked.parts, checked.plans.network, PartScope(name, self)
        network = Network(scope.name_of("network"), vpc.args, scope.options(), plan=vpc)
        self.cluster = _cluster(scope, checked, network)
        self.provider = kubernetes_provider(f"{name}-kubernetes", self.cluster, self)
        inside = PartScope(name, self, self.provider)
        account = _in_account(inside, checked, network, self.cluster)
        self.karpenter_version, self.node_pool_names = pulumi.Output.from_input(""), pulumi.Output.from_input(list[str]())
        if parts.is_adopted or not parts.api_access.is_first_step:
            charts, configuration, extras = _in_cluster(inside, checked, self.cluster, account)
            # Without it in the program, as in the first of two steps, an engine refuses to go back to that step.
            Protection(f"{name}-protection", protect=parts.is_protected, last=[charts, configuration, *extras], parent=self)
            self.karpenter_version, self.node_pool_names = charts.karpenter_version, configuration.node_pool_names
        self.cluster_name, self.endpoint = self.cluster.cluster_name, self.cluster.endpoint
        self.kubeconfig = self.cluster.kubeconfig
        self.vpc_id, self.private_subnet_ids = network.vpc_id, network.private_subnet_ids
        self.cluster_arn, self.certificate_authority = self.cluster.cluster_arn, self.cluster.certificate_authority
        self.oidc_issuer, self.oidc_provider_arn = self.cluster.oidc_issuer, self.cluster.oidc_provider_arn
        self.security_group_id = self.cluster.security_group_id
        self._set_account_outputs(account)
        checked.node_plan.show_replaced(edits, checked.common.configuration.objects, self)
        self.register_outputs(outputs_of(self))

    def _set_account_outputs(self, account: "_InAccount") -> None:
        self.node_role_name, self.node_role_arn = account.nodes.role_name, account.nodes.role_arn
        self.controller_role_name, self.controller_role_arn = account.controller.role_name, account.controller.role_arn
        self.queue_name, self.queue_arn = account.queue.queue_name, account.queue.queue_arn
        self.node_security_group_id = account.discovery.node_security_group_id
        self.subnet_selector_terms = account.discovery.subnet_selector_terms
        self.security_group_selector_terms = account.discovery.security_group_selector_terms


def _compared_caller(component: Component, checked: KarpenterClusterPlan) -> ComparedCaller:
    """Return who runs the update, compared with the inputs before anything is registered."""
    plan = checked.plans.cluster
    if isinstance(plan, AdoptedClusterPlan):
        return compared_caller(component, plan.names)
    control_plane, at = plan.args["control_plane"], OF_CLUSTER.nested["controlPlane"]
    return compared_cluster_caller(component, plan.control_plane.names, control_plane, at, makes_objects=True)


@dataclass(frozen=True, slots=True)
class _InAccount:
    """What was made for the controller in the account. The controller needs all of it."""

    nodes: NodeIdentity
    queue: Interruption
    controller: ControllerIdentity
    discovery: Discovery
    needs: tuple[pulumi.Resource, ...]


def _cluster(scope: PartScope, checked: KarpenterClusterPlan, network: Network) -> Cluster | AdoptedCluster:
    """Make a cluster in the network. A new one is deleted before its last interfaces, and these before the network."""
    name, plan = scope.name_of("cluster"), checked.plans.cluster
    if isinstance(plan, AdoptedClusterPlan):
        return AdoptedCluster(name, plan.args, scope.options(), plan=plan)
    where = checked.parts.sweep(InterfacePassArgs, network.vpc_id)
    last = InterfacePass(scope.name_of("interfaces"), where, scope.options(network))
    control_plane: ControlPlane = {"subnet_ids": as_inputs(network.control_plane_subnet_ids), **plan.args["control_plane"]}
    args: ClusterArgs = {**plan.args, "control_plane": control_plane}
    if "fargate" in plan.args:
        args["fargate"] = {"subnet_ids": as_inputs(network.private_subnet_ids), **plan.args["fargate"]}
    vpc, ids = checked.plans.network, network.private_subnet_ids
    if "system_nodes" in plan.args:
        nodes = plan.args["system_nodes"]
        args["system_nodes"] = {"subnet_ids": as_inputs(vpc.in_zones(ids, nodes.get("zones", vpc.zones))), **nodes}
    if "node_groups" in plan.args:
        args["node_groups"] = {
            group: {"subnet_ids": as_inputs(vpc.in_zones(ids, own.get("zones", vpc.zones))), **own}
            for group, own in plan.args["node_groups"].items()
        }
    return Cluster(name, args, scope.options(last, network), plan=plan)


def _in_account(
    scope: PartScope, checked: KarpenterClusterPlan, network: Network, cluster: Cluster | AdoptedCluster
) -> _InAccount:
    """Make everything that Karpenter needs in the account, in the order of spec aws-infrastructure 0.1."""
    plans = checked.plans
    of_nodes: NodeIdentityArgs = {"cluster": cluster.cluster_name, **plans.node_identity.args}
    nodes = NodeIdentity(scope.name_of("node"), of_nodes, scope.options(), plan=plans.node_identity)
    interruption = plans.interruption
    queue = Interruption(scope.name_of("interruption"), interruption.args, scope.options(), plan=interruption)
    of_controller = _controller_args(checked, cluster, nodes, queue)
    controller = ControllerIdentity(scope.name_of("controller"), of_controller, scope.options(), plan=plans.controller_identity)
    of_discovery: DiscoveryArgs = {
        "adopted_subnet_ids": [*plans.network.adopted_subnet_ids],
        "cluster_security_group_id": cluster.security_group_id,
        "subnet_ids": as_inputs(network.private_subnet_ids),
        **plans.discovery.args,
    }
    discovery = Discovery(scope.name_of("discovery"), of_discovery, scope.options(), plan=plans.discovery)
    region = checked.parts.args["region"]
    reserved = make_reservations(scope.parent, scope.name, plans.reservations, region)
    spot_role = checked.common.spot_role
    spot = SpotServiceLinkedRole(scope.name_of("spot"), spot_role.args, scope.options(), plan=spot_role)
    needs = (network, cluster, nodes, discovery)
    # The charts need the sweep, so a destroy sweeps when no controller launches nodes, and while what the swept things use
    # still exists.
    sweep = Teardown(scope.name_of("teardown"), checked.parts.sweep(TeardownArgs, network.vpc_id), scope.options(*needs))
    return _InAccount(nodes, queue, controller, discovery, (sweep, *needs, queue, controller, spot, *reserved))


def _in_cluster(
    scope: PartScope, checked: KarpenterClusterPlan, cluster: Cluster | AdoptedCluster, account: _InAccount
) -> tuple[KarpenterCharts, NodeConfiguration, list[pulumi.Resource]]:
    """Make what needs the cluster's API: Karpenter, the gate that holds it back at a destroy, the NodePools, and what needs
    nodes of theirs."""
    of_charts = _charts_args(checked, cluster, account.queue, account.controller)
    options = scope.options(*account.needs)
    charts = KarpenterCharts(scope.name_of("karpenter"), of_charts, options, plan=checked.plans.charts)
    plan = checked.plans.drain_gate
    # A destroy takes the reverse order: first the objects, then the gate waits until their nodes are drained, then the
    # controller.
    gate = DrainGate(scope.name_of("gate"), plan.args, scope.options(charts), plan=plan)
    objects = checked.common.configuration
    of_objects: NodeConfigurationArgs = {**objects.args, "identity_hash": account.controller.documents_hash}
    options = scope.options(gate, account.nodes)
    configuration = NodeConfiguration(scope.name_of("nodes"), of_objects, options, plan=objects)
    waiting = cluster.make_waiting_add_ons(scope.parent, configuration) if isinstance(cluster, Cluster) else ()
    return charts, configuration, [gate, *waiting, *make_extras(scope, checked.common, cluster, configuration)]


def _controller_args(
    checked: KarpenterClusterPlan, cluster: ClusterOutputs, nodes: NodeIdentity, queue: Interruption
) -> ControllerIdentityArgs:
    """Return the inputs of the controller's role with what other parts supply; what a program says takes precedence."""
    args: ControllerIdentityArgs = {
        "cluster": cluster.cluster_name,
        "node_role_arns": [nodes.role_arn],
        "queue_arn": queue.queue_arn,
        **checked.plans.controller_identity.args,
    }
    if checked.parts.has_queue_key:
        args.setdefault("queue_key_arn", cast("pulumi.Output[str]", queue.queue_key_arn))
    if checked.parts.credentials is Credentials.IRSA:
        args.setdefault("oidc_provider_arn", cast("pulumi.Output[str]", cluster.oidc_provider_arn))
        args.setdefault("oidc_issuer", cluster.oidc_issuer)
    return args


def _charts_args(
    checked: KarpenterClusterPlan, cluster: ClusterOutputs, queue: Interruption, controller: ControllerIdentity
) -> KarpenterChartsArgs:
    """Return the inputs of the charts with what other parts supply; what a program says takes precedence."""
    args: KarpenterChartsArgs = {
        "cluster_endpoint": cluster.endpoint,
        "interruption_queue": queue.queue_name,
        "identity_hash": controller.identity_hash,
        **checked.plans.charts.args,
    }
    if checked.parts.credentials is Credentials.IRSA:
        args.setdefault("role_arn", controller.role_arn)
    return args
