"""HelmReleases of Flux: the chart of a checkout that they install, its values, and what happens to its objects."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from cutlist.core.errors import Problems
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import NotFetched
from cutlist.documents.delivery.flux.post_renderers import post_rendered
from cutlist.documents.delivery.flux.sources import ARTIFACT, GIT, Missing, Source, chart_of, named, namespace_of, source_of
from cutlist.documents.delivery.flux.values import DEFAULT_KEY, Values, merged_files, values_of
from cutlist.documents.delivery.helm import Release
from cutlist.documents.delivery.parts import ChartOfSource, Delivery, Undelivered, file_at, folder_at, is_chart
from cutlist.documents.delivery.releases import WAITS
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.documents.folders import Reading
from cutlist.documents.members import Manifest, entries, mapping, text
from cutlist.documents.namespaces import in_namespace
from cutlist.settings.planning import KUSTOMIZE

PROGRAMS: Final = ("helm4", "helm")
"""Flux renders with Helm 4."""
_LONGEST_NAME: Final = 53
_KEPT_OF_NAME: Final = 40
_HASH: Final = 12
_HELM_CHART: Final = "HelmChart"


def helm_release(
    document: Document, checkout: Checkout, others: Iterable[Document], reading: Reading, problems: Problems
) -> Delivery | Undelivered:
    """Return the chart that a HelmRelease installs from a checkout, or why it is not rendered."""
    try:
        return _delivery(document, checkout, tuple(others), reading, problems)
    except Missing as error:
        return Undelivered(str(error))
    except NotFetched as error:
        return Undelivered.of(error)


def _delivery(
    document: Document, checkout: Checkout, others: tuple[Document, ...], reading: Reading, problems: Problems
) -> Delivery | Undelivered:
    spec = mapping(document.data.get("spec"))
    reason = _not_now(document, spec, others)
    if reason:
        return Undelivered(reason)
    # A chart may be described by another object, and then mistakes in it are that object's.
    holder, chart = _chart(document, spec, others)
    reference = mapping(chart.get("sourceRef")) or mapping(spec.get("chartRef"))
    place = document.at("spec.chart.spec.chart") if holder is document else holder.at("spec.chart")
    fetched = chart_of(holder, chart, reference, others, reading.fetcher)
    source = source_of(holder, reference, checkout, others, reading.fetcher) if fetched is None else Source(fetched)
    checkout = source.checkout
    folder = folder_at(text(chart.get("chart")), checkout, place, problems) if fetched is None else fetched.root
    if folder is None:
        return Undelivered()
    if not is_chart(folder):
        problems.add(place, f"{folder} holds no chart", "a folder with a Chart.yaml")
        return Undelivered()
    install, renderers = mapping(spec.get("install")), _renderers(spec, reading)
    own_values = _own_values(holder, chart, checkout, problems)
    values = values_of(document, spec, others, problems)
    target = text(spec.get("targetNamespace"))
    namespace = target or namespace_of(document)
    release = Release(
        folder,
        _shortened(text(spec.get("releaseName")) or "-".join(filter(None, (target, document.name)))),
        namespace,
        (values,) if values else (),
        definitions=install.get("crds") != "Skip",
        own_values=own_values,
        hooks=install.get("disableHooks") is not True,
        checks_values=install.get("disableSchemaValidation") is not True,
        programs=PROGRAMS,
        root=checkout.root,
    )
    strategy = text(spec.get("postRenderStrategy"))
    rendered = [partial(post_rendered, renderers, strategy, reading, document.place)] if renderers else []
    part = ChartOfSource(release, checkout, source.ignore) if fetched is None else release
    return Delivery(document, (part,), (*rendered, partial(in_namespace, namespace)), source.revision)


def _not_now(document: Document, spec: Manifest, others: Sequence[Document]) -> str:
    """Return why Flux does not install a release in this cluster now; empty if it does."""  # GO-21
    if spec.get("suspend") is True:
        return "it is suspended"
    if spec.get("kubeConfig"):
        return "it is for another cluster, which spec.kubeConfig names"
    for need in map(mapping, entries(spec.get("dependsOn"))):
        name, namespace = text(need.get("name")), text(need.get("namespace")) or namespace_of(document)
        if named("HelmRelease", name, namespace, others) is None:
            return f"{WAITS} HelmRelease {name}, which is not in the input"
    return ""


def _chart(document: Document, spec: Manifest, others: Iterable[Document]) -> tuple[Document, Manifest]:
    """Return the object that describes the chart of a release, and how it does. Raises Missing."""  # GO-22
    reference = mapping(spec.get("chartRef"))
    if not reference:
        return document, mapping(mapping(spec.get("chart")).get("spec"))
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind == ARTIFACT:
        return document, {}
    if kind != _HELM_CHART:
        raise Missing(f"its source {kind} {name} is fetched" if kind != GIT else f"a chart is no {GIT}")
    namespace = text(reference.get("namespace")) or namespace_of(document)
    alike = (d for d in others if (d.kind, d.name) == (kind, name) and namespace_of(d) in ("", namespace))
    found = next(alike, None)
    if found is None:
        raise Missing(f"{kind} {name}, its chart, is not in the input")
    return found, mapping(found.data.get("spec"))


def _own_values(holder: Document, chart: Manifest, checkout: Checkout, problems: Problems) -> Values | None:
    """Return the values that files put in the place of the chart's own, or None where these stay. Raises Missing."""  # GO-23
    names = [str(name) for name in entries(chart.get("valuesFiles"))]
    # Naming only the chart's own file changes nothing (GO-23).
    if not names or list(map(os.path.normpath, names)) == [DEFAULT_KEY]:
        return None
    is_lenient = chart.get("ignoreMissingValuesFiles") is True
    texts: list[tuple[str, str]] = []
    for index, name in enumerate(names):
        # Missing says the same below, in the words of the release.
        file = file_at(name, checkout, holder.at(f"spec.valuesFiles[{index}]"), Problems())
        if file is None and not is_lenient:
            raise Missing(f"{name} of its valuesFiles is not in this checkout")
        content = None if file is None else file_text(file, problems)
        texts += [] if content is None else [(name, content)]
    return merged_files(texts)


def _renderers(spec: Manifest, reading: Reading) -> list[Manifest]:
    """Return what kustomize does with the objects of a release, one after the other. Raises Missing."""
    renderers = [mapping(mapping(renderer).get("kustomize")) for renderer in entries(spec.get("postRenderers"))]
    changing = [r for r in renderers if any(value for member, value in r.items() if member != "images")]
    if changing and not reading.kustomize:
        raise Missing(f"only kustomize applies spec.postRenderers, and {KUSTOMIZE.flag} runs it")
    return changing


def _shortened(name: str) -> str:
    """Return the name of a release as Helm stores it: a long one ends in its hash."""  # GO-26
    if len(name) <= _LONGEST_NAME:
        return name
    # Flux's own form of a long name: 40 characters, a dash and 12 of the hash.
    return f"{name[:_KEPT_OF_NAME]}-{hashlib.sha256(name.encode()).hexdigest()[:_HASH]}"
