"""Releases with values that only an apply knows: these get several stand-ins, one after the other.

What all renderings have in common does not depend on the values; everything else is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.unknown import LATE, UNKNOWN
from cutlist.documents.account.placeholders import BEARING
from cutlist.documents.delivery.helm import Release
from cutlist.documents.document import Document, identity_of
from cutlist.documents.terraform.opentofu import planned
from cutlist.documents.terraform.partly_known import MARK, has_unknown

_NUMBER: Final = "7351"
"""Stands for an unknown text that a template takes for a number."""

Render = Callable[[Release, Problems], Sequence[Document]]


class Unrenderable(Exception):
    """A release is not rendered here; the text says why."""


def objects_of(release: Release, render: Render) -> tuple[list[Document], list[str]]:
    """Return the objects of a release, and why others are not among them. Raises Unrenderable for what helm refuses."""
    if not _is_unknown(release):
        return _rendered(release, render), []
    first, second = (_rendered(_with(release, stand_in), render) for stand_in in (MARK, _NUMBER))
    renderings = [first, second]
    with suppress(Unrenderable):  # a template that takes no truth value there cannot depend on one
        renderings.append(_rendered(_with(release, False), render))
    return _in_common(renderings)


def _rendered(release: Release, render: Render) -> list[Document]:
    own = Problems(allow_empty=True)
    documents = list(render(release, own))
    if own:
        raise Unrenderable(own.found[0].message)
    return documents


def _is_unknown(release: Release) -> bool:
    return has_unknown(list(release.values)) or any(MARK in text for _, text in release.sets)


def _with(release: Release, stand_in: str | bool) -> Release:
    """Return a release with a stand-in for what is unknown. One that is no text stands for whole values only."""
    text = _NUMBER if isinstance(stand_in, bool) else stand_in

    def filled(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {filled_text(key): filled(below) for key, below in value.items()}
        if isinstance(value, list):
            return [filled(item) for item in value]
        if value is UNKNOWN or value == MARK:
            return stand_in
        return filled_text(value)

    def filled_text(value: Any) -> Any:
        return value.replace(MARK, text) if isinstance(value, str) else value

    def option(setting: str) -> str:
        name, is_set, value = setting.partition("=")
        return f"{name}{is_set}{str(stand_in).lower() if value == MARK and isinstance(stand_in, bool) else filled_text(value)}"

    values = tuple(filled(value) for value in release.values)
    return replace(release, values=values, sets=tuple((name, option(setting)) for name, setting in release.sets))


def _in_common(renderings: Sequence[Sequence[Document]]) -> tuple[list[Document], list[str]]:
    """Return the objects that all renderings have, without what they differ in, and why others are left out."""
    kinds = [[document.kind for document in rendering] for rendering in renderings]
    if all(of == kinds[0] for of in kinds):
        groups, odd = list(zip(*renderings, strict=True)), []
    else:
        named = [{identity_of(document): document for document in rendering} for rendering in renderings]
        shared = [identity for identity in named[0] if all(identity in of for of in named)]
        groups = [tuple(of[identity] for of in named) for identity in shared]
        odd = [document for of in named for identity, document in of.items() if identity not in shared]
    kept: list[Document] = []
    reasons: list[str] = []
    for document, *others in groups:
        data: Any = document.data
        for other in others:
            data = _common(data, other.data)
        unknown: list[str] = []
        data = planned(data, "", unknown)
        if unknown and document.kind in BEARING:
            reasons.append(f"not planned: {unknown[0]} of {_named(document)} {LATE}")
        else:
            kept.append(replace(document, data=data))
    reasons += [f"not planned: whether there is {_named(d)} {LATE}" for d in odd if d.kind in BEARING]
    return kept, list(dict.fromkeys(reasons))


def _named(document: Document) -> str:
    return f"{document.kind} {document.name}".replace(MARK, "*").strip()


def _common(first: Any, second: Any) -> Any:
    """Return what two values have in common, with UNKNOWN for what they differ in."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        keys = dict.fromkeys((*first, *second))
        return {key: _common(first.get(key, UNKNOWN), second.get(key, UNKNOWN)) for key in keys}
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [_common(one, other) for one, other in zip(first, second, strict=True)]
    return first if type(first) is type(second) and first == second else UNKNOWN
