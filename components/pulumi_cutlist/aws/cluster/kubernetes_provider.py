"""The way into a cluster for the objects of a stack (spec: aws-infrastructure 0.4)."""

from __future__ import annotations

import pulumi
import pulumi_kubernetes as k8s

from pulumi_cutlist.aws.cluster.outputs import ClusterOutputs
from pulumi_cutlist.kubernetes.object_provider import object_provider


def kubernetes_provider(name: str, cluster: ClusterOutputs, parent: pulumi.Resource | None = None) -> k8s.Provider:
    """Return a provider for objects in a cluster, to be given to what makes them.

    Objects wait for the administrators' access and are deleted before it. Those that exist already are taken over in an adopted
    cluster alone. A different cluster ARN replaces the provider.
    """
    opts = pulumi.ResourceOptions(parent=parent, depends_on=list(cluster.access))
    return object_provider(name, cluster.kubeconfig, cluster.cluster_arn, upsert=cluster.is_adopted, opts=opts)
