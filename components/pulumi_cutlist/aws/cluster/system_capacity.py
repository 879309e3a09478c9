"""Where Karpenter itself runs, as resources: a managed node group, or Fargate (spec: aws-infrastructure 1.5)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import dataclasses
from typing import Any, Final, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure import cluster_roles, system_capacity
from cutlist.infrastructure.discovery import check_ids
from cutlist.infrastructure.iam.trust import node_trust
from cutlist.infrastructure.version_changes import node_version_problems
from pulumi_cutlist.aws.cluster.launch_templates import ReadyCluster, TemplateFacts, launch_template
from pulumi_cutlist.aws.identity.roles import Rights, RolePlan, make_role
from pulumi_cutlist.inputs.known import count_of, texts_of
from pulumi_cutlist.inputs.lists import ListOf

_PLACE: Final = Place(path="systemNodes")
_HOUR: Final = pulumi.CustomTimeouts(create="60m", update="60m", delete="60m")


class SystemNodes(TypedDict):
    """A managed node group for Karpenter, CoreDNS and the like: nodes that Karpenter does not manage."""

    subnet_ids: NotRequired[pulumi.Input[ListOf[pulumi.Input[str]]]]
    """Private subnets of the nodes. Defaults to those of the control plane."""
    zones: NotRequired[list[str]]
    """Zones of these subnets, at least two. Required with separate subnets. Without them, a whole cluster takes the subnets of
    its network in these zones."""
    ami_type: NotRequired[str]
    """Images of the nodes, Bottlerocket or AL2023. Defaults to BOTTLEROCKET_ARM_64."""
    instance_types: NotRequired[list[str]]
    """At least two types of 2 vCPU and 8 GiB or more, of the images' architecture. Defaults to two of that size."""
    minimum: NotRequired[int]
    """Fewest nodes. Defaults to 2, because two controllers never share a node."""
    desired: NotRequired[int]
    """Initial number of nodes. Defaults to the minimum."""
    maximum: NotRequired[int]
    """Most nodes. Defaults to 3, or to the initial number if that is higher."""
    autoscaled: NotRequired[bool]
    """Whether something else changes the number of nodes, so that Pulumi leaves it alone. Defaults to false."""
    disk_gib: NotRequired[int]
    """Disk for images and pods in GiB, encrypted. Defaults to 20."""
    labels: NotRequired[dict[str, str]]
    """More labels of the nodes, besides `karpenter.sh/controller`, by which Karpenter and CoreDNS find them. Defaults to
    none."""
    shared: NotRequired[bool]
    """Whether other pods may run on these nodes: they have no taint then. Defaults to false."""
    version: NotRequired[str]
    """Version of Kubernetes of the nodes and of add-ons that follow it. Defaults to that of the control plane. Before a control
    plane goes back to an older version, set that one here in an update of its own."""
    release_version: NotRequired[str]
    """Release of the images. Defaults to the newest one when the group is created."""
    policy_arns: NotRequired[list[str]]
    """More policies of the nodes' role, such as AmazonSSMManagedInstanceCore for a shell. Defaults to none."""


class FargateSystem(TypedDict):
    """Fargate for Karpenter's controller and CoreDNS, instead of a managed node group."""

    subnet_ids: NotRequired[pulumi.Input[ListOf[pulumi.Input[str]]]]
    """Private subnets of the pods. Defaults to those of the control plane."""
    namespace: NotRequired[str]
    """Namespace of the controller. Defaults to kube-system."""


def check_system_nodes(args: SystemNodes, version: str, region: str, mistakes: Problems) -> system_capacity.SystemNodesFacts:
    """Return the facts of a node group for a version of Kubernetes in a region; mistakes in them are noted."""
    known = {f.name for f in dataclasses.fields(system_capacity.SystemNodesFacts)}
    plain: dict[str, Any] = {key: value for key, value in args.items() if key in known}
    if args.get("subnet_ids") is not None and "zones" not in plain:
        mistakes.add(_PLACE.member("zones"), "subnets without their zones", "zones of these subnets, at least two")
    if args.get("instance_types") == []:
        mistakes.add(_PLACE.member("instanceTypes"), "a list of no types", "at least two types, or leave it out")
    check_ids(texts_of(args.get("subnet_ids"), _PLACE.member("subnetIds")), "subnet", mistakes)
    facts = system_capacity.SystemNodesFacts(**plain, subnets=count_of(args.get("subnet_ids")), region=region)
    mistakes.extend(node_version_problems(args.get("version") or version, version, _PLACE.member("version")))
    mistakes.extend(system_capacity.problems(facts, _PLACE, args.get("version") or version))
    return facts


def make_system_nodes(
    parent: pulumi.Resource,
    name: str,
    args: SystemNodes,
    facts: system_capacity.SystemNodesFacts,
    cluster: ReadyCluster,
    more: Rights,
) -> tuple[pulumi.Resource, ...]:
    """Register the node group with its role and launch template. `more` are rights that only some nodes need."""
    tags = cluster.control_plane.get("tags")
    rights = Rights(cluster_roles.SYSTEM_NODE, tuple(args.get("policy_arns") or ())) + more
    plan = RolePlan("system-node", "EKSSystemNodeRole", node_trust(cluster.names), rights)
    role = make_role(parent, name, cluster.names, plan, tags, cluster.control_plane.get("permissions_boundary"))
    own, template_facts = f"{name}-{system_capacity.SYSTEM}", TemplateFacts(facts.devices)
    template = launch_template(parent, own, f"{cluster.names.cluster}-{system_capacity.SYSTEM}", template_facts, cluster)
    group = aws.eks.NodeGroup(
        own,
        region=cluster.names.region,
        cluster_name=cluster.cluster.name,
        # A fixed name would be deleted before its successor is made.
        node_group_name_prefix=cluster.names.node_group_prefix(system_capacity.SYSTEM),
        node_role_arn=role.role.arn,
        subnet_ids=args.get("subnet_ids", cluster.control_plane["subnet_ids"]),
        ami_type=facts.ami_type,
        instance_types=list(facts.types),
        capacity_type="ON_DEMAND",
        scaling_config={"min_size": facts.minimum, "desired_size": facts.initial_size, "max_size": facts.maximum_size},
        labels=facts.all_labels,
        taints=[] if facts.shared else [{"key": system_capacity.SYSTEM_TAINT, "value": "true", "effect": "NO_SCHEDULE"}],
        launch_template={"id": template.id, "version": template.latest_version.apply(str)},
        update_config={"max_unavailable": 1},
        node_repair_config={"enabled": True} if cluster.repairs else None,
        version=args.get("version") or cluster.control_plane["version"],
        release_version=args.get("release_version"),
        tags=tags,
        opts=pulumi.ResourceOptions(
            parent=parent,
            depends_on=[*cluster.needs, *role.attachments],
            custom_timeouts=_HOUR,
            ignore_changes=["scalingConfig.desiredSize"] if facts.autoscaled else None,
        ),
    )
    return (group,)


def make_fargate(parent: pulumi.Resource, name: str, args: FargateSystem, cluster: ReadyCluster) -> tuple[pulumi.Resource, ...]:
    """Register a profile for the controller and one for CoreDNS, with the role that starts their pods."""
    tags = cluster.control_plane.get("tags")
    rights = Rights(cluster_roles.FARGATE)
    plan = RolePlan("fargate", "EKSFargateRole", cluster_roles.fargate_trust(cluster.names), rights)
    role = make_role(parent, name, cluster.names, plan, tags, cluster.control_plane.get("permissions_boundary"))
    profiles: list[pulumi.Resource] = []
    for profile, selectors in system_capacity.fargate_selectors(args.get("namespace") or "kube-system").items():
        # EKS makes and deletes one profile of a cluster at a time, and refuses a second.
        options = pulumi.ResourceOptions(parent=parent, depends_on=[*cluster.needs, *role.attachments, *profiles])
        fargate_profile = aws.eks.FargateProfile(
            f"{name}-fargate-{profile}",
            region=cluster.names.region,
            cluster_name=cluster.cluster.name,
            fargate_profile_name=profile,
            pod_execution_role_arn=role.role.arn,
            subnet_ids=args.get("subnet_ids", cluster.control_plane["subnet_ids"]),
            selectors=[{"namespace": namespace, "labels": labels} for namespace, labels in selectors],
            tags=tags,
            opts=options,
        )
        profiles.append(fargate_profile)
    return tuple(profiles)
