"""Cluster: an EKS cluster on which Karpenter can run, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

import pulumi

from cutlist.core.errors import Problems
from cutlist.infrastructure import add_ons, cluster_roles
from cutlist.infrastructure.add_on_pods import MONITORING_AGENT
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.iam.trust import source_arn
from cutlist.infrastructure.inputs import HERE, Places, one_of
from cutlist.infrastructure.name_checks import check_namespace
from cutlist.infrastructure.node_groups import NodeGroupFacts
from cutlist.infrastructure.system_capacity import SystemCapacity, SystemNodesFacts, identity_problems
from pulumi_cutlist.aws.caller import NOT_COMPARED, compared_cluster_caller
from pulumi_cutlist.aws.cluster import system_capacity
from pulumi_cutlist.aws.cluster.add_ons import AddOn, Identity, cni_rights, make_add_ons
from pulumi_cutlist.aws.cluster.changes import changes_of_cluster, notes_on_changes
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane, ControlPlanePlan, plan_control_plane
from pulumi_cutlist.aws.cluster.control_plane_resources import ClusterKind, make_control_plane, make_oidc_provider
from pulumi_cutlist.aws.cluster.launch_templates import ReadyCluster
from pulumi_cutlist.aws.cluster.node_groups import (
    GroupDefaults,
    GroupSurroundings,
    ManagedNodeGroupArgs,
    check_node_groups,
    make_node_groups,
    placed_by_zone,
)
from pulumi_cutlist.aws.cluster.outputs import ClusterOutputs
from pulumi_cutlist.aws.identity.roles import Rights, RolePlan
from pulumi_cutlist.day import today
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.shapes import inside, shaped
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared
from pulumi_cutlist.protection import Protection

_CNI_ROLES: Final = ("own", "node")


class ClusterArgs(TypedDict):
    """Inputs of Cluster."""

    control_plane: ControlPlane
    """The control plane and who may use it."""
    system_nodes: NotRequired[system_capacity.SystemNodes]
    """Where Karpenter itself runs. Defaults to two nodes in the control plane's subnets."""
    fargate: NotRequired[system_capacity.FargateSystem]
    """Fargate instead of system nodes. It requires the identity irsa."""
    node_groups: NotRequired[dict[str, ManagedNodeGroupArgs]]
    """Further managed node groups, by names of your choice, whose beginning the groups have. Defaults to none."""
    identity: NotRequired[str]
    """How pods get their roles: pod-identity or irsa, by an OIDC provider. Defaults to pod-identity."""
    oidc_provider: NotRequired[bool]
    """Whether to create an OIDC provider even if the cluster's own software needs none. Defaults to false."""
    trust_source_arn: NotRequired[bool]
    """With pod-identity: whether the trust of add-ons' roles also names the cluster as aws:SourceArn, in addition to the tags
    of each session. AWS's page on these roles shows only tags, so try it first in a cluster that you can afford to lose.
    Defaults to false."""
    cni_role: NotRequired[str]
    """Whose permissions the VPC CNI uses: own, or node, with which every pod that reaches the instance's metadata may move
    network interfaces. Defaults to own."""
    add_ons: NotRequired[dict[str, AddOn]]
    """Settings of add-ons, by name. Naming one that is not a default, such as aws-ebs-csi-driver, installs it."""


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """A cluster that can be made."""

    args: ClusterArgs
    control_plane: ControlPlanePlan
    system_nodes: SystemNodesFacts
    node_groups: Mapping[str, NodeGroupFacts]
    identity: Credentials
    at: Places = HERE

    @property
    def node_version(self) -> str:
        """Return the version of Kubernetes of nodes and add-ons: the control plane's, unless system nodes have an older one."""
        return (self.args.get("system_nodes") or {}).get("version") or self.control_plane.facts.version

    @property
    def has_oidc_provider(self) -> bool:
        """Tell whether an OIDC provider is made."""
        return self.identity is Credentials.IRSA or bool(self.args.get("oidc_provider"))

    @property
    def is_ipv6(self) -> bool:
        """Tell whether pods have IPv6 addresses."""
        return self.control_plane.facts.ip_family == "ipv6"

    @property
    def cni_has_role(self) -> bool:
        """Tell whether the VPC CNI has rights of its own."""
        return self.args.get("cni_role", "own") == "own"

    @property
    def node_rights(self) -> Rights:
        """Return what nodes may do besides what all nodes need: the work of a VPC CNI without rights of its own."""
        return Rights() if self.cni_has_role else cni_rights(self.control_plane.names, self.is_ipv6)

    @property
    def add_ons(self) -> list[add_ons.AddOnPlan]:
        """Return the add-ons that are made."""
        settings = self.args.get("add_ons") or {}
        return add_ons.chosen(settings, self.identity, capacity=self.capacity, cni_has_role=self.cni_has_role)

    @property
    def capacity(self) -> SystemCapacity:
        """Return what pods can run on before Karpenter starts nodes."""
        if "fargate" in self.args:
            return SystemCapacity.FARGATE
        return SystemCapacity.SHARED if self.system_nodes.shared else SystemCapacity.TAINTED


def plan_cluster(args: ClusterArgs, at: Places = HERE) -> ClusterPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    return _plan(args, at, has_node_pools=False)


def plan_cluster_with_pools(args: ClusterArgs, at: Places = HERE) -> ClusterPlan:
    """Return the plan of a cluster in whose program NodePools are made, and after them the add-ons that wait for them."""
    return _plan(args, at, has_node_pools=True)


def _plan(args: ClusterArgs, at: Places, *, has_node_pools: bool) -> ClusterPlan:
    problems, chosen_later = Problems(), placed_by_zone(args.get("node_groups"))
    args = shaped(args, ClusterArgs, problems, at)
    control_plane = plan_control_plane(args["control_plane"], inside(at, "controlPlane"), problems)
    of_plane = args["control_plane"]
    system_nodes = system_capacity.check_system_nodes(
        args.get("system_nodes") or system_capacity.SystemNodes(), of_plane["version"], control_plane.names.region, problems
    )
    usual = (args.get("system_nodes") or system_capacity.SystemNodes()).get("version") or of_plane["version"]
    around = GroupSurroundings(of_plane["zones"], of_plane["version"], usual, control_plane.names.region, chosen_later)
    groups = check_node_groups(args.get("node_groups", {}), around, at, problems)
    fargate = args.get("fargate")
    if fargate is not None and fargate.get("namespace"):
        check_namespace(fargate["namespace"], at.member("fargate").member("namespace"), problems)
    if fargate is not None and "system_nodes" in args:
        problems.add(at.member("fargate"), "both systemNodes and fargate", "one of them")
    identity = args.get("identity", Credentials.POD_IDENTITY)
    problems.extend(identity_problems(identity, on_fargate=fargate is not None, at=at.member("identity")))
    if args.get("trust_source_arn", False) and identity == Credentials.IRSA:
        message = "aws:SourceArn applies to Pod Identity, and the add-ons use irsa"
        problems.add(at.member("trustSourceArn"), message, "leave it out")
    problems.extend(one_of(args.get("cni_role", "own"), _CNI_ROLES, at.member("cniRole")))
    problems.extend(add_ons.problems(args.get("add_ons") or {}, of_plane["version"], at.member("addOns"), today()))
    problems.raise_if_any()
    plan = ClusterPlan(args, control_plane, system_nodes, groups, Credentials(identity), at)
    place = at.member("addOns")
    problems.extend(add_ons.missing_daemon_problems(plan.add_ons, plan.capacity, place))
    problems.extend(add_ons.waiting_problems(plan.add_ons, plan.capacity, place, has_node_pools=has_node_pools))
    problems.raise_if_any()
    return plan


class Cluster(ClusterOutputs, Component):
    """An EKS cluster with access for its administrators, the add-ons that nodes need, and two nodes for Karpenter itself.

    With `production` a destroy keeps the cluster, but removes what a program has put into it, unless that is protected too.
    Raises InputError with every mistake found, before anything is registered.
    """

    @planned(plan_cluster)
    def __init__(
        self,
        name: str,
        args: ClusterArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: ClusterPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        alone = plan is None
        if plan is None:
            plan = plan_cluster(args)
            args = plan.args
        caller = NOT_COMPARED
        if alone:
            names, at = plan.control_plane.names, inside(plan.at, "controlPlane")
            caller = compared_cluster_caller(self, names, args["control_plane"], at, makes_objects=False)
        opts = compared(self, name, "control-plane", functools.partial(changes_of_cluster, plan.at), opts, notes_on_changes)
        super().__init__("cutlist:index:Cluster", name, {**args}, opts)
        caller.warn(self)
        inputs = args["control_plane"]
        role = RolePlan("role", "EKSClusterRole", cluster_roles.cluster_trust(), Rights(cluster_roles.CLUSTER))
        control_plane = make_control_plane(self, name, inputs, plan.control_plane, ClusterKind(role))
        self._gates = control_plane.access
        self._set_outputs(control_plane.cluster, plan.control_plane.names, inputs)
        provider = make_oidc_provider(self, name, inputs, self.oidc_issuer) if plan.has_oidc_provider else None
        self.oidc_provider_arn = pulumi.Output.from_input(provider.arn if provider else None)
        identity = _identity(plan, self.oidc_issuer, provider.arn if provider else None)
        chosen = plan.add_ons
        self.early_add_ons = make_add_ons(self, name, control_plane.cluster.name, [a for a in chosen if a.early], identity)
        repairs = any(a.name == MONITORING_AGENT for a in chosen)
        ready = ReadyCluster(
            plan.control_plane.names, inputs, control_plane.cluster, (*self.early_add_ons, *control_plane.access), repairs
        )
        self.system_capacity = _capacity(self, name, plan, args, ready)
        usual, of_groups = GroupDefaults(plan.node_version, plan.node_rights), args.get("node_groups", {})
        self.node_groups = make_node_groups(self, name, of_groups, plan.node_groups, ready, usual)
        self._identity = identity
        self._waiting = [a for a in chosen if a.for_node_pools]
        late = [a for a in chosen if not a.early and not a.for_node_pools]
        self.late_add_ons = make_add_ons(self, name, control_plane.cluster.name, late, identity, self.system_capacity)
        providers = [provider] if provider else []
        nodes = [*self.system_capacity, *self.node_groups]
        ends = [*control_plane.ends, *providers, *self.early_add_ons, *nodes, *self.late_add_ons]
        Protection(f"{name}-protection", protect=plan.control_plane.facts.production, last=ends, parent=self)
        self.register_outputs(outputs_of(self))

    def make_waiting_add_ons(self, parent: pulumi.Resource, node_pools: pulumi.Resource) -> tuple[pulumi.Resource, ...]:
        """Register the add-ons whose pods only nodes of NodePools can run, under a component that has both."""
        return make_add_ons(parent, self.pulumi_resource_name, self.cluster_name, self._waiting, self._identity, (node_pools,))


def _identity(plan: ClusterPlan, issuer: pulumi.Output[str], provider_arn: pulumi.Output[str] | None) -> Identity:
    """Return how add-ons get their roles; `provider_arn` is that of an OIDC provider, if there is one."""
    inputs = plan.args["control_plane"]
    return Identity(
        plan.control_plane.names,
        issuer,
        provider_arn if plan.identity is Credentials.IRSA else None,
        plan.is_ipv6,
        inputs.get("tags"),
        inputs.get("permissions_boundary"),
        (source_arn(plan.control_plane.names),) if plan.args.get("trust_source_arn", False) else (),
        plan.node_version,
    )


def _capacity(
    parent: pulumi.Resource, name: str, plan: ClusterPlan, args: ClusterArgs, cluster: ReadyCluster
) -> tuple[pulumi.Resource, ...]:
    fargate = args.get("fargate")
    if fargate is not None:
        return system_capacity.make_fargate(parent, name, fargate, cluster)
    nodes = args.get("system_nodes") or system_capacity.SystemNodes()
    return system_capacity.make_system_nodes(parent, name, nodes, plan.system_nodes, cluster, plan.node_rights)
