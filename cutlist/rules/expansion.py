"""Objects inside resources: members of lists, and manifests that a program hands over as text or data.

Whoever hides a NodePool in a list, in a list of lists, or in the YAML of a ConfigGroup has it judged all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.documents import parse_documents
from cutlist.errors import Place, Problems
from cutlist.rules.parts import Subject

_GROUPS: Final = ("kubernetes:yaml:ConfigGroup", "kubernetes:yaml/v2:ConfigGroup", "kubernetes:yaml/v2:ConfigFile")
_DEEPEST: Final = 20


def expanded(subject: Subject, depth: int = 0) -> Iterator[Subject]:
    """The subject and everything inside it that is an object of its own."""
    yield subject
    if depth >= _DEEPEST:
        return
    if subject.type in _GROUPS:
        for inner in _of_group(subject):
            yield from expanded(inner, depth + 1)
    elif subject.is_kubernetes and str(subject.data.get("kind", "")).endswith("List"):
        items = subject.data.get("items")
        for index, item in enumerate(items if isinstance(items, list | tuple) else ()):
            if isinstance(item, Mapping):
                yield from expanded(_member(subject, index, item), depth + 1)


def of_manifest(manifest: Mapping[str, Any], outer: Subject, path: str) -> Subject:
    """An object that stands in another resource, at a path of it."""
    metadata = manifest.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None

    def place(inner: str) -> Place:
        return outer.place(f"{path}.{inner}" if inner else path)

    kind = f"kubernetes:{manifest.get('apiVersion', '')}:{manifest.get('kind', '')}"
    return Subject(kind, name if isinstance(name, str) else outer.name, manifest, place, outer.options, outer.urn)


def _member(outer: Subject, index: int, item: Mapping[str, Any]) -> Subject:
    # In a list of one kind the API leaves apiVersion and kind of the items out.
    kind = str(outer.data.get("kind", "")).removesuffix("List")
    typed = {"apiVersion": outer.data.get("apiVersion"), "kind": kind, **item} if kind else item
    return of_manifest(typed, outer, f"items[{index}]")


def _of_group(outer: Subject) -> Iterator[Subject]:
    objects = outer.data.get("objs")
    for index, one in enumerate(objects if isinstance(objects, list | tuple) else ()):
        if isinstance(one, Mapping):
            yield of_manifest(one, outer, f"objs[{index}]")
    written = outer.data.get("yaml")
    texts = [written] if isinstance(written, str) else written
    for index, text in enumerate(texts if isinstance(texts, list | tuple) else ()):
        if isinstance(text, str):
            for document in parse_documents(text, "", Problems()):
                yield of_manifest(document.data, outer, f"yaml[{index}]")
