"""Values as a flat list of plain JSON, in which each object occurs once, even if several others refer to it.

A text, a whole number, a finite float, true, false and null stand for themselves; `[7]` refers to the entry 7 of the list. An
entry is a list too: its kind, and what it consists of. Entries refer only to earlier ones. The kinds are

    ["tuple", items...], ["list", items...], ["set", items...], ["frozenset", items...]
    ["dict", key, value, key, value...], and "FrozenDict" and "Counter" likewise
    ["float", text]         a number that JSON lacks
    ["random", states...]   a generator of random numbers
    ["input", steps...]     an object of the inputs: the way to it, by names of fields and keys and by positions
    [class, fields...]      a value of Cutlist, whose class is listed with its module and its fields
    [class, name]           a member of an enumeration

A reference to the inputs is the identical object of these after reading, as it was before.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from random import Random
from types import MappingProxyType
from typing import Any, Final

from cutlist.core.identity import SameObject
from cutlist.core.requirements import Requirements
from cutlist.workloads.pods import FrozenDict

Plain = str | int | float | bool | None | list[Any]
"""A value in the JSON: itself, or the list of one number that refers to an entry."""
Classes = dict[str, list[str]]
"""The module and the fields of each class, by its name."""

_OURS: Final = "cutlist."
_INPUT: Final = "input"
_FLOAT: Final = "float"
_RANDOM: Final = "random"
_REQUIREMENTS: Final = "Requirements"
_COLLECTIONS: Final[Mapping[type, str]] = {tuple: "tuple", list: "list"}
_SETS: Final[Mapping[type, str]] = {set: "set", frozenset: "frozenset"}
_MAPPINGS: Final[Mapping[type, str]] = {
    dict: "dict",
    FrozenDict: "FrozenDict",
    Counter: "Counter",
    MappingProxyType: "dict",
}
_BUILT: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "tuple": tuple,
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "dict": lambda items: dict(_pairs(items)),
    "FrozenDict": lambda items: FrozenDict(_pairs(items)),
    "Counter": lambda items: Counter(dict(_pairs(items))),
    _FLOAT: lambda items: float(items[0]),
    _RANDOM: lambda items: _random(items),
    _REQUIREMENTS: Requirements,
}


class Writer:
    """Writes values as entries of a list. `entries` and `classes` are what has been written."""

    def __init__(self, inputs: Mapping[SameObject, Sequence[str | int]]) -> None:
        """Begin with the objects of the inputs, which are referred to by the ways to them."""
        self.entries: list[list[Any]] = []
        self.classes: Classes = {}
        self._inputs = inputs
        self._numbers: dict[SameObject, int] = {}

    def write(self, value: object) -> Plain:
        """Return a value as it stands in the JSON. Raises TypeError for one that has no form."""
        kind = type(value)
        if value is None or kind in (str, int, bool):
            return value  # type: ignore[return-value]
        if isinstance(value, float) and kind is float and math.isfinite(value):
            return value
        key = SameObject(value)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self.add(self._entry(value, key))
        return [number]

    def add(self, entry: list[Any]) -> int:
        """Add an entry to the list, and return its number."""
        self.entries.append(entry)
        return len(self.entries) - 1

    def _entry(self, value: object, key: SameObject) -> list[Any]:
        if key in self._inputs:
            return [_INPUT, *self._inputs[key]]
        kind = type(value)
        if kind in _COLLECTIONS:
            return [_COLLECTIONS[kind], *self.all(value)]  # type: ignore[arg-type]
        if kind in _MAPPINGS:
            return [_MAPPINGS[kind], *self.all(part for pair in value.items() for part in pair)]  # type: ignore[attr-defined]
        if kind in _SETS:
            return [_SETS[kind], *self.all(_ordered(value))]  # type: ignore[arg-type]
        if kind is float:
            return [_FLOAT, str(value)]
        if isinstance(value, Random):
            return [_RANDOM, *_states(value)]
        if isinstance(value, Requirements):
            return [_REQUIREMENTS, *self.all(value.values())]
        return self.of_class(value, kind)

    def of_class(self, value: object, kind: type[Any]) -> list[Any]:
        """Return the entry of a value of one of Cutlist's own classes. Raises TypeError for one that has no form."""
        if kind.__module__.startswith(_OURS):
            if isinstance(value, Enum):
                return [self._class(kind, ()), value.name]
            if (names := _fields(kind)) is not None:
                return [self._class(kind, names), *self.all(getattr(value, name) for name in names)]
        raise TypeError(f"{kind.__module__}.{kind.__qualname__} has no form in which it is saved")

    def all(self, values: Iterable[object]) -> Iterator[Plain]:
        """Return values as they stand in the JSON."""
        return map(self.write, values)

    def _class(self, kind: type[Any], names: Iterable[str]) -> str:
        listed = self.classes.setdefault(kind.__qualname__, [kind.__module__, *names])
        if listed[0] == kind.__module__:
            return kind.__qualname__
        name = f"{kind.__module__}.{kind.__qualname__}"  # two classes have this name
        self.classes.setdefault(name, [kind.__module__, *names])
        return name


class Reader:
    """Reads values from the entries of a list. Raises ValueError where these are not what a `Writer` writes."""

    def __init__(self, entries: Iterable[list[Any]], classes: Classes, inputs: object) -> None:
        """Read all entries; `inputs` are those of which some entries are parts."""
        self._inputs = inputs
        self._classes = {name: _Class.of(name, *listed) for name, listed in classes.items()}
        self._values: list[Any] = []
        for entry in entries:
            self._values.append(self._built(entry[0], entry[1:]))

    def read(self, plain: Plain) -> Any:
        """Return the value that this JSON represents."""
        if isinstance(plain, list):
            return self._values[plain[0]]
        return plain

    def _built(self, kind: str, items: list[Any]) -> Any:
        if kind == _INPUT:
            return at(self._inputs, items)
        values = [self.read(item) for item in items]
        if kind in _BUILT:
            return _BUILT[kind](values)
        return self._classes[kind].built(values)


@dataclass(frozen=True, slots=True)
class _Class:
    """A class of Cutlist, as it is here, and the names of its fields."""

    kind: type[Any]
    fields: tuple[str, ...] | None

    @staticmethod
    def of(name: str, module: str, *names: str) -> _Class:
        """Return a class by its name. Raises ValueError where it does not exist here or has other fields."""
        kind: Any = _module(module)
        for part in name.removeprefix(f"{module}.").split("."):
            kind = getattr(kind, part, None)
        if isinstance(kind, type) and kind.__module__ == module:
            if issubclass(kind, Enum):
                return _Class(kind, None)
            if _fields(kind) == names:
                return _Class(kind, names)
        raise ValueError(f"{name} is not a class of {module} with the fields {', '.join(names)}")

    def built(self, values: list[Any]) -> Any:
        """Return the value that has these fields."""
        if self.fields is None:
            return self.kind[values[0]]
        if issubclass(self.kind, tuple):
            return self.kind(*values)
        value = object.__new__(self.kind)
        for name, of_field in zip(self.fields, values, strict=True):
            object.__setattr__(value, name, of_field)
        return value


def _module(name: str) -> Any:
    """Return a module of Cutlist, or None for any other name."""
    if name.startswith(_OURS):
        with suppress(ImportError):
            return importlib.import_module(name)
    return None


def ways_to(inputs: object, closed: tuple[type[Any], ...]) -> dict[SameObject, tuple[str | int, ...]]:
    """Return the way to each object of some inputs, the shortest first. Objects inside those of `closed` classes have none, and
    neither have elements of sets, since sets have no order.
    """
    ways: dict[SameObject, tuple[str | int, ...]] = {}
    level: list[tuple[object, tuple[str | int, ...]]] = [(inputs, ())]
    while level:
        following = []
        for value, way in level:
            if value is None or isinstance(value, (str, int, float, Enum)) or (key := SameObject(value)) in ways:
                continue
            ways[key] = way
            if not isinstance(value, closed):
                following += [(part, (*way, step)) for step, part in _parts(value)]
        level = following
    return ways


def at(inputs: object, way: Iterable[str | int]) -> Any:
    """Return the object at the end of a way. Raises ValueError for a way that the inputs do not have."""
    value: Any = inputs
    for step in way:
        try:
            if isinstance(value, Mapping):
                value = list(value.values())[step] if isinstance(step, int) else value[step]
            else:
                value = value[step] if isinstance(step, int) else getattr(value, step)
        except (AttributeError, LookupError, TypeError):
            raise ValueError(f"the inputs have no {'/'.join(map(str, way))}") from None
    return value


def _parts(value: object) -> Iterable[tuple[str | int, object]]:
    if isinstance(value, Mapping):
        return ((key if isinstance(key, str) else n, part) for n, (key, part) in enumerate(value.items()))
    if isinstance(value, tuple | list):
        return enumerate(value)
    return ((name, getattr(value, name)) for name in _fields(type(value)) or ())


def _fields(kind: type[Any]) -> tuple[str, ...] | None:
    """Return the names of a class's fields, or None for a class that has none."""
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    return getattr(kind, "_fields", None) if issubclass(kind, tuple) else None


def _ordered(values: Set[Any]) -> list[Any]:
    """Return the elements of a set in an order that does not depend on the process."""
    return sorted(values, key=lambda v: (type(v).__name__, v if isinstance(v, str) else repr(v)))


def _pairs(items: list[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(items[::2], items[1::2], strict=True)


def _states(of: Random) -> tuple[object, ...]:
    version, states, gauss = of.getstate()
    return version, gauss, *states


def _random(items: list[Any]) -> Random:
    version, gauss, *states = items
    random = Random()  # noqa: S311 - repeatable by intention
    random.setstate((version, tuple(states), gauss))
    return random
