"""The way into a cluster for the objects of a stack (spec: aws-infrastructure 0.4)."""

from __future__ import annotations

import pulumi
import pulumi_kubernetes as k8s

from pulumi_cutlist.aws.cluster_outputs import ClusterOutputs


def kubernetes_provider(name: str, cluster: ClusterOutputs, parent: pulumi.Resource | None = None) -> k8s.Provider:
    """A provider for objects in a cluster, to be given to what makes them.

    Objects wait for the administrators' access and are deleted before it. A cluster that cannot be reached is an error and
    never a reason to forget objects, for their nodes would go on running. Objects that exist already are taken over in an
    adopted cluster alone. Only another cluster ARN replaces the provider, and with it the objects.
    """
    return k8s.Provider(
        name,
        kubeconfig=cluster.kubeconfig,
        cluster_identifier=cluster.cluster_arn,
        delete_unreachable=False,
        skip_update_unreachable=False,
        upsert_existing_objects=cluster.is_adopted,
        enable_server_side_apply=True,
        opts=pulumi.ResourceOptions(parent=parent, depends_on=list(cluster.access)),
    )
