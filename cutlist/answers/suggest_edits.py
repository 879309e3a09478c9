"""What changes in NodePools: in words, and in the files that they were read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.answers.edited_texts import EditedText, edit_text
from cutlist.api import NodePool
from cutlist.core.quantity import Format
from cutlist.documents import Document, SourceText
from cutlist.optimization.first_pools import first_name

_COPY: Final = "copy of"
_WEIGHT: Final = "weight"


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one label's requirements in a NodePool, of its weight or of a limit: what they are and what they become, each
    in words; empty for none. A new NodePool is a copy of another one, with further edits."""

    node_pool: str
    key: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """Return the change in one line."""
        change = (
            f"{self.before} becomes {self.after}" if self.before and self.after else self.after or f"no longer {self.before}"
        )
        return f"NodePool {self.node_pool}: {self.key} {change}"


def edits_of(before: NodePool | None, after: NodePool, copied: NodePool | None) -> list[Edit]:
    """Return what changes in a NodePool; in one that is new, what differs from the one that it is a copy of."""
    new = [Edit(after.name, _COPY, "", f"NodePool {copied.name}")] if before is None and copied is not None else []
    of = before or copied or after
    labels = list(dict.fromkeys(e.key for pool in (of, after) for e in pool.requirements))
    limits = sorted({*of.limits, *after.limits})
    edits = [
        *(Edit(after.name, f"limits.{name}", _limit(of, name), _limit(after, name)) for name in limits),
        Edit(after.name, _WEIGHT, str(of.weight or ""), str(after.weight or "")),
        *(Edit(after.name, key, _requirement(of, key), _requirement(after, key)) for key in labels),
    ]
    return [*new, *(edit for edit in edits if edit.before != edit.after)]


def _limit(pool: NodePool, resource: str) -> str:
    limit = pool.limits.get(resource)
    return "" if limit is None else f"{limit.value():,}" if limit.format is Format.DECIMAL_SI else str(limit)


def _requirement(pool: NodePool, key: str) -> str:
    return " and ".join(f"{e.operator} {', '.join(e.values)}".strip() for e in pool.requirements if e.key == key)


def written(pools: Sequence[NodePool], file: SourceText) -> EditedText:
    """Return a text with NodePools in place of those that it has under their names; a copy follows its original."""
    by_name = {pool.name: pool for pool in pools}

    def changed(document: Document) -> Mapping[str, Any] | None:
        pool = by_name.get(document.name) if document.kind == NodePool.KIND else None
        return None if pool is None else _with_terms_of(pool, document.data)

    def followers(document: Document) -> list[Mapping[str, Any]]:
        copy = by_name.get(first_name(document.name)) if document.kind == NodePool.KIND else None
        return [] if copy is None else [copy.manifest()]

    return edit_text(file, changed, followers)


def _with_terms_of(pool: NodePool, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a NodePool as written with the requirements and limits of another state of it."""
    changed = pool.manifest()["spec"]
    spec, template = data["spec"], data["spec"]["template"]
    inner = {**template["spec"], "requirements": changed["template"]["spec"]["requirements"]}
    limits = {"limits": changed["limits"]} if "limits" in changed else {}
    return {**data, "spec": {**spec, "template": {**template, "spec": inner}, **limits}}


def names_in(pools: Sequence[NodePool], text: EditedText) -> list[str]:
    """Return the names of those NodePools that were written into a text."""
    edited = {document.name for document in text.edited}
    return [pool.name for pool in pools if pool.name in edited or pool.name in map(first_name, edited)]


def unwritten(pools: Sequence[NodePool], texts: Sequence[EditedText]) -> list[str]:
    """Return the names of those NodePools that were written into none of the texts."""
    names = {name for text in texts for name in names_in(pools, text)}
    return [pool.name for pool in pools if pool.name not in names]
