"""The fields of an object that may be saved: a list of what is kept, so that unforeseen fields are left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.schema import Schema


@dataclass(frozen=True, slots=True)
class Plain:
    """Text, numbers and truth values, alone or in a list; no nested objects."""


@dataclass(frozen=True, slots=True)
class Names:
    """A mapping from names to plain values, such as labels or amounts; with `only`, limited to these names and name
    prefixes."""

    only: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Tell whether a name is kept. An entry that ends in a slash matches all names that begin with it."""
        return not self.only or any(
            name == allowed_name or (allowed_name.endswith("/") and name.startswith(allowed_name)) for allowed_name in self.only
        )


@dataclass(frozen=True, slots=True)
class Texts:
    """Those texts of a list that match a pattern as a whole."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Members:
    """An object with these members, or a list of such objects; with `one_of`, only those that have one of these members, with
    `called` only those whose `name` is among these."""

    members: Mapping[str, Allowed]
    one_of: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Each:
    """A mapping from names of any kind to objects with these members, such as the attributes of a device."""

    members: Members


Allowed = Plain | Names | Texts | Members | Each

PLAIN: Final = Plain()
NAMES: Final = Names()
_NOTHING: Final = object()


def plain(*names: str) -> dict[str, Allowed]:
    """Return members that are plain values."""
    return dict.fromkeys(names, PLAIN)


def kept(allowed: Allowed, value: Any) -> Any:
    """Return the allowed part of a value; None if nothing of it is allowed, and null stays null."""
    allowed_part = _kept(allowed, value)
    return None if allowed_part is _NOTHING else allowed_part


def _kept(allowed: Allowed, value: Any) -> Any:
    if value is None:
        return None
    match allowed:
        case Plain():
            return _plain(value)
        case Names():
            return _names(allowed, value)
        case Texts():
            return _texts(allowed, value)
        case Members():
            return _list(allowed, value) if isinstance(value, list) else _members(allowed, value)
        case Each():
            return _each(allowed, value)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [item for item in value if _is_plain(item)]
    return value if _is_plain(value) else _NOTHING


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float))


def _names(allowed: Names, value: Any) -> Any:
    if not isinstance(value, Mapping):
        return _NOTHING
    return {name: text for name, text in value.items() if _is_plain(text) and allowed.has(name)}


def _texts(allowed: Texts, value: Any) -> Any:
    listed = value if isinstance(value, list) else ()
    matching = [item for item in listed if isinstance(item, str) and re.fullmatch(allowed.pattern, item)]
    return matching or _NOTHING


def _each(allowed: Each, value: Any) -> Any:
    if not isinstance(value, Mapping):
        return _NOTHING
    found = {name: _members(allowed.members, member) for name, member in value.items()}
    return {name: member for name, member in found.items() if member is not _NOTHING}


def _list(allowed: Members, value: list[Any]) -> list[Any]:
    return [members for item in value if (members := _members(allowed, item)) is not _NOTHING]


def _members(allowed: Members, value: Any) -> Any:
    if not isinstance(value, Mapping) or (allowed.one_of and not any(name in value for name in allowed.one_of)):
        return _NOTHING
    if allowed.called and value.get("name") not in allowed.called:
        return _NOTHING
    present = {name: _kept(member, value[name]) for name, member in allowed.members.items() if name in value}
    return {name: member for name, member in present.items() if member is not _NOTHING}


def of_schema(schema: Schema, *without: str) -> Allowed:
    """Return all fields of a structural schema, except those with some names."""
    if members := schema.get("properties"):
        return Members({name: of_schema(member, *without) for name, member in members.items() if name not in without})
    if "items" in schema:
        return of_schema(schema["items"], *without)
    return NAMES if schema.get("type") == "object" else PLAIN
