"""Whether an input says anything about how GPUs are shared: few do, and only for these the rest is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.api import NodePool
from cutlist.documents import Document
from cutlist.documents.members import mapping

CONFIG_LABEL: Final = "nvidia.com/device-plugin.config"
MIG_LABEL: Final = "nvidia.com/mig.config"
CLUSTER_POLICY: Final = "ClusterPolicy (nvidia.com)"
_WORDS: Final = ("sharing", "mig-", "migStrategy")


def are_shared(documents: Iterable[Document], pools: Iterable[NodePool]) -> bool:
    """Tell whether objects or labels of NodePools may say how GPUs are shared."""
    return any(MIG_LABEL in pool.labels for pool in pools) or any(map(_may_say_so, documents))


def is_cluster_policy(document: Document) -> bool:
    """Tell whether an object is the GPU operator's ClusterPolicy; Kyverno's has the same kind."""
    return document.kind == "ClusterPolicy" and document.api_version.startswith("nvidia.com/")


def may_configure(text: str) -> bool:
    """Tell whether a text of a ConfigMap may be a configuration of the device plugin or of the MIG manager."""
    return any(word in text for word in _WORDS)


def _may_say_so(document: Document) -> bool:
    if document.kind == "ConfigMap":
        return any(may_configure(str(text)) for text in mapping(document.data.get("data")).values())
    return is_cluster_policy(document)
