"""Charts of an Application: which release Argo CD renders, with which values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.delivery.argo.environment import filled
from cutlist.documents.delivery.argo.sources import Source, path_of
from cutlist.documents.delivery.fetched import NotFetched
from cutlist.documents.delivery.helm import Release
from cutlist.documents.delivery.parts import Undelivered, file_at
from cutlist.documents.members import Manifest, entries, mapping, text
from cutlist.documents.text.go_yaml import from_yaml

PROGRAMS: Final = ("helm3", "helm")
"""Argo CD renders with Helm 3."""
_COMMA: Final = re.compile(r"(?<!\\),")


def release(source: Source, namespace: str, problems: Problems) -> Release | Undelivered:
    """Return the release that a source is, or why it is not rendered."""  # GO-35
    helm, document, variables = mapping(source.data.get("helm")), source.document, source.environment
    values: list[str | Manifest] = []
    for index, name in enumerate(entries(helm.get("valueFiles"))):
        at = f"helm.valueFiles[{index}]"
        try:
            path = path_of(_filled_path(str(name), variables), source)
        except NotFetched as error:
            return Undelivered.of(error)
        if path is None:
            return Undelivered(f"{source.at}.{at} {name} is not in this checkout")
        is_optional = helm.get("ignoreMissingValueFiles") is True
        # The mistakes of an optional file are collected and dropped.
        file = file_at(*path, source.place(at), Problems() if is_optional else problems)
        values += [] if file is None else [file]
    values += _inline_values(helm, source, problems)
    try:
        parameters = tuple(_parameters(helm, source, variables, problems))
    except NotFetched as error:
        return Undelivered.of(error)
    return Release(
        source.folder,
        text(helm.get("releaseName")) or document.name,
        text(helm.get("namespace")) or namespace,
        tuple(values),
        parameters,
        helm.get("skipCrds") is not True,
        text(helm.get("kubeVersion")),
        tuple(version for version in entries(helm.get("apiVersions")) if isinstance(version, str)),
        checks_values=helm.get("skipSchemaValidation") is not True,
        programs=PROGRAMS,
        root=source.checkout.root,
    )


def _filled_path(name: str, variables: Mapping[str, str]) -> str:
    """Return a path with its variables replaced; what begins with the name of another source keeps that."""
    # `$name/` at the beginning is another source, not a variable.
    if not name.startswith("$") or name.startswith(("${", "$ARGOCD_")):
        return filled(name, variables)
    reference, slash, rest = name.partition("/")
    return f"{reference}{slash}{filled(rest, variables)}"


def _inline_values(helm: Manifest, source: Source, problems: Problems) -> list[Manifest]:
    """Return the values that an Application has itself: an object, else a text of YAML."""
    at, written = "helm.valuesObject", helm.get("valuesObject")
    if written is None and text(helm.get("values")).strip():
        at, written = "helm.values", helm["values"]
        try:
            written = from_yaml(written)
        except ValueError:
            # Kept as the text it is, so that the message below is about its form.
            written = helm["values"]
        written = {} if written is None else written
    if written is None:
        return []
    if not isinstance(written, dict):
        problems.add(source.place(at), "holds no values", "a mapping in YAML")
        return []
    return [written]


def _parameters(helm: Manifest, source: Source, variables: Mapping[str, str], problems: Problems) -> Iterator[tuple[str, str]]:
    """Yield the options of the parameters, the last of each name. Commas in a value are its own, unless it is a list in
    braces. Raises NotFetched."""
    options: dict[tuple[str, str], str] = {}
    for parameter in map(mapping, entries(helm.get("parameters"))):
        option = "--set-string" if parameter.get("forceString") is True else "--set"
        # A dictionary keeps the last of each name, at the place of the first (GO-35).
        options[option, str(parameter.get("name"))] = _escaped(filled(_plain(parameter.get("value")), variables))
    for index, parameter in enumerate(map(mapping, entries(helm.get("fileParameters")))):
        place = source.place(f"helm.fileParameters[{index}]")
        path = path_of(_filled_path(text(parameter.get("path")), variables), source)
        if path is None:
            problems.add(place, f"{parameter.get('path')} is not in this checkout", "a path of a file")
            continue
        file = file_at(*path, place, problems)
        if file is not None:
            options["--set-file", str(parameter.get("name"))] = _escaped(file)
    for (option, name), value in options.items():
        yield option, f"{name}={value}"


def _plain(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _escaped(value: str) -> str:
    # Helm's --set separates settings by commas; in braces they separate the entries of a list.
    return value if value.startswith("{") and value.endswith("}") else _COMMA.sub(r"\\,", value)
