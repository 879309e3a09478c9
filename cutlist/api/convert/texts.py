"""Files in v1: the user's own text with only the lines changed that have to (spec: api-objects 7)."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.convert.changes import Change, Reported
from cutlist.api.convert.objects import Conversion, Converted, convert
from cutlist.api.versions import SERVED
from cutlist.core.errors import Place, Problems
from cutlist.documents import Document, Moves, SourceText, Style, block_lines, parse_documents, parse_values, rewrite

_SUCCESSORS: Final = {
    "apiVersion": "group",
    "amiFamily": "amiSelectorTerms",
    "subnetSelector": "subnetSelectorTerms",
    "securityGroupSelector": "securityGroupSelectorTerms",
    "amiSelector": "amiSelectorTerms",
}
"""Keys whose place and comments another key of the same mapping takes."""

_RENEWED: Final = "its layout and comments could not be kept, because anchors or its form are in the way; it is written anew"


@dataclass(frozen=True, slots=True)
class ConvertedTexts:
    """The texts in v1, in the order given, and all that is to be said; `is_changed` tells of each whether it is another one."""

    texts: tuple[SourceText, ...]
    is_changed: tuple[bool, ...]
    conversion: Conversion


def convert_texts(texts: Sequence[SourceText]) -> ConvertedTexts:
    """YAML and JSON texts in v1, all of them together. Raises InputError with everything that is in the way."""
    problems = Problems()
    documents = [document for one in texts for document in parse_documents(one.text, one.source, problems)]
    problems.raise_if_any()
    conversion = convert(documents)
    new = [_values(one, conversion.converted) for one in texts]
    moves = Moves.of((one.text, values) for one, values in zip(texts, new, strict=True))
    made: list[SourceText] = []
    said = list(conversion.changes)
    for one, values in zip(texts, new, strict=True):
        rewritten = rewrite(one.text, values, moves, _SUCCESSORS)
        made.append(SourceText(one.source, rewritten.text))
        said += [Reported(f"document {n}", Place(one.source, n), Change("lost", _RENEWED)) for n in rewritten.renewed]
    changed = tuple(old.text != now.text for old, now in zip(texts, made, strict=True))
    whole = Conversion(conversion.converted, conversion.values, tuple(said), conversion.notes)
    return ConvertedTexts(tuple(made), changed, whole)


def _values(text: SourceText, converted: Iterable[Converted]) -> list[tuple[Any, ...] | None]:
    """What stands in the place of each document of a text; None for one that stays."""
    roots = parse_values(text.text, text.source)
    by_number: dict[int, list[Converted]] = {}
    for one in converted:
        if one.document.place.source == text.source:
            by_number.setdefault(one.document.place.document, []).append(one)
    return [_in_place_of(root, by_number[number]) if number in by_number else None for number, root in enumerate(roots, 1)]


def _in_place_of(root: Any, converted: Sequence[Converted]) -> tuple[Any, ...]:
    if all(not one.document.member for one in converted):
        return tuple(made for one in converted for made in one.objects)
    whole = copy.deepcopy(root)
    for one in sorted(converted, key=lambda c: _indices(c.document), reverse=True):
        here = whole
        for member in one.document.member[:-1]:
            here = here[member]
        index = _indices(one.document)[-1]
        here[index : index + 1] = [dict(made) for made in one.objects]
    _retype(whole)
    return (whole,)


def _indices(document: Document) -> tuple[int, ...]:
    return tuple(member for member in document.member if isinstance(member, int))


def _retype(whole: dict[str, Any]) -> None:
    """A list of one kind is named after the version of what it holds."""
    kind = str(whole.get("kind", "")).removesuffix("List")
    if kind in SERVED:
        whole["apiVersion"] = SERVED[kind]


def stream(texts: Iterable[SourceText]) -> str:
    """Texts as one, each document apart; empty ones are left out."""
    made = ""
    for one in texts:
        if parse_values(one.text, one.source):
            made += "\n" if made and not made.endswith("\n") else ""
            made += ("---\n" if made and not one.text.startswith("---") else "") + one.text
    return made


def values_text(values: Mapping[str, Any]) -> str:
    """The values of Karpenter's chart as YAML; empty when there are none."""
    return "\n".join((*block_lines(values, Style()), "")) if values else ""
