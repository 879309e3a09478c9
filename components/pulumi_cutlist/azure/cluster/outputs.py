"""The outputs of every AKS cluster, whether it was made here or adopted."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.

import pulumi


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
