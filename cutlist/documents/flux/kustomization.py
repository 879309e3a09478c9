"""Releases and Kustomizations of Flux: the charts and folders of a checkout that they deploy, and what Flux changes in them."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.secrecy import leaf_texts
from cutlist.documents.checkout import Checkout
from cutlist.documents.document import Document, merged
from cutlist.documents.folders import KUSTOMIZATION_NAMES
from cutlist.documents.helm import Release
from cutlist.documents.parsing import parse_values
from cutlist.documents.parts import (
    Changes,
    Delivery,
    Files,
    Manifest,
    Undelivered,
    entries,
    file_at,
    folder_at,
    is_chart,
    mapping,
    text,
)

_GIT: Final = "GitRepository"
_LEFT_TO_FLUX: Final = (
    *("patches", "patchesStrategicMerge", "patchesJson6902", "components", "namePrefix", "nameSuffix"),
    "kubeConfig",
)
_REVISIONS: Final = ("commit", "name", "semver", "tag", "branch")
"""The members that name a revision, the strongest first."""
_OWN_VALUES: Final = "values.yaml"


class _Missing(Exception):
    """Something that an object refers to is not here, or is left to Flux; the text says what."""


def helm_release(
    document: Document, checkout: Checkout, others: Iterable[Document], problems: Problems
) -> Delivery | Undelivered:
    """Return the chart that a HelmRelease installs from a checkout, or why it is not rendered."""
    try:
        return _of_release(document, checkout, tuple(others), problems)
    except _Missing as error:
        return Undelivered(str(error))


def kustomization(
    document: Document, checkout: Checkout, others: Iterable[Document], problems: Problems
) -> Delivery | Undelivered:
    """Return the folder that a Kustomization of Flux applies from a checkout, or why it is not rendered."""
    try:
        return _of_kustomization(document, checkout, tuple(others), problems)
    except _Missing as error:
        return Undelivered(str(error))


def _of_release(
    document: Document, checkout: Checkout, others: tuple[Document, ...], problems: Problems
) -> Delivery | Undelivered:
    spec = mapping(document.data.get("spec"))
    chart = mapping(mapping(spec.get("chart")).get("spec"))
    revision = _source(document, mapping(chart.get("sourceRef")) or mapping(spec.get("chartRef")), checkout, others)
    _refuse(spec, ("postRenderers", "kubeConfig"))
    place = document.at("spec.chart.spec.chart")
    folder = folder_at(text(chart.get("chart")), checkout, place, problems)
    if folder is None:
        return Undelivered()
    if not is_chart(folder):
        problems.add(place, f"{folder} holds no chart", "a folder with a Chart.yaml")
        return Undelivered()
    files = _value_files(document, chart, folder, checkout, problems)
    if files is None:
        return Undelivered()
    values = _values(document, spec, others, problems)
    target = text(spec.get("targetNamespace"))
    namespace = target or _namespace(document)
    name = text(spec.get("releaseName")) or "-".join(filter(None, (target, document.name)))
    has_definitions = mapping(spec.get("install")).get("crds") != "Skip"
    release = Release(folder, name, namespace, (*files, *values), definitions=has_definitions)
    return Delivery(document, (release,), namespace, revision=revision)


def _of_kustomization(
    document: Document, checkout: Checkout, others: tuple[Document, ...], problems: Problems
) -> Delivery | Undelivered:
    spec = mapping(document.data.get("spec"))
    revision = _source(document, mapping(spec.get("sourceRef")), checkout, others)
    _refuse(spec, _LEFT_TO_FLUX)
    folder = folder_at(text(spec.get("path")) or ".", checkout, document.at("spec.path"), problems)
    if folder is None:
        return Undelivered()
    variables = _variables(document, mapping(spec.get("postBuild")), others, problems)
    metadata = mapping(spec.get("commonMetadata"))
    changes = Changes(
        text(spec.get("targetNamespace")), mapping(metadata.get("labels")), mapping(metadata.get("annotations")), variables
    )
    has_kustomization = any(os.path.isfile(os.path.join(folder, name)) for name in KUSTOMIZATION_NAMES)
    return Delivery(document, (Files(folder, recursive=not has_kustomization),), "", changes, revision)


def _refuse(spec: Manifest, members: Iterable[str]) -> None:
    """Raise _Missing for the first member that changes what is deployed in a way that only Flux knows."""
    member = next((member for member in members if spec.get(member)), "")
    if member:
        raise _Missing(f"only Flux applies spec.{member}")


def _source(document: Document, reference: Manifest, checkout: Checkout, others: tuple[Document, ...]) -> str:
    """Return the revision of an object's source, if another is checked out. Raises _Missing if it is not this checkout."""
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind != _GIT:
        raise _Missing(f"its source {kind} {name} is fetched" if kind else "it names no source")
    source = _named(kind, name, text(reference.get("namespace")) or _namespace(document), others)
    if source is None:
        raise _Missing(f"{kind} {name}, its source, is not in the input")
    spec = mapping(source.get("spec"))
    address, ref = text(spec.get("url")), mapping(spec.get("ref"))
    if not checkout.is_of(address):
        raise _Missing(f"{address} is not the repository of this checkout")
    revision = next((text(ref.get(member)) for member in _REVISIONS if ref.get(member)), "")
    return checkout.unless_here(revision) if revision else ""


def _named(kind: str, name: str, namespace: str, others: tuple[Document, ...]) -> Mapping[str, Any] | None:
    """Return an object by kind, name and namespace; one without a namespace counts as being in the same one."""
    alike = (d for d in others if (d.kind, d.name) == (kind, name) and _namespace(d) in ("", namespace))
    return next((d.data for d in alike), None)


def _namespace(document: Document) -> str:
    return text(mapping(document.data.get("metadata")).get("namespace"))


def _value_files(document: Document, chart: Manifest, folder: str, checkout: Checkout, problems: Problems) -> list[str] | None:
    """Return the files that Flux takes as the chart's values, in place of its own, or None, with a problem added, if one does
    not exist. Raises _Missing unless they begin with the chart's own, which helm always takes first."""
    files: list[str | None] = []
    for index, name in enumerate(entries(chart.get("valuesFiles"))):
        files.append(file_at(str(name), checkout, document.at(f"spec.chart.spec.valuesFiles[{index}]"), problems))
    known, own = [file for file in files if file is not None], os.path.join(folder, _OWN_VALUES)
    if len(known) < len(files):
        return None
    if known and os.path.exists(own) and not os.path.samefile(known[0], own):
        raise _Missing("spec.chart.spec.valuesFiles takes the place of the chart's own values, which only Flux does")
    return known


def _values(document: Document, spec: Manifest, others: tuple[Document, ...], problems: Problems) -> list[Manifest]:
    """Return the values of ConfigMaps and Secrets in their order, then those that the release has itself."""
    values: dict[str, Any] = {}
    for index, reference in enumerate(map(mapping, entries(spec.get("valuesFrom")))):
        at = f"spec.valuesFrom[{index}]"
        if reference.get("targetPath"):
            raise _Missing(f"only Flux applies {at}.targetPath")
        data = _data(document, reference, at, others)
        key = text(reference.get("valuesKey")) or _OWN_VALUES
        if data is None or (key not in data and reference.get("optional") is True):
            continue
        if key not in data:
            raise _Missing(f"{at} has no key {key}")
        for value in parse_values(data[key], document.place.source):
            _keep_secret(reference, leaf_texts(value), problems)
            values = merged(values, mapping(value))
    values = merged(values, mapping(spec.get("values")))
    return [values] if values else []


def _variables(
    document: Document, post_build: Manifest, others: tuple[Document, ...], problems: Problems
) -> Mapping[str, str] | None:
    """Return the variables that Flux substitutes, or None if it substitutes nothing."""
    if not post_build:
        return None
    variables: dict[str, str] = {}
    for index, reference in enumerate(map(mapping, entries(post_build.get("substituteFrom")))):
        data = _data(document, reference, f"spec.postBuild.substituteFrom[{index}]", others) or {}
        _keep_secret(reference, data.values(), problems)
        variables |= data
    own = mapping(post_build.get("substitute"))
    return variables | {str(name): str(value) for name, value in own.items()}


def _keep_secret(reference: Manifest, texts: Iterable[str], problems: Problems) -> None:
    """Keep the texts of a Secret out of messages: they are base64 there, but may appear elsewhere in plain text."""
    if reference.get("kind") == "Secret":
        problems.inputs.append({"secret": list(texts)})


def _data(document: Document, reference: Manifest, at: str, others: tuple[Document, ...]) -> dict[str, str] | None:
    """Return the texts of a ConfigMap or Secret, or None for a missing one that is optional.

    Raises _Missing for one that is not in the input, or whose texts are encrypted.
    """
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    source = _named(kind, name, _namespace(document), others)
    if source is None:
        if reference.get("optional") is True:
            return None
        raise _Missing(f"{kind} {name}, which {at} names, is not in the input")
    if "sops" in source:
        raise _Missing(f"{kind} {name}, which {at} names, is encrypted")
    data = {str(key): text(value) for key, value in mapping(source.get("data")).items()}
    if kind == "Secret":
        try:
            data = {key: base64.b64decode(value, validate=True).decode() for key, value in data.items()}
        except (binascii.Error, UnicodeDecodeError):
            raise _Missing(f"{kind} {name}, which {at} names, is not in base64") from None
        data |= {str(key): text(value) for key, value in mapping(source.get("stringData")).items()}
    return data
