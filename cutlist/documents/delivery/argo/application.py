"""Applications of Argo CD: the charts, kustomizations and folders of a checkout that they deploy."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from cutlist.core.errors import Problems
from cutlist.documents.delivery.argo.chart import release
from cutlist.documents.delivery.argo.directory import JSONNET, files_of
from cutlist.documents.delivery.argo.hooks import synced
from cutlist.documents.delivery.argo.kustomize import ArgoOverlay
from cutlist.documents.delivery.argo.sources import Repositories, Source, held_by, is_here, overridden, sources_of, tool_of
from cutlist.documents.delivery.argo.types import wrong_types
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import NotFetched
from cutlist.documents.delivery.parts import Build, Delivery, Part, PlainFiles, Undelivered, folder_at, is_chart
from cutlist.documents.document import Document
from cutlist.documents.folders import KUSTOMIZATION_NAMES, Reading
from cutlist.documents.kustomize.rendering import LEFT_TO_KUSTOMIZE
from cutlist.documents.members import Manifest, mapping, text
from cutlist.documents.namespaces import in_namespace
from cutlist.settings.planning import KUSTOMIZE

_CONFIGURATION: Final = ("ConfigMap", "argocd-cm")
_BUILD_OPTIONS: Final = "kustomize.buildOptions"
_WITH_VALUE: Final = ("--load-restrictor", "--reorder")
_WITHOUT_VALUE: Final = ("--enable-helm",)
"""The options of kustomize that change only what it makes."""


def application(
    document: Document, checkout: Checkout, others: Iterable[Document], reading: Reading, problems: Problems
) -> Delivery | Undelivered:
    """Return what an Application takes from a checkout, or why it is not rendered; mistakes are added to `problems`."""
    spec = mapping(document.data.get("spec"))
    namespace = text(mapping(spec.get("destination")).get("namespace"))
    before, parts = len(problems.found), list[Part]()
    for path, allowed in wrong_types(document.data):
        problems.add(document.at(path), "has a type that Argo CD refuses", allowed)
    if len(problems.found) > before:
        return Undelivered()
    sources = dict(sources_of(spec))
    repositories = Repositories(tuple(sources.values()), checkout, reading.fetcher)
    for at, source in sources.items():
        # Such a source only gives its name to files of values; it deploys nothing.
        is_of_values = bool(source.get("ref")) and not (source.get("path") or source.get("chart"))
        if is_of_values:
            continue
        try:
            held = held_by(source, checkout, reading.fetcher)
        except NotFetched as error:
            return Undelivered.of(error)
        path = "." if source.get("chart") else text(source.get("path")) or "."
        folder = folder_at(path, held, document.at(f"{at}.path"), problems)
        if folder is None:
            continue
        data = overridden(source, folder, document.name, problems)
        own = Source(document, at, data, folder, held, repositories)
        part = _part(own, namespace, others, reading, problems)
        if isinstance(part, Undelivered):
            return part
        parts.append(part)
    if len(problems.found) > before:
        return Undelivered()
    if not parts:
        return Undelivered("it has no source")
    # What was fetched has the revision that was asked for; only the checkout may be at another one.
    here = (source for source in sources.values() if is_here(source, checkout))
    revisions = (checkout.unless_here(text(source.get("targetRevision"))) for source in here)
    steps = (synced, partial(in_namespace, namespace))
    return Delivery(document, tuple(parts), steps, next(filter(None, revisions), ""))


def _part(
    source: Source, namespace: str, others: Iterable[Document], reading: Reading, problems: Problems
) -> Part | Undelivered:
    """Return what a source is: what it says itself, else what its folder holds."""  # GO-33
    try:
        tool = tool_of(source.data) or _found(source.folder)
    except ValueError as error:
        problems.add(source.document.at(source.at), str(error), "one of them")
        return Undelivered()
    if tool == "plugin":
        return Undelivered(f"only Argo CD applies {source.at}.plugin")
    if tool == "helm":
        return release(source, namespace, problems)
    if tool == "kustomize":
        return _built(source, others, reading)
    directory = mapping(source.data.get("directory"))
    files = PlainFiles(
        source.folder, directory.get("recurse") is True, text(directory.get("include")), text(directory.get("exclude"))
    )
    # One such file is enough: without it the other objects would be a part of the Application only.
    if any(files_of(files, JSONNET)):
        return Undelivered(f"{source.folder} has Jsonnet, which only Argo CD renders")
    return files


def _found(folder: str) -> str:
    """Return what renders a folder, by what it holds."""
    if is_chart(folder):
        return "helm"
    # A chart wins over a kustomization in the same folder (GO-33).
    return "kustomize" if any(os.path.isfile(os.path.join(folder, name)) for name in KUSTOMIZATION_NAMES) else ""


def _built(source: Source, others: Iterable[Document], reading: Reading) -> Build | Undelivered:
    settings = mapping(source.data.get("kustomize"))
    left = sorted(name for name in LEFT_TO_KUSTOMIZE if settings.get(name))
    if left and not reading.kustomize:
        return Undelivered(f"only kustomize applies {source.at}.kustomize.{left[0]}, and {KUSTOMIZE.flag} runs it")
    overlay = ArgoOverlay(settings, source.environment)
    # From the objects beside it: the ConfigMap is Argo CD's own, not the Application's (GO-37).
    options = _build_options(others)
    return Build(source.checkout, source.folder, None if overlay.is_empty else overlay, options=options)


def _build_options(others: Iterable[Document]) -> tuple[str, ...]:
    """Return the options with which Argo CD runs kustomize, if its configuration is among the objects.

    Those that start programs or write files are left out: the configuration may be part of a change that is judged.
    """  # FE-17
    configurations: Sequence[Manifest] = [mapping(d.data.get("data")) for d in others if (d.kind, d.name) == _CONFIGURATION]
    words = [word for data in configurations for word in text(data.get(_BUILD_OPTIONS)).split()]
    allowed: list[str] = []
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word.partition("=")[0] in _WITH_VALUE:
            allowed += [word] if "=" in word else [word, following]
        elif word in _WITHOUT_VALUE:
            allowed.append(word)
    return tuple(allowed)
