"""Values of resources as far as they are known: those of another type, or known only after an apply, are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutlist.documents.members import mapping


def texts(value: Any) -> list[str]:
    """Return the texts of a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def integer(value: Any) -> int | None:
    """Return a number of nodes, which may be written as a text, or None."""
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def is_true(value: Any) -> bool:
    """Tell whether a value is true, also in a text."""
    return value is True or (isinstance(value, str) and value.lower() == "true")


def labels(value: Any) -> dict[str, str]:
    """Return the labels of which key and value are known; a number or truth counts as its text."""
    known = {key: item for key, item in mapping(value).items() if isinstance(item, str | int | float)}
    return {key: str(item).lower() if isinstance(item, bool) else str(item) for key, item in known.items()}


def items(value: Any) -> list[Mapping[str, Any]]:
    """Return the mappings of a list, of a mapping by name, or a mapping alone in a block."""
    if isinstance(value, Mapping):
        by_name = list(value.values())
        return by_name if all(isinstance(item, Mapping) for item in by_name) else [value]
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []


def block(value: Any) -> Mapping[str, Any]:
    """Return the one block of a list of blocks, or a mapping, or an empty one."""
    return (items(value) or [{}])[0] if isinstance(value, list | tuple) else mapping(value)


def whole(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a spec without members that are not known."""
    return {key: value for key, value in spec.items() if value is not None and value != "" and value != [] and value != {}}
