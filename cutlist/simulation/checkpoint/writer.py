"""Write values as plain JSON with names.

A text, a whole number, a finite float, true, false and null stand for themselves. Any other value is a mapping with one member,
whose name says what the value is:

    {"list": [...]}, {"tuple": [...]}, {"set": [...]}, {"frozenSet": [...]}
    {"map": {key: value}}   keys that are not all texts: a list of pairs; so are "frozenMap", "counts" and "typesByPool"
    {"requirements": [...]}
    {"float": text}         a number that JSON lacks
    {"random": [...]}       a generator of random numbers: the version of its state, what it keeps, its numbers
    {"input": [steps...]}   an object of the inputs: the way to it, by names of fields and keys and by positions
    {"shared": number}      an entry of the list of shared objects
    {type: {member: ...}}   a value of a type in `types.py`; a member of an enumeration is {type: name}

Identity counts. Parts of a simulation hold the same objects, some of which change, and caches recognise values by identity. So
an object that occurs more than once, in whatever part, is written once, into the list of shared objects, and an object of the
inputs is after reading the identical object of the inputs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Set
from enum import Enum
from random import Random
from types import MappingProxyType
from typing import Any, Final

from cutlist.core.identity import SameObject
from cutlist.core.requirements import Requirements
from cutlist.disruption.cluster_state import InstanceTypesByPool
from cutlist.simulation.checkpoint.types import TYPES, SavedType
from cutlist.simulation.checkpoint.ways import Way
from cutlist.workloads.pods import FrozenDict

Plain = str | int | float | bool | None | dict[str, Any]
"""A value in the JSON: itself, or a mapping whose only member says what it is."""

SHARED: Final = "shared"
INPUT: Final = "input"
FLOAT: Final = "float"
RANDOM: Final = "random"
REQUIREMENTS: Final = "requirements"
PLAIN: Final = frozenset((str, int, bool, float, type(None)))
"""The classes of values that stand for themselves."""
_LISTS: Final[Mapping[type, str]] = {list: "list", tuple: "tuple"}
_SETS: Final[Mapping[type, str]] = {set: "set", frozenset: "frozenSet"}
_MAPS: Final[Mapping[type, str]] = {
    dict: "map",
    MappingProxyType: "map",
    FrozenDict: "frozenMap",
    Counter: "counts",
    InstanceTypesByPool: "typesByPool",
}


class Writer:
    """Writes values as plain JSON. `shared` are the objects that occur more than once."""

    def __init__(self, inputs: Mapping[SameObject, Way], types: Mapping[str, SavedType] = TYPES) -> None:
        """Begin with the objects of the inputs, which are referred to by the ways to them."""
        self.shared: list[dict[str, Any]] = []
        self._inputs = inputs
        self._types = {saved.kind: saved for saved in types.values()}
        self._written: dict[int, tuple[dict[str, Any], object]] = {}  # with the object, so that no other takes over its id

    def write(self, value: Any) -> Plain:
        """Return a value as it stands in the JSON. Raises TypeError for one of a type that is not saved."""
        kind = type(value)
        if kind in PLAIN:
            return {FLOAT: str(value)} if kind is float and not math.isfinite(value) else value
        if kind is tuple and not value:
            return {"tuple": []}  # Python has only one, so it being the same says nothing
        if issubclass(kind, Enum):
            return {self._type(kind).name: value.name}
        written = self._written.get(id(value))
        if written is not None:
            return self._share(written[0])
        form = self._form(value, kind)
        self._written[id(value)] = form, value
        return form

    def _share(self, form: dict[str, Any]) -> dict[str, Any]:
        """Return the reference to an object that occurs again. Where it occurred first, it is replaced by the reference."""
        if SHARED not in form:
            # The first occurrence is written already, somewhere above. Its mapping is emptied in place, which turns it into a
            # reference too.
            self.shared.append(dict(form))
            form.clear()
            form[SHARED] = len(self.shared) - 1
        return form

    def _form(self, value: Any, kind: type[Any]) -> dict[str, Any]:
        if (way := self._inputs.get(SameObject(value))) is not None:
            return {INPUT: list(way)}
        if kind in _LISTS:
            return {_LISTS[kind]: [self.write(item) for item in value]}
        if kind in _MAPS:
            return {_MAPS[kind]: self._map(value)}
        if kind in _SETS:
            return {_SETS[kind]: [self.write(item) for item in _ordered(value)]}
        if kind is Requirements:
            return {REQUIREMENTS: [self.write(requirement) for requirement in value.values()]}
        if kind is Random:
            version, numbers, kept = value.getstate()
            return {RANDOM: [version, kept, *numbers]}
        saved = self._type(kind)
        pairs = zip(saved.members, saved.attributes, strict=True)
        return {saved.name: {member: self.write(getattr(value, attribute)) for member, attribute in pairs}}

    def _type(self, kind: type[Any]) -> SavedType:
        saved = self._types.get(kind)
        if saved is None:
            raise TypeError(f"{kind.__qualname__} is not one of the types that a state may have")
        return saved

    def _map(self, values: Mapping[Any, Any]) -> dict[str, Any] | list[list[Any]]:
        """Return a mapping in its order, which later decisions may depend on."""
        if all(type(key) is str for key in values):
            return {key: self.write(value) for key, value in values.items()}
        return [[self.write(key), self.write(value)] for key, value in values.items()]


def _ordered(values: Set[Any]) -> list[Any]:
    """Return the elements of a set in an order that does not depend on the process."""
    # Hashes of texts differ from process to process, and with them the order of a set.
    return sorted(values, key=lambda v: (type(v).__name__, v if isinstance(v, str) else repr(v)))
