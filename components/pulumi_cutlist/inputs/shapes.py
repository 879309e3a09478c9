"""Check that what a program gives a component has the shape that the component's inputs declare."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import NoneType
from typing import Any, Final, NotRequired, TypeVar, cast, get_args, get_origin, get_type_hints, is_typeddict

import pulumi

from cutlist.api.late_values import OF_OUTPUT_TEXT, OUTPUT_TEXT
from cutlist.api.objects import ApiObject
from cutlist.core.errors import InputError, Place, Problems, UnknownMember, nearest
from cutlist.core.setting import Advice, Edge
from cutlist.core.shapes import Report, Shape, anything, boolean, join, kind_of, number, quoted, text, whole
from cutlist.core.shapes.parts import List, Map, Mapped
from cutlist.core.wording import camel_case
from cutlist.infrastructure.inputs import HERE, Places
from pulumi_cutlist.inputs.calls import called
from pulumi_cutlist.inputs.program_words import is_written_in_camel_case
from pulumi_cutlist.wire import with_whole_numbers

T = TypeVar("T")
D = TypeVar("D", bound=type)
_SECTION: Final = "__cutlist_section__"
LATER: Final = cast("pulumi.Output[Any]", object())
"""Stands for an input that another part supplies once it is made. It has the type of an Output, so that only an input which may
be known late can be one."""
ABSENT: Final[Any] = None
"""Stands for an input that a call lacks: absent for the part, which reports it where it is required."""
_PLAIN: Final[Mapping[Any, Shape]] = {
    str: text.called("a string in quotes"),
    int: whole(),
    float: number(),
    bool: boolean,
}
_FIRST: Final = re.compile(r"\['([^']*)'\]|([^.\[]+)")


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


def section(declared: D) -> D:
    """Mark a dictionary as a section of a call for several parts: the plan of its part checks what is in it, and the call
    passes it on as it is."""
    setattr(declared, _SECTION, True)
    return declared


def later_inputs(args: Mapping[str, object]) -> frozenset[str]:
    """Return the names of the inputs that another part supplies later."""
    return frozenset(name for name, value in args.items() if value is LATER)


def shaped(args: Any, declared: type[T], problems: Problems, at: Places = HERE) -> T:
    """Return what is given for a declared dictionary, without what it does not declare and without what is None.

    What is declared as an Input or as anything at all is passed on as it is. Unknown keys are noted and left out, so that
    whatever else is wrong can be reported with them. What comes LATER is left out, and is not missing where it is required.
    Raises InputError with all that is noted when something is missing or of another type: then nothing else can be checked.
    """
    before, of = len(problems.found), cast("Any", declared)
    read: T = _shape_of(of)(with_whole_numbers(args), "", Report(_Inputs(at), problems))
    if not all(isinstance(problem, UnknownMember) for problem in problems.found[before:]):
        raise InputError(problems.ordered())
    return read


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The places of inputs and of their parts."""

    at_all: Places

    def at(self, path: str) -> Place:
        """Return where an input, or a part of one, is written."""
        if isinstance(self.at_all, Place):
            return self.at_all.at(join(self.at_all.path, path)) if path else self.at_all
        first = _FIRST.match(path)
        if first is None:
            return Place()
        place, rest = inside(self.at_all, first[1] or first[2]), path[first.end() :]
        return place.at(place.path + rest) if isinstance(place, Place) else _Inputs(place).at(rest.removeprefix("."))


@dataclass(frozen=True, slots=True, eq=False)
class _Dictionary(Mapped):
    """The members of a declared dictionary by the names of Python; what is reported has those of the wire."""

    members: Mapping[str, Shape]
    required: frozenset[str]

    def __call__(self, value: Any, path: str, report: Report) -> Any:
        """Return the members that are declared, as they are read."""
        if not isinstance(value, Mapping):
            report.add(path, f"expected {self.words}, found {kind_of(value)}")
            return value
        present = {str(key): member for key, member in value.items() if member is not None}
        listed = sorted(self.members, key=lambda name: name not in self.required)  # those of a base stand first otherwise
        for key in sorted(present.keys() - self.members):
            names = {name.text: name for name in _spelt_like(key, listed)}
            advice = Advice.of(*names.values(), joint=", ", nearest=names.get(nearest(key, names)))
            place, near = report.document.at(quoted(path, key)), advice.nearest
            nearest_input = near.spelled(Edge.PYTHON) if near is not None else ""
            unknown = UnknownMember(place, f"unknown input {key!r}", str(advice), nearest_input, advice=advice)
            report.problems.extend([unknown])
        for key in sorted(self.required - present.keys()):
            self._miss(self.members[key], join(path, camel_case(key)), report)
        known = present.keys() - later_inputs(present)
        return {key: of(present[key], join(path, camel_case(key)), report) for key, of in self.members.items() if key in known}

    def _miss(self, shape: Shape, path: str, report: Report) -> None:
        """Report what is missing: of a dictionary, what it would have to hold."""
        inner = shape.shape if isinstance(shape, _Known) else shape
        if isinstance(inner, _Dictionary) and inner.required:
            inner({}, path, report)
        else:
            report.add(path, "is missing", shape.words)


@dataclass(frozen=True, slots=True, eq=False)
class _Known(Shape):
    """A value that is passed on as it is; of a list or mapping, its parts. A resource is reported, and what is known only
    during an update, unless it may be `late`."""

    shape: Shape
    late: bool = False

    @property
    def words(self) -> str:
        """Return the words for the value once it is known."""
        return self.shape.words

    def __call__(self, value: Any, path: str, report: Report) -> Any:
        """Return the value; of what is known already, every mistake is reported."""
        if isinstance(value, pulumi.Resource):
            message = f"the {type(value).__name__} {value.pulumi_resource_name}, which is a resource"
            report.add(path, message, "one of its outputs, such as its id, arn or name")
        elif isinstance(value, str) and OUTPUT_TEXT in value:
            report.add(path, *OF_OUTPUT_TEXT)
        elif not isinstance(value, pulumi.Output | Awaitable) and value is not LATER:
            if (other := _other_form(value, self.shape)) is not None:
                report.add(path, *other)
                return value
            read = self.shape(value, path, report)
            return list(read) if isinstance(self.shape, List) else read if isinstance(self.shape, Map | _Dictionary) else value
        elif not self.late:
            report.add(path, "known only during an update", f"{self.words}, known before")
        return value


def _other_form(value: Any, shape: Shape) -> tuple[str, str, str] | None:
    """Return what to report of a value that is not in the form of its shape, a list or a mapping: what it is, what is allowed,
    and what was meant; None for one that is."""
    if isinstance(shape, List) and not isinstance(value, list | tuple):
        meant = f"[{json.dumps(value)}]" if isinstance(value, str | int | float) else ""
        return f"expected a list, found {called(value)}", "" if meant else "a list, also of one", meant
    if not isinstance(shape, Map | _Dictionary) or isinstance(value, Mapping):
        return None
    if isinstance(value, ApiObject):
        return f"expected {shape.words}, found {called(value)}", "its manifest, which `.manifest()` returns", ""
    if isinstance(shape, _Dictionary):
        way = f"a mapping with {', '.join(map(camel_case, shape.members))}"
    else:
        way = "" if shape.value is anything else "a mapping: a name for each value"
    return f"expected {shape.words}, found {called(value)}", way, ""


@cache
def _shape_of(declared: Any, *, late: bool = False) -> Shape:
    """Return the shape of what is declared; anything is accepted where that is not a type of data."""
    if getattr(declared, _SECTION, False):
        return _known_section(late=late)
    if is_typeddict(declared):
        hints = {key: _shape_of(_without_marks(hint)) for key, hint in declared.__annotations__.items()}  # types, not texts
        return _Known(_Dictionary(hints, declared.__required_keys__), late)
    if get_origin(declared) is list:
        return _Known(List(_shape_of(get_args(declared)[0])), late)
    if get_origin(declared) is dict:
        return _Known(Map(_shape_of(get_args(declared)[1]), quoted), late)
    if declared in _PLAIN:
        return _Known(_PLAIN[declared], late)
    known = _known_form(declared)
    return anything if known is None else _shape_of(known, late=True)


def _known_section(*, late: bool) -> Shape:
    return _Known(Map(anything, quoted), late)


def _without_marks(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _known_form(declared: Any) -> Any:
    """Return what an Input is where it is known already, such as `str`; None for any other declaration."""
    first, *others = get_args(declared) or (None,)
    return first if any(get_origin(other) is Awaitable for other in others) else None


def declare_plainly(inputs: Any, inherited: Any) -> None:
    """Give the members that a component's inputs inherit types that the component host knows: lists for all sequences, and
    texts for paths. They come after its own."""
    own = inputs.__annotations__
    for name, hint in get_type_hints(inherited).items():
        del own[name]
        own[name] = _plain(hint)


def _plain(hint: Any) -> Any:
    if get_origin(hint) is Sequence:
        return list[_plain(get_args(hint)[0])]  # type: ignore[misc]  # made at run time
    alternatives = [form for form in get_args(hint) if form is not NoneType]
    return str if str in alternatives else next(iter(alternatives), hint)


@dataclass(frozen=True, slots=True)
class _InputName:
    """The name of an input, and its text in the spelling that the others of a program are written in."""

    name: str
    text: str

    def spelled(self, edge: Edge) -> str:
        """Return the name as a stack file has it, or the text."""
        return camel_case(self.name) if edge is Edge.STACK else self.text


def _spelt_like(key: str, names: Iterable[str]) -> list[_InputName]:
    """Return the inputs that there are, in the spelling of the program, else in that of the key: other languages than Python
    write camelCase."""
    listed = list(names)
    is_camel = is_written_in_camel_case() or (key != key.lower() and key not in map(camel_case, listed))
    return [_InputName(name, camel_case(name) if is_camel else name) for name in listed]
