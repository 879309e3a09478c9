"""Releases of Helm in configurations (`helm_release`): the chart, its values and the options that an apply gives to Helm."""

from __future__ import annotations

import os
from collections.abc import Iterator
from shlex import quote
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.unknown import LATE, UNKNOWN
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetching import OCI, ChartSource
from cutlist.documents.delivery.helm import Release, by_command
from cutlist.documents.delivery.parts import is_chart
from cutlist.documents.terraform.hcl.modules import Resource
from cutlist.documents.terraform.installed import Installed
from cutlist.documents.terraform.partly_known import MARK, as_text, has_unknown, is_partly_unknown
from cutlist.documents.text.go_yaml import from_yaml

RELEASE: Final = "helm_release"
PROGRAMS: Final = ("helm3", "helm")
"""The provider renders with Helm 3."""
_KNOWN: Final = ("name", "namespace", "chart", "repository", "version")
"""The members without which it is not known what is installed, or where."""
_SETS: Final = ("set", "set_list", "set_sensitive")
"""In the order in which the provider lays them over the values."""
_OPTIONS: Final = {"string": "--set-string", "literal": "--set-literal"}
_ADDRESSES: Final = ("https://", "http://")
_DEFAULT: Final = "default"


class UnknownPart(Exception):
    """A release depends on something of which only an apply knows more than a stand-in can say; the text names it."""


def installed_by(resource: Resource) -> Installed:
    """Return the release that a resource installs. What is unknown in its values is a mark there."""
    members = {name: value for name, value in resource.values.items() if value is not None}
    place = Place(resource.file, line=resource.line, address=resource.address)
    chart = str(members.get("chart"))
    folder = resource.located(chart)
    is_here = is_chart(folder) and not members.get("repository")
    source = None if is_here else source_of(chart, members)
    try:
        if resource.unknown:
            raise UnknownPart(resource.unknown)
        release = release_of(members, folder if is_here else "")
    except UnknownPart as error:
        return Installed(place, Release(folder if is_here else "", ""), source, str(error), release_by_hand(members))
    if not is_here and source is None:
        why = f"its chart {chart} is neither a folder here nor in a repository that is named"
        return Installed(place, release, None, why, release_by_hand(members))
    command = by_command(release).replace(MARK, "<value>") if is_here else release_by_hand(members)
    return Installed(place, release, source, command=command, secrets=tuple(_secrets(members)))


def source_of(chart: str, members: dict[str, Any]) -> ChartSource | None:
    """Return from where a chart is fetched; None if that is not known."""
    version, repository = members.get("version"), members.get("repository")
    wanted = version if isinstance(version, str) else ""
    if chart.startswith(OCI):
        where, _, name = chart.rstrip("/").rpartition("/")
        return ChartSource(where, name, wanted)
    if isinstance(repository, str) and repository.startswith((OCI, *_ADDRESSES)) and not is_partly_unknown(repository):
        return ChartSource(repository, chart, wanted)
    return None


def release_of(members: dict[str, Any], folder: str) -> Release:
    """Return what Helm gets for the members of a release; `folder` is its chart if that is here. Raises UnknownPart."""
    for name in _KNOWN:
        if has_unknown(members.get(name, "")):
            raise UnknownPart(f"{name} {LATE}")
    if members.get("postrender"):
        raise UnknownPart("another program changes what helm renders (postrender)")
    around = Checkout.around(folder) if folder else None
    return Release(
        folder,
        str(members.get("name")),
        str(members.get("namespace") or _DEFAULT),
        tuple(_values(members.get("values", []))),
        tuple(setting for member in _SETS for setting in _settings(member, members.get(member, []))),
        definitions=members.get("skip_crds") is not True,
        hooks=members.get("disable_webhooks") is not True,
        programs=PROGRAMS,
        root="" if around is None else around.root,
    )


def _values(texts: Any) -> Iterator[dict[str, Any]]:
    """Yield the values of a release, the later over the earlier. Raises UnknownPart."""
    if not isinstance(texts, list):
        raise UnknownPart(f"values {LATE}")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            if text is None:
                continue
            raise UnknownPart(f"values[{index}] {LATE}")
        try:
            value = from_yaml(text)
        except ValueError as error:
            why = LATE if MARK in text else f"is not YAML: {error}"
            raise UnknownPart(f"values[{index}] {why}") from None
        if value is not None and not isinstance(value, dict):
            raise UnknownPart(f"values[{index}] {LATE if is_partly_unknown(value) else 'is not a mapping'}")
        yield value or {}


def _settings(member: str, blocks: Any) -> Iterator[tuple[str, str]]:
    """Yield the options that blocks of a member stand for, with a mark for what is unknown. Raises UnknownPart."""
    if not isinstance(blocks, list):
        raise UnknownPart(f"{member} {LATE}")
    for index, block in enumerate(blocks):
        name = block.get("name") if isinstance(block, dict) else UNKNOWN
        if not isinstance(name, str) or is_partly_unknown(name):
            raise UnknownPart(f"{member}[{index}] {LATE}")
        value = block.get("value")
        if isinstance(value, list):
            yield "--set", f"{name}={{{','.join(map(_text, value))}}}"
        else:
            yield _OPTIONS.get(str(block.get("type")), "--set"), f"{name}={_text(value)}"


def _text(value: Any) -> str:
    return MARK if value is UNKNOWN else as_text(value)


def _secrets(members: dict[str, Any]) -> Iterator[str]:
    blocks = members.get("set_sensitive")
    for block in blocks if isinstance(blocks, list) else ():
        value = block.get("value") if isinstance(block, dict) else None
        if isinstance(value, str) and value and not is_partly_unknown(value):
            yield value


def release_by_hand(members: dict[str, Any]) -> str:
    """Return the command that renders a release without Cutlist."""
    options = {"repository": "--repo", "version": "--version", "namespace": "--namespace"}
    name, chart = (str(members.get(member) or f"<{member}>") for member in ("name", "chart"))
    repository = members.get("repository")
    if isinstance(repository, str) and repository.startswith(OCI):  # which helm takes as a part of the chart's address
        chart, options = f"{repository.rstrip('/')}/{chart}", {k: v for k, v in options.items() if k != "repository"}
    chart = os.path.normpath(chart) if chart.startswith(".") else chart
    words = ["helm template", *(word if word.startswith("<") else quote(word) for word in (name, chart))]
    for member, option in options.items():
        value = members.get(member)
        words += [f"{option} {quote(value)}"] if isinstance(value, str) and not is_partly_unknown(value) else []
    return f"{' '.join(words)} -f <its values> | cutlist plan -f -"
