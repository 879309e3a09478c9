"""Objects of Argo CD and Flux replaced by what they take from this checkout; charts rendered by helm."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from errno import ENOENT
from fnmatch import fnmatchcase
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.notes import Notes
from cutlist.documents.argo import application as argo
from cutlist.documents.checkout import Checkout
from cutlist.documents.document import Document, Identity, identity_of
from cutlist.documents.files import STDIN_NAME, unreadable
from cutlist.documents.flux import kustomization as flux
from cutlist.documents.flux.substitution import changed
from cutlist.documents.folders import CHART_NAME, Charts, Reading
from cutlist.documents.helm import Release, render_release
from cutlist.documents.input_files import InputFile, is_below
from cutlist.documents.parts import Delivery, Files, Undelivered
from cutlist.documents.releases import APPLICATION, APPLICATION_SET, FLUX_KUSTOMIZATION, HELM_RELEASE, kind_of, render_command
from cutlist.documents.transformers import RenderedObject
from cutlist.documents.yaml import parse
from cutlist.settings.planning import HELM

Collect = Callable[[Files], tuple[Document, ...]]

NOT_RENDERED: Final = "delivery-not-rendered"
_KINDS: Final = (APPLICATION, APPLICATION_SET, HELM_RELEASE, FLUX_KUSTOMIZATION)
_OWN_GROUPS: Final = ("karpenter.sh", "karpenter.k8s.aws", "karpenter.azure.com", "eks.amazonaws.com")
_TEMPLATE: Final = re.compile(r" \(helm, release [^)]*\)$")
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_LIBRARY: Final = "library"
_DEEPEST: Final = 8
"""How far objects lead to further ones that are rendered; a chart that renders one of itself would never end."""


@dataclass(slots=True)
class Deliveries:
    """Replaces objects that stand for parts of a checkout, and those that these parts hold in turn.

    `collect` reads a folder's files. Charts that they take are added to `read`.
    """

    reading: Reading
    problems: Problems
    notes: Notes
    collect: Collect
    read: set[str]
    _seen: set[Identity] = field(default_factory=set)
    _rendered: dict[Identity, Document] = field(default_factory=dict)
    _covered: list[str] = field(default_factory=list)
    _depth: int = 0

    def replace_all(self, documents: Sequence[Document], charts: Sequence[InputFile]) -> tuple[Document, ...]:
        """Return the objects with what they and the charts render in their place.

        A file or chart below a folder that one of them takes is read through it, and not by itself.
        """
        planned = [(document, self._planned(document, documents)) for document in documents if _is_delivered(document)]
        self._render([(d, delivery) for d, delivery in planned if not _is_within(d, planned)], documents)
        for chart in charts:
            if any(is_below(chart.real, folder) for folder in self._covered):
                self.read.add(chart.path)
            else:
                self._take(self._chart(chart), documents)
        plain = [d for d in documents if identity_of(d) not in self._seen and not self._is_covered(d)]
        left_out = [d for d in documents if self._is_covered(d) and identity_of(d) not in {*self._rendered, *self._seen}]
        for document in left_out:
            self.notes.add("kustomization", _LEFT_OUT, document.place.source)
        own = {identity_of(document): document.data for document in plain}
        return (*plain, *(d for identity, d in self._rendered.items() if own.get(identity) != d.data))

    def name_local(self, documents: Iterable[Document]) -> None:
        """Note the objects that could be rendered."""
        listed = tuple(documents)
        for document in filter(_is_delivered, listed):
            checkout = _checkout_of(document)
            if checkout is not None and isinstance(_delivery(document, checkout, listed, Problems()), Delivery):
                self.notes.add(NOT_RENDERED, _WITH_OPTION, f"{document.kind} {document.name}")

    def _planned(self, document: Document, others: Sequence[Document]) -> Delivery | Undelivered:
        if document.origin is not None and document.origin.unknown:
            return Undelivered(f"{document.origin.unknown[0]} is known only after an apply")
        checkout = _checkout_of(document)
        if checkout is None:
            return Undelivered("its file is in no checkout of git")
        return _delivery(document, checkout, others, self.problems)

    def _render(self, planned: Iterable[tuple[Document, Delivery | Undelivered]], others: Sequence[Document]) -> None:
        for document, delivery in planned:
            if identity_of(document) in self._seen:
                continue
            if isinstance(delivery, Undelivered):
                if delivery.why:
                    command = render_command(document, others)
                    text = f"not rendered: {{who}}, because {delivery.why}; this renders it: {command}"
                    self.notes.add(NOT_RENDERED, text, f"{document.kind} {document.name}")
                continue
            self._seen.add(identity_of(document))
            self._covered += delivery.covered
            if delivery.revision:
                who = f"{document.kind} {document.name} ({delivery.revision})"
                self.notes.add("delivery-of-another-revision", _OF_HERE, who)
            self._take(self._objects(delivery), others)

    def _take(self, documents: Sequence[Document], others: Sequence[Document]) -> None:
        """Add what was rendered, each object once, and render what it stands for in turn."""
        for document in documents:
            identity = identity_of(document)
            earlier = self._rendered.get(identity)
            if earlier is not None and earlier.data != document.data:
                text = "made by several Applications, releases or Kustomizations, and the last one counts: {who}"
                self.notes.add("kustomized-twice", text, f"{document.kind} {document.name}")
            self._rendered[identity] = document
        together = (*others, *documents)
        inner = [(d, self._planned(d, together)) for d in documents if _is_delivered(d)]
        if inner and self._depth == _DEEPEST:
            text = f"is rendered by {_DEEPEST} others, each through the one before, and there are more"
            self.problems.add(inner[0][0].place, f"{inner[0][0].kind} {inner[0][0].name} {text}", "an end")
            return
        self._depth += 1
        self._render(inner, together)
        self._depth -= 1
        for document, _ in inner:
            if identity_of(document) in self._seen:
                self._rendered.pop(identity_of(document), None)

    def _objects(self, delivery: Delivery) -> tuple[Document, ...]:
        documents: list[Document] = []
        for part in delivery.parts:
            if isinstance(part, Release):
                place = delivery.document.place
                documents += render_release(self._with_versions(part), place, self.problems)
            else:
                documents += self.collect(part)
        return changed(_in_namespace(documents, delivery.namespace), delivery.changes, self.problems)

    def _chart(self, chart: InputFile) -> tuple[Document, ...]:
        """Return what a chart in a folder renders, under its own name, with the values of the options."""
        if _is_library(chart.path):
            self.notes.add("chart-not-rendered", "not rendered, because library charts have no objects: {who}", chart.path)
            return ()
        values = () if self.reading.charts is None else self.reading.charts.values
        missing = [
            unreadable(path, FileNotFoundError(ENOENT, os.strerror(ENOENT))) for path in values if not os.path.isfile(path)
        ]
        if missing:  # helm would fetch what looks like an address
            self.problems.extend(missing)
            self.read.add(chart.path)
            return ()
        release = self._with_versions(bare_release(chart.path, values))
        return render_release(release, Place(os.path.join(chart.path, CHART_NAME)), self.problems)

    def _with_versions(self, release: Release) -> Release:
        charts = self.reading.charts or Charts()
        kube_version = release.kube_version or charts.kube_version
        return replace(release, kube_version=kube_version, api_versions=release.api_versions or charts.api_versions)

    def _is_covered(self, document: Document) -> bool:
        real = os.path.realpath(document.place.source)
        return any(is_below(os.path.dirname(real), folder) for folder in self._covered)


def bare_release(folder: str, values: Sequence[str] = ()) -> Release:
    """Return the release of a chart that is given as a folder: it has the folder's name."""
    return Release(folder, os.path.basename(os.path.realpath(folder)), values=tuple(values))


def matching(files: Iterable[InputFile], part: Files) -> list[InputFile]:
    """Return the files of a folder whose paths below it match what is included, and nothing that is excluded."""
    return [
        file
        for file in files
        if (not part.include or _matches(os.path.relpath(file.path, part.folder), part.include))
        and not (part.exclude and _matches(os.path.relpath(file.path, part.folder), part.exclude))
    ]


_LEFT_OUT: Final = "left out, since what takes the folder around them does not name them: {who}"
_OF_HERE: Final = "rendered from the files that are checked out, although they name another revision: {who}"
_WITH_OPTION: Final = f"not rendered, although their charts are in this checkout; {HELM.flag} renders them: {{who}}"


def _delivery(document: Document, checkout: Checkout, others: Sequence[Document], problems: Problems) -> Delivery | Undelivered:
    kind = kind_of(document)
    if kind == APPLICATION:
        return argo.application(document, checkout, problems)
    if kind == HELM_RELEASE:
        return flux.helm_release(document, checkout, others, problems)
    if kind == FLUX_KUSTOMIZATION:
        return flux.kustomization(document, checkout, others, problems)
    return Undelivered("only Argo CD knows what its generators give")


def _is_delivered(document: Document) -> bool:
    return kind_of(document) in _KINDS


def _is_within(document: Document, planned: Iterable[tuple[Document, Delivery | Undelivered]]) -> bool:
    """Tell whether another object's folder holds the file of an object, and not the other way round."""
    folder = os.path.dirname(os.path.realpath(document.place.source))
    own: tuple[str, ...] = ()
    around: list[Document] = []
    for other, delivery in planned:
        covered = () if isinstance(delivery, Undelivered) else delivery.covered
        if other is document:
            own = covered
        elif any(is_below(folder, real) for real in covered):
            around.append(other)
    folders = (os.path.dirname(os.path.realpath(other.place.source)) for other in around)
    return any(not any(is_below(real, mine) for mine in own) for real in folders)


def _checkout_of(document: Document) -> Checkout | None:
    source = _TEMPLATE.sub("", document.place.source)
    return Checkout.around("." if source == STDIN_NAME else source)


def _in_namespace(documents: Iterable[Document], namespace: str) -> list[Document]:
    """Return objects with the namespace that their deployment sets, if they have none of their own."""
    if not namespace:
        return list(documents)
    resources = [RenderedObject.of(document) for document in documents]
    for resource in resources:
        if not resource.namespace and not resource.is_cluster_wide and resource.group not in _OWN_GROUPS:
            resource.metadata["namespace"] = namespace
    return [resource.finished() for resource in resources]


def _matches(path: str, pattern: str) -> bool:
    braces = _BRACES.search(pattern)
    if braces is None:
        return fnmatchcase(path, pattern)
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return any(_matches(path, f"{before}{choice}{after}") for choice in braces[1].split(","))


def _is_library(folder: str) -> bool:
    try:
        with open(os.path.join(folder, CHART_NAME), encoding="utf-8") as file:
            parsed = list(parse(file.read(2**20), CHART_NAME, Problems()))
    except (OSError, UnicodeDecodeError):
        return False
    return any(isinstance(p.value, dict) and p.value.get("type") == _LIBRARY for p in parsed)
