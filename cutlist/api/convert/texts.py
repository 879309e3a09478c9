"""Files in v1: the user's own text with only the necessary lines changed (spec: api-objects 7)."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.convert.changes import ConversionChange, Reported
from cutlist.api.convert.chart_values import is_settings
from cutlist.api.convert.objects import Conversion, Converted, convert
from cutlist.api.versions import SERVED, is_karpenters
from cutlist.core.errors import Place, Problems
from cutlist.documents.document import Document
from cutlist.documents.files import SourceText, sources
from cutlist.documents.parsing import parse_documents, parse_values
from cutlist.documents.text.rewriting import Moves, rewrite
from cutlist.documents.text.writing import Style, block_lines

_SUCCESSORS: Final = {
    "apiVersion": "group",
    "amiFamily": "amiSelectorTerms",
    "subnetSelector": "subnetSelectorTerms",
    "securityGroupSelector": "securityGroupSelectorTerms",
    "amiSelector": "amiSelectorTerms",
}
"""Keys whose place and comments go to another key of the same mapping."""

_CONVERTED: Final = "NodePools, node classes, Provisioners or the like, or the ConfigMaps of Karpenter's settings"
_RENEWED: Final = "its layout and comments could not be kept, because anchors or its form are in the way; it is rewritten"


@dataclass(frozen=True, slots=True)
class ConvertedTexts:
    """The texts in v1, in the order given, and all messages; `is_changed` says for each text whether it differs."""

    texts: tuple[SourceText, ...]
    is_changed: tuple[bool, ...]
    conversion: Conversion


def convert_texts(texts: Sequence[SourceText], *, allow_empty: bool = False) -> ConvertedTexts:
    """Return YAML and JSON texts converted to v1 together. Raises InputError with everything that prevents that, including
    texts without any object or settings of Karpenter, unless `allow_empty`.
    """
    problems = Problems(allow_empty=allow_empty)
    documents = [document for source in texts for document in parse_documents(source.text, source.source, problems)]
    if not problems and not any(is_karpenters(d.api_version, d.kind) or is_settings(d.data) for d in documents):
        where = Place(sources(source.source for source in texts))
        problems.add_absence(where, "no object of Karpenter is in the input, of an old version or of v1", _CONVERTED)
    problems.raise_if_any()
    conversion = convert(documents)
    new = [_values(source, conversion.converted) for source in texts]
    moves = Moves.of((source.text, values) for source, values in zip(texts, new, strict=True))
    results: list[SourceText] = []
    changes = list(conversion.changes)
    for source, values in zip(texts, new, strict=True):
        rewritten = rewrite(source.text, values, moves, _SUCCESSORS)
        results.append(SourceText(source.source, rewritten.text))
        changes += [
            Reported(f"document {n}", Place(source.source, n), ConversionChange("lost", _RENEWED)) for n in rewritten.renewed
        ]
    changed = tuple(old.text != now.text for old, now in zip(texts, results, strict=True))
    whole = Conversion(conversion.converted, conversion.values, tuple(changes), conversion.notes)
    return ConvertedTexts(tuple(results), changed, whole)


def _values(text: SourceText, converted: Iterable[Converted]) -> list[tuple[Any, ...] | None]:
    """Return the objects that replace each document of a text, or None for an unchanged document."""
    roots = parse_values(text.text, text.source)
    by_number: dict[int, list[Converted]] = {}
    for conversion in converted:
        if conversion.document.place.source == text.source:
            by_number.setdefault(conversion.document.place.document, []).append(conversion)
    return [_in_place_of(root, by_number[number]) if number in by_number else None for number, root in enumerate(roots, 1)]


def _in_place_of(root: Any, converted: Sequence[Converted]) -> tuple[Any, ...]:
    if all(not conversion.document.member for conversion in converted):
        return tuple(manifest for conversion in converted for manifest in conversion.objects)
    whole = copy.deepcopy(root)
    for conversion in sorted(converted, key=lambda c: _indices(c.document), reverse=True):
        here = whole
        for member in conversion.document.member[:-1]:
            here = here[member]
        index = _indices(conversion.document)[-1]
        here[index : index + 1] = [dict(manifest) for manifest in conversion.objects]
    _retype(whole)
    return (whole,)


def _indices(document: Document) -> tuple[int, ...]:
    return tuple(member for member in document.member if isinstance(member, int))


def _retype(whole: dict[str, Any]) -> None:
    """Rename a list of one kind after the version of its items."""
    kind = str(whole.get("kind", "")).removesuffix("List")
    if kind in SERVED:
        whole["apiVersion"] = SERVED[kind]


def stream(texts: Iterable[SourceText]) -> str:
    """Join texts into one stream of documents; empty ones are left out."""
    stream_text = ""
    for source in texts:
        if parse_values(source.text, source.source):
            stream_text += "\n" if stream_text and not stream_text.endswith("\n") else ""
            stream_text += ("---\n" if stream_text and not source.text.startswith("---") else "") + source.text
    return stream_text


def values_text(values: Mapping[str, Any]) -> str:
    """Return the values of Karpenter's chart as YAML, or an empty string without values."""
    return "\n".join((*block_lines(values, Style()), "")) if values else ""
