"""Objects inside resources: members of lists, and manifests that a program hands over as text or data.

Whoever hides a NodePool in a list, in a list of lists, in the YAML of a ConfigGroup or behind the type of a patch has it judged
all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents import parse_documents
from cutlist.policy.rules.parts import Part, Subject
from cutlist.policy.rules.tokens import ANY_OBJECT, GROUPS

_LIST: Final = "List"
_CORE: Final = "core/"  # Pulumi's name for the group that has none


def expanded(subject: Subject) -> Iterator[Subject]:
    """Yield the subject and everything inside it, however deep, that is an object of its own."""
    waiting = [subject]
    while waiting:
        subject = _as_written(waiting.pop())
        yield subject
        waiting += reversed(list(_inside(subject)))


def holds_objects(token: str) -> bool:
    """Tell whether resources of a type may be, or hold, objects that the type does not name."""
    return token in (*GROUPS, ANY_OBJECT) or token.endswith(_LIST)


def of_manifest(manifest: Mapping[str, Any], outer: Subject, path: str) -> Subject:
    """Return an object that stands in another resource, at a path of it."""
    metadata = manifest.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None

    def place(inner: str) -> Place:
        return outer.place(f"{path}.{inner}" if inner else path)

    kind = f"kubernetes:{manifest.get('apiVersion', '')}:{manifest.get('kind', '')}"
    return Subject(kind, name if isinstance(name, str) else outer.name, manifest, place, outer.options, outer.urn)


def texts_of(group: Subject) -> Iterator[Part]:
    """Yield the manifests that a group is given as text: one text, or a list of them; some may be unknown."""
    written = group.at("yaml")
    if isinstance(written.data, list | tuple):
        yield from written.items()
    elif written.is_there:
        yield written


def _as_written(subject: Subject) -> Subject:
    """Return the subject under the type that its own manifest names: a patch of a NodePool makes it a NodePool like this."""
    version, kind = subject.data.get("apiVersion"), subject.data.get("kind")
    if not subject.is_kubernetes or not isinstance(version, str) or not isinstance(kind, str):
        return subject
    named = subject.type.replace(_CORE, "", 1)
    written = f"kubernetes:{version}:{kind}"
    return subject if named == written else replace(subject, type=written)


def _inside(outer: Subject) -> Iterator[Subject]:
    if outer.type in GROUPS:
        yield from _of_group(outer)
    elif outer.is_kubernetes and str(outer.data.get("kind", "")).endswith(_LIST):
        items = outer.data.get("items")
        for index, item in enumerate(items if isinstance(items, list | tuple) else ()):
            if isinstance(item, Mapping):
                yield _member(outer, index, item)


def _member(outer: Subject, index: int, item: Mapping[str, Any]) -> Subject:
    # In a list of one kind the API leaves apiVersion and kind of the items out.
    kind = str(outer.data.get("kind", "")).removesuffix(_LIST)
    typed = {"apiVersion": outer.data.get("apiVersion"), "kind": kind, **item} if kind else item
    return of_manifest(typed, outer, f"items[{index}]")


def _of_group(outer: Subject) -> Iterator[Subject]:
    objects = outer.data.get("objs")
    for index, manifest in enumerate(objects if isinstance(objects, list | tuple) else ()):
        if isinstance(manifest, Mapping):
            yield of_manifest(manifest, outer, f"objs[{index}]")
    for part in texts_of(outer):
        if isinstance(part.data, str):
            for document in parse_documents(part.data, "", Problems()):
                yield of_manifest(document.data, outer, part.path)
