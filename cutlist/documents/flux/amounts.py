"""Amounts of resources as Flux sends them: it reads an object of Kubernetes and writes it again, in which `0.5` is `500m`."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.quantity import Quantity, is_quantity
from cutlist.documents.document import Document
from cutlist.documents.parts import entries, mapping

_GROUPS: Final = ("", "apps", "batch")
_TEMPLATE: Final = ("spec", "template", "spec")
_PODS: Final = {
    **dict.fromkeys(("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job"), _TEMPLATE),
    "CronJob": ("spec", "jobTemplate", *_TEMPLATE),
    "Pod": ("spec",),
}
"""Where the kinds of Kubernetes have the spec of their pods."""


def rewritten(documents: Sequence[Document], _problems: Problems) -> Sequence[Document]:
    """Return objects with their amounts as Kubernetes prints them; one with an amount that cannot be read stays as it is."""
    # GO-49
    return [_rewritten(document) for document in documents]


def _rewritten(document: Document) -> Document:
    path = _PODS.get(document.kind)
    if path is None or document.api_version.rpartition("/")[0] not in _GROUPS:
        return document
    data = copy.deepcopy(document.data)
    amounts = [amount for pod in [_at(data, path)] for amount in _amounts(pod)]
    if not all(is_quantity(str(held[resource]).strip()) for held, resource in amounts):
        return document
    for held, resource in amounts:
        held[resource] = Quantity.parse(held[resource]).canonical()
    return replace(document, data=data)


def _at(data: Any, path: Sequence[str]) -> Any:
    for name in path:
        data = mapping(data).get(name)
    return data


def _amounts(pod: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the mappings of a pod that hold amounts, with the name of each resource."""
    for member in ("initContainers", "containers"):
        for container in entries(mapping(pod).get(member)):
            resources = mapping(mapping(container).get("resources"))
            for kind in ("requests", "limits"):
                held = resources.get(kind)
                if isinstance(held, dict):
                    yield from ((held, name) for name in held)
