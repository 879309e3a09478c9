"""Mistakes in the inputs of components, in the words of the program that has them.

Components name their inputs as a stack file and other languages do, in camelCase. A program in Python has snake_case, and what
is wrong is said in that. An engine shows the message alone, without the code that found it: for its language host a mistake
in input is a RunError.
"""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NotRequired, get_args, get_origin, is_typeddict

import pulumi
from pulumi.runtime import settings
from pulumi.runtime.mocks import MockMonitor

from cutlist.core.errors import CutlistError, InputError, Place, Problem
from cutlist.core.wording import camel_case
from pulumi_cutlist.errors import NOWHERE
from pulumi_cutlist.inputs.asking import asking_with
from pulumi_cutlist.inputs.calls import require_call
from pulumi_cutlist.lookups.asking import place_at, program_site

_CAMEL: Final = ContextVar("written_in_camel_case", default=False)
_SEGMENT: Final = re.compile(r"([A-Za-z][A-Za-z0-9]*)|(\[[^\]]*\])|\.")
_WORD: Final = re.compile(r"\b[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]*)+\b")
_LISTED: Final = re.compile(r"[a-z]\w*\[[0-9]+\]")
_OF_KUBERNETES: Final = frozenset({"hostNetwork", "nodeSelector"})
"""Inputs that have the name of a field of Kubernetes, which messages mean."""

# A language host prints a RunError, and a traceback for any other exception, by an `except` clause that takes no virtual
# subclass. There is no one place to translate mistakes at: a program's `NodePool(...)` raises in the core, which does not know
# Pulumi, and without any component around it; others come from constructors, from hooks, from the checks of values that are
# known late, and from plans that a program makes by itself. A program of a user's own has no edge that is ours. And an error
# that is translated is no longer the InputError, with its problems, that callers and tests catch. So the class itself becomes
# one that hosts know, once, where components are imported.
InputError.__bases__ = (CutlistError, pulumi.RunError)


def is_listed_input(source: str) -> bool:
    """Tell whether the source of an object is an entry of an input, such as `node_pools[0]`, and not a file."""
    return _LISTED.fullmatch(source) is not None


@contextmanager
def written_in_camel_case() -> Iterator[None]:
    """Let components that are made in the block keep the names of a stack file or of another language."""
    token = _CAMEL.set(True)
    try:
        yield
    finally:
        _CAMEL.reset(token)


def is_written_in_camel_case() -> bool:
    """Tell whether the component that is being made has the names of a stack file or of another language."""
    return _CAMEL.get()


@dataclass(frozen=True, slots=True)
class ProgramWords:
    """How a program spells the inputs of a component that are declared so; `sections` declares what is in inputs that are
    declared as any mapping. Nothing is declared where a program is spelt as messages are. `component` says of which one an
    input is, where nothing else does; `at` is the line that makes it, for mistakes that are found once values are known."""

    declared: Any = None
    sections: Mapping[str, Any] | None = None
    component: str = ""
    at: Place = NOWHERE

    def problem(self, problem: Problem) -> Problem:
        """Return a mistake in these words."""
        if self.declared is None:
            return problem
        place = problem.place
        if place.source:
            place = replace(place, source=self._path(place.source))
        else:
            place = replace(place, source=self.component, path=self._path(place.path))
        message, allowed = self.text(problem.message), self.text(problem.allowed)
        advice = problem.advice if allowed == problem.allowed else None
        return replace(problem, place=place, message=message, allowed=allowed, advice=advice)

    def text(self, text: str) -> str:
        """Return a text in these words."""
        if self.declared is None:
            return text
        names = _names_in(self.declared) | frozenset(self.sections or ())
        names = names.union(*map(_names_in, (self.sections or {}).values()))
        spelt = {camel_case(name): name for name in names if camel_case(name) not in _OF_KUBERNETES}
        return _WORD.sub(lambda word: spelt.get(word[0], word[0]), text)

    def error(self, error: InputError) -> InputError:
        """Return an error with each mistake in these words."""
        return error if self.declared is None else InputError(list(map(self.problem, error.problems)))

    def late_error(self, error: InputError) -> InputError:
        """Return an error that comes after the component is made, at the line that makes it."""
        problems = self.error(error).problems
        if not self.at.source:
            return InputError(problems)
        return InputError([p if p.place.source else replace(p, place=replace(self.at, path=p.place.path)) for p in problems])

    def _path(self, path: str) -> str:
        """Return a path with the names of the program for as long as it is one of declared inputs: what comes below is data."""
        inputs, rest = path.partition(" ")[::2]
        declared, spelt, end = self.declared, "", 0
        for segment in _SEGMENT.finditer(inputs):
            if segment.start() != end:
                break
            name, index = segment[1], segment[2]
            if name is not None and is_typeddict(declared):
                members = {camel_case(member): member for member in declared.__annotations__}
                if name not in members:
                    break
                declared = (self.sections or {}).get(members[name]) or _plain(declared.__annotations__[members[name]])
                spelt += members[name]
            elif (name is not None or index is not None) and get_origin(declared) in (dict, list):
                declared = _plain(get_args(declared)[-1])
                spelt += segment[0]
            elif segment[0] == ".":
                spelt += "."
            else:
                break
            end = segment.end()
        return spelt + inputs[end:] + (f" {rest}" if rest else "")


class ProgramComponent(pulumi.ComponentResource):
    """A component whose mistakes are said in the words of its program."""

    _SECTIONS: ClassVar[Mapping[str, Any]] = {}
    """The declarations of inputs that are declared as any mapping."""
    _words: ProgramWords = ProgramWords()

    @property
    def words(self) -> ProgramWords:
        """Return how the program spells the inputs; of a part, how the component that makes it is spelt."""
        return self._words

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "__init__" in cls.__dict__:
            cls.__init__ = _in_words(cls.__dict__["__init__"])  # type: ignore[method-assign]


def _in_words(construct: Callable[..., None]) -> Callable[..., None]:
    """Return a constructor whose InputErrors are in the words of the program that calls it."""
    declared = inspect.get_annotations(construct).get("args")

    @functools.wraps(construct)
    def constructor(self: ProgramComponent, *values: Any, **named: Any) -> None:
        if is_typeddict(declared):
            require_call(construct, type(self).__name__, values, named)
        name = values[0] if values else named.get("name")
        args = values[1] if len(values) > 1 else named.get("args")
        opts = values[2] if len(values) > 2 else named.get("opts")
        if named.get("plan") is not None and opts is not None and isinstance(opts.parent, ProgramComponent):
            self._words = opts.parent.words  # what it is planned from is written where its parent is
        elif is_typeddict(declared) and not is_written_in_camel_case() and not _is_in_camel_case(args):
            called = _on_an_engine(f"{type(self).__name__}/{name}")
            self._words = ProgramWords(declared, type(self)._SECTIONS, called, NOWHERE if called else place_at(program_site()))
        try:
            with asking_with(opts):
                construct(self, *values, **named)
        except InputError as error:
            raise self._words.error(error) from None

    return constructor


def _on_an_engine(component: str) -> str:
    """Return a component's name where an engine shows the messages: without one, the line of the call is known."""
    monitor = settings.SETTINGS.monitor
    return "" if monitor is None or isinstance(monitor, MockMonitor) else component


def _is_in_camel_case(args: Any) -> bool:
    return isinstance(args, Mapping) and any(isinstance(key, str) and key != key.lower() for key in args)


@functools.cache
def _names_in(declared: Any) -> frozenset[str]:
    """Return the names of all inputs that a declaration has, at any depth."""
    if is_typeddict(declared):
        members = declared.__annotations__
        return frozenset(members).union(*(_names_in(_plain(hint)) for hint in members.values()))
    return frozenset[str]().union(*(_names_in(_plain(hint)) for hint in get_args(declared)))


def _plain(hint: Any) -> Any:
    """Return what is declared, without its marks and without the forms that are known late."""
    return _plain(get_args(hint)[0]) if get_origin(hint) is NotRequired or len(get_args(hint)) > 2 else hint
