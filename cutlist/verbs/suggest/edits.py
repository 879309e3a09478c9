"""What changes in NodePools: in words, and in the files that they were read from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.api.nodepool import NodePool
from cutlist.core.errors import Problems
from cutlist.core.quantity import Format
from cutlist.documents.document import Document
from cutlist.documents.files import SourceText
from cutlist.documents.parsing import parse_documents
from cutlist.optimization.first_pools import first_name
from cutlist.optimization.spare import buffer_name
from cutlist.optimization.tolerations import TolerantWorkload
from cutlist.scheduling.capacitybuffers import SCALED_KINDS
from cutlist.verbs.edited_texts import EditedText, edit_text
from cutlist.workloads.pods import FrozenDict
from cutlist.workloads.usage import ResizedWorkload
from cutlist.workloads.written import namespace_of, value_at

Written = NodePool | CapacityBuffer | TolerantWorkload | ResizedWorkload
"""What a suggestion changes or adds."""

_COPY: Final = "copy of"
_WEIGHT: Final = "weight"
_TAINTS: Final = "taints"
_LIMITS: Final = "limits."
_REQUIREMENTS: Final = "requirements"
_FIELDS: Final = FrozenDict({"limits": ("spec", "limits"), _REQUIREMENTS: ("spec", "template", "spec", _REQUIREMENTS)})
"""The fields of a NodePool that an edit writes, and where they are."""
_CLASS_PATH: Final = ("spec", "template", "spec", "nodeClassRef")


@dataclass(frozen=True, slots=True)
class PoolEdit:
    """A change of one label's requirements in a NodePool, of its weight or of a limit: what they are and what they become, each
    in words; empty for none. A new NodePool is a copy of another one, with further edits."""

    node_pool: str
    key: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """Return the change in one line."""
        return f"NodePool {self.node_pool}: {self.key} {self._becomes}"

    @property
    def change_in_words(self) -> str:
        """Return the change without its NodePool, the label without its domain."""
        return f"{self.key.rpartition('/')[2]} {self._becomes}"

    @property
    def _becomes(self) -> str:
        if self.before and self.after.startswith(f"{self.before} and "):
            return f"also {self.after.removeprefix(f'{self.before} and ')}"
        return f"{self.before} becomes {self.after}" if self.before and self.after else self.after or f"no longer {self.before}"


def edits_of(before: NodePool | None, after: NodePool, copied: NodePool | None) -> list[PoolEdit]:
    """Return what changes in a NodePool; for a new one, how it differs from the one that it copies."""
    new = [PoolEdit(after.name, _COPY, "", f"NodePool {copied.name}")] if before is None and copied is not None else []
    of = before or copied or after
    labels = list(dict.fromkeys(e.key for pool in (of, after) for e in pool.requirements))
    limits = sorted({*of.limits, *after.limits})
    edits = [
        *(PoolEdit(after.name, f"{_LIMITS}{name}", _limit(of, name), _limit(after, name)) for name in limits),
        PoolEdit(after.name, _TAINTS, ", ".join(map(str, of.taints)), ", ".join(map(str, after.taints))),
        PoolEdit(after.name, _WEIGHT, str(of.weight or ""), str(after.weight or "")),
        *(PoolEdit(after.name, key, _requirement(of, key), _requirement(after, key)) for key in labels),
    ]
    return [*new, *(edit for edit in edits if edit.before != edit.after)]


def _limit(pool: NodePool, resource: str) -> str:
    limit = pool.limits.get(resource)
    return "" if limit is None else f"{limit.value():,}" if limit.format is Format.DECIMAL_SI else str(limit)


def _requirement(pool: NodePool, key: str) -> str:
    return " and ".join(f"{e.operator} {', '.join(e.values)}".strip() for e in pool.requirements if e.key == key)


@dataclass(frozen=True, slots=True)
class NodePoolSources:
    """Where NodePools are written: the names of those that some text has, and by name the fields of edits that patches of a
    kustomization set, which takes them from there."""

    whole: frozenset[str] = frozenset()
    patched: Mapping[str, frozenset[str]] = FrozenDict()

    @staticmethod
    def of(texts: Iterable[SourceText]) -> NodePoolSources:
        """Return where some texts have NodePools."""
        whole: set[str] = set()
        patched: dict[str, frozenset[str]] = {}
        for text in texts:
            for document in parse_documents(text.text, text.source, Problems()):
                if document.kind != NodePool.KIND:
                    continue
                if _is_whole(document.data):
                    whole.add(document.name)
                else:
                    patched[document.name] = patched.get(document.name, frozenset()) | _fields_in(document.data)
        return NodePoolSources(frozenset(whole), FrozenDict(patched))

    def written_in(self, document: Document) -> frozenset[str]:
        """Return which fields of a NodePool an edit writes in a document: a patch of a NodePool that is written elsewhere has
        only those that it sets already."""
        patched = self.patched.get(document.name, frozenset())
        if _is_whole(document.data):
            return frozenset(_FIELDS) - patched
        own = _fields_in(document.data)
        return own if document.name in self.whole else own | ({_REQUIREMENTS} - patched)


def written(objects: Sequence[Written], file: SourceText, sources: NodePoolSources | None = None) -> EditedText:
    """Return a text with NodePools in place of those of the same names; copies follow originals, buffers their workloads.
    `sources` are where all texts have NodePools, if there are others."""
    places = NodePoolSources.of([file]) if sources is None else sources

    def changed(document: Document) -> Mapping[str, Any] | None:
        data: Mapping[str, Any] | None = None
        for same in (of for of in objects if _is(of, document)):
            # A workload may get both requests and tolerations.
            if isinstance(same, TolerantWorkload | ResizedWorkload):
                data = same.on(document.data if data is None else data)
            elif isinstance(same, NodePool):
                data = _with_terms_of(same, document.data, places.written_in(document))
        return data

    def followers(document: Document) -> list[Mapping[str, Any]]:
        return [of.manifest() for of in objects if _follows(of, document, places)]

    return edit_text(file, changed, followers)


def labels_in(objects: Iterable[Written], text: EditedText) -> list[str]:
    """Return kind and name of those objects that were written into a text."""
    known = NodePoolSources(whole=frozenset(d.name for d in text.edited if d.kind == NodePool.KIND))
    return list(dict.fromkeys(_label(of) for of in objects if any(_is(of, d) or _follows(of, d, known) for d in text.edited)))


def unwritten(objects: Sequence[Written], texts: Iterable[EditedText]) -> list[str]:
    """Return kind and name of those objects that were written into none of the texts."""
    labels = {label for text in texts for label in labels_in(objects, text)}
    return [label for of in objects if (label := _label(of)) not in labels]


def _label(of: Written) -> str:
    return f"{of.kind if isinstance(of, TolerantWorkload | ResizedWorkload) else of.KIND} {of.name}"


def _is(of: Written, document: Document) -> bool:
    if isinstance(of, TolerantWorkload | ResizedWorkload):
        names = (document.kind, document.name) if document.name else ()
        return (of.kind, of.name) == names and of.namespace == namespace_of(document)
    return isinstance(of, NodePool) and document.kind == NodePool.KIND and of.name == document.name


def _follows(of: Written, document: Document, sources: NodePoolSources) -> bool:
    """Tell whether a new object is a copy of another one, or for a workload. What is written somewhere is not new."""
    if isinstance(of, NodePool):
        is_original = document.kind == NodePool.KIND and of.name == first_name(document.name) and _is_whole(document.data)
        return is_original and of.name not in sources.whole
    if isinstance(of, TolerantWorkload | ResizedWorkload):
        return False
    return document.kind in SCALED_KINDS and (of.namespace, of.name) == (namespace_of(document), buffer_name(document))


def _with_terms_of(pool: NodePool, data: Mapping[str, Any], fields: Collection[str]) -> Mapping[str, Any] | None:
    """Return a NodePool as written with some fields of another state of it; None if it has them already."""
    changed = pool.manifest()
    edited = data
    for name in sorted(fields):
        value = value_at(changed, _FIELDS[name])
        if value is not None and value != value_at(edited, _FIELDS[name]):
            edited = _set(edited, _FIELDS[name], value)
    return None if edited is data else edited


def _set(data: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return an object with another value at a path; members of the path that are missing are added."""
    head, *rest = path
    return {**data, head: _set(data.get(head) or {}, rest, value) if rest else value}


def _is_whole(data: Mapping[str, Any]) -> bool:
    """Tell whether a NodePool is one, and not a patch of one."""
    return value_at(data, _CLASS_PATH) is not None


def _fields_in(data: Mapping[str, Any]) -> frozenset[str]:
    """Return the fields of edits that an object sets."""
    return frozenset(name for name, path in _FIELDS.items() if value_at(data, path) is not None)
