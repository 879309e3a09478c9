"""Add-ons of a cluster as resources, each with its own role if it needs rights (spec: aws-infrastructure 1.6)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.infrastructure.add_on_pods import VPC_CNI
from cutlist.infrastructure.add_ons import AddOnPlan
from cutlist.infrastructure.iam.documents import Condition
from cutlist.infrastructure.iam.node import CNI, ipv6_cni_document
from cutlist.infrastructure.names import ClusterFacts
from pulumi_cutlist.aws.cluster.offers import add_on_version
from pulumi_cutlist.aws.identity.roles import Rights, RolePlan, Tags, make_role
from pulumi_cutlist.aws.identity.service_accounts import Provider, trust

_NAMESPACE: Final = "kube-system"


class AddOn(TypedDict):
    """Settings of one add-on."""

    version: NotRequired[str]
    """Version, such as v1.20.1-eksbuild.1, which then stays. Defaults to EKS's default for the version of the nodes, which an
    upgrade of the cluster changes."""
    configuration: NotRequired[dict[str, Any]]
    """Settings that the add-on itself has. They override the component's key by key."""


@dataclass(frozen=True, slots=True)
class Identity:
    """How add-ons get their roles: with an OIDC provider by it, else by Pod Identity."""

    names: ClusterFacts
    issuer: pulumi.Output[str]
    provider_arn: pulumi.Output[str] | None = None
    ipv6: bool = False
    tags: Tags | None = None
    boundary: pulumi.Input[str] | None = None
    conditions: tuple[Condition, ...] = ()
    """More conditions of the trust with Pod Identity."""
    kubernetes: str = ""
    """The minor version of Kubernetes that add-ons without a version of their own follow; those of an adopted cluster follow
    none."""


def make_add_ons(
    parent: pulumi.Resource,
    name: str,
    cluster: pulumi.Input[str],
    plans: Iterable[AddOnPlan],
    identity: Identity,
    needs: Sequence[pulumi.Resource] = (),
) -> tuple[pulumi.Resource, ...]:
    """Register add-ons under a component whose name is `name`. They are made after `needs` and deleted before it."""
    return tuple(_make(parent, name, cluster, plan, identity, needs) for plan in plans)


def _make(
    parent: pulumi.Resource,
    name: str,
    cluster: pulumi.Input[str],
    plan: AddOnPlan,
    identity: Identity,
    needs: Sequence[pulumi.Resource],
) -> pulumi.Resource:
    associations: list[aws.eks.AddonPodIdentityAssociationArgsDict] = []
    account_role: pulumi.Output[str] | None = None
    attached: tuple[pulumi.Resource, ...] = ()
    if plan.service_account and plan.policy:
        role = make_role(parent, name, identity.names, _role(plan, identity), identity.tags, identity.boundary)
        attached = role.attachments
        if identity.provider_arn is None:
            associations.append({"role_arn": role.role.arn, "service_account": plan.service_account})
        else:
            account_role = role.role.arn
    return aws.eks.Addon(
        f"{name}-{plan.name}",
        region=identity.names.region,
        cluster_name=cluster,
        addon_name=plan.name,
        addon_version=plan.version or _default(parent, plan.name, identity),
        configuration_values=_values(plan),
        resolve_conflicts_on_create="OVERWRITE",
        resolve_conflicts_on_update="PRESERVE",
        preserve=False,
        tags=identity.tags,
        pod_identity_associations=associations or None,
        service_account_role_arn=account_role,
        opts=pulumi.ResourceOptions(parent=parent, depends_on=[*needs, *attached]),
    )


def _default(parent: pulumi.Resource, name: str, identity: Identity) -> str | None:
    """Return the version that an add-on follows, as far as it is known."""
    return add_on_version(name, identity.kubernetes, identity.names.region, parent) if identity.kubernetes else None


def _values(plan: AddOnPlan) -> pulumi.Input[str] | None:
    """Return the settings as EKS takes them, those of other resources among them; None for an add-on without settings."""
    if not plan.configuration:
        return None
    return pulumi.Output.json_dumps(plan.configuration, sort_keys=True, separators=(",", ":"))


def _role(plan: AddOnPlan, identity: Identity) -> RolePlan:
    account = replace(identity.names, namespace=_NAMESPACE, service_account=plan.service_account or "")
    provider = None if identity.provider_arn is None else Provider(identity.provider_arn, identity.issuer)
    rights = cni_rights(identity.names, identity.ipv6) if plan.name == VPC_CNI else Rights((str(plan.policy),))
    return RolePlan(plan.name, f"EKSAddOnRole-{plan.name}", trust(account, provider, *identity.conditions), rights)


def cni_rights(names: ClusterFacts, ipv6: bool) -> Rights:
    """Return what the VPC CNI may do: AWS's own policy is for IPv4 alone."""
    return Rights(inline={"ipv6": ipv6_cni_document(names)}) if ipv6 else Rights((CNI,))
