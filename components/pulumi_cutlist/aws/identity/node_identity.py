"""NodeIdentity: who nodes are in AWS, and how the cluster lets them in."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NotRequired, Optional, TypedDict

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s

from cutlist.core.errors import Problems
from cutlist.infrastructure.arns import POLICY, check_arn
from cutlist.infrastructure.control_plane import IP_FAMILIES, AuthenticationMode
from cutlist.infrastructure.iam.node import NodeNeed, node_document, node_policies
from cutlist.infrastructure.iam.trust import node_trust
from cutlist.infrastructure.inputs import HERE, Places, chosen, one_of
from cutlist.infrastructure.name_checks import check_role_name, check_role_path
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from cutlist.infrastructure.node_access import EntryType, LegacyMap, check_map, entry_type, map_roles
from pulumi_cutlist.aws.caller import NOT_COMPARED, compared_caller
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.aws.identity.roles import known_arn
from pulumi_cutlist.inputs.late import Component, all_as_planned, planned
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.inputs.shapes import section, shaped
from pulumi_cutlist.inputs.spelling import outputs_of


class MapRoleArgs(TypedDict):
    """A line of aws-auth, with the names that it has there."""

    rolearn: pulumi.Input[str]
    """ARN of the role."""
    username: NotRequired[str]
    """Name of the user in Kubernetes."""
    groups: NotRequired[list[str]]
    """Groups of the user in Kubernetes."""


@section
class NodeIdentitySection(TypedDict):
    """Further inputs of NodeIdentity, as a section of a call for a whole cluster has them."""

    cluster: NotRequired[pulumi.Input[str]]
    """Output with the cluster's name, so that the access entry waits for the cluster. Defaults to cluster_name."""
    authentication_mode: NotRequired[str]
    """API, API_AND_CONFIG_MAP or CONFIG_MAP, as the cluster has it. Defaults to API; CONFIG_MAP is for adopted clusters."""
    ami_families: NotRequired[list[str]]
    """Families of the images of these nodes; they decide the type of the access entry. Defaults to AL2023."""
    node_group_role: NotRequired[bool]
    """Whether a managed node group has this role too: then EKS has already created its access entry, and a second one would
    fail."""
    cni_has_identity: NotRequired[bool]
    """Whether vpc-cni has its own identity, so that nodes need none of its permissions. Defaults to false."""
    ip_family: NotRequired[str]
    """Addresses of the cluster: ipv4 or ipv6. Defaults to ipv4."""
    sessions: NotRequired[bool]
    """Whether to allow shells through Systems Manager. Defaults to true."""
    role_name: NotRequired[str]
    """Name of an existing role of the nodes, instead of a new one; `path` is its path. It keeps its policies, which have to be
    those that nodes need."""
    extra_policy_arns: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs of more policies for nodes, such as the CloudWatch agent's."""
    static_profile: NotRequired[bool]
    """Whether to create an instance profile, for NodeClasses that name one instead of a role: if the VPC cannot reach IAM, or
    the controller must not write there. Defaults to false: the controller creates profiles."""
    path: NotRequired[str]
    """Path of the role and of the static profile. Defaults to /."""
    other_map_roles: NotRequired[list[MapRoleArgs]]
    """With CONFIG_MAP: every other line of aws-auth's mapRoles. Writing a line replaces the whole list."""
    map_owner: NotRequired[str]
    """With CONFIG_MAP: what writes the whole of aws-auth already, such as pulumi_eks. The line belongs there."""


class NodeIdentityArgs(NodeIdentitySection):
    """Inputs of NodeIdentity."""

    cluster_name: str
    """Name of the cluster. A plain value, because the role's name contains it."""
    region: str
    """Region of the cluster. The partition follows from it."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    name_style: NotRequired[str]
    """How resources are named: karpenter, regional or auto. Defaults to karpenter."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the role's permissions boundary."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for every child."""


@dataclass(frozen=True, slots=True)
class NodeIdentityPlan:
    """A role of nodes that can be made, and how the cluster lets them in."""

    args: NodeIdentityArgs
    facts: ClusterFacts
    mode: AuthenticationMode
    entry: EntryType
    needs: frozenset[NodeNeed]
    path: str
    legacy: LegacyMap

    @property
    def role_name(self) -> str | None:
        """Return the name of the role: of an existing one, or of a new one, which is None if Pulumi chooses it."""
        return self.args.get("role_name") or self.facts.node_role


def plan_node_identity(args: NodeIdentityArgs, at: Places = HERE) -> NodeIdentityPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, NodeIdentityArgs, problems, at)
    facts = cluster_facts(args, problems, at, name_style=args.get("name_style", NameStyle.KARPENTER))
    api = AuthenticationMode.API
    mode = chosen(args.get("authentication_mode", api), api, at.member("authenticationMode"), problems)
    entry = entry_type(args.get("ami_families", ["AL2023"]), at.member("amiFamilies"), problems)
    path, legacy = args.get("path", "/"), LegacyMap(args.get("other_map_roles"), args.get("map_owner", ""))
    check_role_path(path, at.member("path").path, problems)
    for index, arn in enumerate(args.get("extra_policy_arns", [])):
        if isinstance(arn, str):
            check_arn(arn, POLICY, facts.region, at.member("extraPolicyArns").item(index), problems)
    if "role_name" in args:
        check_role_name(args["role_name"], at.member("roleName").path, problems)
        if args.get("extra_policy_arns"):
            message = "policies beside a role that exists already"
            problems.add(at.member("extraPolicyArns"), message, "leave it out, and attach them to the role")
    if mode is AuthenticationMode.CONFIG_MAP and not args.get("node_group_role", False):
        check_map(legacy, at, problems)
    problems.extend(one_of(args.get("ip_family", IP_FAMILIES[0]), IP_FAMILIES, at.member("ipFamily")))
    problems.raise_if_any()
    return NodeIdentityPlan(args, facts, mode, entry, frozenset(_needs(args)), path, legacy)


def _needs(args: NodeIdentityArgs) -> Iterator[NodeNeed]:
    if not args.get("cni_has_identity", False):
        yield NodeNeed.CNI_IPV6 if args.get("ip_family") == "ipv6" else NodeNeed.CNI
    if args.get("sessions", True):
        yield NodeNeed.SESSIONS


class NodeIdentity(Component):
    """The role of one cluster's nodes, its policies, and the nodes' access to the cluster.

    `depends_on` this component waits for all of it. Raises InputError with every mistake found, before anything is registered.
    """

    role_name: pulumi.Output[str]
    """Name of the role, for `spec.role` of an EC2NodeClass."""
    role_arn: pulumi.Output[str]
    """ARN of the role with its path, for the controller's permissions."""
    instance_profile_name: pulumi.Output[Optional[str]]  # noqa: UP045 - the component host knows this spelling inside Output
    """Name of the static instance profile, for `spec.instanceProfile`; null without one."""
    entry_type: pulumi.Output[str]
    """Type that the access entry of these nodes has or must have."""

    @planned(plan_node_identity)
    def __init__(
        self,
        name: str,
        args: NodeIdentityArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: NodeIdentityPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs except `cluster`, which only a resource of the cluster provides."""
        alone = plan is None
        if plan is None:
            plan = plan_node_identity(args)
            args = plan.args
        caller = compared_caller(self, plan.facts) if alone else NOT_COMPARED
        super().__init__("cutlist:index:NodeIdentity", name, {**args}, opts)
        caller.warn(self)
        role = self._role(name, plan) if "role_name" not in args else None
        self._set_role(name, plan, role)
        self.instance_profile_name = self._profile(name, plan)
        self.entry_type = pulumi.Output.from_input(plan.entry.value)
        self.access_entry = self._access(name, plan, role, args.get("cluster", plan.facts.cluster))
        self.register_outputs(outputs_of(self))

    def _set_role(self, name: str, plan: NodeIdentityPlan, role: "aws.iam.Role | None") -> None:
        """Set the outputs of the role, and attach what a new one may do."""
        if role is None:
            named = str(plan.role_name)
            self.role_name = pulumi.Output.from_input(named)
            self.role_arn = pulumi.Output.from_input(plan.facts.role_arn(named, plan.path))
            return
        self.role_name = role.name
        self.role_arn = known_arn(role, plan.facts, plan.facts.node_role, plan.path)
        self._policies(name, plan, role)

    def _role(self, name: str, plan: NodeIdentityPlan) -> "aws.iam.Role":
        return aws.iam.Role(
            f"{name}-role",
            name=plan.facts.node_role,
            path=plan.path,
            permissions_boundary=plan.args.get("permissions_boundary"),
            assume_role_policy=node_trust(plan.facts).text(),
            force_detach_policies=False,
            tags=plan.args.get("tags"),
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _policies(self, name: str, plan: NodeIdentityPlan, role: "aws.iam.Role") -> None:
        own = [plan.facts.managed_policy(policy) for policy in node_policies(plan.needs)]
        for arn in [*own, *all_as_planned(plan.args.get("extra_policy_arns", []))]:
            aws.iam.RolePolicyAttachment(
                f"{name}-{arn.rpartition('/')[2]}", role=role.name, policy_arn=arn, opts=pulumi.ResourceOptions(parent=self)
            )
        document = node_document(plan.facts, plan.needs)
        if document:
            aws.iam.RolePolicy(f"{name}-cni", role=role.name, policy=document.text(), opts=pulumi.ResourceOptions(parent=self))

    def _profile(self, name: str, plan: NodeIdentityPlan) -> pulumi.Output[Optional[str]]:  # noqa: UP045
        if not plan.args.get("static_profile", False):
            return pulumi.Output.from_input(None)
        profile = aws.iam.InstanceProfile(
            f"{name}-profile",
            name=plan.facts.node_profile,
            role=self.role_name,
            path=plan.path,
            tags=plan.args.get("tags"),
            opts=pulumi.ResourceOptions(parent=self),
        )
        return pulumi.Output.from_input(profile.name)

    def _access(
        self, name: str, plan: NodeIdentityPlan, role: "aws.iam.Role | None", cluster: pulumi.Input[str]
    ) -> pulumi.Resource | None:
        if plan.args.get("node_group_role", False):
            pulumi.log.info("EKS made the access entry of this role with its managed node group; none is made here", self)
            return None
        if plan.mode is AuthenticationMode.CONFIG_MAP:
            return self._map_line(name, plan)
        return aws.eks.AccessEntry(
            f"{name}-entry",
            region=plan.facts.region,
            cluster_name=cluster,
            principal_arn=self.role_arn,
            type=plan.entry.value,
            tags=plan.args.get("tags"),
            # An entry belongs to the hidden id of its role: for a role recreated under the same name the old entry admits
            # nobody.
            opts=pulumi.ResourceOptions(
                parent=self, delete_before_replace=True, replacement_trigger=None if role is None else role.unique_id
            ),
        )

    def _map_line(self, name: str, plan: NodeIdentityPlan) -> pulumi.Resource:
        others, entry = plan.legacy.other_roles or (), plan.entry
        return k8s.core.v1.ConfigMapPatch(
            f"{name}-aws-auth",
            # Others own mapRoles: their lines are given, so that taking it over loses nothing. A deleted patch removes what it
            # wrote, which here would be the whole list: so it stays.
            metadata={"name": "aws-auth", "namespace": "kube-system", "annotations": {"pulumi.com/patchForce": "true"}},
            data={"mapRoles": self.role_arn.apply(lambda arn: map_roles(arn, entry, others))},
            opts=pulumi.ResourceOptions(parent=self, retain_on_delete=True),
        )
