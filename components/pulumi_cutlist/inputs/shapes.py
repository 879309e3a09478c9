"""Check that what a program gives a component has the shape that the component's inputs declare."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field, replace
from reprlib import repr as shortened
from typing import Any, Final, NotRequired, TypeVar, cast, get_args, get_origin, is_typeddict

import pulumi

from cutlist.core.errors import InputError, Place, Problem, Problems, nearest
from cutlist.infrastructure.inputs import HERE, Places, camel_case
from pulumi_cutlist.wire import with_whole_numbers

T = TypeVar("T")
LATER: Final = cast("pulumi.Output[Any]", object())
"""Stands for an input that another part supplies once it is made. It has the type of an Output, so that only an input which may
be known late can be one."""
ABSENT: Final[Any] = None
"""Stands for an input that a call lacks: absent for the part, which reports it where it is required."""
UNKNOWN_INPUT: Final = "unknown input"
_PLAIN: Final = {str: "a string in quotes", int: "a whole number", float: "a number", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class JoinedPlaces:
    """Where a call that joins components has the inputs of one of them: in a section, but for those `elsewhere`, by name, and
    for what is in those that are `nested`."""

    section: Place
    elsewhere: Mapping[str, str]
    nested: Mapping[str, Places] = field(default_factory=dict)

    def member(self, name: str) -> Place:
        """Return where one input is written."""
        return Place(path=self.elsewhere[name]) if name in self.elsewhere else self.section.member(name)


def inside(at: Places, name: str) -> Places:
    """Return where the members of one input are written."""
    return at.nested[name] if isinstance(at, JoinedPlaces) and name in at.nested else at.member(name)


def later_inputs(args: Mapping[str, object]) -> frozenset[str]:
    """Return the names of the inputs that another part supplies later."""
    return frozenset(name for name, value in args.items() if value is LATER)


def shaped(args: Any, declared: type[T], problems: Problems, at: Places = HERE) -> T:
    """Return what is given for a declared dictionary, without what it does not declare and without what is None.

    What is declared as an Input or as anything at all is passed on as it is. Unknown keys are noted and left out, so that
    whatever else is wrong can be reported with them. What comes LATER is left out, and is not missing where it is required.
    Raises InputError with all that is noted when something is missing or of another type: then nothing else can be checked.
    """
    reader = _Reader(problems)
    read: T = reader.read(with_whole_numbers(args), declared, at)
    if reader.is_unusable:
        raise InputError(problems.ordered())
    return read


class _Reader:
    """Reads one component's inputs."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.is_unusable = False

    def read(self, args: Any, declared: Any, at: Places) -> Any:
        """Return what is given, as far as it is of the declared type."""
        if is_typeddict(declared):
            return self._dictionary(args, declared, at)
        assert isinstance(at, Place)  # noqa: S101 - only the inputs themselves lie in several places
        if get_origin(declared) is list:
            return self._list(args, declared, at)
        if get_origin(declared) is dict:
            return self._mapping(args, declared, at)
        if declared in _PLAIN and not _is_a(args, declared):
            self._refuse(args, declared, at)
        plain = _known_form(declared)
        if plain is None or isinstance(args, pulumi.Output | Awaitable) or args is LATER:
            return args
        if get_origin(plain) in (list, dict):
            return self.read(args, plain, at)
        return args if _is_a(args, plain) else self._refuse(args, plain, at)

    def _dictionary(self, args: Any, declared: Any, at: Places) -> Any:
        if not isinstance(args, Mapping):
            return self._refuse(args, declared, at if isinstance(at, Place) else Place())
        hints = {key: _without_marks(hint) for key, hint in declared.__annotations__.items()}  # types, not texts
        present = {str(key): value for key, value in args.items() if value is not None}
        for key in sorted(set(present) - set(hints)):
            names = _spelt_like(key, hints)
            self._problems.add(at.member(camel_case(key)), f"{UNKNOWN_INPUT} {key!r}", ", ".join(names), nearest(key, names))
        for key in sorted(declared.__required_keys__ - set(present)):
            self._miss(hints[key], inside(at, camel_case(key)))
        known = present.keys() - later_inputs(present)
        return {key: self.read(present[key], hint, inside(at, camel_case(key))) for key, hint in hints.items() if key in known}

    def _list(self, args: Any, declared: Any, at: Place) -> Any:
        if not isinstance(args, list):
            return self._refuse(args, declared, at)
        return [self.read(value, get_args(declared)[0], at.item(index)) for index, value in enumerate(args)]

    def _mapping(self, args: Any, declared: Any, at: Place) -> Any:
        if not isinstance(args, Mapping):
            return self._refuse(args, declared, at)
        return {key: self.read(value, get_args(declared)[1], at.member(str(key))) for key, value in args.items()}

    def _miss(self, declared: Any, at: Places) -> None:
        """Note what is missing: of a dictionary, what it would have to hold."""
        self.is_unusable = True
        if is_typeddict(declared) and declared.__required_keys__:
            self._dictionary({}, declared, at)
        elif isinstance(at, Place):
            self._problems.add(at, "is missing", _in_words(declared))

    def _refuse(self, args: Any, declared: Any, at: Place) -> None:
        self.is_unusable = True
        if isinstance(args, pulumi.Resource):
            message = f"the {type(args).__name__} {args.pulumi_resource_name}, which is a resource"
            self._problems.add(at, message, "one of its outputs, such as its id, arn or name")
            return
        is_late = isinstance(args, pulumi.Output)
        message = "known only during an update" if is_late else f"{shortened(args)} of type {type(args).__name__}"
        self._problems.add(at, message, _in_words(declared) + (", known before" if is_late else ""))


def _without_marks(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _known_form(declared: Any) -> Any:
    """Return what an Input is where it is known already, such as `str`; None for any other declaration."""
    first, *others = get_args(declared) or (None,)
    return first if any(get_origin(other) is Awaitable for other in others) else None


def _is_a(args: Any, declared: type) -> bool:
    if isinstance(args, bool):
        return declared is bool
    return isinstance(args, (int, float) if declared is float else declared)


def _spelt_like(key: str, hints: Mapping[str, Any]) -> list[str]:
    """Return the inputs that there are, in the spelling that a key is written in: other languages than Python write
    camelCase."""
    on_the_wire = [camel_case(name) for name in hints]
    return on_the_wire if key != key.lower() and key not in on_the_wire else list(hints)


def in_camel_case(problem: Problem) -> Problem:
    """Return a problem with the inputs that there are as stack files spell them, if it is about an input that there is not."""
    if not problem.message.startswith(UNKNOWN_INPUT):
        return problem
    return replace(
        problem, allowed=", ".join(map(camel_case, problem.allowed.split(", "))), nearest=camel_case(problem.nearest)
    )


def _in_words(declared: Any) -> str:
    if get_origin(declared) is list:
        of_each = _in_words(get_args(declared)[0])
        return f"a list, each item {of_each}" if of_each else "a list"
    if get_origin(declared) is dict or is_typeddict(declared):
        return "a mapping"
    plain = str if str in get_args(declared) else declared  # an Input of a text
    return _PLAIN.get(plain, "")
