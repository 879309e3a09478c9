"""Kustomizations: a folder with a `kustomization.yaml` says which of its files count.

What only selects and sets (resources, namespace, replicas, and what no plan depends on) is done here. Whatever rewrites objects
(patches, prefixes, components, charts) is left to kustomize itself, and the message says how to run it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.core.notes import Notes
from cutlist.documents import Document, collect_documents
from cutlist.workloads.controllers import REPLICATED
from cutlist.workloads.kinds import kind_of

FILE_NAMES: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")

_GROUP: Final = "kustomize.config.k8s.io"
_DONE: Final = frozenset({"apiVersion", "kind", "metadata", "resources", "bases", "namespace", "replicas"})
_WITHOUT_EFFECT: Final = frozenset(
    {"images", "configMapGenerator", "secretGenerator", "generatorOptions", "buildMetadata", "sortOptions", "openapi", "crds"}
)
_CLUSTER_WIDE: Final = frozenset(
    {
        *("Namespace", "Node", "PersistentVolume", "StorageClass", "PriorityClass", "RuntimeClass", "CustomResourceDefinition"),
        *(
            "ClusterRole",
            "ClusterRoleBinding",
            "NodePool",
            "NodeClaim",
            "EC2NodeClass",
            "NodeClass",
            "AKSNodeClass",
            "NodeOverlay",
        ),
    }
)


def resolve_kustomizations(
    documents: Sequence[Document], problems: Problems, notes: Notes | None = None
) -> tuple[Document, ...]:
    """Return the documents with each kustomization replaced by what it selects; other files below its folder are left out.

    Files that a kustomization names outside of what was given are read. Mistakes, and what only kustomize can do, go to
    `problems`; the files that are left out are named in `notes`. What kustomize would not read as a kustomization, for the name
    of its file or for what stands beside it there, is left as it is.
    """
    in_file = Counter(d.place.source for d in documents)
    by_folder = {_folder(d): d for d in documents if _is_kustomization(d) and in_file[d.place.source] == 1}
    if not by_folder:
        return tuple(documents)
    resolver = _Resolver(problems)
    rendered = {folder: resolver.render(d, ()) for folder, d in by_folder.items()}
    roots = {f for f in rendered if f not in resolver.used and not any(_is_below(f, other) for other in rendered if other != f)}
    used = {os.path.realpath(d.place.source) for selected in rendered.values() for d in selected}
    out: list[Document] = []
    for document in documents:
        folder = _folder(document)
        if document is by_folder.get(folder):
            out += rendered[folder] if folder in roots else ()
        elif not any(_is_below(folder, other) for other in rendered):
            out.append(document)
        elif notes is not None and os.path.realpath(document.place.source) not in used:
            notes.add(
                "kustomization", "left out, for the kustomization beside them does not name them: {who}", document.place.source
            )
    return tuple(out)


class _Resolver:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.used: set[str] = set()  # folders that another kustomization builds on

    def render(self, kustomization: Document, above: tuple[str, ...]) -> list[Document]:
        folder = _folder(kustomization)
        if folder in above:
            self.problems.add(kustomization.at("resources"), "the kustomization builds on itself")
            return []
        self._refuse_unknown(kustomization)
        resources: list[Document] = []
        for member in ("resources", "bases"):
            for i, name in enumerate(_list(kustomization, member)):
                resources += self._resource(str(name), kustomization, kustomization.at(f"{member}[{i}]"), (*above, folder))
        return [_changed(d, kustomization) for d in resources]

    def _resource(self, name: str, kustomization: Document, place: Place, above: tuple[str, ...]) -> list[Document]:
        source = os.path.normpath(os.path.join(os.path.dirname(kustomization.place.source), name))
        if not os.path.exists(source) and _is_remote(name):
            self.problems.add(place, f"{name} lies elsewhere, and nothing is fetched", _build(kustomization))
            return []
        if not os.path.isdir(source):
            return list(collect_documents([source], self.problems)) if self._exists(source, place) else []
        file = next((f for f in (os.path.join(source, n) for n in FILE_NAMES) if os.path.exists(f)), None)
        if file is None:
            self.problems.add(place, f"the folder {name} has no kustomization", f"a folder with one of {', '.join(FILE_NAMES)}")
            return []
        self.used.add(os.path.realpath(source))
        return [d for inner in collect_documents([file], self.problems) for d in self.render(inner, above)]

    def _exists(self, source: str, place: Place) -> bool:
        if os.path.exists(source):
            return True
        folder = os.path.dirname(source) or "."
        near = nearest(os.path.basename(source), sorted(os.listdir(folder)) if os.path.isdir(folder) else ())
        self.problems.add(place, f"{os.path.basename(source)} is not there", nearest=near)
        return False

    def _refuse_unknown(self, kustomization: Document) -> None:
        for member in sorted(set(kustomization.data) - _DONE - _WITHOUT_EFFECT):
            if kustomization.data[member]:
                self.problems.add(kustomization.at(member), f"{member} is left to kustomize; render it", _build(kustomization))


def _changed(document: Document, kustomization: Document) -> Document:
    """Return the document with the kustomization's namespace and replicas."""
    data = dict(document.data)
    metadata = dict(data.get("metadata") or {})
    namespace = kustomization.data.get("namespace")
    if namespace and document.kind not in _CLUSTER_WIDE:
        metadata["namespace"] = namespace
    elif namespace and document.kind == "Namespace":
        metadata["name"] = namespace
    for entry in _list(kustomization, "replicas"):
        if isinstance(entry, Mapping) and entry.get("name") == document.name and document.kind in REPLICATED:
            data["spec"] = {**(data.get("spec") or {}), "replicas": entry.get("count")}
    return replace(document, data={**data, "metadata": metadata})


def _list(kustomization: Document, member: str) -> list[Any]:
    value = kustomization.data.get(member)
    return value if isinstance(value, list) else []


def _is_kustomization(document: Document) -> bool:
    of_kind = kind_of(document.data) in ((_GROUP, "Kustomization"), (_GROUP, "Component"))
    return of_kind and os.path.basename(document.place.source) in FILE_NAMES and not document.member


def _folder(document: Document) -> str:
    return os.path.dirname(os.path.realpath(document.place.source))


def _is_below(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(other.rstrip(os.sep) + os.sep)


def _is_remote(name: str) -> bool:
    return "://" in name or "?ref=" in name or name.startswith(("git@", "github.com/"))


def _build(kustomization: Document) -> str:
    folder = os.path.dirname(kustomization.place.source) or "."
    return f"kustomize build {folder} | cutlist plan -f -"
