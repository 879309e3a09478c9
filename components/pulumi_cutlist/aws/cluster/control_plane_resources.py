"""The resources of a control plane and of what surrounds it (spec: aws-infrastructure 1.3, 1.4)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import pulumi
import pulumi_aws as aws

from cutlist.infrastructure import cluster_roles
from cutlist.infrastructure.control_plane import ControlPlaneFacts, problem_of_keys, problem_of_transition
from cutlist.infrastructure.eks_support import support_sentence
from cutlist.infrastructure.names import ClusterFacts
from pulumi_cutlist.aws.cluster.access_entries import let_in, make_access_entries
from pulumi_cutlist.aws.cluster.capabilities import make_capabilities
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane, ControlPlanePlan
from pulumi_cutlist.aws.identity.roles import Rights, RolePlan, make_role
from pulumi_cutlist.aws.keys import KeyPlan, make_key
from pulumi_cutlist.errors import TransitionError
from pulumi_cutlist.options import named_part

_TIMES: Final = pulumi.CustomTimeouts(create="45m", update="60m", delete="45m")


@dataclass(frozen=True, slots=True)
class ClusterKind:
    """How the kinds of clusters differ. `compute`, `storage` and `load_balancing` are inputs of aws.eks.Cluster."""

    role: RolePlan
    compute: aws.eks.ClusterComputeConfigArgsDict | None = None
    storage: aws.eks.ClusterStorageConfigArgsDict | None = None
    load_balancing: bool | None = None
    needs: tuple[pulumi.Resource, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeControlPlane:
    """A registered control plane. `access` lets the administrators in; nothing that is made here depends on `ends`."""

    cluster: aws.eks.Cluster
    access: tuple[pulumi.Resource, ...]
    ends: tuple[pulumi.Resource, ...]


def make_control_plane(
    parent: pulumi.Resource, name: str, args: ControlPlane, checked: ControlPlanePlan, kind: ClusterKind
) -> MadeControlPlane:
    """Register a control plane with its surroundings under a component whose name is `name`."""
    if checked.facts.day is not None and (text := support_sentence(checked.facts.version, checked.facts.day)):
        pulumi.log.warn(text, parent)
    names, tags = checked.names, args.get("tags")
    key_arn, aliases = _key(parent, name, args, checked)
    plan = kind.role
    if key_arn is not None:
        use = pulumi.Output.from_input(key_arn).apply(cluster_roles.key_permissions)
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
    of_cluster, options = named_part(name, "cluster", options)
    cluster = _cluster(of_cluster, args, checked, kind, role.role.arn, key_arn, options)
    access = _admins(parent, name, args, names, cluster)
    let_in_too = make_access_entries(parent, name, names, cluster.name, args.get("tags"), args.get("access_entries", {}))
    boundary = args.get("permissions_boundary")
    capabilities = make_capabilities(parent, name, names, cluster, args.get("capabilities", {}), tags, boundary)
    ends = (*access, *let_in_too, *aliases, *capabilities, *_autoshift(parent, name, args, cluster))
    return MadeControlPlane(cluster, access, ends)


def _cluster(
    name: str,
    args: ControlPlane,
    checked: ControlPlanePlan,
    kind: ClusterKind,
    role_arn: pulumi.Output[str],
    key_arn: pulumi.Input[str] | None,
    options: pulumi.ResourceOptions,
) -> aws.eks.Cluster:
    facts, tier = checked.facts, args.get("control_plane_tier")
    return aws.eks.Cluster(
        name,
        region=checked.names.region,
        name=checked.names.cluster,
        role_arn=role_arn,
        version=facts.version,
        access_config={
            "authentication_mode": facts.authentication_mode,
            # Administrators are those that the inputs name; whoever happens to run the first update is not one forever.
            "bootstrap_cluster_creator_admin_permissions": False,
        },
        bootstrap_self_managed_addons=False,  # add-ons are resources of the stack, which would not own these
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
) -> aws.iam.OpenIdConnectProvider:
    """Register the OIDC provider by which service accounts take on roles."""
    return aws.iam.OpenIdConnectProvider(
        f"{name}-oidc",
        url=issuer,
        client_id_lists=["sts.amazonaws.com"],
        tags=args.get("tags"),
        opts=pulumi.ResourceOptions(parent=parent),
    )


def _vpc(args: ControlPlane, facts: ControlPlaneFacts) -> aws.eks.ClusterVpcConfigArgsDict:
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


def _network(facts: ControlPlaneFacts, kind: ClusterKind) -> aws.eks.ClusterKubernetesNetworkConfigArgsDict:
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
    parent: pulumi.Resource, name: str, args: ControlPlane, names: ClusterFacts, cluster: aws.eks.Cluster
) -> tuple[pulumi.Resource, ...]:
    policy = names.arn("eks", "cluster-access-policy/AmazonEKSClusterAdminPolicy", region="", account="aws")
    return tuple(
        let_in(parent, f"{name}-admin-{admin}", names.region, cluster.name, args.get("tags"), "STANDARD", principal, policy)
        for admin, principal in args["admins"].items()
    )


def _autoshift(parent: pulumi.Resource, name: str, args: ControlPlane, cluster: aws.eks.Cluster) -> tuple[pulumi.Resource, ...]:
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
    """Raise TransitionError, even in a preview, for changes of the authentication mode and of the key for secrets that EKS does
    not make."""
    olds, news = change.old_inputs or {}, change.new_inputs or {}
    problem = problem_of_transition(_mode(olds), _mode(news)) or problem_of_keys(_key_arn(olds), _key_arn(news))
    if problem:
        raise TransitionError(problem)


def _mode(inputs: Mapping[str, Any]) -> str:
    return str((inputs.get("accessConfig") or {}).get("authenticationMode") or "")


def _key_arn(inputs: Mapping[str, Any]) -> str:
    """Return the ARN of the key for secrets, or an empty text for one that is known only after the update."""
    arn = ((inputs.get("encryptionConfig") or {}).get("provider") or {}).get("keyArn")
    return arn if isinstance(arn, str) and arn.startswith("arn:") else ""
