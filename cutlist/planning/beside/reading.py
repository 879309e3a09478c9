"""The node groups of some inputs: those that files declare, those of Figures, and those of nodes that run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cutlist.documents.document import Document
from cutlist.documents.terraform.opentofu import resource_of
from cutlist.planning.beside.declared import EKS, EKSCTL, DeclaredGroup, kinds_on
from cutlist.planning.beside.eksctl import groups_of_config
from cutlist.planning.beside.resources import groups_of
from cutlist.planning.beside.snapshot import running_groups
from cutlist.planning.built_in_signs import is_cluster_config

_AUTOSCALER: Final = re.compile(r"(.*/)?cluster-autoscaler(-\w+)?([:@].*)?")
_GENERATED: Final = r"-\d{12,}"
"""What Terraform adds to a prefix of a name."""


def read_groups(
    documents: Sequence[Document], of_figures: Iterable[DeclaredGroup], *, on_azure: bool
) -> tuple[DeclaredGroup, ...]:
    """Return the node groups of a cluster on a cloud, by name; a group of Figures takes precedence over one of files.

    Groups that EKS manages are scaled by Cluster Autoscaler where that is among the workloads: EKS tags them for it.
    """
    declared: dict[str, DeclaredGroup] = {}
    kinds = kinds_on(azure=on_azure)
    for group in (*(of.on_cloud(on_azure=on_azure) for of in of_figures), *_declared(documents)):
        if group.kind in kinds:
            declared.setdefault(group.name, group)
    has_autoscaler = any(map(_is_autoscaler, documents))
    groups = (replace(g, autoscaled=True) if has_autoscaler and g.kind in (EKS, EKSCTL) else g for g in declared.values())
    running = [g for g in running_groups(d.data for d in documents if d.kind == "Node") if g.kind in kinds]
    matched = [(group, [r for r in running if _is_of(r.name, group.name)]) for group in groups]
    known = {r.name for _, of_group in matched for r in of_group}
    alone = (group for group in running if group.name not in known)
    whole = (*(replace(g, running=sum(r.running for r in of_group)) for g, of_group in matched), *alone)
    return tuple(sorted(whole, key=lambda group: group.name))


def _declared(documents: Iterable[Document]) -> Iterator[DeclaredGroup]:
    for document in documents:
        for name, spec in _specs(document):
            yield DeclaredGroup.of(name, spec, str(document.place))


def _specs(document: Document) -> Iterable[tuple[str, Mapping[str, Any]]]:
    if is_cluster_config(document):
        return groups_of_config(document.data)
    resource = resource_of(document)
    return () if resource is None else groups_of(*resource)


def _is_of(running: str, declared: str) -> bool:
    """Tell whether a group that runs is a declared one, of whose name Terraform may have made a prefix."""
    return running == declared or re.fullmatch(re.escape(declared) + _GENERATED, running) is not None


def _is_autoscaler(document: Document) -> bool:
    """Tell whether an object is Cluster Autoscaler's Deployment, by its image."""
    if document.kind != "Deployment":
        return False
    at: Any = document.data
    for key in ("spec", "template", "spec", "containers"):
        at = at.get(key) if isinstance(at, Mapping) else None
    images = (container.get("image") for container in at or () if isinstance(container, Mapping))
    return any(isinstance(image, str) and _AUTOSCALER.fullmatch(image) for image in images)
