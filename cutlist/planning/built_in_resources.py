"""Built-in NodePools that a cluster has by its resource in Terraform or OpenTofu, or by the call of a module that makes it."""

from __future__ import annotations

from typing import Final

from cutlist.api.built_in import AKS_POOLS, AUTO_POOLS
from cutlist.documents.document import Document
from cutlist.documents.members import text
from cutlist.documents.terraform.opentofu import EKS_MODULE, resource_of
from cutlist.planning.beside.values import block, is_true, texts

_OF_EKS: Final = {
    "aws_eks_cluster": ("compute_config",),
    EKS_MODULE: ("compute_config", "cluster_compute_config"),  # since version 21 of the module, and before
}
_OF_AKS: Final = ("azurerm_kubernetes_cluster", "node_provisioning_profile")
_AUTO: Final = "Auto"


def pools_of_cluster(document: Document) -> tuple[tuple[str, ...], str]:
    """Return the built-in NodePools that a resource switches on, and the member that does; none for any other object."""
    type_, values = resource_of(document) or ("", {})
    for member in _OF_EKS.get(type_, ()):
        compute = block(values.get(member))
        listed = texts(compute.get("node_pools"))
        if is_true(compute.get("enabled")) and listed:
            return tuple(name for name in AUTO_POOLS if name in listed), member
    if type_ == _OF_AKS[0] and text(block(values.get(_OF_AKS[1])).get("mode")) == _AUTO:
        return AKS_POOLS, _OF_AKS[1]
    return (), ""
