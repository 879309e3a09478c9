"""Names of drivers, pools, attributes and capacities (W-85)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from cutlist.core.shapes import shown
from cutlist.devices.versions import is_version
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.devices import gates
from cutlist.workloads.validation.refusals import Refusals

_LONGEST_DRIVER: Final = 63
_LONGEST_POOL: Final = 253
_LONGEST_IDENTIFIER: Final = 32
_SHOWN_KEY: Final = 96  # characters of a longer key that the API server shows in a path
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_LONGEST_VALUE: Final = 64


def driver(value: Any, path: str, refusals: Refusals) -> None:
    """Add that the name of a driver is missing, or why it cannot be one: a DNS subdomain of at most 63 characters."""
    if not value:
        refusals.required(path)
        return
    at_most(value, _LONGEST_DRIVER, path, refusals)
    formats.subdomain(value.lower(), path, refusals)


def pool(value: Any, path: str, refusals: Refusals) -> None:
    """Add that the name of a pool is missing, or why it cannot be one: DNS subdomains with slashes between them."""
    if not value:
        refusals.required(path)
        return
    at_most(value, _LONGEST_POOL, path, refusals)
    for part in value.split("/"):
        formats.subdomain(part, path, refusals)


def qualified(value: str, path: str, refusals: Refusals, *, fully: bool = False) -> None:
    """Add why a text cannot name an attribute or a capacity: an identifier, which may have a domain and a slash before it, and
    must have them where it is to be `fully` qualified. A text with more slashes is accepted.
    """
    parts = value.split("/")
    if len(parts) == 2 and parts[0]:
        driver(parts[0], path, refusals)
    elif len(parts) == 2:
        refusals.invalid(path, value, "needs a domain before the slash")
    if len(parts) <= 2:
        _identifier(parts[-1], path, refusals)
    if fully and len(parts) == 1:
        refusals.invalid(path, value, "needs a domain", f"such as gpu.example.com/{value or 'model'}")


def _identifier(value: str, path: str, refusals: Refusals) -> None:
    at_most(value, _LONGEST_IDENTIFIER, path, refusals)
    if not _IDENTIFIER.fullmatch(value):
        near = re.sub(r"\W+", "_", value, flags=re.ASCII)
        meant = near if _IDENTIFIER.fullmatch(near) else ""
        text = f"{shown(value)} is not an identifier"
        refusals.add(path, text, "letters, digits and _, not starting with a digit", meant)


def version(value: str, path: str, refusals: Refusals) -> None:
    """Add why a text is not a semantic version that an attribute can have."""
    if not is_version(value):
        refusals.invalid(path, value, "is not a semantic version", "MAJOR.MINOR.PATCH, such as 1.2.3")
    at_most(value, _LONGEST_VALUE, path, refusals)


def attribute_text(value: str, path: str, refusals: Refusals) -> None:
    """Add that a text is too long for an attribute."""
    at_most(value, _LONGEST_VALUE, path, refusals)


def at_most(value: str, most: int, path: str, refusals: Refusals) -> None:
    """Add that a text has more bytes than it may have."""
    length = len(value.encode())
    if length > most:
        refusals.add(path, f"has {length} bytes", f"at most {most}")


def qualified_key(key: str, path: str, refusals: Refusals) -> None:
    """Add why the key of a map cannot name an attribute or a capacity: at the map, in older versions at the key."""
    qualified(key, path if refusals.minor >= gates.BETA else key_path(path, key), refusals)


def key_path(path: str, key: str) -> str:
    """Return the path of a key as the API server shows it: a long key without its middle."""
    if len(key.encode()) > _SHOWN_KEY:
        rest = _SHOWN_KEY - len("...")
        key = f"{key[: (rest + 1) // 2]}...{key[-(rest // 2) :]}"
    return f"{path}[{key}]"


def is_too_many(items: Collection[Any], most: int, path: str, refusals: Refusals) -> bool:
    """Tell whether a list has too many entries, which are not looked at then, and add that."""
    if len(items) > most:
        refusals.add(path, f"has {len(items)} entries", f"at most {most}")
    return len(items) > most


def each_once(
    items: Sequence[Mapping[str, Any]],
    most: int,
    key: str,
    path: str,
    refusals: Refusals,
    check: Callable[[Mapping[str, Any], str, Refusals], None],
) -> None:
    """Check each entry of a list of at most `most`, and add those whose value of `key` an earlier one has."""
    if is_too_many(items, most, path, refusals):
        return
    for index, item in enumerate(items):
        check(item, f"{path}[{index}]", refusals)
    names = [item.get(key) or "" for item in items]
    for index in formats.first_repeated(names):
        refusals.duplicate(f"{path}[{index}]", names[index])
