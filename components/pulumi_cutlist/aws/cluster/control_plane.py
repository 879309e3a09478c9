"""The inputs of a control plane, as Cluster and AutoMode have them, and what they ask for."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import dataclasses
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import pulumi

from cutlist.core.errors import Problems
from cutlist.core.wording import camel_case
from cutlist.infrastructure import control_plane
from cutlist.infrastructure.arns import KEY, ROLE, check_arn, check_partition
from cutlist.infrastructure.control_plane import ControlPlaneFacts
from cutlist.infrastructure.discovery import check_ids
from cutlist.infrastructure.eks_support import is_beyond_calendar
from cutlist.infrastructure.inputs import Places
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from pulumi_cutlist.aws.cluster.access_entries import AccessEntryArgs, access_problems
from pulumi_cutlist.aws.cluster.capabilities import CapabilitiesArgs, capability_problems
from pulumi_cutlist.aws.cluster.offers import versions_of_eks
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.day import today
from pulumi_cutlist.inputs.known import count_of, texts_of
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.inputs.shapes import section


class RemoteRangesArgs(TypedDict):
    """Address ranges outside of AWS."""

    cidrs: ListOf[pulumi.Input[str]]
    """The ranges, which must not overlap those of the VPC."""


class RemoteNetworksArgs(TypedDict):
    """Networks of hybrid nodes."""

    remote_node_networks: RemoteRangesArgs
    """Where the nodes are."""
    remote_pod_networks: NotRequired[RemoteRangesArgs]
    """Where their pods are, if webhooks run there. Defaults to none."""


class OutpostPlacementArgs(TypedDict):
    """The placement of the control plane's instances."""

    group_name: pulumi.Input[str]
    """Name of the placement group."""


class OutpostArgs(TypedDict):
    """A local cluster on an Outpost."""

    control_plane_instance_type: pulumi.Input[str]
    """Type of the control plane's instances, which the Outpost has."""
    outpost_arns: ListOf[pulumi.Input[str]]
    """ARN of the Outpost, as the only member."""
    control_plane_placement: NotRequired[OutpostPlacementArgs]
    """Where the instances are placed. Defaults to EC2's choice."""


@section
class ControlPlaneSection(TypedDict):
    """Further inputs of a control plane, as a section of a call for a whole cluster has them."""

    access_entries: NotRequired[dict[str, AccessEntryArgs]]
    """Access of further roles or users, by names of your choice: a policy of EKS, for the cluster or for namespaces, or groups.
    Defaults to none."""
    capabilities: NotRequired[CapabilitiesArgs]
    """Capabilities that EKS runs for the cluster: ACK, Argo CD, kro. Defaults to none."""
    authentication_mode: NotRequired[str]
    """API, or API_AND_CONFIG_MAP while a cluster leaves aws-auth behind. Defaults to API. You cannot go back."""
    security_group_ids: NotRequired[pulumi.Input[ListOf[pulumi.Input[str]]]]
    """More security groups for the control plane's interfaces. EKS creates one itself."""
    ip_family: NotRequired[str]
    """ipv4 or ipv6, which cannot be changed later. Defaults to ipv4."""
    service_ipv4_cidr: NotRequired[str]
    """Address range of services, which cannot be changed later. Defaults to EKS's choice."""
    encrypt_secrets: NotRequired[bool]
    """Whether to create a key for the secrets in the API. It cannot be removed later. EKS encrypts with its own key in any
    case."""
    secrets_key_arn: NotRequired[pulumi.Input[str]]
    """An existing key for the secrets, instead of a new one."""
    log_types: NotRequired[list[str]]
    """Which logs the control plane writes. Defaults to api, audit and authenticator: audit shows who changed a NodePool."""
    log_retention_days: NotRequired[int]
    """How many days to keep logs. Defaults to 90."""
    log_key_arn: NotRequired[pulumi.Input[str]]
    """A key for the logs."""
    support_type: NotRequired[str]
    """STANDARD, or EXTENDED, which costs more and is EKS's own default. Defaults to STANDARD."""
    zonal_autoshift: NotRequired[str]
    """ENABLED or DISABLED: whether AWS may shift traffic itself. It needs zonalShift. Defaults to no such configuration."""
    control_plane_tier: NotRequired[str]
    """The scaling tier of very large clusters. Defaults to EKS's own scaling."""
    deletion_protection: NotRequired[bool]
    """Whether EKS refuses to delete the cluster. Defaults to what production says."""
    remote_network_config: NotRequired[RemoteNetworksArgs]
    """Networks of hybrid nodes."""
    outpost_config: NotRequired[OutpostArgs]
    """Where on an Outpost the control plane runs."""
    kubeconfig_role_arn: NotRequired[pulumi.Input[str]]
    """A role that the kubeconfig assumes. Defaults to none."""
    kubeconfig_profile: NotRequired[str]
    """A profile of the AWS configuration that the kubeconfig uses. Defaults to none."""


class ControlPlane(ControlPlaneSection):
    """A new control plane. Plain values decide names, counts and refusals, so they are known before an update."""

    cluster_name: str
    """Name of the cluster: at most 100 letters, digits, - and _."""
    region: str
    """Region of the cluster, such as eu-west-1. The partition follows from it."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    version: str
    """Version of Kubernetes, such as "1.35". There is no default: a moving one would plan upgrades that nobody asked for."""
    subnet_ids: pulumi.Input[ListOf[pulumi.Input[str]]]
    """Subnets for the control plane's interfaces, with 6 free addresses in each. Small, separate ones are best."""
    zones: list[str]
    """Zones of these subnets, at least two."""
    admins: MapOf[str, pulumi.Input[str]]
    """ARNs of the roles or users who administer the cluster, by names of your choice. Whoever runs Pulumi has to be among
    them."""
    karpenter_version: NotRequired[str]
    """Version of Karpenter for the cluster. Defaults to the newest one that is known. It has to support the cluster's
    Kubernetes."""
    production: NotRequired[bool]
    """Whether the cluster and its key are protected from deletion, by Pulumi and by EKS: a destroy stops before it removes
    anything of the cluster. Defaults to false. Set it to false in an update before you destroy the stack."""
    public_access_cidrs: NotRequired[ListOf[pulumi.Input[str]]]
    """Address ranges outside the VPC that may reach the API. Without them, none may."""
    zonal_shift: NotRequired[bool]
    """Whether traffic can be shifted out of an impaired zone. Karpenter's chart and role need the same setting. Defaults to
    false."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the permissions boundary of every new role."""
    name_style: NotRequired[str]
    """karpenter, regional or auto: how roles are named. Defaults to karpenter, the names of the guides."""
    tags: NotRequired[pulumi.Input[MapOf[str, pulumi.Input[str]]]]
    """Tags for every resource that it creates."""


@dataclass(frozen=True, slots=True)
class ControlPlanePlan:
    """A control plane that can be made."""

    names: ClusterFacts
    facts: ControlPlaneFacts


def plan_control_plane(args: ControlPlane, at: Places, problems: Problems) -> ControlPlanePlan:
    """Return what the inputs, written `at` these places, ask for; every mistake in them is noted."""
    names = cluster_facts(args, problems, at, name_style=args.get("name_style", NameStyle.KARPENTER))
    known = {f.name for f in dataclasses.fields(ControlPlaneFacts)} - {"day", "later_versions"}
    plain: dict[str, Any] = {key: value for key, value in args.items() if key in known}
    facts = ControlPlaneFacts(
        **plain,
        has_secrets_key=args.get("secrets_key_arn") is not None,
        security_groups=count_of(args.get("security_group_ids")),
        subnets=count_of(args.get("subnet_ids")),
        later_versions=versions_of_eks(names.region) if is_beyond_calendar(args["version"]) else (),
        day=today(),
    )
    problems.extend(control_plane.problems(facts, at))
    problems.extend(control_plane.remote_network_problems(args.get("remote_network_config"), at.member("remoteNetworkConfig")))
    _check_names(args, names.region, at, problems)
    access_problems(args.get("access_entries", {}), args["admins"], at, problems)
    capability_problems(args.get("capabilities", {}), names.region, at, problems)
    if args.get("zonal_autoshift") and not facts.zonal_shift:
        message = "AWS cannot shift zones of a cluster without zonal shift"
        problems.add(at.member("zonalAutoshift"), message, "zonalShift")
    return ControlPlanePlan(names, facts)


def _check_names(args: ControlPlane, region: str, at: Places, problems: Problems) -> None:
    """Note ids and ARNs, as far as they are known, of another kind than the input's, or of another partition or region."""
    for key, kind in (("secrets_key_arn", KEY), ("log_key_arn", KEY), ("kubeconfig_role_arn", ROLE)):
        check_arn(args.get(key), kind, region, at.member(camel_case(key)), problems)
    for name, admin in args["admins"].items():
        if isinstance(admin, str) and admin.startswith("arn:aws"):
            check_partition(admin, region, at.member("admins").member(name), problems)
    for key, id_kind in (("subnet_ids", "subnet"), ("security_group_ids", "sg")):
        check_ids(texts_of(args.get(key), at.member(camel_case(key))), id_kind, problems)
