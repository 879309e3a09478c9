"""Members of objects that nobody has checked: each as the type that a reader expects, whatever was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Manifest = Mapping[str, Any]


def mapping(value: Any) -> Manifest:
    """Return a value that is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def entries(value: Any) -> list[Any]:
    """Return a value that is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """Return a value that is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def containers_of_template(manifest: Manifest) -> list[Manifest]:
    """Return the containers of the pods that a controller makes from its template, without init containers."""
    spec = mapping(mapping(mapping(manifest.get("spec")).get("template")).get("spec"))
    return [mapping(container) for container in entries(spec.get("containers"))]
