"""Objects with places for values: those that another tool fills in, such as `${REPLICAS}` or `{{ .Values.cpu }}` in quotes, and
those that a person does, such as `<your-cluster>`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.account.forms import TEMPLATE
from cutlist.documents.document import Document
from cutlist.documents.terraform.opentofu import planned
from cutlist.documents.text.json import ESCAPE

_OF_TOOLS: Final = re.compile(r"\$\{[A-Za-z_][\w.:=?/+-]*\}|\{\{.*?\}\}|<%.*?%>")
_OF_PEOPLE: Final = re.compile(r"<[A-Za-z][\w .:/-]*>")
_ANY: Final = re.compile(f"{_OF_TOOLS.pattern}|{_OF_PEOPLE.pattern}")
_SIGNS: Final = ("${", "{{", "<")
"""Each place begins with one of these."""
_FILL_IN: Final = "a placeholder: fill it in"
PLACEHOLDER: Final = "placeholder"
"""The code of the note on placeholders without which a plan can do."""
BEARING: Final = frozenset(
    (
        *("NodePool", "EC2NodeClass", "NodeClass", "AKSNodeClass", "NodeOverlay", "CapacityBuffer"),
        *("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod", "Rollout"),
        *("HorizontalPodAutoscaler", "ScaledObject", "PodDisruptionBudget", "PriorityClass", "ResourceQuota", "LimitRange"),
    )
)
"""The kinds that plans depend on."""
_OWN: Final = frozenset(
    (
        *("command", "args", "env", "lifecycle", "livenessProbe", "readinessProbe", "startupProbe", "image"),
        *("annotations", "userData", "data", "stringData", "query", "triggers"),
    )
)
"""Members whose texts may hold such places of their own, as scripts do."""


def needed_and_unknown(document: Document) -> tuple[str, ...]:
    """Return the paths of an object's unknown values, if it is of a kind that plans depend on."""
    return document.origin.unknown if document.origin is not None and document.kind in BEARING else ()


def with_known(document: Document) -> Document:
    """Return an object of which no plan needs what is unknown."""
    return document if document.origin is None else replace(document, origin=replace(document.origin, unknown=()))


def without_placeholders(documents: tuple[Document, ...], notes: Notes) -> tuple[Document, ...]:
    """Return the objects without those in which a plan needs something that stands for a value that is not known.

    Those are open in the account of the notes. Where no plan depends on the value, such as the role of a node class, the object
    is read; a placeholder there is noted.
    """
    return tuple(kept for document in documents if (kept := _filled(document, notes)) is not None)


def has_placeholders(document: Document) -> bool:
    """Tell whether an object has places for values that another tool fills in."""
    paths: list[str] = []
    _masked(document.data, "", paths)
    return any(_OF_TOOLS.search(str(_at(document.data, path))) for path in paths)


def open_placing(document: Document) -> str:
    """Return why the pods of an object of any kind are not known: where or how many there are, or what they request, stands for
    another value. Empty if all of that is written."""
    paths: list[str] = []
    _masked(document.data, "", paths)
    at = next((path for path in paths if _PLACING.search(path) and _OF_TOOLS.search(str(_at(document.data, path)))), "")
    return f"it is a template, since {at} is {_at(document.data, at)!r}; render it first" if at else ""


_PLACING: Final = re.compile(
    r"(?:^|[.\]])(?:nodeSelector|tolerations|affinity|nodeName|topologySpreadConstraints|resources|requests|limits|cores"
    r"|coreRequest|memory|memoryOverhead|instances|replicas|minReplicas|parallelism|completions)(?:[.\[]|$)"
)
"""Paths of members that decide about pods in objects of operators."""


def _filled(document: Document, notes: Notes) -> Document | None:
    if document.kind not in BEARING or document.origin is not None:
        return document
    if not _may_have_places(document):
        return document
    paths: list[str] = []
    masked = _masked(document.data, "", paths)
    if masked is document.data:
        return document
    unknown: list[str] = []
    data = planned(masked, "", unknown)
    name = f"{document.kind} {document.name or '(without a name)'}"
    for path in (path for path in paths if not unknown and _OF_PEOPLE.search(str(_at(document.data, path)))):
        notes.add(PLACEHOLDER, f"{_FILL_IN}: {{who}}", f"{path} of {name}, which is {_at(document.data, path)!r}")
    if not unknown:
        return replace(document, data=data)
    written = _at(document.data, unknown[0])
    by_hand = _OF_PEOPLE.search(str(written)) is not None
    why = f"a template, since {unknown[0]} is {written!r}; render it first, or give the variables"
    why = f"not whole: {unknown[0]} is {written!r}, {_FILL_IN}" if by_hand else why
    form = "object with placeholders" if by_hand else f"{TEMPLATE}d object"
    notes.ledger.leave_open(OpenInput(f"{name} ({document.place})", form, why))
    return None


def _may_have_places(document: Document) -> bool:
    """Tell whether an object may have texts with places for values: nearly none has, and it need not be walked through then."""
    written = document.written
    if written is None or ESCAPE in written:
        written = repr(document.data)
    return any(sign in written for sign in _SIGNS)


def _masked(value: Any, path: str, paths: list[str]) -> Any:
    """Return a value with UNKNOWN for texts with places for values, whose paths are noted; the value itself if there are
    none."""
    if isinstance(value, Mapping):
        members = ((key, below, f"{path}.{key}" if path else str(key)) for key, below in value.items())
        pairs = {key: below if key in _OWN else _masked(below, at, paths) for key, below, at in members}
        pairs = {key: UNKNOWN if isinstance(key, str) and _ANY.search(key) else below for key, below in pairs.items()}
        return pairs if any(below is not value[key] for key, below in pairs.items()) else value
    if isinstance(value, list):
        items = [_masked(item, f"{path}[{index}]", paths) for index, item in enumerate(value)]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if not isinstance(value, str) or "\n" in value or not _ANY.search(value):
        return value
    paths.append(path)
    return UNKNOWN


def _at(data: Any, path: str) -> Any:
    """Return the value at a path, such as `spec.replicas` or `spec.terms[0].id`; the path itself if it cannot be followed."""
    for part in re.findall(r"[^.\[\]]+", path):
        try:
            data = data[int(part)] if isinstance(data, list) else data[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return path
    return data
