"""The provider of a stack's objects in a cluster, in any cloud (spec: aws-infrastructure 0.4, azure 1.1)."""

from __future__ import annotations

import pulumi
import pulumi_kubernetes as kubernetes


def object_provider(
    name: str,
    kubeconfig: pulumi.Input[str],
    identifier: pulumi.Input[str],
    *,
    upsert: bool,
    opts: pulumi.ResourceOptions,
) -> kubernetes.Provider:
    """Return the provider with which resources for objects in the cluster of a kubeconfig are created.

    An unreachable cluster is an error and never a reason to forget objects, since their nodes would continue to run. Existing
    objects are only adopted with `upsert`. The identifier is the cluster's own; only another one replaces the provider, and
    with it the objects.
    """
    return kubernetes.Provider(
        name,
        kubeconfig=kubeconfig,
        cluster_identifier=identifier,
        delete_unreachable=False,
        skip_update_unreachable=False,
        upsert_existing_objects=upsert,
        enable_server_side_apply=True,
        opts=opts,
    )
