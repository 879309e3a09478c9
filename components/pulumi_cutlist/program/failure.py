"""How a program failed, as its process says it: plain data, from which the process that judges it makes an error."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

from pulumi import ConfigMissingError, ConfigTypeError, RunError

from cutlist.api.read import NODE_OBJECTS
from cutlist.core.errors import CutlistError, InputError, Layer, Place, Problem, UnfinishedError
from cutlist.core.records import converted
from cutlist.core.secrecy import Secrets
from cutlist.core.setting import Edge
from cutlist.settings.words import spelled
from pulumi_cutlist.errors import ProgramCrash, ProgramError, ProgramFault
from pulumi_cutlist.inputs.program_words import is_listed_input
from pulumi_cutlist.program.main_file import crash_of, place_in_program, place_of

_NAMED: Final = 5
_KINDS: Final = frozenset((*(kind.KIND for kind in NODE_OBJECTS), "Budget"))
_TYPES: Final = {"bool": "true or false", "int": "a whole number", "float": "a number", "JSON object": "a mapping or a list"}
"""How messages call the types of values that the SDK expects in a configuration."""


class FailureReason(StrEnum):
    """Why a program failed."""

    INPUT = "input"
    """Mistakes in what it reads."""
    REFUSED = "refused"
    """A message of its own, or a refusal of Cutlist."""
    CRASH = "crash"
    """An exception of its own."""
    EXIT = "exit"
    """It ended itself."""
    FAULT = "fault"
    """An exception in Cutlist."""


def _plain(problem: Problem) -> dict[str, Any]:
    """Return a problem, in which settings are spelled already, as plain data. What kinds of problems have beyond the others is
    for the process that found them."""
    raw = asdict(problem)
    del raw["place"]["settings"]
    return {field.name: raw[field.name] for field in fields(Problem) if field.name != "advice"}


def _problem(raw: Any) -> Problem:
    """Return the problem that was made plain. Raises TypeError or KeyError for anything else."""
    place = Place(**raw["place"])
    layer = next((layer for layer in Layer if layer == raw["layer"]), "")
    details = tuple(raw["details"])  # a list by now, and problems are compared by their hashes
    problem = Problem(**{**raw, "place": place, "layer": layer, "details": details})
    nothing = Problem(Place(), "")
    types = [*map(type, (*astuple(nothing)[1:4], *astuple(Place())))] + [str] * len(details)
    if [*map(type, (*astuple(problem)[1:4], *astuple(place), *details))] != types:
        raise TypeError("no problem")
    return problem


_AS_DATA: Final = converted({"type": "object"}, _plain, _problem)


def _mistakes(error: BaseException) -> tuple[Problem, ...]:
    """Return the mistakes in what a program reads, which an error or its cause has; of its configuration also those that the
    SDK finds."""
    cause = error if isinstance(error, InputError) else error.__cause__
    if isinstance(cause, InputError):
        return spelled(cause.problems, Edge.PYTHON)
    if isinstance(error, ConfigMissingError):
        secret = "--secret " if error.secret else ""
        return (Problem(Place(), f"the configuration has no {error.key}", f"pulumi config set {secret}{error.key} VALUE"),)
    if isinstance(error, ConfigTypeError):
        return (
            Problem(
                Place(),
                f"{error.key} of the configuration is {error.value!r}",
                _TYPES.get(error.expect_type, error.expect_type),
            ),
        )
    return ()


def _in_program(error: BaseException, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return mistakes with the line of the program that has them, where they are in no other file: in inputs of components, and
    in objects that it makes."""
    at = place_in_program(error)
    placed = (
        replace(problem, place=_below(at, problem.place)) if at.source and _is_of_program(problem.place) else problem
        for problem in problems
    )
    return tuple(replace(problem, place=_shown(problem.place)) for problem in placed)


def _shown(place: Place) -> Place:
    """Return a place with its file relative to the working directory, where that is above it."""
    return replace(place, source=place_of(place.source, 0).source) if place.line and Path(place.source).is_absolute() else place


def _is_of_program(place: Place) -> bool:
    """Tell whether a place is an input, an entry of one, or an object of Karpenter by its kind and name."""
    return not place.source or is_listed_input(place.source) or place.source.partition("/")[0] in _KINDS


def _below(at: Place, place: Place) -> Place:
    """Return the place of an input, or of a part of an object that an input lists, with the line of the call."""
    return replace(place, source=at.source, line=at.line, path=" ".join(filter(None, (place.source, place.path))))


@dataclass(frozen=True, slots=True)
class Failure:
    """How a program failed. `module` is one that it needs and that is not installed; `trace` is for whoever fixes Cutlist."""

    reason: FailureReason
    message: str = ""
    problems: tuple[Annotated[Problem, _AS_DATA], ...] = ()
    module: str = ""
    trace: str = ""

    @staticmethod
    def of(error: BaseException, program: Path) -> Failure:
        """Return how a program failed that ended with an exception; `program` is its folder or file."""
        if isinstance(error, RunError | InputError):
            problems = _in_program(error, _mistakes(error))
            return Failure(FailureReason.INPUT if problems else FailureReason.REFUSED, " ".join(str(error).split()), problems)
        if isinstance(error, CutlistError):
            return Failure(FailureReason.REFUSED, str(error))
        crash = crash_of(error, program)
        if crash is None:
            what = " ".join(f"{type(error).__name__}: {error}".split())
            return Failure(FailureReason.FAULT, what, trace="".join(traceback.format_exception(error)))
        reason = FailureReason.EXIT if isinstance(error, SystemExit) else FailureReason.CRASH
        module = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
        return Failure(reason, crash.message, (crash,), module)

    def without(self, secrets: Secrets) -> Failure:
        """Return the failure with nothing secret in its words."""
        hidden = secrets.hidden
        problems = tuple(
            replace(problem, message=hidden(problem.message), details=tuple(map(hidden, problem.details)))
            for problem in self.problems
        )
        return replace(self, message=hidden(self.message), problems=problems, trace=hidden(self.trace))

    def after(self, standing: Sequence[str]) -> Failure:
        """Return the failure with the look-ups for whose answers values stand in, since these may be why a program fails."""
        if not standing or not self.problems or self.reason not in (FailureReason.CRASH, FailureReason.INPUT):
            return self
        *others, last = self.problems
        listed = "; ".join(standing[:_NAMED]) + ("; ..." if len(standing) > _NAMED else "")
        note = f"values stand in for what the program looks up: {listed}; give the answers as `lookups` of the stack"
        return replace(self, problems=(*others, replace(last, details=(*last.details, note))))

    def error(self, known: tuple[Problem, ...]) -> Exception:
        """Return what to raise for it; `known` is what is wrong with the configuration that the program ran with."""
        match self.reason:
            case FailureReason.INPUT:
                return InputError(list(dict.fromkeys([*known, *self.problems])))
            case FailureReason.CRASH:
                crash = ProgramCrash([*known, *self.problems])
                if self.module:
                    crash.__cause__ = ModuleNotFoundError(self.message, name=self.module)
                return crash
            case FailureReason.EXIT:
                return UnfinishedError("; ".join(map(str, self.problems)))
            case FailureReason.FAULT:
                fault = ProgramFault(self.message)
                fault.add_note(self.trace)
                return fault
            case FailureReason.REFUSED:
                return InputError(known) if known else ProgramError(self.message)
