"""The namespace of objects that write none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.errors import Problems
from cutlist.documents.document import Document
from cutlist.documents.kustomize.transformers import RenderedObject

OF_KARPENTER: Final = ("karpenter.sh", "karpenter.k8s.aws", "karpenter.azure.com", "eks.amazonaws.com")
"""The groups whose objects have no namespace."""


def in_namespace(namespace: str, documents: Sequence[Document], _problems: Problems) -> list[Document]:
    """Return objects with the namespace that their deployment sets, if they have none of their own."""
    if not namespace:
        return list(documents)
    resources = [RenderedObject.of(document) for document in documents]
    for resource in resources:
        if not resource.namespace and not resource.is_cluster_wide and resource.group not in OF_KARPENTER:
            resource.metadata["namespace"] = namespace
    return [resource.finished() for resource in resources]
