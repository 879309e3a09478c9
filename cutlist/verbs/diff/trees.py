"""What is different between two objects as data, and an object with some of these differences.

A list whose items have names, such as the containers of a pod, is compared item by item; any other list is one value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cutlist.core.errors import Place

_KEYS_OF_ITEMS: Final = ("name", "key", "type", "deviceName", "topologyKey", "metadata.name")
"""Members by which items of a list are distinguished, if each item has another value."""


@dataclass(frozen=True, slots=True)
class Item:
    """A step into the item of a list that has this name."""

    name: str


Path = tuple[str | Item, ...]


class TreeDifference(NamedTuple):
    """A place where two objects differ, with the value of each; None for a missing one."""

    path: Path
    old: Any
    new: Any


def differences(old: Any, new: Any, path: Path = ()) -> Iterator[TreeDifference]:
    """Yield every difference; an item that only one side has is one difference."""
    if isinstance(old or new, Mapping) and all(value is None or isinstance(value, Mapping) for value in (old, new)):
        old, new = old or {}, new or {}
        for key in sorted({*old, *new}, key=str):
            yield from differences(old.get(key), new.get(key), (*path, key))
        return
    items = _items(old), _items(new)
    if items[0] is not None and items[1] is not None:
        for name in dict.fromkeys((*items[0], *items[1])):
            was, now = items[0].get(name), items[1].get(name)
            if was is None or now is None:
                yield TreeDifference((*path, Item(name)), was, now)
            else:
                yield from differences(was, now, (*path, Item(name)))
    elif old != new:
        yield TreeDifference(path, old, new)


def with_values(old: Any, new: Any, paths: Collection[Path]) -> Any:
    """Return an object with the values that another one has at some paths; neither is changed. With the paths of all
    differences it is like the other one, except for the order of items that have names."""
    if not paths:
        return old
    if () in paths:
        return new
    below: dict[str | Item, list[Path]] = {}
    for first, *rest in paths:
        below.setdefault(first, []).append(tuple(rest))
    if any(isinstance(step, Item) for step in below):
        return _with_items(old, new, below)
    was, now = (side if isinstance(side, Mapping) else {} for side in (old, new))
    made = dict(was)
    for key, paths_below in below.items():
        value = with_values(was.get(key), now.get(key), paths_below)
        if value is None and now.get(key) is None and key not in now:
            made.pop(key, None)
        else:
            made[key] = value
    return made if made or new is not None else None


def _with_items(old: Any, new: Any, below: Mapping[str | Item, Collection[Path]]) -> list[Any]:
    was, now = _items(old) or {}, _items(new) or {}
    changed = {
        step.name: with_values(was.get(step.name), now.get(step.name), rest)
        for step, rest in below.items()
        if isinstance(step, Item)
    }
    kept = {**was, **{name: changed[name] for name in (*was, *now) if name in changed}}
    return [value for value in kept.values() if value is not None]


def path_text(path: Path) -> str:
    """Return a path as messages write it: `spec.containers[web].image`."""
    text = ""
    for step in path:
        text = f"{text}[{step.name}]" if isinstance(step, Item) else Place(path=text).member(str(step)).path
    return text


def _items(value: Any) -> dict[str, Any] | None:
    """Return the items of a list by their identity, or None if they have none."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(item, Mapping) for item in value):
        return None
    for key in _KEYS_OF_ITEMS:
        names = [_member(item, key) for item in value]
        if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
            return dict(zip(map(str, names), value, strict=True))
    return None


def _member(item: Mapping[str, Any], key: str) -> Any:
    """Return a member of an item, or of its metadata."""
    first, _, rest = key.partition(".")
    value = item.get(first)
    return (value.get(rest) if isinstance(value, Mapping) else None) if rest else value
