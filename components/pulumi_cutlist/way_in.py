"""The way into a cluster for the objects of a stack, in any cloud (spec: aws-infrastructure 0.4, azure 1.1)."""

from __future__ import annotations

import pulumi
import pulumi_kubernetes as kubernetes


def way_in(
    name: str,
    kubeconfig: pulumi.Input[str],
    identifier: pulumi.Input[str],
    *,
    upsert: bool,
    opts: pulumi.ResourceOptions,
) -> kubernetes.Provider:
    """Return a provider for objects in the cluster of a kubeconfig, to be given to what makes them.

    A cluster that cannot be reached is an error and never a reason to forget objects, for their nodes would go on running.
    Objects that exist already are taken over with `upsert` alone. Only another identifier, which is the cluster's own, replaces
    the provider, and with it the objects.
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
