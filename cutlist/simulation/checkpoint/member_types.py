"""What members of a state may be, from annotations: a damaged state is refused when it is read, and not where it is used."""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from cutlist.simulation.checkpoint.types import SavedType
from cutlist.workloads.pods import FrozenDict

_WORDS: Final[Mapping[type[Any], str]] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
    Mapping: "a map",
    dict: "a map",
    FrozenDict: "a map",
    Counter: "counts",
    list: "a list",
    tuple: "a tuple",
    Sequence: "a list",
    set: "a set",
    frozenset: "a set",
    Set: "a set",
}
NAMES: Final[Mapping[type[Any], str]] = {
    list: "list",
    tuple: "tuple",
    set: "set",
    frozenset: "frozenSet",
    dict: "map",
    FrozenDict: "frozenMap",
    Counter: "counts",
}
"""The names of collections in the file."""

_CLASSES: Final[Mapping[type[Any], tuple[type[Any], ...]]] = {
    float: (float, int),
    # To look for an abstract class alone takes ten times as long.
    Mapping: (dict, FrozenDict, Mapping),
    Sequence: (tuple, list, Sequence),
    Set: (set, frozenset, Set),
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a value may be: one of some classes, or anything without any.

    Of a collection also what its elements may be, of a map its keys and values, and of a tuple of some length each element.
    """

    kinds: tuple[type[Any], ...] = ()
    element: Allowed | None = None
    value: Allowed | None = None
    each: tuple[Allowed, ...] = ()

    @property
    def words(self) -> str:
        """Return what may be there as a mistake says it, with the number of parts where that is fixed."""
        words = " or ".join(dict.fromkeys(_WORDS.get(kind, kind.__name__) for kind in self.kinds))
        return f"{words} of {len(self.each)}" if self.each else words

    def mistakes(self, value: Any) -> Iterator[tuple[str, Any, Allowed]]:
        """Yield what in a value is of another class: the path inside the value, what is there, and what may be."""
        if self.kinds and not isinstance(value, self.kinds):
            yield "", value, self
            return
        name = NAMES.get(type(value))
        if name is None:
            return
        parts: Iterator[tuple[str, Any, Allowed]]
        if self.each:
            if len(value) != len(self.each):
                yield name, value, self
            parts = ((f"{name}[{i}]", part, of) for i, (part, of) in enumerate(zip(value, self.each, strict=False)))
        elif self.element is None:
            return
        elif isinstance(value, Mapping):
            parts = self._entries(name, value)
        else:
            of = self.element
            # The usual case of a long list, without a call for each element.
            if of.is_plain and all(isinstance(part, of.kinds) for part in value):
                return
            is_ordered = isinstance(value, Sequence)
            parts = ((f"{name}[{i}]" if is_ordered else name, part, of) for i, part in enumerate(value))
        for path, part, of in parts:
            for inner, what, allowed in of.mistakes(part):
                yield f"{path}.{inner}" if inner else path, what, allowed

    @property
    def is_plain(self) -> bool:
        """Tell whether the class alone says whether a value is right."""
        return bool(self.kinds) and self.element is None and not self.each

    def _entries(self, name: str, value: Mapping[Any, Any]) -> Iterator[tuple[str, Any, Allowed]]:
        for index, (key, held) in enumerate(value.items()):
            path = f"{name}.{key}" if isinstance(key, str) else f"{name}[{index}]"
            if self.element is not None:
                yield path, key, self.element
            if self.value is not None:
                yield path, held, self.value


_ANYTHING: Final = Allowed()


@cache
def types_of_members(saved: SavedType) -> tuple[Allowed, ...]:
    """Return what each member of a type may be, in their order."""
    hints = get_type_hints(saved.kind)
    return tuple(allowed(hints[attribute]) for attribute in saved.attributes)


def words(kind: type[Any]) -> str:
    """Return a class in words."""
    return Allowed((kind,)).words


@cache
def allowed(hint: Any) -> Allowed:
    """Return what the values of an annotation may be."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _any_of([allowed(alternative) for alternative in arguments])
    if origin is Annotated:
        return allowed(arguments[0])
    if origin is Literal:
        return Allowed(tuple({type(value): None for value in arguments}))
    kind = origin or hint
    if not isinstance(kind, type) or kind in (object, Any, Callable):
        return _ANYTHING
    # JSON has lists only, so what may stand for an annotation is wider than its class.
    kinds = _CLASSES.get(kind, (kind,))
    if not arguments or kind is type:
        return Allowed(kinds)
    if kind is tuple and arguments[-1] is not Ellipsis:
        return Allowed(kinds, each=tuple(map(allowed, arguments)))
    if issubclass(kind, Mapping):
        return Allowed(kinds, allowed(arguments[0]), None if kind is Counter else allowed(arguments[1]))
    return Allowed(kinds, allowed(arguments[0])) if issubclass(kind, (Sequence, Set)) else Allowed(kinds)


def _any_of(alternatives: Sequence[Allowed]) -> Allowed:
    """Return what one of several alternatives may be: elements are known where one alternative alone has some."""
    if not all(alternative.kinds for alternative in alternatives):
        return _ANYTHING
    kinds = tuple(kind for alternative in alternatives for kind in alternative.kinds)
    collections = [alternative for alternative in alternatives if not alternative.is_plain]
    # With several collections it is not known which one a value was meant to be.
    if len(collections) != 1:
        return Allowed(kinds)
    return Allowed(kinds, collections[0].element, collections[0].value, collections[0].each)
