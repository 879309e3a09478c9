"""Cluster: an EKS cluster on which Karpenter can run, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

import pulumi

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure import add_ons, cluster_roles
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.inputs import one_of
from cutlist.infrastructure.system_capacity import SystemNodesFacts, identity_problems
from pulumi_cutlist.aws.add_ons import AddOn, Identity, cni_rights, make_add_ons
from pulumi_cutlist.aws.cluster_outputs import ClusterOutputs
from pulumi_cutlist.aws.control_plane import (
    Checked,
    ControlPlane,
    Shape,
    check_control_plane,
    make_control_plane,
    make_oidc_provider,
)
from pulumi_cutlist.aws.roles import Rights, RolePlan
from pulumi_cutlist.aws.system_capacity import (
    FargateSystem,
    Surroundings,
    SystemNodes,
    check_system_nodes,
    make_fargate,
    make_system_nodes,
)
from pulumi_cutlist.protection import Protection
from pulumi_cutlist.shapes import shaped

_CNI_ROLES: Final = ("own", "node")


class ClusterArgs(TypedDict):
    """Inputs of Cluster."""

    control_plane: ControlPlane
    """The control plane and who may use it."""
    system_nodes: NotRequired[SystemNodes]
    """Where Karpenter itself runs. Defaults to two nodes in the control plane's subnets."""
    fargate: NotRequired[FargateSystem]
    """Fargate in place of system nodes. It takes the identity irsa."""
    identity: NotRequired[str]
    """How pods get their roles: pod-identity or irsa, by an OIDC provider. Defaults to pod-identity."""
    oidc_provider: NotRequired[bool]
    """Makes an OIDC provider though the cluster's own software does without. Defaults to false."""
    cni_role: NotRequired[str]
    """Whose rights the VPC CNI has: own, or node, by which every pod that reaches the instance's metadata may move network
    interfaces. Defaults to own."""
    add_ons: NotRequired[dict[str, AddOn]]
    """Settings of add-ons, by name. One that is not there by default, such as aws-ebs-csi-driver, is made when it is named."""


class Cluster(ClusterOutputs, pulumi.ComponentResource):
    """An EKS cluster with access for its administrators, the add-ons that nodes need, and two nodes for Karpenter itself.

    With `production` a destroy takes nothing of it away; what a program has put into it goes, unless that is protected too.
    Raises InputError with every mistake found; nothing is registered then.
    """

    def __init__(self, name: str, args: ClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        plan = check_cluster(args)
        super().__init__("cutlist:index:Cluster", name, {**plan.given}, opts)
        given = plan.given["control_plane"]
        role = RolePlan("role", "EKSClusterRole", cluster_roles.cluster_trust(), Rights(cluster_roles.CLUSTER))
        made = make_control_plane(self, name, given, plan.control_plane, Shape(role))
        self._gates = made.access
        self._tell_of(made.cluster, plan.control_plane.names, given)
        provider = make_oidc_provider(self, name, given, self.oidc_issuer) if plan.has_oidc_provider else None
        self.oidc_provider_arn = pulumi.Output.from_input(provider.arn if provider else None)
        identity = Identity(
            plan.control_plane.names,
            self.oidc_issuer,
            provider.arn if provider and plan.identity is Credentials.IRSA else None,
            plan.is_ipv6,
            given.get("tags"),
            given.get("permissions_boundary"),
        )
        chosen = plan.add_ons
        self.early_add_ons = make_add_ons(self, name, made.cluster.name, [a for a in chosen if a.early], identity)
        repairs = any(a.name == add_ons.MONITORING_AGENT for a in chosen)
        around = Surroundings(plan.control_plane.names, given, made.cluster, (*self.early_add_ons, *made.access), repairs)
        self.system_capacity = _capacity(self, name, plan, around)
        late = [a for a in chosen if not a.early]
        self.late_add_ons = make_add_ons(self, name, made.cluster.name, late, identity, self.system_capacity)
        providers = [provider] if provider else []
        ends = [*made.ends, *providers, *self.early_add_ons, *self.system_capacity, *self.late_add_ons]
        Protection(f"{name}-protection", protect=plan.control_plane.facts.production, last=ends, parent=self)
        self.register_outputs(self._told())


@dataclass(frozen=True, slots=True)
class _Plan:
    """A cluster that can be made."""

    given: ClusterArgs
    control_plane: Checked
    system_nodes: SystemNodesFacts
    identity: Credentials

    @property
    def has_oidc_provider(self) -> bool:
        return self.identity is Credentials.IRSA or bool(self.given.get("oidc_provider"))

    @property
    def is_ipv6(self) -> bool:
        return self.control_plane.facts.ip_family == "ipv6"

    @property
    def cni_has_role(self) -> bool:
        return self.given.get("cni_role", "own") == "own"

    @property
    def add_ons(self) -> list[add_ons.AddOnPlan]:
        settings = self.given.get("add_ons") or {}
        on_fargate = "fargate" in self.given
        return add_ons.chosen(settings, self.identity, on_fargate=on_fargate, cni_has_role=self.cni_has_role)


def check_cluster(args: ClusterArgs) -> _Plan:
    """What the inputs ask for. Raises InputError with every mistake in them."""
    found = Problems()
    given = shaped(args, ClusterArgs, found)
    checked = check_control_plane(given["control_plane"], found)
    system_nodes = check_system_nodes(given.get("system_nodes") or SystemNodes(), found)
    fargate = given.get("fargate")
    if fargate is not None and "system_nodes" in given:
        found.add(Place(path="fargate"), "both systemNodes and fargate", "one of them")
    identity = given.get("identity", Credentials.POD_IDENTITY)
    found.extend(identity_problems(identity, on_fargate=fargate is not None, at=Place(path="identity")))
    found.extend(one_of(given.get("cni_role", "own"), _CNI_ROLES, Place(path="cniRole")))
    settings = given.get("add_ons") or {}
    found.extend(add_ons.problems(settings, Place(path="addOns")))
    found.raise_if_any()
    return _Plan(given, checked, system_nodes, Credentials(identity))


def _capacity(parent: pulumi.Resource, name: str, plan: _Plan, around: Surroundings) -> tuple[pulumi.Resource, ...]:
    fargate = plan.given.get("fargate")
    if fargate is not None:
        return make_fargate(parent, name, fargate, around)
    nodes = plan.given.get("system_nodes") or SystemNodes()
    more = Rights() if plan.cni_has_role else cni_rights(around.names, plan.is_ipv6)
    return make_system_nodes(parent, name, nodes, plan.system_nodes, around, more)
