"""An object of the user's input that knows its lines, and objects and values laid over others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cutlist.core.errors import Place, Problems
from cutlist.core.shapes import join
from cutlist.core.unknown import LATE
from cutlist.documents.text.json import JsonLines


@dataclass(frozen=True, slots=True)
class Origin:
    """The resource of a plan or state of OpenTofu that an object is from, or stands for.

    `values` are the manifest, or the values of the resource, with UNKNOWN for what only an apply will know, and `unknown` the
    paths of what a plan of nodes would need of these. `urn` is the address without the keys of instances, by which others
    refer to it: `references` has the URNs by member. `secrets` are the texts that are marked as sensitive.
    """

    address: str
    type: str
    values: Mapping[str, Any] = field(hash=False)
    unknown: tuple[str, ...] = ()
    urn: str = ""
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    secrets: frozenset[str] = field(default=frozenset(), repr=False)


@dataclass(frozen=True, slots=True)
class Unrendered:
    """Why an object that stands for others is not rendered, empty if nobody asked; and the command that renders it, if any."""

    why: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A Kubernetes object as written: plain dicts, lists, text, numbers, booleans and None. Callers must not change it.

    `lines` gives the 1-based line of a path in the API server's spelling: `spec.template.spec.requirements[0].values`,
    `metadata.labels.example.com/team`. `member` is the object's position inside its file's document: `("items", 0)` in a list,
    empty for an object that is a document itself. `origin` is the resource of OpenTofu that it is from.
    `unrendered` is set for an object that stands for others.
    """

    place: Place
    data: dict[str, Any]
    lines: Mapping[str, int]
    member: tuple[str | int, ...] = ()
    origin: Origin | None = None
    unrendered: Unrendered | None = None

    @property
    def kind(self) -> str:
        """Return the object's kind; empty when it is missing or not text."""
        return _text(self.data.get("kind"))

    @property
    def api_version(self) -> str:
        """Return the object's apiVersion, such as `karpenter.sh/v1`; empty when it is missing or not text."""
        return _text(self.data.get("apiVersion"))

    @property
    def name(self) -> str:
        """Return the object's name; empty when it is missing or not text."""
        metadata = self.data.get("metadata")
        return _text(metadata.get("name")) if isinstance(metadata, dict) else ""

    @property
    def written(self) -> str | None:
        """Return the JSON of an item of a list of objects; None for other objects, and for one that differs from its text."""
        lines = self.lines
        if isinstance(lines, LinesBelow) and isinstance(lines.lines, JsonLines):
            return lines.lines.written(lines.member, self.data)
        return None

    def at(self, path: str) -> Place:
        """Return where a path is written; for a missing member, the place of the nearest thing around it."""
        return self.place.at(path, _nearest_line(self.lines, path))


@dataclass(frozen=True, slots=True)
class LinesBelow(Mapping[str, int]):
    """The lines of one member of a document, under paths that start at that member."""

    lines: Mapping[str, int]
    member: str

    def __getitem__(self, path: str) -> int:
        return self.lines[join(self.member, path) if path else self.member]

    def __iter__(self) -> Iterator[str]:
        for path in self.lines:
            if path == self.member:
                yield ""
            elif path.startswith((self.member + ".", self.member + "[")):
                yield path[len(self.member) :].removeprefix(".")

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _nearest_line(lines: Mapping[str, int], path: str) -> int:
    while path:
        if (line := lines.get(path)) is not None:
            return line
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines.get("", 0)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


Identity = tuple[str, str, str, str]


def laid_over(documents: Iterable[Document], below: Iterable[Document]) -> tuple[Document, ...]:
    """Return the documents, and those below that differ from all of them in group, kind, namespace or name.

    An object without a status takes that of the object it replaces, since only a cluster writes it.
    """
    above, stored = tuple(documents), {identity_of(d): d for d in below}
    covered = (_with_status(d, stored.get(identity_of(d))) for d in above)
    names = set(map(identity_of, above))
    return (*covered, *(d for identity, d in stored.items() if identity not in names))


def identity_of(document: Document) -> Identity:
    """Return group, kind, namespace and name of an object; its place replaces a missing name."""
    metadata = document.data.get("metadata")
    namespace = metadata.get("namespace") if isinstance(metadata, dict) else ""
    name = document.name or str(document.place)  # a missing name is reported elsewhere
    return document.api_version.rpartition("/")[0], document.kind, str(namespace or ""), name


def _with_status(document: Document, old: Document | None) -> Document:
    if old is None or "status" in document.data or "status" not in old.data:
        return document
    return replace(document, data={**document.data, "status": old.data["status"]})


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Lay values on top of others, as Helm does: mappings are merged key by key, anything else is replaced."""
    values = dict(first)
    for key, value in second.items():
        before = values.get(key)
        values[key] = merged(before, value) if isinstance(before, Mapping) and isinstance(value, Mapping) else value
    return values


def note_unknown(document: Document, problems: Problems) -> bool:
    """Tell whether a plan of nodes needs something of an object that only an apply of OpenTofu will know, and report it."""
    unknown = document.origin.unknown if document.origin is not None else ()
    for path in unknown:
        text = f"{LATE}, and a plan of nodes depends on it"
        problems.add(document.at(path), text, "a value that is known before; or apply what it comes from first, with -target")
    return bool(unknown)
