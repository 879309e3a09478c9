"""What the release calendars of EKS and AKS mean for the cluster of a plan, where its version of Kubernetes is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.regions import is_azure
from cutlist.core.notes import Note
from cutlist.documents.document import Document
from cutlist.documents.members import mapping, text
from cutlist.documents.terraform.opentofu import EKS_MODULE, resource_of
from cutlist.infrastructure.aks.versions import support_sentence as aks_support_sentence
from cutlist.infrastructure.eks_support import support_sentence as eks_support_sentence
from cutlist.planning.built_in_signs import is_cluster_config
from cutlist.planning.inputs import PlanInputs
from cutlist.providers import eks_auto

SUPPORT: Final = "kubernetes-support"
"""The code of the note on the end of support of the cluster's Kubernetes."""
_OF_RESOURCES: Final = {
    "aws_eks_cluster": ("version",),
    EKS_MODULE: ("kubernetes_version", "cluster_version"),  # since version 21 of the module, and before
    "azurerm_kubernetes_cluster": ("kubernetes_version",),
}


@dataclass(frozen=True, slots=True)
class KnownKubernetes:
    """A minor version of Kubernetes, such as `1.34`, and what says so."""

    minor: str
    sign: str


def support_sentence(inputs: PlanInputs, minor: str) -> str:
    """Return what the calendar of the inputs' cloud means for a minor version on their day; empty where it means nothing, and
    without a day."""
    sentence_of = aks_support_sentence if is_azure(inputs.catalog) else eks_support_sentence
    return "" if inputs.day is None else sentence_of(minor, inputs.day)


def kubernetes_of(inputs: PlanInputs) -> KnownKubernetes | None:
    """Return the version of the cluster: that of Figures, of the resource of the cluster, or of its newest node; None where
    nothing says it."""
    return next(_known(inputs), None)


def support_notes(inputs: PlanInputs) -> list[Note]:
    """Return a warning if support of the cluster's Kubernetes has ended, or ends soon, as of the day of the inputs; nothing
    where either is not known."""
    known = kubernetes_of(inputs)
    sentence = "" if known is None else support_sentence(inputs, known.minor)
    return [Note(SUPPORT, f"{sentence} (the version is that of {known.sign})")] if known and sentence else []


def _known(inputs: PlanInputs) -> Iterator[KnownKubernetes]:
    figures = inputs.figures
    own = figures.aks.settings.kubernetes_version if is_azure(inputs.catalog) else figures.eks_version
    for version, sign in ((own, "your own figures"), *_of_documents(inputs.documents), (_of_nodes(inputs), "its newest node")):
        minor = ".".join(version.removeprefix("v").split(".")[:2])
        if minor:
            yield KnownKubernetes(minor, sign)


def _of_documents(documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    for document in documents:
        resource = resource_of(document)
        if resource is not None:
            type_, values = resource
            for member in _OF_RESOURCES.get(type_, ()):
                yield text(values.get(member)), str(document.place)
        elif is_cluster_config(document):
            yield text(mapping(document.data.get("metadata")).get("version")), str(document.place)


def _of_nodes(inputs: PlanInputs) -> str:
    infos = (mapping(mapping(d.data.get("status")).get("nodeInfo")) for d in inputs.documents if d.kind == "Node")
    return eks_auto.newest_version(text(info.get("kubeletVersion")) for info in infos)
