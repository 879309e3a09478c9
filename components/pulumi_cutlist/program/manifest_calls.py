"""Read what the provider for Kubernetes itself reads, in the same way, but only from texts and files (spec: pulumi 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.documents.collecting import collect_documents
from cutlist.documents.parsing import parse_documents

if TYPE_CHECKING:
    from cutlist.documents.document import Document
    from cutlist.policy.rules import Resource

_FILES: Final[Mapping[str, str]] = {
    "kubernetes:yaml/v2:ConfigFile": "file",
    "kubernetes:yaml/v2:ConfigGroup": "files",
    "kubernetes:kustomize/v2:Directory": "directory",
}
_READ: Final = "objects"


def _decoded(args: Mapping[str, Any]) -> list[Any]:
    """Return the objects in a text."""
    problems = Problems()
    documents = parse_documents(str(args.get("text") or ""), "a text of the program", problems)
    problems.raise_if_any()
    return [document.data for document in documents]


def _of_directory(args: Mapping[str, Any]) -> list[Any]:
    """Return what the kustomization of a folder renders."""
    return [document.data for document in _documents([str(args.get("directory") or "")])]


def _not_rendered(_: Mapping[str, Any]) -> list[Any]:
    """Return nothing: what a chart renders is not known without its templates, which gates report (OB-03)."""
    return []


CALLS: Final[Mapping[str, Callable[[Mapping[str, Any]], list[Any]]]] = {
    "kubernetes:yaml:decode": _decoded,
    "kubernetes:kustomize:directory": _of_directory,
    "kubernetes:helm:template": _not_rendered,
}
"""The calls by which older resources of the SDK read manifests, by token: arguments in, objects out.

Each raises InputError with the mistakes in what it reads.
"""


def with_objects_of_files(resource: Resource, root: Path) -> Resource:
    """Return a resource that reads files or a folder below a program's folder with the objects that it finds there.

    Objects that are elsewhere do not change, and none does if one cannot be read.
    """
    member = _FILES.get(resource.type, "")
    written = resource.data.get(member)
    named = [written] if isinstance(written, str) else written
    if not isinstance(named, Sequence) or not named:
        return resource
    local = {name: paths for name in named if isinstance(name, str) and (paths := _local(name, root))}
    try:
        documents = _documents([str(path) for paths in local.values() for path in paths])
    except InputError:
        return resource
    elsewhere = [name for name in named if not isinstance(name, str) or name not in local]
    data = {**resource.data, member: elsewhere or None, _READ: [document.data for document in documents]}
    return replace(resource, data=data, place=_places(resource, documents))


def _local(name: str, root: Path) -> list[Path]:
    """Return the files that a name or pattern means; none if they are not here."""
    if "://" in name:
        return []
    path = root / name
    return [path] if path.exists() else [] if Path(name).is_absolute() else sorted(root.glob(name))


def _documents(paths: Sequence[str]) -> list[Document]:
    problems = Problems()
    documents = collect_documents(paths, problems)
    problems.raise_if_any()
    return [document for document in documents if document.kind]


def _places(resource: Resource, documents: Sequence[Document]) -> Callable[[str], Place]:
    """Return where parts of a resource are written: those of objects in their files."""

    def place(path: str) -> Place:
        number, _, below = path.removeprefix(f"{_READ}[").partition("]")
        if path.startswith(f"{_READ}[") and number.isdigit() and int(number) < len(documents):
            return documents[int(number)].at(below.removeprefix("."))
        return resource.place(path)

    return place
