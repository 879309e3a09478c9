"""Managed node groups beside that of the system, as resources (spec: aws-infrastructure 1.5)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import dataclasses
from collections.abc import Mapping
from typing import Any, Final, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Place, Problems
from cutlist.core.taints import Taint
from cutlist.infrastructure import cluster_roles, node_groups
from cutlist.infrastructure.arns import ROLE, check_arn
from cutlist.infrastructure.discovery import check_ids
from cutlist.infrastructure.iam.trust import node_trust
from cutlist.infrastructure.inputs import Places
from cutlist.infrastructure.node_groups import BLOCK, NodeGroupFacts, UpdateFacts
from cutlist.infrastructure.node_labels import EFFECTS
from cutlist.infrastructure.reservations import id_problems
from cutlist.infrastructure.version_changes import node_version_problems
from pulumi_cutlist.aws.cluster.launch_templates import ReadyCluster, TemplateFacts, launch_template
from pulumi_cutlist.aws.identity.roles import Rights, RolePlan, Tags, make_role
from pulumi_cutlist.inputs.known import count_of, texts_of
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.inputs.shapes import LATER

_HOUR: Final = pulumi.CustomTimeouts(create="60m", update="60m", delete="60m")
_OF_FACTS: Final = frozenset(field.name for field in dataclasses.fields(NodeGroupFacts))
_READ: Final = _OF_FACTS - {"taints", "update", "region", "is_reserved"}
"""The inputs that facts have as they are."""


class NodeTaintArgs(TypedDict):
    """A taint of the nodes of a group, as Kubernetes writes it."""

    key: str
    """Its key."""
    effect: str
    """NoSchedule, NoExecute or PreferNoSchedule."""
    value: NotRequired[str]
    """Its value. Defaults to none."""


class NodeGroupUpdateArgs(TypedDict):
    """How an update of a group replaces its nodes."""

    max_unavailable: NotRequired[int]
    """How many nodes at a time. Defaults to 1."""
    max_unavailable_percentage: NotRequired[int]
    """How many percent of the nodes at a time, instead of a number."""
    strategy: NotRequired[str]
    """DEFAULT, which starts new nodes first, or MINIMAL, which drains first where no more machines can be had. Defaults to
    DEFAULT."""


class ManagedNodeGroupArgs(TypedDict):
    """A managed node group beside that of the system, for pods that Karpenter's nodes are not for."""

    instance_types: list[str]
    """Types of the nodes, up to 20 of one architecture. EKS prefers the first ones on demand; a plan counts with the first."""
    ami_type: NotRequired[str]
    """Images of the nodes, such as AL2023_x86_64_STANDARD. Defaults to Bottlerocket of the types' architecture, with the
    drivers that the first type needs."""
    capacity_type: NotRequired[str]
    """ON_DEMAND, SPOT, or CAPACITY_BLOCK. Defaults to ON_DEMAND."""
    capacity_reservation_id: NotRequired[pulumi.Input[str]]
    """Id of the capacity reservation, or of the capacity block, in which the nodes start. Defaults to none."""
    minimum: NotRequired[int]
    """Fewest nodes. Defaults to 1."""
    desired: NotRequired[int]
    """Initial number of nodes. Defaults to the minimum."""
    maximum: NotRequired[int]
    """Most nodes. Defaults to the initial number."""
    autoscaled: NotRequired[bool]
    """Whether something else changes the number of nodes, so that Pulumi leaves it alone. Defaults to false."""
    labels: NotRequired[dict[str, str]]
    """Labels of the nodes. Defaults to none but EKS's own."""
    taints: NotRequired[list[NodeTaintArgs]]
    """Taints of the nodes. Defaults to none."""
    disk_gib: NotRequired[int]
    """Disk for images and pods in GiB, encrypted. Defaults to 20."""
    metadata_hop_limit: NotRequired[int]
    """How many hops answers of the metadata service go. Defaults to 1, with which pods do not reach it; tokens are required in
    any case."""
    zones: NotRequired[list[str]]
    """Zones of the nodes. In a whole cluster they choose among the subnets of its network; with separate subnets they are the
    zones of these, and required. Defaults to all zones."""
    subnet_ids: NotRequired[pulumi.Input[ListOf[pulumi.Input[str]]]]
    """Separate private subnets of the nodes. Defaults to those of the cluster's nodes, of a Cluster alone to those of the
    control plane."""
    update: NotRequired[NodeGroupUpdateArgs]
    """How an update replaces nodes. Defaults to one at a time."""
    version: NotRequired[str]
    """Version of Kubernetes of the nodes. Defaults to that of the system nodes, else of the control plane."""
    release_version: NotRequired[str]
    """Release of the images. Defaults to the newest one when the group is created."""
    policy_arns: NotRequired[list[str]]
    """More policies of the nodes' role, such as AmazonSSMManagedInstanceCore for a shell. Defaults to none."""
    role_arn: NotRequired[pulumi.Input[str]]
    """An existing role of the nodes, instead of a new one. EKS gives it access to the cluster itself."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags of the group itself, in addition to those of the cluster."""


@dataclasses.dataclass(frozen=True, slots=True)
class GroupDefaults:
    """What groups have that do not say otherwise: the version of Kubernetes of their nodes, and rights of every node."""

    version: str
    rights: Rights


@dataclasses.dataclass(frozen=True, slots=True)
class GroupSurroundings:
    """What a cluster decides for all its node groups: `zones` of the subnets that groups have by default, the versions of
    Kubernetes of the control plane and usual for nodes, the region, and the names of groups whose subnets a whole cluster
    chooses by zone."""

    zones: list[str]
    kubernetes: str
    node_version: str
    region: str
    placed_by_zone: frozenset[str] = frozenset()


def placed_by_zone(groups: object) -> frozenset[str]:
    """Return the names of the groups whose subnets come later, from inputs that were not checked yet."""
    named = groups.items() if isinstance(groups, Mapping) else ()
    return frozenset(name for name, group in named if isinstance(group, Mapping) and group.get("subnet_ids") is LATER)


def check_node_groups(
    groups: Mapping[str, ManagedNodeGroupArgs], around: GroupSurroundings, at: Places, problems: Problems
) -> dict[str, NodeGroupFacts]:
    """Return the facts of node groups by their names; mistakes in them are noted."""
    place = at.member("nodeGroups")
    return {name: _checked(name, args, around, place.member(name), problems) for name, args in groups.items()}


def make_node_groups(
    parent: pulumi.Resource,
    name: str,
    groups: Mapping[str, ManagedNodeGroupArgs],
    facts: Mapping[str, NodeGroupFacts],
    cluster: ReadyCluster,
    usual: GroupDefaults,
) -> tuple[pulumi.Resource, ...]:
    """Register node groups with their roles and launch templates, under a component whose name is `name`."""
    return tuple(_group(parent, name, group, args, facts[group], cluster, usual) for group, args in groups.items())


def _group(
    parent: pulumi.Resource,
    name: str,
    group: str,
    args: ManagedNodeGroupArgs,
    facts: NodeGroupFacts,
    cluster: ReadyCluster,
    usual: GroupDefaults,
) -> pulumi.Resource:
    own, names = f"{name}-group-{group}", cluster.names
    role_arn, needs = _role(parent, name, group, args, cluster, usual.rights)
    reservation, is_block = args.get("capacity_reservation_id"), facts.capacity_type == BLOCK
    template = TemplateFacts(facts.devices, facts.metadata_hop_limit, reservation, is_block)
    made = launch_template(parent, own, f"{names.cluster}-{group}", template, cluster)
    return aws.eks.NodeGroup(
        own,
        region=names.region,
        cluster_name=cluster.cluster.name,
        node_group_name_prefix=names.node_group_prefix(group),  # a fixed name would be deleted before its successor is made
        node_role_arn=role_arn,
        subnet_ids=args.get("subnet_ids", cluster.control_plane["subnet_ids"]),
        ami_type=facts.images,
        instance_types=list(facts.instance_types),
        capacity_type=facts.capacity_type,
        scaling_config={"min_size": facts.minimum, "desired_size": facts.initial_size, "max_size": facts.maximum_size},
        labels=dict(facts.labels),
        taints=[{"key": taint.key, "value": taint.value, "effect": EFFECTS[taint.effect]} for taint in facts.taints],
        launch_template={"id": made.id, "version": made.latest_version.apply(str)},
        update_config=_update(facts.update),
        node_repair_config={"enabled": True} if cluster.repairs else None,
        version=args.get("version") or usual.version,
        release_version=args.get("release_version"),
        tags=_tags(cluster.control_plane.get("tags"), args.get("tags")),
        opts=pulumi.ResourceOptions(
            parent=parent,
            depends_on=[*cluster.needs, *needs],
            custom_timeouts=_HOUR,
            ignore_changes=["scalingConfig.desiredSize"] if facts.autoscaled else None,
        ),
    )


def _role(
    parent: pulumi.Resource, name: str, group: str, args: ManagedNodeGroupArgs, cluster: ReadyCluster, more: Rights
) -> tuple[pulumi.Input[str], tuple[pulumi.Resource, ...]]:
    """Return the ARN of the role of a group's nodes, and what has to be attached to it first."""
    if "role_arn" in args:
        return args["role_arn"], ()
    rights = Rights(cluster_roles.SYSTEM_NODE, tuple(args.get("policy_arns") or ())) + more
    plan = RolePlan(f"group-{group}", f"EKSNodeGroupRole-{group}", node_trust(cluster.names), rights)
    plane = cluster.control_plane
    made = make_role(parent, name, cluster.names, plan, plane.get("tags"), plane.get("permissions_boundary"))
    return made.role.arn, made.attachments


def _update(facts: UpdateFacts) -> "aws.eks.NodeGroupUpdateConfigArgsDict":
    config: aws.eks.NodeGroupUpdateConfigArgsDict = {}
    if facts.max_unavailable_percentage is not None:
        config["max_unavailable_percentage"] = facts.max_unavailable_percentage
    else:
        config["max_unavailable"] = 1 if facts.max_unavailable is None else facts.max_unavailable
    if facts.strategy is not None:
        config["update_strategy"] = facts.strategy
    return config


def _tags(of_cluster: Tags | None, own: Mapping[str, pulumi.Input[str]] | None) -> Tags | None:
    if not own:
        return of_cluster
    return pulumi.Output.from_input(of_cluster or {}).apply(lambda tags: {**tags, **own})


def _checked(name: str, args: ManagedNodeGroupArgs, around: GroupSurroundings, at: Place, problems: Problems) -> NodeGroupFacts:
    version = args.get("version") or around.node_version
    plain: dict[str, Any] = {key: value for key, value in args.items() if key in _READ}
    if "subnet_ids" in args and "zones" not in args:
        problems.add(at.member("zones"), "subnets without their zones", "zones of these subnets")
    elif "zones" in args and "subnet_ids" not in args and name not in around.placed_by_zone:
        problems.add(at.member("subnetIds"), "zones without their subnets", "private subnets in these zones")
    facts = NodeGroupFacts(
        **{"zones": around.zones, **plain},
        taints=[Taint(taint["key"], taint["effect"], taint.get("value", "")) for taint in args.get("taints", [])],
        update=UpdateFacts(**args.get("update", {})),
        region=around.region,
        is_reserved="capacity_reservation_id" in args,
    )
    if count_of(args.get("subnet_ids")) == 0:
        problems.add(at.member("subnetIds"), "a list of no subnets", "private subnets, or leave it out")
    check_ids(texts_of(args.get("subnet_ids"), at.member("subnetIds")), "subnet", problems)
    problems.extend(id_problems(args.get("capacity_reservation_id"), at.member("capacityReservationId")))
    check_arn(args.get("role_arn"), ROLE, around.region, at.member("roleArn"), problems)
    if "role_arn" in args and "policy_arns" in args:
        message = "policies beside a role that exists already"
        problems.add(at.member("policyArns"), message, "leave it out, and attach them to the role")
    problems.extend(node_groups.name_problems(name, at))
    problems.extend(node_version_problems(version, around.kubernetes, at.member("version")))
    problems.extend(node_groups.problems(facts, at, version))
    return facts
