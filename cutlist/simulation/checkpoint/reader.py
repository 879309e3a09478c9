"""Read values back from the plain JSON that `writer.py` describes. What it does not describe is refused in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from typing import Any, Final, Never

from cutlist.core.errors import nearest
from cutlist.core.requirements import Requirements
from cutlist.core.shapes import kind_of
from cutlist.disruption.cluster_state import InstanceTypesByPool
from cutlist.simulation.checkpoint.member_types import Allowed, types_of_members, words
from cutlist.simulation.checkpoint.types import TYPES, SavedType
from cutlist.simulation.checkpoint.ways import at
from cutlist.simulation.checkpoint.writer import FLOAT, INPUT, PLAIN, RANDOM, REQUIREMENTS, SHARED
from cutlist.workloads.pods import FrozenDict

_BUILT_FROM_LISTS: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenSet": frozenset,
    REQUIREMENTS: Requirements,
    RANDOM: lambda states: _random(*states),
}
_BUILT_FROM_MAPS: Final[Mapping[str, Callable[[dict[Any, Any]], Any]]] = {
    "map": dict,
    "frozenMap": FrozenDict,
    "counts": Counter,
    "typesByPool": InstanceTypesByPool,
}
_WORDS: Final[Mapping[type[Any], str]] = {list: "a list", dict: "a mapping", str: "a text"}
_KINDS: Final = (*_BUILT_FROM_LISTS, *_BUILT_FROM_MAPS, FLOAT, INPUT, SHARED)


class Unreadable(Exception):
    """A value in the JSON cannot be read: at which path, what was found, what is allowed."""

    def __init__(self, message: str, allowed: str, near: str = "") -> None:
        super().__init__(message)
        self.message, self.allowed, self.near, self.path = message, allowed, near, ""

    def inside(self, step: str | int) -> Unreadable:
        """Return it as a mistake of what the value is inside of."""
        own = f"[{step}]" if isinstance(step, int) else step
        self.path = own + (self.path if not self.path or self.path.startswith("[") else f".{self.path}")
        return self


class Reader:
    """Reads values of plain JSON. Every method raises Unreadable for what a `Writer` does not write."""

    def __init__(self, shared: Sequence[Any], inputs: object, types: Mapping[str, SavedType] = TYPES) -> None:
        """Read values that refer to shared objects, and to objects of the inputs."""
        self._forms = shared
        self._shared: dict[int, Any] = {}
        self._begun: set[int] = set()
        self._inputs = inputs
        self._types = types
        self._checked: set[tuple[int, int]] = set()

    def read(self, form: Any) -> Any:
        """Return the value that this JSON represents."""
        if type(form) in PLAIN:
            return form
        if not isinstance(form, dict) or len(form) != 1:
            raise Unreadable(f"is {kind_of(form)}", "a plain value, or a mapping with one member, whose name says what it is")
        ((name, content),) = form.items()
        try:
            return self._named(name, content)
        except Unreadable as wrong:
            raise wrong.inside(name) from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as wrong:
            raise Unreadable(f"{kind_of(content)} cannot be read: {wrong}", "what a state has there").inside(name) from None

    def _named(self, name: str, content: Any) -> Any:
        if name == SHARED:
            return self._of_shared(content)
        if (saved := self._types.get(name)) is not None:
            return self._of_type(saved, content)
        if (build := _BUILT_FROM_LISTS.get(name)) is not None:
            return build(self._all(_checked(content, list)))
        if (build_map := _BUILT_FROM_MAPS.get(name)) is not None:
            return build_map(self._map(content))
        if name == INPUT:
            return self._of_inputs(_checked(content, list))
        if name == FLOAT:
            return float(_checked(content, str))
        known = (*_KINDS, *self._types)
        raise Unreadable(f"is of an unknown type {name!r}", "a type that a state may have", nearest(name, known))

    def _of_shared(self, number: Any) -> Any:
        """Return a shared object. It is read where it is first needed, since it may refer to those after it."""
        if type(number) is not int or not 0 <= number < len(self._forms):
            raise Unreadable(f"there is no shared object {number!r}", f"a number below {len(self._forms)}")
        if number not in self._shared:
            if number in self._begun:
                raise Unreadable(f"the shared object {number} is inside itself", "objects that are not inside themselves")
            # Before its content is read, which may lead back to it.
            self._begun.add(number)
            self._shared[number] = self.read(self._forms[number])
        return self._shared[number]

    def _of_inputs(self, way: list[Any]) -> Any:
        try:
            return at(self._inputs, way)
        except (LookupError, TypeError):
            raise Unreadable(f"the inputs have no {'/'.join(map(str, way))}", "an object of the inputs") from None

    def _of_type(self, saved: SavedType, content: Any) -> Any:
        if saved.is_enumeration:
            if content in saved.kind.__members__:
                return saved.kind[content]
            raise Unreadable(f"is {kind_of(content)}", ", ".join(saved.kind.__members__))
        # All members have to be there: a default would hide that a state is from another version.
        if _checked(content, dict).keys() != set(saved.members):
            _refuse_members(content, saved.members)
        values = []
        for member, allowed in zip(saved.members, types_of_members(saved), strict=True):
            form = content[member]
            try:
                value = form if type(form) in PLAIN else self.read(form)
                self.check(value, form, allowed)
            except Unreadable as wrong:
                raise wrong.inside(member) from None
            values.append(value)
        return _built(saved, values)

    def check(self, value: Any, form: Any, allowed: Allowed) -> None:
        """Refuse a value, read from its form, that is not what it may be. Objects of the inputs are what they are."""
        of = form.keys() if isinstance(form, dict) else ()
        if INPUT in of:
            return
        if SHARED in of:
            # A shared object is checked once for each type it is used as, not once for each use.
            if (checked := (id(value), id(allowed))) in self._checked:
                return
            self._checked.add(checked)
        for path, wrong, expected in allowed.mistakes(value):
            what = kind_of(wrong) if type(wrong) in PLAIN else words(type(wrong))
            raise Unreadable(f"is {what}", expected.words).inside(path)

    def _all(self, items: Collection[Any], steps: Sequence[str] = ()) -> list[Any]:
        """Return values; a mistake is at the step of its value, by default its position."""
        values: list[Any] = []
        try:
            # After a mistake, `values` are those before it.
            values.extend(item if type(item) in PLAIN else self.read(item) for item in items)
        except Unreadable as wrong:
            raise wrong.inside(steps[len(values)] if steps else len(values)) from None
        return values

    def _map(self, content: Any) -> dict[Any, Any]:
        if isinstance(content, dict):
            return dict(zip(content, self._all(content.values(), list(content)), strict=True))
        pairs = [_checked(pair, list) for pair in _checked(content, list)]
        return dict(zip(self._all([key for key, _ in pairs]), self._all([value for _, value in pairs]), strict=True))


def _checked(content: Any, kind: type[Any]) -> Any:
    """Return the content of a value if it is of a kind."""
    if isinstance(content, kind):
        return content
    raise Unreadable(f"is {kind_of(content)}", _WORDS[kind])


def _refuse_members(content: Mapping[str, Any], members: Sequence[str]) -> Never:
    """Refuse a mapping that lacks a member, or has another one."""
    for member in members:
        if member not in content:
            raise Unreadable("is missing", "all of " + ", ".join(members)).inside(member)
    other = next(member for member in content if member not in members)
    raise Unreadable("is not a member", ", ".join(members), nearest(other, members)).inside(other)


def _built(saved: SavedType, values: list[Any]) -> Any:
    """Return the value with these fields as they were: its constructor could derive or change some of them."""
    if issubclass(saved.kind, tuple):
        return saved.kind(*values)
    value = object.__new__(saved.kind)
    for attribute, of_field in zip(saved.attributes, values, strict=True):
        object.__setattr__(value, attribute, of_field)
    return value


def _random(version: int, kept: float | None, *numbers: int) -> Random:
    random = Random()  # noqa: S311 - repeatable by intention
    random.setstate((version, numbers, kept))
    return random
