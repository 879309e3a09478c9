"""A control plane and what surrounds it: role, key, logs, administrators, OIDC (spec: aws-infrastructure 1.3, 1.4)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NotRequired, TypedDict, cast

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import CutlistError, Problems
from cutlist.infrastructure import cluster_roles, control_plane
from cutlist.infrastructure.control_plane import ControlPlaneFacts, problem_of_transition
from cutlist.infrastructure.inputs import Places
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from pulumi_cutlist.aws.access_entries import let_in
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.aws.keys import KeyPlan, make_key
from pulumi_cutlist.aws.roles import Rights, RolePlan, make_role
from pulumi_cutlist.known import count_of

_TIMES: Final = pulumi.CustomTimeouts(create="45m", update="60m", delete="45m")


class ControlPlane(TypedDict):
    """A control plane that is made. Plain values decide names, counts and refusals, so they are known before an update."""

    cluster_name: str
    """Name of the cluster: at most 100 letters, digits, - and _."""
    region: str
    """Region of the cluster, such as eu-west-1. The partition follows from it."""
    account_id: str
    """Id of the account, twelve digits."""
    version: str
    """Version of Kubernetes, such as "1.34". It has no default: one that moves would plan upgrades that nobody asked for."""
    subnet_ids: pulumi.Input[list[pulumi.Input[str]]]
    """Subnets of the control plane's own interfaces, 6 free addresses in each. Small ones of their own are best."""
    zones: list[str]
    """Zones of these subnets, at least two."""
    admins: dict[str, str]
    """ARNs of the roles or users who administer the cluster, by names of your choice. Who runs Pulumi has to be among them."""
    karpenter_version: NotRequired[str]
    """The Karpenter that the cluster is for. Defaults to the newest one known here. The two versions have to fit."""
    authentication_mode: NotRequired[str]
    """API, or API_AND_CONFIG_MAP while a cluster leaves aws-auth behind. Defaults to API. There is no way back."""
    production: NotRequired[bool]
    """Whether the cluster and its key are protected from deletion, by Pulumi and by EKS: a destroy is refused before it takes
    anything of the cluster away. Defaults to false. Turn it off by an update before the stack is destroyed."""
    public_access_cidrs: NotRequired[list[str]]
    """Address ranges from which the API is reached outside the VPC. Without them it is not."""
    security_group_ids: NotRequired[pulumi.Input[list[pulumi.Input[str]]]]
    """More security groups for the control plane's interfaces. EKS makes one of its own."""
    ip_family: NotRequired[str]
    """ipv4 or ipv6, for good. Defaults to ipv4."""
    service_ipv4_cidr: NotRequired[str]
    """Address range of services, for good. Defaults to EKS's choice."""
    encrypt_secrets: NotRequired[bool]
    """Makes a key for the secrets in the API. It cannot be removed later. EKS encrypts with a key of its own in any case."""
    secrets_key_arn: NotRequired[pulumi.Input[str]]
    """A key for the secrets that exists already, in place of one that is made."""
    log_types: NotRequired[list[str]]
    """Which logs the control plane writes. Defaults to api, audit and authenticator: audit shows who changed a NodePool."""
    log_retention_days: NotRequired[int]
    """How many days logs are kept. Defaults to 90."""
    log_key_arn: NotRequired[pulumi.Input[str]]
    """A key for the logs."""
    support_type: NotRequired[str]
    """STANDARD, or EXTENDED, which costs more and is EKS's own default. Defaults to STANDARD."""
    zonal_shift: NotRequired[bool]
    """Lets traffic be moved out of an impaired zone. Karpenter's chart and role need the same setting. Defaults to false."""
    zonal_autoshift: NotRequired[str]
    """ENABLED or DISABLED: whether AWS may move traffic by itself. It needs zonalShift. Defaults to no such configuration."""
    control_plane_tier: NotRequired[str]
    """The scaling tier of very large clusters. Defaults to EKS's own scaling."""
    deletion_protection: NotRequired[bool]
    """Whether EKS refuses to delete the cluster. Defaults to what production says."""
    remote_network_config: NotRequired[dict[str, Any]]
    """Networks of hybrid nodes, with the keys that aws.eks.Cluster has."""
    outpost_config: NotRequired[dict[str, Any]]
    """Where on an Outpost the control plane runs, with the keys that aws.eks.Cluster has."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the boundary of every role that is made."""
    name_style: NotRequired[str]
    """karpenter, regional or auto: how roles are named. Defaults to karpenter, the names of the guides."""
    kubeconfig_role_arn: NotRequired[pulumi.Input[str]]
    """A role that the kubeconfig takes on. Defaults to none."""
    kubeconfig_profile: NotRequired[str]
    """A profile of the AWS configuration that the kubeconfig uses. Defaults to none."""
    tags: NotRequired[pulumi.Input[dict[str, pulumi.Input[str]]]]
    """Tags of every resource that is made."""


@dataclass(frozen=True, slots=True)
class ControlPlanePlan:
    """A control plane that can be made."""

    names: ClusterFacts
    facts: ControlPlaneFacts


@dataclass(frozen=True, slots=True)
class ClusterKind:
    """How the kinds of clusters differ. `compute`, `storage` and `load_balancing` are inputs of aws.eks.Cluster."""

    role: RolePlan
    compute: "aws.eks.ClusterComputeConfigArgsDict | None" = None
    storage: "aws.eks.ClusterStorageConfigArgsDict | None" = None
    load_balancing: bool | None = None
    needs: tuple[pulumi.Resource, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeControlPlane:
    """A registered control plane. `access` lets the administrators in; nothing that is made here depends on `ends`."""

    cluster: "aws.eks.Cluster"
    access: tuple[pulumi.Resource, ...]
    ends: tuple[pulumi.Resource, ...]


class TransitionError(CutlistError):
    """A change that a cluster cannot make."""


def plan_control_plane(args: ControlPlane, at: Places, problems: Problems) -> ControlPlanePlan:
    """Return what the inputs, written `at` these places, ask for; every mistake in them is noted."""
    names = cluster_facts(args, problems, at, name_style=args.get("name_style", NameStyle.KARPENTER))
    known = {f.name for f in dataclasses.fields(ControlPlaneFacts)}
    plain: dict[str, Any] = {key: value for key, value in args.items() if key in known}
    facts = ControlPlaneFacts(
        **plain, has_secrets_key=args.get("secrets_key_arn") is not None, subnets=count_of(args.get("subnet_ids"))
    )
    problems.extend(control_plane.problems(facts, at))
    if args.get("zonal_autoshift") and not facts.zonal_shift:
        message = "AWS cannot shift zones of a cluster without zonal shift"
        problems.add(at.member("zonalAutoshift"), message, "zonalShift")
    return ControlPlanePlan(names, facts)


def make_control_plane(
    parent: pulumi.Resource, name: str, args: ControlPlane, checked: ControlPlanePlan, kind: ClusterKind
) -> MadeControlPlane:
    """Register a control plane with its surroundings under a component whose name is `name`."""
    names, tags = checked.names, args.get("tags")
    key_arn, aliases = _key(parent, name, args, checked)
    plan = kind.role
    if key_arn is not None:
        use = pulumi.Output.from_input(key_arn).apply(cluster_roles.key_use)
        plan = dataclasses.replace(plan, rights=plan.rights + Rights(inline={"key": use}))
    role = make_role(parent, name, names, plan, tags, args.get("permissions_boundary"))
    logs = aws.cloudwatch.LogGroup(
        f"{name}-logs",
        region=names.region,
        name=f"/aws/eks/{names.cluster}/cluster",
        retention_in_days=checked.facts.log_retention_days,
        kms_key_id=args.get("log_key_arn"),
        tags=tags,
        opts=pulumi.ResourceOptions(parent=parent),
    )
    options = pulumi.ResourceOptions(
        parent=parent,
        # Without it EKS would make a log group that nobody deletes; and EKS uses the role until the cluster is deleted.
        depends_on=[logs, *role.attachments, *kind.needs],
        protect=checked.facts.production or None,
        custom_timeouts=_TIMES,
        hooks=_one_way(name),
    )
    cluster = _cluster(f"{name}-cluster", args, checked, kind, role.role.arn, key_arn, options)
    access = _admins(parent, name, args, names, cluster)
    return MadeControlPlane(cluster, access, (*access, *aliases, *_autoshift(parent, name, args, cluster)))


def _cluster(
    name: str,
    args: ControlPlane,
    checked: ControlPlanePlan,
    kind: ClusterKind,
    role_arn: pulumi.Output[str],
    key_arn: pulumi.Input[str] | None,
    options: pulumi.ResourceOptions,
) -> "aws.eks.Cluster":
    facts, tier = checked.facts, args.get("control_plane_tier")
    return aws.eks.Cluster(
        name,
        region=checked.names.region,
        name=checked.names.cluster,
        role_arn=role_arn,
        version=facts.version,
        access_config={
            "authentication_mode": facts.authentication_mode,
            "bootstrap_cluster_creator_admin_permissions": False,
        },
        bootstrap_self_managed_addons=False,
        vpc_config=_vpc(args, facts),
        kubernetes_network_config=_network(facts, kind),
        encryption_config=None if key_arn is None else {"provider": {"key_arn": key_arn}, "resources": ["secrets"]},
        enabled_cluster_log_types=list(facts.log_types),
        upgrade_policy={"support_type": facts.support_type},
        zonal_shift_config={"enabled": facts.zonal_shift},
        control_plane_scaling_config={"tier": tier} if tier else None,
        deletion_protection=facts.is_protected,
        remote_network_config=cast("aws.eks.ClusterRemoteNetworkConfigArgsDict", args.get("remote_network_config")),
        outpost_config=cast("aws.eks.ClusterOutpostConfigArgsDict", args.get("outpost_config")),
        compute_config=kind.compute,
        storage_config=kind.storage,
        tags=args.get("tags"),
        opts=options,
    )


def make_oidc_provider(
    parent: pulumi.Resource, name: str, args: ControlPlane, issuer: pulumi.Output[str]
) -> "aws.iam.OpenIdConnectProvider":
    """Register the OIDC provider by which service accounts take on roles."""
    return aws.iam.OpenIdConnectProvider(
        f"{name}-oidc",
        url=issuer,
        client_id_lists=["sts.amazonaws.com"],
        tags=args.get("tags"),
        opts=pulumi.ResourceOptions(parent=parent),
    )


def _vpc(args: ControlPlane, facts: ControlPlaneFacts) -> "aws.eks.ClusterVpcConfigArgsDict":
    config: aws.eks.ClusterVpcConfigArgsDict = {
        "subnet_ids": args["subnet_ids"],
        "endpoint_private_access": True,
        "endpoint_public_access": bool(facts.public_access_cidrs),
    }
    if facts.public_access_cidrs:
        config["public_access_cidrs"] = list(facts.public_access_cidrs)
    if args.get("security_group_ids") is not None:
        config["security_group_ids"] = args["security_group_ids"]
    return config


def _network(facts: ControlPlaneFacts, kind: ClusterKind) -> "aws.eks.ClusterKubernetesNetworkConfigArgsDict":
    config: aws.eks.ClusterKubernetesNetworkConfigArgsDict = {"ip_family": facts.ip_family}
    if facts.service_ipv4_cidr is not None:
        config["service_ipv4_cidr"] = facts.service_ipv4_cidr
    if kind.load_balancing is not None:
        config["elastic_load_balancing"] = {"enabled": kind.load_balancing}
    return config


def _key(
    parent: pulumi.Resource, name: str, args: ControlPlane, checked: ControlPlanePlan
) -> tuple[pulumi.Input[str] | None, tuple[pulumi.Resource, ...]]:
    """Return the ARN of the key for secrets, and the alias of one that is made."""
    if not checked.facts.encrypt_secrets:
        return args.get("secrets_key_arn"), ()
    policy = cluster_roles.key_policy(checked.names, checked.facts.admins.values())
    plan = KeyPlan(
        checked.names.region, f"Secrets of the EKS cluster {checked.names.cluster}", policy, f"eks/{checked.names.cluster}"
    )
    key = make_key(parent, name, plan, args.get("tags"), protect=checked.facts.production)
    return key.key.arn, (key.alias,)


def _admins(
    parent: pulumi.Resource, name: str, args: ControlPlane, names: ClusterFacts, cluster: "aws.eks.Cluster"
) -> tuple[pulumi.Resource, ...]:
    policy = names.arn("eks", "cluster-access-policy/AmazonEKSClusterAdminPolicy", region="", account="aws")
    return tuple(
        let_in(parent, f"{name}-admin-{admin}", names.region, cluster.name, args.get("tags"), "STANDARD", principal, policy)
        for admin, principal in args["admins"].items()
    )


def _autoshift(
    parent: pulumi.Resource, name: str, args: ControlPlane, cluster: "aws.eks.Cluster"
) -> tuple[pulumi.Resource, ...]:
    status = args.get("zonal_autoshift")
    if not status:
        return ()
    autoshift = aws.arczonalshift.ZonalAutoshiftConfiguration(
        f"{name}-autoshift",
        region=args["region"],
        resource_arn=cluster.arn,
        zonal_autoshift_status=status,
        opts=pulumi.ResourceOptions(parent=parent),
    )
    return (autoshift,)


def _one_way(name: str) -> pulumi.ResourceHookBinding:
    in_previews = pulumi.ResourceHookOptions(on_dry_run=True)
    return pulumi.ResourceHookBinding(before_update=[pulumi.ResourceHook(f"{name}-one-way", refuse_way_back, in_previews)])


def refuse_way_back(change: pulumi.ResourceHookArgs) -> None:
    """Raise TransitionError, even in a preview, for a change of the authentication mode that EKS does not make."""
    before, after = _mode(change.old_inputs), _mode(change.new_inputs)
    if problem := problem_of_transition(before, after):
        raise TransitionError(problem)


def _mode(inputs: Mapping[str, Any] | None) -> str:
    return str(((inputs or {}).get("accessConfig") or {}).get("authenticationMode") or "")
