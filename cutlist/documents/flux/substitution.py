"""Apply what Flux changes in the objects of a Kustomization after kustomize: namespace, labels, annotations and variables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.document import Document
from cutlist.documents.parsing import parse_values
from cutlist.documents.parts import Changes, mapping
from cutlist.documents.transformers import RenderedObject, set_namespace

_VARIABLE: Final = re.compile(r"\$(?:\$|\{(?P<name>[A-Za-z_]\w*)(?P<rest>[^}]*)\})")
_DEFAULT: Final = re.compile(r":?[-=](?P<default>[^$]*)")
_SWITCH: Final = "kustomize.toolkit.fluxcd.io/substitute"
_OFF: Final = "disabled"


def changed(documents: Iterable[Document], changes: Changes, problems: Problems) -> tuple[Document, ...]:
    """Return the objects as Flux applies them. Expressions that are more than a variable and its default are added to
    `problems`."""
    resources = [RenderedObject.of(document) for document in documents]
    if changes.namespace:
        set_namespace(resources, changes.namespace)
    for resource in resources:
        for member, texts in (("labels", changes.labels), ("annotations", changes.annotations)):
            if texts:
                resource.metadata[member] = {**mapping(resource.metadata.get(member)), **texts}
    finished = (resource.finished() for resource in resources)
    if changes.variables is None:
        return tuple(finished)
    return tuple(_substituted(document, changes.variables, problems) for document in finished)


def _substituted(document: Document, variables: Mapping[str, str], problems: Problems) -> Document:
    metadata = mapping(document.data.get("metadata"))
    marks = (mapping(metadata.get(member)).get(_SWITCH) for member in ("labels", "annotations"))
    if _OFF in marks:
        return document
    return replace(document, data=_value(document.data, variables, document, problems))


def _value(value: Any, variables: Mapping[str, str], document: Document, problems: Problems) -> Any:
    if isinstance(value, dict):
        return {
            _text(key, variables, document, problems) if isinstance(key, str) else key: _value(
                below, variables, document, problems
            )
            for key, below in value.items()
        }
    if isinstance(value, list):
        return [_value(item, variables, document, problems) for item in value]
    if not isinstance(value, str) or "$" not in value:
        return value
    filled = _text(value, variables, document, problems)
    return value if filled == value else _read_again(value, filled)


def _text(text: str, variables: Mapping[str, str], document: Document, problems: Problems) -> str:
    """Return a text with its variables replaced. One that is not set is empty, as in a shell."""

    def filled(match: re.Match[str]) -> str:
        name, rest = match["name"], match["rest"]
        if name is None:
            return "$"
        default = _DEFAULT.fullmatch(rest) if rest else None
        if rest and default is None:
            problems.add(document.place, f"only Flux substitutes {match[0]}", "${name} or ${name:=default}")
            return match[0]
        value = variables.get(name)
        if default is not None and (value is None or (not value and rest.startswith(":"))):
            return default["default"]
        return value or ""

    return _VARIABLE.sub(filled, text)


def _read_again(written: str, filled: str) -> Any:
    """Return a text as Flux reads it after the substitution: a plain text of one line may have become a number or a switch."""
    if "\n" in written:
        return filled
    own = Problems()
    values = parse_values(filled, "", own)
    return filled if own or len(values) != 1 else values[0]
