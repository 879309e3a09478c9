"""The way into an AKS cluster for the objects of a stack (spec: azure 1.1)."""

from __future__ import annotations

import base64

import pulumi
import pulumi_azure_native as azure
import pulumi_kubernetes as kubernetes

from pulumi_cutlist.azure.cluster.outputs import AksClusterOutputs
from pulumi_cutlist.kubernetes.object_provider import object_provider


def kubeconfig_of(cluster: AksClusterOutputs) -> pulumi.Output[str]:
    """Return a kubeconfig for a cluster as a secret: the one given, or Azure's answer.

    Azure is asked once the cluster's name is known, so neither a first preview nor an offline one asks. Where people log in as
    themselves the kubeconfig runs `kubelogin`, and otherwise it holds a certificate.
    """
    args = cluster.given_kubeconfig
    if args is not None:
        return pulumi.Output.secret(args)
    credentials = azure.containerservice.list_managed_cluster_user_credentials_output(
        resource_group_name=cluster.resource_group, resource_name=cluster.cluster_name, format="exec"
    )
    return pulumi.Output.secret(credentials.apply(lambda answer: base64.b64decode(answer.kubeconfigs[0].value).decode()))


def kubernetes_provider(name: str, cluster: AksClusterOutputs, parent: pulumi.Resource | None = None) -> kubernetes.Provider:
    """Return a provider for objects in a cluster, to be given to what makes them.

    Objects that exist already are taken over in an adopted cluster alone. Another cluster's id replaces the provider.
    """
    opts = pulumi.ResourceOptions(parent=parent)
    return object_provider(name, kubeconfig_of(cluster), cluster.cluster_id, upsert=cluster.is_adopted, opts=opts)
