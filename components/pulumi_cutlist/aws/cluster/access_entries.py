"""Who is let into a cluster: access entries with EKS's access policies (spec: aws-infrastructure 1.3, 2.5, 9.3)."""

from __future__ import annotations

import pulumi
import pulumi_aws as aws

from pulumi_cutlist.aws.identity.roles import Tags


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
