"""AutoMode: an EKS cluster whose nodes EKS itself manages, as a resource of a stack (spec: aws-infrastructure 9)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.api.built_in import AUTO_POOLS
from cutlist.core.errors import Problems
from cutlist.infrastructure import add_ons, auto_mode, cluster_roles
from cutlist.infrastructure.auto_mode import NODE_POLICY, AutoModeFacts
from cutlist.infrastructure.iam.trust import node_trust
from cutlist.infrastructure.inputs import HERE, Places
from pulumi_cutlist.aws.caller import NOT_COMPARED, compared_cluster_caller
from pulumi_cutlist.aws.cluster.access_entries import let_in
from pulumi_cutlist.aws.cluster.add_ons import AddOn, Identity, make_add_ons
from pulumi_cutlist.aws.cluster.changes import changes_of_auto_mode, notes_on_changes
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane, ControlPlanePlan, plan_control_plane
from pulumi_cutlist.aws.cluster.control_plane_resources import ClusterKind, make_control_plane, make_oidc_provider
from pulumi_cutlist.aws.cluster.outputs import ClusterOutputs
from pulumi_cutlist.aws.identity.roles import MadeRole, Rights, RolePlan, make_role
from pulumi_cutlist.day import today
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.lists import MapOf
from pulumi_cutlist.inputs.shapes import inside, section, shaped
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared
from pulumi_cutlist.protection import Protection

_SUFFIX: Final = "auto-node"


@section
class AutoModeSection(TypedDict):
    """Further inputs of AutoMode, as a section of a call for a whole cluster has them."""

    enabled: NotRequired[bool]
    """Whether Auto Mode is on. Defaults to true. To leave it, delete its NodePools and nodes, then set it to false in an
    update."""
    custom_node_roles: NotRequired[MapOf[str, pulumi.Input[str]]]
    """ARNs of the roles in your own node classes, by names of your choice. Each gets access to the cluster. This component's
    role already has it."""
    own_tags: NotRequired[bool]
    """Whether Auto Mode may put your tags on its resources, which needs one more policy. Defaults to false."""
    other_nodes: NotRequired[bool]
    """Whether the cluster also has nodes that are not Auto Mode's, such as those of your own Karpenter. Defaults to false."""
    oidc_provider: NotRequired[bool]
    """Whether to create an OIDC provider. Defaults to false."""


class AutoModeArgs(AutoModeSection):
    """Inputs of AutoMode."""

    control_plane: ControlPlane
    """The control plane and who may use it."""
    built_in_pools: NotRequired[list[str]]
    """Which of EKS's own NodePools are on: general-purpose, system. Defaults to both; an empty list turns both off."""
    add_ons: NotRequired[dict[str, AddOn]]
    """Add-ons by name. Those that Auto Mode has built in are refused, unless there are other nodes. Defaults to none."""


@dataclass(frozen=True, slots=True)
class AutoModePlan:
    """A cluster in Auto Mode that can be made."""

    args: AutoModeArgs
    control_plane: ControlPlanePlan
    facts: AutoModeFacts
    at: Places = HERE


def plan_auto_mode(args: AutoModeArgs, at: Places = HERE) -> AutoModePlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, AutoModeArgs, problems, at)
    control_plane = plan_control_plane(args["control_plane"], inside(at, "controlPlane"), problems)
    settings: Mapping[str, AddOn] = args.get("add_ons") or {}
    facts = AutoModeFacts(
        args.get("enabled", True),
        tuple(args.get("built_in_pools", AUTO_POOLS)),
        tuple(settings),
        bool(args.get("other_nodes")),
    )
    problems.extend(auto_mode.problems(facts, args.get("custom_node_roles") or {}, at))
    problems.extend(add_ons.problems(settings, args["control_plane"]["version"], at.member("addOns"), today()))
    problems.raise_if_any()
    return AutoModePlan(args, control_plane, facts, at)


class AutoMode(ClusterOutputs, Component):
    """An EKS cluster in Auto Mode with its roles and access for its administrators.

    With `production` a destroy keeps the cluster, but removes what a program has put into it, unless that is protected too.
    Raises InputError with every mistake found, before anything is registered.
    """

    node_role_name: pulumi.Output[str]
    """Name of the role of nodes, for node classes. What uses it waits until nodes of the role may join."""
    node_role_arn: pulumi.Output[str]
    """ARN of the role of nodes."""

    @planned(plan_auto_mode)
    def __init__(
        self,
        name: str,
        args: AutoModeArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: AutoModePlan | None = None,
    ) -> None:
        """Take a `plan` that was made from the same inputs, apart from those that other parts supply."""
        alone = plan is None
        if plan is None:
            plan = plan_auto_mode(args)
            args = plan.args
        caller = NOT_COMPARED
        if alone:
            names, at = plan.control_plane.names, inside(plan.at, "controlPlane")
            caller = compared_cluster_caller(self, names, args["control_plane"], at, makes_objects=False)
        opts = compared(self, name, "control-plane", functools.partial(changes_of_auto_mode, plan.at), opts, notes_on_changes)
        super().__init__("cutlist:index:AutoMode", name, {**args}, opts)
        caller.warn(self)
        inputs = args["control_plane"]
        names, tags = plan.control_plane.names, inputs.get("tags")
        nodes = make_role(self, name, names, _node_role(plan), tags, inputs.get("permissions_boundary"))
        control_plane = make_control_plane(self, name, inputs, plan.control_plane, _kind(plan, nodes))
        self._gates = control_plane.access
        self._set_outputs(control_plane.cluster, names, inputs)
        provider = make_oidc_provider(self, name, inputs, self.oidc_issuer) if plan.args.get("oidc_provider") else None
        self.oidc_provider_arn = pulumi.Output.from_input(provider.arn if provider else None)
        entries = [
            let_in(self, f"{name}-node-{role}", names.region, control_plane.cluster.name, tags, "EC2", arn, _node_policy(plan))
            for role, arn in _joining(plan, nodes).items()
        ]
        version, boundary = plan.control_plane.facts.version, inputs.get("permissions_boundary")
        identity = Identity(names, self.oidc_issuer, tags=tags, boundary=boundary, kubernetes=version)
        wanted = sorted(plan.args.get("add_ons") or {})
        self.add_ons = make_add_ons(
            self, name, control_plane.cluster.name, [_add_on(plan, a) for a in wanted], identity, control_plane.access
        )
        providers = [provider] if provider else []
        ends = [*control_plane.ends, *providers, *nodes.attachments, *entries, *self.add_ons]
        Protection(f"{name}-protection", protect=plan.control_plane.facts.production, last=ends, parent=self)
        waits: list[Any] = [control_plane.cluster.urn, *(part.urn for part in (*nodes.attachments, *entries))]
        self.node_role_name = pulumi.Output.all(nodes.role.name, *waits).apply(lambda known: str(known[0]))
        self.node_role_arn = nodes.role.arn
        self.register_outputs(outputs_of(self))


def _node_role(plan: AutoModePlan) -> RolePlan:
    trust = node_trust(plan.control_plane.names)
    return RolePlan(_SUFFIX, "EKSAutoNodeRole", trust, Rights(cluster_roles.AUTO_NODE))


def _kind(plan: AutoModePlan, nodes: MadeRole) -> ClusterKind:
    on, pools = plan.facts.enabled, list(plan.facts.pools)
    compute: aws.eks.ClusterComputeConfigArgsDict = {"enabled": on, "node_pools": pools}
    if pools:
        compute["node_role_arn"] = nodes.role.arn
    own_tags = {"own-tags": cluster_roles.auto_mode_tagging()} if plan.args.get("own_tags") else {}
    rights = Rights(cluster_roles.AUTO_CLUSTER, inline=own_tags)
    return ClusterKind(
        RolePlan("role", "EKSClusterRole", cluster_roles.auto_cluster_trust(), rights),
        compute,
        {"block_storage": {"enabled": on}},
        load_balancing=on,
        needs=nodes.attachments,
    )


def _joining(plan: AutoModePlan, nodes: MadeRole) -> dict[str, pulumi.Input[str]]:
    custom = dict(plan.args.get("custom_node_roles") or {})
    return {"default": nodes.role.arn, **custom} if plan.facts.needs_access_entry else custom


def _node_policy(plan: AutoModePlan) -> str:
    return plan.control_plane.names.arn("eks", f"cluster-access-policy/{NODE_POLICY}", region="", account="aws")


def _add_on(plan: AutoModePlan, name: str) -> add_ons.AddOnPlan:
    setting = (plan.args.get("add_ons") or {})[name]
    return add_ons.with_settings(add_ons.named(name), setting)
