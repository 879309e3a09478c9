"""Clusters and node groups in configurations: resources and calls of modules that make them, as documents with their values."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Final

from cutlist.core.errors import Place
from cutlist.core.ledger import Ledger
from cutlist.documents.document import Document
from cutlist.documents.terraform.hcl.modules import Module
from cutlist.documents.terraform.opentofu import EKS_MODULE, TERRAFORM, planned
from cutlist.documents.terraform.partly_known import with_unknown_texts

_RESOURCES: Final = (
    "aws_eks_node_group",
    "aws_eks_addon",  # settings of the CSI driver and of the CNI
    "aws_eks_cluster",  # its built-in NodePools, if it has any
    "azurerm_kubernetes_cluster",
    "azurerm_kubernetes_cluster_node_pool",
)
_CLUSTERS: Final = (EKS_MODULE, "aws_eks_cluster", "azurerm_kubernetes_cluster")
_MAKES: Final = re.compile(rf'^\s*resource\s+"({"|".join(_RESOURCES)})"|"{re.escape(EKS_MODULE)}"', re.MULTILINE)


def makes_node_groups(text: str) -> bool:
    """Tell whether a file of a configuration makes node groups."""
    return _MAKES.search(text) is not None


def is_cluster(document: Document) -> bool:
    """Tell whether a document is that of a cluster."""
    return document.kind in _CLUSTERS


def node_group_documents(root: Module, ledger: Ledger) -> Iterator[Document]:
    """Yield a document for each resource and each call of a module that makes node groups, with the values that are known.

    How many there are of one has to be known too.
    """
    for made in (*root.resources(), *root.remote_calls()):
        if made.type not in (*_RESOURCES, EKS_MODULE) or made.unknown:
            continue
        name = f"{made.file}: {made.address}"
        values = planned(with_unknown_texts(dict(made.values)), "", [])
        data = {"apiVersion": f"{TERRAFORM}/v1", "kind": made.type, "metadata": {"name": name}, "spec": values}
        ledger.is_read(os.path.realpath(made.file))
        yield Document(Place(made.file, line=made.line, address=made.address), data, {})
