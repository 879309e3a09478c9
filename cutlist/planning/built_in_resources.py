"""Built-in NodePools that a cluster has by its resource in Terraform or OpenTofu, or by the call of a module that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api.built_in import AKS_POOLS, AUTO_POOLS
from cutlist.documents import EKS_MODULE, OPENTOFU, TERRAFORM, Document
from cutlist.planning.beside.values import block, is_true, text, texts

_OF_EKS: Final = {
    "aws_eks_cluster": ("compute_config",),
    EKS_MODULE: ("compute_config", "cluster_compute_config"),  # since version 21 of the module, and before
}
_OF_AKS: Final = ("azurerm_kubernetes_cluster", "node_provisioning_profile")
_AUTO: Final = "Auto"


def pools_of_cluster(document: Document) -> tuple[tuple[str, ...], str]:
    """Return the built-in NodePools that a resource switches on, and the member that does; none for any other object."""
    type_, values = _resource(document)
    for member in _OF_EKS.get(type_, ()):
        compute = block(values.get(member))
        listed = texts(compute.get("node_pools"))
        if is_true(compute.get("enabled")) and listed:
            return tuple(name for name in AUTO_POOLS if name in listed), member
    if type_ == _OF_AKS[0] and text(block(values.get(_OF_AKS[1])).get("mode")) == _AUTO:
        return AKS_POOLS, _OF_AKS[1]
    return (), ""


def _resource(document: Document) -> tuple[str, Mapping[str, Any]]:
    """Return the type and the values of the resource or call that a document stands for."""
    group = document.api_version.partition("/")[0]
    if group == OPENTOFU and document.origin is not None:
        return document.origin.type, document.origin.values
    return (document.kind, document.data["spec"]) if group == TERRAFORM else ("", {})
