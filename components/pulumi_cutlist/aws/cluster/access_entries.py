"""Who is let into a cluster: access entries with EKS's access policies (spec: aws-infrastructure 1.3, 2.5, 9.3)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from typing import Final, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.inputs import Places, one_of
from cutlist.infrastructure.name_checks import check_namespace
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.principals import principal_problems
from pulumi_cutlist.aws.identity.roles import Tags
from pulumi_cutlist.inputs.late import as_planned

POLICIES: Final[Mapping[str, str]] = {
    "admin": "AmazonEKSAdminPolicy",
    "admin-view": "AmazonEKSAdminViewPolicy",
    "cluster-admin": "AmazonEKSClusterAdminPolicy",
    "edit": "AmazonEKSEditPolicy",
    "secret-reader": "AmazonEKSSecretReaderPolicy",
    "view": "AmazonEKSViewPolicy",
}
"""EKS's access policies for people, by short names (EKS user guide, access-policy-permissions)."""
_RESERVED: Final = ("system:", "eks:", "aws:", "amazon:", "iam:")


class AccessEntryArgs(TypedDict):
    """Access of one principal to the cluster: by one of EKS's policies, by groups that your own roles of Kubernetes name, or
    both."""

    principal_arn: pulumi.Input[str]
    """ARN of the role or user."""
    policy: NotRequired[str]
    """What it may do: view, edit, admin, admin-view, secret-reader or cluster-admin. Without it, only what its groups may."""
    namespaces: NotRequired[list[str]]
    """Namespaces that the policy is limited to, also with * at the end. Defaults to the whole cluster."""
    groups: NotRequired[list[str]]
    """Groups of Kubernetes, which a RoleBinding or ClusterRoleBinding names. Defaults to none."""
    user_name: NotRequired[str]
    """Name of the user in Kubernetes and its audit log. Defaults to one that EKS makes of the ARN."""


def access_problems(
    entries: Mapping[str, AccessEntryArgs], admins: Mapping[str, pulumi.Input[str]], at: Places, problems: Problems
) -> None:
    """Note every mistake in access entries, by names of the user's choice, beside those of administrators."""
    taken = {as_planned(arn): name for name, arn in admins.items()}
    for name, entry in entries.items():
        place = at.member("accessEntries").member(name)
        arn = as_planned(entry["principal_arn"])
        problems.extend(principal_problems(arn, place.member("principalArn")))
        if arn in taken:
            text = f"{arn} has an access entry already, that of {taken[arn]}"
            problems.add(place.member("principalArn"), text, "one entry for each principal")
        taken[arn] = name
        _check_rights(entry, place, problems)


def _check_rights(entry: AccessEntryArgs, place: Place, problems: Problems) -> None:
    if "policy" in entry:
        problems.extend(one_of(entry["policy"], POLICIES, place.member("policy")))
    elif "namespaces" in entry:
        problems.add(place.member("namespaces"), "limit a policy, and this entry has no policy", "a policy, or no namespaces")
    elif not entry.get("groups"):
        problems.add(place, "the principal could do nothing", "a policy, groups, or both")
    for index, namespace in enumerate(entry.get("namespaces", [])):
        known = namespace.removesuffix("*").rstrip("-") if namespace.endswith("*") else namespace
        check_namespace(known or "all", place.member("namespaces").item(index), problems)
    for index, group in enumerate(entry.get("groups", [])):
        if group.startswith(_RESERVED):
            problems.add(place.member("groups").item(index), f"{group!r} is reserved for EKS", "a name of your own")


def make_access_entries(
    parent: pulumi.Resource,
    name: str,
    facts: ClusterFacts,
    cluster: pulumi.Input[str],
    tags: Tags | None,
    entries: Mapping[str, AccessEntryArgs],
) -> tuple[pulumi.Resource, ...]:
    """Register access entries, and the policies that they have. Each is ready once all of its parts are."""
    return tuple(_entry(parent, f"{name}-access-{key}", facts, cluster, tags, entry) for key, entry in entries.items())


def _entry(
    parent: pulumi.Resource,
    name: str,
    facts: ClusterFacts,
    cluster: pulumi.Input[str],
    tags: Tags | None,
    args: AccessEntryArgs,
) -> pulumi.Resource:
    options = pulumi.ResourceOptions(parent=parent, delete_before_replace=True)
    entry = aws.eks.AccessEntry(
        name,
        region=facts.region,
        cluster_name=cluster,
        principal_arn=args["principal_arn"],
        kubernetes_groups=args.get("groups"),
        user_name=args.get("user_name"),
        type="STANDARD",
        tags=tags,
        opts=options,
    )
    if "policy" not in args:
        return entry
    spaces = args.get("namespaces")
    return aws.eks.AccessPolicyAssociation(
        name,
        region=facts.region,
        cluster_name=cluster,
        principal_arn=entry.principal_arn,
        policy_arn=facts.arn("eks", f"cluster-access-policy/{POLICIES[args['policy']]}", region="", account="aws"),
        access_scope={"type": "namespace", "namespaces": spaces} if spaces else {"type": "cluster"},
        opts=pulumi.ResourceOptions.merge(options, pulumi.ResourceOptions(depends_on=[entry])),
    )


def let_in(
    parent: pulumi.Resource,
    name: str,
    region: str,
    cluster: pulumi.Input[str],
    tags: Tags | None,
    kind: str,
    principal: pulumi.Input[str],
    policy: str,
) -> pulumi.Resource:
    """Give a principal access to a cluster with one of EKS's access policies. The result is ready once both parts are."""
    # A principal has one entry, so the old one has to be deleted before its successor is made.
    options = pulumi.ResourceOptions(parent=parent, delete_before_replace=True)
    entry = aws.eks.AccessEntry(
        name, region=region, cluster_name=cluster, principal_arn=principal, type=kind, tags=tags, opts=options
    )
    association: pulumi.Resource = aws.eks.AccessPolicyAssociation(
        name,
        region=region,
        cluster_name=cluster,
        principal_arn=entry.principal_arn,
        policy_arn=policy,
        access_scope={"type": "cluster"},
        opts=pulumi.ResourceOptions.merge(options, pulumi.ResourceOptions(depends_on=[entry])),
    )
    return association
