"""Workloads as the input writes them: their names, where the spec of their pods is, and copies with one value changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.documents.document import Document
from cutlist.workloads.groups import workload_name

_DEFAULT: Final = "default"
_POD_SPECS: Final[Mapping[str, tuple[str, ...]]] = {
    "Pod": ("spec",),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
}
_POD_SPEC: Final = ("spec", "template", "spec")


def namespace_of(document: Document) -> str:
    """Return the namespace of an object, `default` if none is written."""
    metadata = document.data.get("metadata")
    return str(metadata.get("namespace") or _DEFAULT) if isinstance(metadata, dict) else _DEFAULT


def workload_of(document: Document) -> str:
    """Return the name of an object as a workload: `deployment/web`, or `shop/deployment/web` outside `default`."""
    return workload_name(document.kind, namespace_of(document), document.name)


def pod_spec_path(kind: str) -> tuple[str, ...]:
    """Return where an object of a kind has the spec of its pods."""
    return _POD_SPECS.get(kind, _POD_SPEC)


def value_at(data: Mapping[str, Any], path: Sequence[str]) -> Any:
    """Return the value at a path, or None if the object has none."""
    value: Any = data
    for member in path:
        value = value.get(member) if isinstance(value, dict) else None
    return value


def with_value(data: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return an object with another value at a path. All members on the way must exist, except the last."""
    head, *rest = path
    return {**data, head: with_value(data[head], rest, value) if rest else value}
