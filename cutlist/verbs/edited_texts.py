"""Edits of objects in the user's own files: only the lines that change are written, comments and layout stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutlist.core.errors import Problems
from cutlist.documents.document import Document
from cutlist.documents.files import SourceText
from cutlist.documents.parsing import parse_documents, parse_values
from cutlist.documents.text.rewriting import rewrite
from cutlist.policy.rules.parts import unshared

Change = Callable[[Document], Mapping[str, Any] | None]
"""Returns the new data of an object, or None for one that stays as it is."""
Follow = Callable[[Document], Sequence[Mapping[str, Any]]]
"""Returns the objects that are new and follow an object: after its document, or at the end of its list."""


@dataclass(frozen=True, slots=True)
class EditedText:
    """A text after its edits. `edited` are the documents that changed, or that new ones follow.

    `left` should have changed but stayed the same, because anchors or their form prevent it.
    """

    source: str
    text: str
    edited: tuple[Document, ...] = ()
    left: tuple[Document, ...] = ()


def edit_text(file: SourceText, change: Change, follow: Follow = lambda _: ()) -> EditedText:
    """Return a text of YAML or JSON with its objects changed and new ones added. One that cannot be read stays as it is."""
    problems = Problems()
    documents = parse_documents(file.text, file.source, problems)
    roots = [unshared(root) for root in parse_values(file.text, file.source)]
    changed: dict[int, list[Document]] = {}
    following: dict[int, list[Mapping[str, Any]]] = {}
    for document in documents if not problems else ():
        data, new = change(document), follow(document)
        if data is not None or new:
            number = document.place.document - 1
            roots[number] = _put(roots[number], document, document.data if data is None else data)
            changed.setdefault(number, []).append(document)
            (_list_of(roots[number], document) if document.member else following.setdefault(number, [])).extend(new)
    if not changed:
        return EditedText(file.source, file.text)
    values = [(root,) if number in changed else None for number, root in enumerate(roots)]
    lost = {number - 1 for number in rewrite(file.text, values).renewed}
    kept = rewrite(
        file.text,
        [None if number in lost else value for number, value in enumerate(values)],
        followers={number: new for number, new in following.items() if number not in lost},
    )
    return EditedText(
        file.source,
        kept.text,
        tuple(d for number in sorted(changed) if number not in lost for d in changed[number]),
        tuple(d for number in sorted(changed) if number in lost for d in changed[number]),
    )


def _list_of(root: Any, document: Document) -> list[Any]:
    """Return the list of a file's document that has one of its objects."""
    for step in document.member[:-1]:
        root = root[step]
    items: list[Any] = root
    return items


def _put(root: Any, document: Document, data: Mapping[str, Any]) -> Any:
    """Return the contents of a file's document with one of its objects changed."""
    if not document.member:
        return dict(data)
    *path, last = document.member
    parent = root
    for step in path:
        parent = parent[step]
    # What the reader added to an item of a list of one kind is not written back.
    parent[last] = {key: value for key, value in data.items() if key in parent[last] or key not in ("apiVersion", "kind")}
    return root
