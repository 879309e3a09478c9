"""Whether what a program gives a component has the shape that the component's inputs declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NotRequired, TypeVar, get_args, get_origin, is_typeddict

import pulumi

from cutlist.errors import Place, Problems, nearest
from pulumi_cutlist.wire import with_whole_numbers

T = TypeVar("T")
_IN_WORDS: Final = {str: "text", int: "a whole number", bool: "true or false"}


def shaped(given: Mapping[str, Any], declared: type[T], problems: Problems) -> T | None:
    """What is given for a declared dictionary, without what it does not declare and without what is None.

    Unknown keys are noted and left out, so that whatever else is wrong can be told with them. None comes back when something is
    missing or of another type, which is noted as well: then nothing else can be told.
    """
    before = len(problems.found)
    reader = _Reader(problems)
    read: T = reader.read(with_whole_numbers(given), declared, "")
    unusable = len(problems.found) - before > reader.unknown
    return None if unusable else read


class _Reader:
    """Reads one component's inputs; `unknown` counts the keys that nothing reads."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.unknown = 0

    def read(self, given: Any, declared: Any, path: str) -> Any:
        if get_origin(declared) is NotRequired:
            return self.read(given, get_args(declared)[0], path)
        if is_typeddict(declared):
            return self._dictionary(given, declared, path)
        if get_origin(declared) is list:
            (inner,) = get_args(declared)
            if isinstance(given, list):
                return [self.read(value, inner, f"{path}[{index}]") for index, value in enumerate(given)]
            return self._refuse(given, "a list", path)
        if get_origin(declared) is dict:
            if isinstance(given, Mapping):
                return {key: self.read(value, get_args(declared)[1], f"{path}[{key!r}]") for key, value in given.items()}
            return self._refuse(given, "a dictionary", path)
        if declared in _IN_WORDS and type(given) is not declared:
            return self._refuse(given, _IN_WORDS[declared], path)
        return given

    def _dictionary(self, given: Any, declared: Any, path: str) -> Any:
        if not isinstance(given, Mapping):
            return self._refuse(given, "a dictionary", path)
        hints = declared.__annotations__  # evaluated: modules of inputs do without annotations as text
        there = {key: value for key, value in given.items() if value is not None}
        for key in sorted(set(there) - set(hints)):
            self.unknown += 1
            self._problems.add(Place(path=_joined(path, key)), f"unknown input {key!r}", ", ".join(hints), nearest(key, hints))
        for key in sorted(declared.__required_keys__ - set(there)):
            self._problems.add(Place(path=_joined(path, key)), f"{key} is missing")
        return {key: self.read(value, hints[key], _joined(path, key)) for key, value in there.items() if key in hints}

    def _refuse(self, given: Any, wanted: str, path: str) -> None:
        found = "an output, whose value an update alone tells" if isinstance(given, pulumi.Output) else repr(given)
        self._problems.add(Place(path=path), f"found {found}", f"{wanted}, plain")


def _joined(path: str, key: str) -> str:
    """The path of a key, in the spelling that inputs have over the wire."""
    first, *words = key.split("_")
    name = first + "".join(word.capitalize() for word in words)
    return f"{path}.{name}" if path else name
