"""Capabilities that EKS runs for a cluster, as resources with their roles (spec: aws-infrastructure 1.13)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from typing import Any, Final, NotRequired, TypedDict, cast

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Place, Problems
from cutlist.core.wording import camel_case
from cutlist.infrastructure.arns import POLICY, ROLE, check_arn
from cutlist.infrastructure.capabilities import (
    KINDS,
    ArgoCdFacts,
    RoleMapping,
    ack_problems,
    argo_cd_problems,
    capability_trust,
    region_problems,
)
from cutlist.infrastructure.inputs import Places
from cutlist.infrastructure.name_checks import check_region
from cutlist.infrastructure.names import ClusterFacts
from pulumi_cutlist.aws.identity.roles import Rights, RolePlan, Tags, make_role
from pulumi_cutlist.inputs.late import all_as_planned
from pulumi_cutlist.inputs.lists import ListOf

_TIMES: Final = pulumi.CustomTimeouts(create="30m", update="30m", delete="30m")


class KroCapabilityArgs(TypedDict):
    """kro, run by EKS: resources that are made of others."""

    policy_arns: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs of policies that its role gets. Defaults to none: it works within the cluster."""
    role_arn: NotRequired[pulumi.Input[str]]
    """An existing role, instead of a new one. capabilities.eks.amazonaws.com has to be allowed to assume it and tag its
    sessions."""


class AckCapabilityArgs(TypedDict):
    """ACK, run by EKS: resources of AWS as objects of Kubernetes."""

    policy_arns: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs of policies that its role gets: what objects may make in the account. Needed without `role_arn`."""
    role_arn: NotRequired[pulumi.Input[str]]
    """An existing role, instead of a new one. capabilities.eks.amazonaws.com has to be allowed to assume it and tag its
    sessions."""


class ArgoCdIdentityArgs(TypedDict):
    """A user or a group of IAM Identity Center."""

    id: pulumi.Input[str]
    """Its id."""
    type: str
    """SSO_USER or SSO_GROUP."""


class ArgoCdRoleArgs(TypedDict):
    """Who has a role of Argo CD."""

    role: str
    """ADMIN, EDITOR or VIEWER."""
    identities: list[ArgoCdIdentityArgs]
    """Users and groups."""


class ArgoCdCapabilityArgs(TypedDict):
    """Argo CD, run by EKS. People log in through IAM Identity Center."""

    idc_instance_arn: pulumi.Input[str]
    """ARN of the instance of IAM Identity Center."""
    idc_region: NotRequired[str]
    """Region of that instance. Defaults to the cluster's."""
    namespace: NotRequired[str]
    """Namespace of Applications and projects. Defaults to argocd, EKS's choice."""
    role_mappings: NotRequired[list[ArgoCdRoleArgs]]
    """Who has which role. Defaults to nobody."""
    vpc_endpoint_ids: NotRequired[ListOf[pulumi.Input[str]]]
    """VPC endpoints through which alone the server is reached. Defaults to none: it is reached from the internet."""
    policy_arns: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs of policies that its role gets, such as to read secrets or repositories. Defaults to none."""
    role_arn: NotRequired[pulumi.Input[str]]
    """An existing role, instead of a new one. capabilities.eks.amazonaws.com has to be allowed to assume it and tag its
    sessions."""


class CapabilitiesArgs(TypedDict):
    """Capabilities that EKS runs for the cluster, outside of it. Each costs by the hour and by what it manages."""

    ack: NotRequired[AckCapabilityArgs]
    """AWS Controllers for Kubernetes. Defaults to none."""
    argo_cd: NotRequired[ArgoCdCapabilityArgs]
    """Argo CD. Defaults to none."""
    kro: NotRequired[KroCapabilityArgs]
    """kro, which makes resources of others. Defaults to none."""


class _Granted(TypedDict):
    """A view of the inputs of every capability."""

    policy_arns: NotRequired[ListOf[pulumi.Input[str]]]
    role_arn: NotRequired[pulumi.Input[str]]


def capability_problems(capabilities: CapabilitiesArgs, region: str, at: Places, problems: Problems) -> None:
    """Note every mistake in the capabilities of a cluster in a region."""
    place = at.member("capabilities")
    if capabilities:
        problems.extend(region_problems(region, place))
    for key, args in _named(capabilities).items():
        _check_role(args, region, place.member(camel_case(key)), problems)
    if "ack" in capabilities:
        has_rights = bool(capabilities["ack"].get("policy_arns")) or "role_arn" in capabilities["ack"]
        problems.extend(ack_problems(has_rights=has_rights, at=place.member("ack")))
    if "argo_cd" in capabilities:
        argo_cd, where = capabilities["argo_cd"], place.member("argoCd")
        problems.extend(argo_cd_problems(_facts(argo_cd), where))
        if "idc_region" in argo_cd:
            check_region(argo_cd["idc_region"], where.member("idcRegion").path, problems)


def make_capabilities(
    parent: pulumi.Resource,
    name: str,
    facts: ClusterFacts,
    cluster: "aws.eks.Cluster",
    capabilities: CapabilitiesArgs,
    tags: Tags | None,
    boundary: pulumi.Input[str] | None,
) -> tuple[pulumi.Resource, ...]:
    """Register capabilities with their roles. What they made stays in the account when they are deleted: EKS offers nothing
    else."""
    made: list[pulumi.Resource] = []
    for key, args in _named(capabilities).items():
        kind = KINDS[key]
        role_arn, needs = _role(parent, name, facts, kind.lower(), args, tags, boundary)
        configuration = _configuration(capabilities["argo_cd"]) if key == "argo_cd" else None
        capability = aws.eks.Capability(
            f"{name}-capability-{kind.lower()}",
            region=facts.region,
            cluster_name=cluster.name,
            capability_name=kind.lower(),
            type=kind,
            role_arn=role_arn,
            delete_propagation_policy="RETAIN",
            configuration=configuration,
            tags=tags,
            opts=pulumi.ResourceOptions(parent=parent, depends_on=list(needs), custom_timeouts=_TIMES),
        )
        made.append(capability)
    return tuple(made)


def _named(capabilities: CapabilitiesArgs) -> Mapping[str, _Granted]:
    return cast("Mapping[str, _Granted]", capabilities)


def _check_role(args: _Granted, region: str, at: Place, problems: Problems) -> None:
    check_arn(args.get("role_arn"), ROLE, region, at.member("roleArn"), problems)
    for index, arn in enumerate(args.get("policy_arns", [])):
        check_arn(arn, POLICY, region, at.member("policyArns").item(index), problems)
    if "role_arn" in args and "policy_arns" in args:
        message = "policies beside a role that exists already"
        problems.add(at.member("policyArns"), message, "leave it out, and attach them to the role")


def _role(
    parent: pulumi.Resource,
    name: str,
    facts: ClusterFacts,
    kind: str,
    args: _Granted,
    tags: Tags | None,
    boundary: pulumi.Input[str] | None,
) -> tuple[pulumi.Input[str], tuple[pulumi.Resource, ...]]:
    """Return the ARN of a capability's role, and what has to be attached to it first."""
    if "role_arn" in args:
        return args["role_arn"], ()
    rights = Rights(policy_arns=all_as_planned(args.get("policy_arns", [])))
    plan = RolePlan(f"capability-{kind}", f"EKSCapabilityRole-{kind}", capability_trust(), rights)
    made = make_role(parent, name, facts, plan, tags, boundary)
    return made.role.arn, made.attachments


def _facts(args: ArgoCdCapabilityArgs) -> ArgoCdFacts:
    instance: Any = args["idc_instance_arn"]
    mappings = [
        RoleMapping(mapping["role"], [(str(one["id"]), one["type"]) for one in mapping["identities"]])
        for mapping in args.get("role_mappings", [])
    ]
    return ArgoCdFacts(instance if isinstance(instance, str) else "", args.get("namespace", ""), mappings)


def _configuration(args: ArgoCdCapabilityArgs) -> "aws.eks.CapabilityConfigurationArgsDict":
    center: aws.eks.CapabilityConfigurationArgoCdAwsIdcArgsDict = {"idc_instance_arn": args["idc_instance_arn"]}
    if "idc_region" in args:
        center["idc_region"] = args["idc_region"]
    argo_cd: aws.eks.CapabilityConfigurationArgoCdArgsDict = {"aws_idc": center}
    if "namespace" in args:
        argo_cd["namespace"] = args["namespace"]
    if "vpc_endpoint_ids" in args:
        argo_cd["network_access"] = {"vpce_ids": args["vpc_endpoint_ids"]}
    if "role_mappings" in args:
        argo_cd["rbac_role_mappings"] = [
            {"role": mapping["role"], "identities": [{"id": one["id"], "type": one["type"]} for one in mapping["identities"]]}
            for mapping in args["role_mappings"]
        ]
    return {"argo_cd": argo_cd}
