"""Edits of NodePools that charts make: in the values from which their templates take requirements and limits.

What a template does with values is not read. Where values have what a NodePool has, it may come from there; whether it does,
rendering the chart again shows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, Final

from cutlist.api.nodepool import NodePool
from cutlist.documents.document import Document
from cutlist.documents.files import SourceText
from cutlist.documents.parsing import parse_values
from cutlist.documents.rendered_sources import file_of
from cutlist.documents.text.rewriting import rewrite
from cutlist.policy.rules.parts import unshared
from cutlist.verbs.edited_texts import EditedText
from cutlist.workloads.written import value_at

_CHART: Final = "Chart.yaml"
_VALUES: Final = "values"
_YAML: Final = (".yaml", ".yml")
_REQUIREMENTS: Final = ("spec", "template", "spec", "requirements")
_LIMITS: Final = ("spec", "limits")
_WAYS: Final = 16
"""How many ways to write an option are tried at most."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A value in a text that a field of a NodePool may be taken from: the document's number, the path in it, and what it
    becomes."""

    pool: str
    text: int
    document: int
    path: tuple[str | int, ...]
    value: Any


def rendered(documents: Iterable[Document]) -> dict[str, Document]:
    """Return the NodePools that charts make, by name."""
    pools = (document for document in documents if document.kind == NodePool.KIND)
    return {pool.name: pool for pool in pools if file_of(pool.place.source) != pool.place.source}


def values_files(pools: Iterable[Document], given: Iterable[str] = ()) -> list[str]:
    """Return the files that may have the values of NodePools that charts make: those that were `given`, the last first, then
    those in the folders of their charts, the charts' own defaults last."""
    found = dict.fromkeys(reversed(list(given)))
    for pool in pools:
        folder = os.path.dirname(file_of(pool.place.source))
        while folder:
            if os.path.isfile(os.path.join(folder, _CHART)):
                names = [n for n in os.listdir(folder) if n.startswith(_VALUES) and n.endswith(_YAML)]
                found |= dict.fromkeys(os.path.join(folder, name) for name in sorted(names))
            folder = os.path.dirname(folder)
    return list(found)


def value_edits(
    pools: Sequence[NodePool], made: Mapping[str, Document], texts: Sequence[SourceText]
) -> Iterator[tuple[EditedText, ...]]:
    """Yield the ways to give NodePools that charts have `made` other requirements and limits by changing values in texts, the
    likeliest first: each as the texts that change. Nothing where no value has what a NodePool has."""
    roots = [[unshared(root) for root in parse_values(text.text, text.source)] for text in texts]
    places = [_places(name, before, after, roots) for name, before, after in _changes(pools, made)]
    for way in islice(product(*places), _WAYS):
        # One value that two NodePools share cannot become two.
        if all(a.value == b.value for a in way for b in way if (a.text, a.document, a.path) == (b.text, b.document, b.path)):
            yield tuple(_edited(texts[n], [place for place in way if place.text == n], made) for n in _numbers(way))


def _numbers(way: Iterable[_Place]) -> list[int]:
    return sorted({place.text for place in way})


def _changes(pools: Iterable[NodePool], made: Mapping[str, Document]) -> Iterator[tuple[str, Any, Any]]:
    """Yield the fields of NodePools that change, with their names, as they are and as they become."""
    for pool in pools:
        for path in (_REQUIREMENTS, _LIMITS):
            before, after = value_at(made[pool.name].data, path), value_at(pool.manifest(), path)
            if after is not None and before != after:
                yield pool.name, before, after


def _places(pool: str, before: Any, after: Any, roots: Sequence[Sequence[Any]]) -> list[_Place]:
    """Return the values that may be a field, those below the NodePool's name first, then the largest part of it: of
    requirements a template may have written some itself."""
    found = []
    for number, documents in enumerate(roots):
        for document, root in enumerate(documents):
            for path, value in _values_in(root, ()):
                becomes = _becomes(value, before, after)
                if becomes is not None and path:
                    found.append(((pool not in path, -len(value)), _Place(pool, number, document, path, becomes)))
    return [place for _, place in sorted(found, key=lambda of: of[0])]


def _values_in(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield lists and mappings with their paths; NodePools are edited where they are written."""
    if isinstance(value, dict):
        if value.get("kind") == NodePool.KIND:
            return
        yield path, value
        for key, member in value.items():
            yield from _values_in(member, (*path, key))
    elif isinstance(value, list):
        yield path, value
        for number, item in enumerate(value):
            yield from _values_in(item, (*path, number))


def _becomes(value: Any, before: Any, after: Any) -> Any:
    """Return what a value becomes if it is a field, or of a list the part that a template takes from values; None if it is
    not."""
    if not value:
        return None
    if value == before:
        return after
    if not isinstance(value, list) or not isinstance(before, list) or not isinstance(after, list):
        return None
    fixed = [entry for entry in before if entry not in value]
    if len(fixed) + len(value) != len(before) or any(entry not in after for entry in fixed):
        return None
    return [entry for entry in after if entry not in fixed]


def _edited(text: SourceText, places: Sequence[_Place], made: Mapping[str, Document]) -> EditedText:
    roots = [unshared(root) for root in parse_values(text.text, text.source)]
    for place in places:
        parent = roots[place.document]
        for step in place.path[:-1]:
            parent = parent[step]
        parent[place.path[-1]] = place.value
    changed = {place.document for place in places}
    values = [(root,) if document in changed else None for document, root in enumerate(roots)]
    pools = dict.fromkeys(place.pool for place in places)
    return EditedText(text.source, rewrite(text.text, values).text, tuple(made[name] for name in pools))
