"""Objects that another tool renders: releases of Flux and applications of Argo CD, and the command for each."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

from cutlist.documents.delivery.argo.elsewhere import ELSEWHERE, PULL_REQUESTS, kinds_elsewhere
from cutlist.documents.document import Document
from cutlist.documents.members import Manifest, mapping
from cutlist.settings.planning import FETCH, HELM

BY_FETCHING: Final = f"cutlist plan -f FILES {HELM.flag} {FETCH.flag}"
"""The command that fetches what is elsewhere, where it is not known which files are read."""
_ITSELF: Final = "cutlist "

Kind = tuple[str, str]  # API group, kind

HELM_RELEASE: Final[Kind] = ("helm.toolkit.fluxcd.io", "HelmRelease")
FLUX_KUSTOMIZATION: Final[Kind] = ("kustomize.toolkit.fluxcd.io", "Kustomization")
APPLICATION: Final[Kind] = ("argoproj.io", "Application")
APPLICATION_SET: Final[Kind] = ("argoproj.io", "ApplicationSet")
DELIVERED: Final = ("HelmRelease", "Kustomization", "Application", "ApplicationSet")
"""The names of these kinds."""
NOT_RENDERED: Final = "delivery-not-rendered"
"""The code of notes on such objects that are not rendered."""
WAITS: Final = "it waits for the"
"""How the reason begins for an object that is not rendered because another is not."""
_OF_CHARTS: Final = ("HelmRepository", "OCIRepository")
_SHOWN: Final = 3


def kind_of(document: Document) -> Kind:
    """Return API group and kind of an object."""
    return document.api_version.rpartition("/")[0], document.kind


def is_of_flux(document: Document) -> bool:
    """Tell whether an object is a Kustomization of Flux."""
    return kind_of(document) == FLUX_KUSTOMIZATION


def applied_path(document: Document) -> str:
    """Return the folder that a Kustomization of Flux applies, from the root of its source; empty for the root itself."""
    path = os.path.normpath(str(mapping(document.data.get("spec")).get("path") or os.curdir)).lstrip(os.sep)
    return "" if path == os.curdir else path


def is_patched(document: Document) -> bool:
    """Tell whether an object is a Kustomization of Flux with patches, which only kustomize applies."""
    return is_of_flux(document) and bool(mapping(document.data.get("spec")).get("patches"))


def render_command(document: Document, others: Iterable[Document], by_fetching: str = BY_FETCHING) -> str:
    """Return the command that renders what an object stands for; empty for other kinds, and where no command can know it.

    Where the source of a chart is known, that is `by_fetching`: Cutlist itself, which fetches it and knows its values. The
    source is looked up among the other objects; if it is not there, a word in angle brackets replaces its address.
    """
    kind, spec = kind_of(document), mapping(document.data.get("spec"))
    if kind == HELM_RELEASE:
        return _of_release(document, spec, others, by_fetching)
    if kind == FLUX_KUSTOMIZATION:
        path = str(spec.get("path") or ".")
        file = "<its file>" if " " in document.place.source else document.place.source
        return f"flux build kustomization {document.name} --path {path} --kustomization-file {file} --dry-run"
    if kind == APPLICATION:
        return _of_application(document, spec, by_fetching)
    is_known = kind == APPLICATION_SET and PULL_REQUESTS not in kinds_elsewhere(spec.get("generators"))
    return f"argocd appset generate {document.place.source}" if is_known else ""


def command_of(document: Document, others: Iterable[Document]) -> str:
    """Return the command that renders what an object stands for, as it was found where the object was read."""
    return render_command(document, others) if document.unrendered is None else document.unrendered.command


def planned_by(command: str) -> str:
    """Return the command that plans what a command renders: Cutlist itself, if that is the one."""
    return command if command.startswith(_ITSELF) else f"{command} | cutlist plan -f -"


def why_no_command(document: Document) -> str:
    """Return why no command renders what an object stands for; empty if one does, and for other kinds."""
    if kind_of(document) != APPLICATION_SET:
        return ""
    found = kinds_elsewhere(mapping(document.data.get("spec")).get("generators"))
    return ELSEWHERE[PULL_REQUESTS] if PULL_REQUESTS in found else ""


def rendering_commands(documents: Iterable[Document]) -> str:
    """Return the commands that render what objects stand for, in brackets; empty if no object is of these kinds. Used in
    messages that there is nothing else to judge.
    """
    named = rendered_by(documents)
    return f" ({named})" if named else ""


def rendered_by(documents: Iterable[Document]) -> str:
    """Return the commands that render what objects stand for, as a sentence; empty if no object is of these kinds."""
    listed = tuple(documents)
    commands = (command_of(document, listed) for document in listed if document.kind in DELIVERED)
    named = list(dict.fromkeys(filter(None, commands)))
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    return f"what they stand for is rendered by: {'; '.join(named[:_SHOWN])}{more}" if named else ""


def _of_release(document: Document, spec: Manifest, others: Iterable[Document], by_fetching: str) -> str:
    chart = mapping(mapping(spec.get("chart")).get("spec"))
    reference = mapping(chart.get("sourceRef")) or mapping(spec.get("chartRef"))
    source = _source(reference, others)
    if source.get("url") and reference.get("kind") in _OF_CHARTS:
        return by_fetching
    named = " ".join(filter(None, (str(reference.get("kind") or "its source"), str(reference.get("name") or ""))))
    name = str(chart.get("chart") or "")
    where = [name or "<its chart>", "--repo", f"<address of {named}>"]
    if reference.get("kind") == "GitRepository":
        where = [name]
    version = chart.get("version") or mapping(source.get("ref")).get("tag")
    return _helm(spec.get("releaseName") or document.name, where, version, _namespace(document, spec), values="values" in spec)


def _of_application(document: Document, spec: Manifest, by_fetching: str) -> str:
    sources = spec.get("sources")
    source = mapping(spec.get("source")) or mapping(next(iter(sources), None) if isinstance(sources, list) else None)
    return by_fetching if source.get("chart") else f"argocd app manifests {document.name} --source git"


def _helm(release: Any, where: list[str], version: Any, namespace: Any, *, values: bool) -> str:
    words = ["helm template", str(release), *where]
    words += ["--version", str(version)] if version else []
    words += ["--namespace", str(namespace)] if namespace else []
    words += ["-f", "<its values>"] if values else []
    return " ".join(words)


def _namespace(document: Document, spec: Manifest) -> Any:
    return spec.get("targetNamespace") or mapping(document.data.get("metadata")).get("namespace")


def _source(reference: Manifest, others: Iterable[Document]) -> Manifest:
    named = (reference.get("kind"), reference.get("name"))
    sources = (mapping(d.data.get("spec")) for d in others if (d.kind, d.name) == named)
    return next(sources, {})
