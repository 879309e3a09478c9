"""The values of a HelmRelease, put together as helm-controller does."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.secrecy import leaf_texts
from cutlist.documents.delivery.flux.sources import Missing, keep_secret, texts_of
from cutlist.documents.document import Document
from cutlist.documents.members import Manifest, entries, mapping, text
from cutlist.documents.text.go_yaml import from_yaml
from cutlist.documents.text.set_values import BadSetting, set_literally, set_values

DEFAULT_KEY: Final = "values.yaml"
_QUOTES: Final = "'\""

Values = dict[str, Any]


def values_of(document: Document, spec: Manifest, others: Iterable[Document], problems: Problems) -> Values:
    """Return the values of ConfigMaps and Secrets in their order, and over them those that a release has itself.

    Raises Missing for what is not in the input or cannot be read.
    """  # GO-24, GO-25
    listed = tuple(others)
    # A copy, since `_set` writes into it.
    own: Values = copy.deepcopy(dict(mapping(spec.get("values"))))
    values: Values = {}
    for index, reference in enumerate(map(mapping, entries(spec.get("valuesFrom")))):
        at = f"spec.valuesFrom[{index}]"
        data = texts_of(document, reference, at, listed)
        key, path = text(reference.get("valuesKey")) or DEFAULT_KEY, text(reference.get("targetPath"))
        if data is None or (key not in data and reference.get("optional") is True):
            continue
        if key not in data:
            raise Missing(f"{at} has no key {key}")
        if path:
            # The release's own values come in before the path is set, and again in the end. Mappings that are only among
            # them are the same ones both times, so what is set in these stays.
            values = _merged(values, own)
            keep_secret(reference, (data[key],), problems)
            _set(values, path, data[key], at, is_literal=reference.get("literal") is True)
        else:
            values = _merged(values, _read(data[key], at, reference, problems))
    return _merged(values, own)


def merged_files(texts: Iterable[tuple[str, str]]) -> Values:
    """Return the values of files, each with its name, the later over the earlier. Raises Missing for one without values."""
    values: Values = {}
    for name, content in texts:
        values = _merged(values, _mapping_in(content, name))
    return values


def _read(content: str, at: str, reference: Manifest, problems: Problems) -> Values:
    values = _mapping_in(content, f"what {at} names")
    keep_secret(reference, leaf_texts(values), problems)
    return values


def _mapping_in(content: str, what: str) -> Values:
    try:
        values = from_yaml(content)
    except ValueError as error:
        raise Missing(f"{what} holds no values: {error}") from None
    if values is not None and not isinstance(values, dict):
        raise Missing(f"{what} holds no values, which are a mapping")
    return values or {}


def _set(values: Values, path: str, value: str, at: str, *, is_literal: bool) -> None:
    # A value in quotes is set as a text, as `--set-string` does.
    is_quoted = any(value.startswith(quote) and value.endswith(quote) for quote in _QUOTES)
    try:
        if is_literal:
            set_literally(values, path, value)
        else:
            set_values(values, f"{path}={value.strip(_QUOTES) if is_quoted else value}", as_text=is_quoted)
    except BadSetting as error:
        raise Missing(f"{at} cannot be set at {path}: {error}") from None


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> Values:
    """Lay values on top of others. A mapping that only one of them has is not copied."""
    values = dict(first)
    for key, value in second.items():
        before = values.get(key)
        values[key] = _merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return values
