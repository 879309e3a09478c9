"""The status of stored objects, without the parts that do not fit their kind: others wrote it, so it is never a mistake of the
user. Amounts of Nodes and NodeClaims, and times, are the exception: plans and forecasts rest on them, so mistakes are reported.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from cutlist.api.kinds import kind_of_manifest
from cutlist.api.validation import ObjectKind, validate
from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.core.shapes import Paths, Report, Rule, anything, quick_test_of
from cutlist.documents.document import Document
from cutlist.state.checks import STORED_STATUS
from cutlist.workloads import check
from cutlist.workloads.kinds import READ, kind_of
from cutlist.workloads.written import workload_of

_STATUS: Final = "status"
_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_TIMES: Final = "Time"  # the end of the names of members that hold a time
_ROUNDS: Final = 20  # a part may need another that was left out


def with_readable_statuses(documents: Iterable[Document], notes: Notes | None = None) -> tuple[Document, ...]:
    """Return the documents, each without the parts of its status that cannot be read; `notes` gets a note on those that had
    some."""
    return tuple(_readable(document, Notes() if notes is None else notes) for document in documents)


def _readable(document: Document, notes: Notes) -> Document:
    if _STATUS not in document.data or _is_readable(document):
        return document
    faults = _faults_of(document)
    data = document.data
    removed: list[str] = []
    for _ in range(_ROUNDS):
        paths = list(faults(data))
        if not paths:
            break
        removed += paths
        if data is document.data:
            data = {**document.data, _STATUS: copy.deepcopy(document.data[_STATUS])}
        for path in sorted(paths, key=_steps, reverse=True):
            _remove(data, _steps(path))
    else:
        data = {name: member for name, member in document.data.items() if name != _STATUS}
    if data is document.data:
        return document
    notes.add(
        "status-passed-over",
        "parts of the status do not belong to the kind, and are ignored: {who}",
        _named(document, removed),
    )
    return replace(document, data=data)


def _is_readable(document: Document) -> bool:
    """Tell that all of a status can be read, as of nearly every object: only where it says no, the parts are looked at."""
    test = quick_test_of(_rule(document)) if _kind_of_model(document) is None else None
    return test is not None and test(document.data[_STATUS])


def _kind_of_model(document: Document) -> ObjectKind | None:
    """Return the kind of an object that a model describes as a whole, or None."""
    return None if document.kind == "NodeClaim" else kind_of_manifest(document.data)


def _named(document: Document, paths: Sequence[str]) -> str:
    """Return an object in words, with the first of the paths that were left out of it."""
    more = f" (and {len(paths) - 1:,} more)" if len(paths) > 1 else ""
    return f"{workload_of(document)} {paths[0]}{more}"


def _faults_of(document: Document) -> Callable[[dict[str, Any]], Iterator[str]]:
    """Return a function that yields the paths in a status that cannot be read."""
    kind = _kind_of_model(document)
    if kind is not None:
        known = kind

        def of_model(data: dict[str, Any]) -> Iterator[str]:
            yield from (f.path for f in validate(known, data).findings if re.split(r"[.\[]", f.path)[0] == _STATUS)

        return of_model
    rule = _rule(document)

    def of_rule(data: dict[str, Any]) -> Iterator[str]:
        problems = Problems()
        rule(data[_STATUS], _STATUS, Report(Paths(), problems)) if data.get(_STATUS) is not None else None
        yield from (p.place.path for p in problems.found if not p.place.path.endswith(_TIMES))

    return of_rule


def _rule(document: Document) -> Rule:
    """Return the rule for the status of an object's kind; one that accepts anything if none of it is read."""
    kind = document.kind
    status = check.fields_shape(kind).optional.get(_STATUS) if kind_of(document.data) in READ else None
    return STORED_STATUS.get(kind) or status or anything


def _steps(path: str) -> list[tuple[bool, int, str]]:
    """Return the steps of a path; members of lists are numbers, so that later ones come first in reverse."""
    return [(bool(number), int(number or 0), name) for number, name in _STEP.findall(path)]


def _remove(data: dict[str, Any], steps: list[tuple[bool, int, str]]) -> None:
    """Remove what a path names, or the nearest thing around it that exists."""
    parents: list[tuple[Any, Any]] = []
    value: Any = data
    for is_index, index, name in steps:
        key: Any = index if is_index else name
        if isinstance(value, list) and is_index and index < len(value):
            parents.append((value, index))
        elif isinstance(value, dict) and key in value:
            parents.append((value, key))
        else:
            break
        value = value[key]
    parent, key = parents[-1]
    del parent[key]
