"""An AKSNodeClass of v1alpha2 in v1beta1: the same fields under another version (spec: azure 2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.convert.changes import Change, version_change
from cutlist.api.convert.edits import Remove

GROUP: Final = "karpenter.azure.com"
KIND: Final = "AKSNodeClass"
OLD: Final = f"{GROUP}/v1alpha2"


def is_old(api_version: str, kind: str) -> bool:
    """Whether an object is an AKSNodeClass of v1alpha2."""
    return (api_version, kind) == (OLD, KIND)


def aks_class_changes(node_class: Mapping[str, Any]) -> Iterator[Change]:
    """What becomes of a class. Its fields are looked at by nobody here: both versions have the same."""
    yield version_change(KIND)
    spec = node_class.get("spec") or {}
    if "imageVersion" in spec:
        text = "imageVersion is gone: nodes take the newest image of their family"
        yield Change("lost", text, "spec.imageVersion", edits=(Remove(("spec", "imageVersion")),))
    if "imageFamily" not in spec:
        text, advice = "imageFamily was Ubuntu2204 in 2024 where it is not written, and is Ubuntu now", "write the one you want"
        yield Change("changed default", text, "", "spec.imageFamily", advice)
