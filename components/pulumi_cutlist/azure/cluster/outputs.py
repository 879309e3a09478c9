"""The outputs of every AKS cluster, whether it was made here or adopted, and the way into it for the objects of a stack (spec:
azure 1.1)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.

import base64

import pulumi
import pulumi_azure_native as azure
import pulumi_kubernetes as kubernetes

from pulumi_cutlist.kubernetes.object_provider import object_provider


class AksClusterOutputs:
    """The outputs that all kinds of AKS clusters share."""

    cluster_id: pulumi.Output[str]
    """Id of the cluster. What uses it waits for the cluster."""
    cluster_name: pulumi.Output[str]
    """Name of the cluster."""
    fqdn: pulumi.Output[str]
    """Address of the API server."""
    version: pulumi.Output[str]
    """Version of Kubernetes."""
    node_resource_group: pulumi.Output[str]
    """Name of the node resource group."""
    oidc_issuer: pulumi.Output[str]
    """URL of the cluster's OIDC issuer."""
    kubelet_client_id: pulumi.Output[str]
    """Client id of the nodes' identity."""
    kubelet_object_id: pulumi.Output[str]
    """Principal id of the nodes' identity, for role assignments such as on an image registry."""
    kubelet_resource_id: pulumi.Output[str]
    """Id of the nodes' identity."""

    resource_group: str
    """Name of the resource group that the cluster is in."""
    _is_adopted: bool = False
    _kubeconfig: pulumi.Input[str] | None = None

    @property
    def is_adopted(self) -> bool:
        """Tell whether the cluster was there before, so that objects in it may be too."""
        return self._is_adopted

    @property
    def given_kubeconfig(self) -> pulumi.Input[str] | None:
        """Return the kubeconfig given as an input, so that Azure need not be asked for one."""
        return self._kubeconfig


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
