"""Applications of Argo CD: the charts, kustomizations and folders of a checkout that they deploy."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.checkout import Checkout
from cutlist.documents.document import Document
from cutlist.documents.folders import KUSTOMIZATION_NAMES
from cutlist.documents.helm import Release
from cutlist.documents.parsing import parse_values
from cutlist.documents.parts import (
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

_KUSTOMIZE_IDLE: Final = frozenset(("images", "version", "forceCommonLabels", "forceCommonAnnotations", "commonAnnotations"))
"""Members of `kustomize` on which no plan depends."""
_COMMA: Final = re.compile(r"(?<!\\),")


@dataclass(frozen=True, slots=True)
class _Source:
    """A source of an Application that is in the checkout: its path in the object, and its folder."""

    document: Document
    at: str
    data: Manifest
    folder: str
    checkout: Checkout


def application(document: Document, checkout: Checkout, problems: Problems) -> Delivery | Undelivered:
    """Return what an Application takes from a checkout, or why it is not rendered; mistakes are added to `problems`."""
    spec = mapping(document.data.get("spec"))
    namespace = text(mapping(spec.get("destination")).get("namespace"))
    before, parts = len(problems.found), list[Release | Files]()
    sources = dict(_sources(spec))
    for at, source in sources.items():
        is_of_values = bool(source.get("ref")) and not (source.get("path") or source.get("chart"))
        if is_of_values:
            continue
        if source.get("chart") or not checkout.is_of(text(source.get("repoURL"))):
            return Undelivered(f"{text(source.get('repoURL')) or at} is not the repository of this checkout")
        folder = folder_at(text(source.get("path")) or ".", checkout, document.at(f"{at}.path"), problems)
        if folder is None:
            continue
        part = _part(_Source(document, at, source, folder, checkout), namespace, list(sources.values()), problems)
        if isinstance(part, Undelivered):
            return part
        parts.append(part)
    if len(problems.found) > before:
        return Undelivered()
    if not parts:
        return Undelivered("it has no source")
    revisions = (checkout.unless_here(text(source.get("targetRevision"))) for source in sources.values())
    return Delivery(document, tuple(parts), namespace, revision=next(filter(None, revisions), ""))


def _sources(spec: Manifest) -> Iterator[tuple[str, Manifest]]:
    if entries(spec.get("sources")):
        yield from ((f"spec.sources[{index}]", mapping(source)) for index, source in enumerate(entries(spec.get("sources"))))
    elif mapping(spec.get("source")):
        yield "spec.source", mapping(spec.get("source"))


def _part(source: _Source, namespace: str, others: list[Manifest], problems: Problems) -> Release | Files | Undelivered:
    """Return what a source is: what it says itself, else what its folder holds."""
    data = source.data
    if "plugin" in data:
        return Undelivered(f"only Argo CD applies {source.at}.plugin")
    is_plain = bool(data.get("directory"))
    if data.get("helm") or (not is_plain and not data.get("kustomize") and is_chart(source.folder)):
        return _release(source, namespace, others, problems)
    has_kustomization = any(os.path.isfile(os.path.join(source.folder, name)) for name in KUSTOMIZATION_NAMES)
    if has_kustomization and not is_plain:
        left = sorted(name for name, value in mapping(data.get("kustomize")).items() if value and name not in _KUSTOMIZE_IDLE)
        return Undelivered(f"only Argo CD applies {source.at}.kustomize.{left[0]}") if left else Files(source.folder)
    directory = mapping(data.get("directory"))
    if any(mapping(directory.get("jsonnet")).values()) or _has_jsonnet(source.folder):
        return Undelivered(f"{source.folder} has Jsonnet, which only Argo CD renders")
    recursive = directory.get("recurse") is True
    return Files(source.folder, recursive, text(directory.get("include")), text(directory.get("exclude")))


def _has_jsonnet(folder: str) -> bool:
    try:
        return any(name.endswith((".jsonnet", ".libsonnet")) for name in os.listdir(folder))
    except OSError:  # reported where the folder is read
        return False


def _release(source: _Source, namespace: str, others: list[Manifest], problems: Problems) -> Release | Undelivered:
    helm, document, at = mapping(source.data.get("helm")), source.document, f"{source.at}.helm"
    values: list[str | Manifest] = []
    for index, name in enumerate(entries(helm.get("valueFiles"))):
        path = _value_path(str(name), source, others)
        if path is None:
            return Undelivered(f"{at}.valueFiles[{index}] {name} is not in this checkout")
        is_optional = helm.get("ignoreMissingValueFiles") is True
        file = file_at(path, source.checkout, document.at(f"{at}.valueFiles[{index}]"), Problems() if is_optional else problems)
        values += [] if file is None else [file]
    values += _inline_values(helm, document, at, problems)
    return Release(
        source.folder,
        text(helm.get("releaseName")) or document.name,
        text(helm.get("namespace")) or namespace,
        tuple(values),
        tuple(_parameters(helm, source, problems)),
        helm.get("skipCrds") is not True,
        text(helm.get("kubeVersion")),
        tuple(version for version in entries(helm.get("apiVersions")) if isinstance(version, str)),
    )


def _value_path(name: str, source: _Source, others: list[Manifest]) -> str | None:
    """Return the path of a file of values from the root of the checkout; None where it is elsewhere."""
    if "://" in name:
        return None
    if name.startswith("$"):
        reference, _, rest = name[1:].partition("/")
        named = next((other for other in others if other.get("ref") == reference), {})
        return rest if source.checkout.is_of(text(named.get("repoURL"))) else None
    if name.startswith("/"):
        return name
    return os.path.join(text(source.data.get("path")), name)


def _inline_values(helm: Manifest, document: Document, at: str, problems: Problems) -> list[Manifest]:
    """Return the values that an Application has itself: an object, else a text of YAML."""
    written = helm.get("valuesObject")
    if written is None and text(helm.get("values")).strip():
        own = Problems()
        parsed = [value for value in parse_values(helm["values"], document.place.source, own) if value is not None]
        at, written = f"{at}.values", parsed[0] if len(parsed) == 1 and not own else helm["values"]
    if written is None:
        return []
    if not isinstance(written, dict):
        problems.add(document.at(at), "holds no values", "a mapping in YAML")
        return []
    return [written]


def _parameters(helm: Manifest, source: _Source, problems: Problems) -> Iterator[tuple[str, str]]:
    """Yield the options of the parameters. Commas in a value are its own, unless it is a list in braces."""
    for parameter in map(mapping, entries(helm.get("parameters"))):
        option = "--set-string" if parameter.get("forceString") is True else "--set"
        yield option, f"{parameter.get('name')}={_escaped(_plain(parameter.get('value')))}"
    for index, parameter in enumerate(map(mapping, entries(helm.get("fileParameters")))):
        path = os.path.join(text(source.data.get("path")), text(parameter.get("path")))
        place = source.document.at(f"{source.at}.helm.fileParameters[{index}]")
        file = file_at(path, source.checkout, place, problems)
        if file is not None:
            yield "--set-file", f"{parameter.get('name')}={_escaped(file)}"


def _plain(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _escaped(value: str) -> str:
    return value if value.startswith("{") and value.endswith("}") else _COMMA.sub(r"\\,", value)
