"""Every error that Cutlist raises, and the collector that shows all mistakes of a run together.

    CutlistError
    ├── InputError            the user's input cannot be used; carries every Problem found (exit code 2)
    │   ├── ArgumentError     a constructor lacks arguments, or does not have them (`cutlist.api.arguments`, which knows them)
    │   ├── FieldsError       values do not fit the fields of a model (`cutlist.api.model`, which knows the fields)
    │   └── NotChosenError    the input is several environments, of which one has to be chosen
    ├── UnfinishedError       a program ended before all its resources were known (exit code 1)
    ├── QuantityError         a text is not a resource quantity
    ├── SolverError           a solver ended in a way from which no bound follows
    ├── UserDataError         user data cannot be merged
    ├── ClusterNotReadyError  a fact about the cluster is missing that user data needs
    ├── NotKnownError         a rule read a value that is not known yet (`cutlist.policy.rules.parts`, with its finding)
    └── MissingExtraError     an optional dependency is needed and not installed

The packages around the core have a branch each: `cutlist_live.errors` and `pulumi_cutlist.errors`. An exception that only
ends a step of reading, and is caught in the same package, is not in this tree: it stands where it is raised.

A pod that cannot be placed is not an error but part of a plan.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from cutlist.core.installing import install_command
from cutlist.core.secrecy import Secrets, masked_sentence, secret_texts
from cutlist.core.setting import Advice, Edge, Setting

_NEAR: Final = 0.7  # names at least this similar are near; 1 means equal
_NEAR_OF_SHORT: Final = 0.66  # lets one letter of three be wrong
_SHORT: Final = 3
_COMPARED: Final = 10  # near names that are compared further
_NO_SECRETS: Final = Secrets()
_BEGINNING: Final = 3  # equal first characters of names that begin alike


class Layer(StrEnum):
    """Who refuses an object of Kubernetes, and when (spec: api-objects 0.1)."""

    SCHEMA = "schema"
    RULE = "rule"
    RUNTIME = "runtime"
    LINT = "lint"

    @property
    def effect(self) -> str:
        """Return the effect of the mistake in words."""
        return _EFFECTS[self]


_EFFECTS = {
    Layer.SCHEMA: "refused at apply",
    Layer.RULE: "refused at apply",
    Layer.RUNTIME: "applied, but never ready",
    Layer.LINT: "accepted by Karpenter, refused here",
}


class CutlistError(Exception):
    """Root of the errors that Cutlist raises."""


class UnfinishedError(CutlistError):
    """A program ended before all its resources were known: nothing can be concluded, and that is a failure."""


class SolverError(CutlistError):
    """A solver ended in a way from which no bound follows: none is better than one that claims too much or too little."""


class QuantityError(CutlistError, ValueError):
    """A text that is not a resource quantity."""


class UserDataError(CutlistError):
    """The user's own user data cannot be merged, so Karpenter fails to launch."""


class ClusterNotReadyError(CutlistError):
    """A fact about the cluster is missing that this family's user data needs."""


class MissingExtraError(CutlistError):
    """An optional part is missing: `extra` names what to install."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part of Cutlist; install it with: {install_command(extra)}")
        self.extra = extra


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in the user's input: file (or `<stdin>`), 1-based document and line, path inside the object.

    `address` names the resource of a plan of OpenTofu that the object is in. `settings` are those that the path names, which
    each edge spells in its own way.
    """

    source: str = ""
    document: int = 0
    line: int = 0
    path: str = ""
    address: str = ""
    settings: tuple[Setting, ...] = field(default=(), compare=False, repr=False)

    @staticmethod
    def of(*settings: Setting) -> Place:
        """Return the place of a setting, or of several that are wrong together."""
        return Place(path=" and ".join(setting.name for setting in settings), settings=settings)

    def spelled(self, edge: Edge) -> Place:
        """Return the place as users of an edge write it."""
        if not self.settings:
            return self
        return Place(self.source, self.document, self.line, " and ".join(s.spelled(edge) for s in self.settings), self.address)

    def at(self, path: str, line: int = 0) -> Place:
        """Return the place at another path of the same document."""
        return Place(self.source, self.document, line or self.line, path, self.address)

    def member(self, name: str) -> Place:
        """Return the place of a member by its name: `tags.team`, or `tags['a.b/c']` for a name that needs quoting."""
        if "." in name or "/" in name:
            return self.at(f"{self.path}[{name!r}]")
        return self.at(f"{self.path}.{name}" if self.path else name)

    def item(self, index: int) -> Place:
        """Return the place of an entry of a list."""
        return self.at(f"{self.path}[{index}]")

    def __str__(self) -> str:
        where = self.source + (f":{self.line}" if self.line else "")
        if self.document > 1:
            where += f" (document {self.document})"
        return " ".join(part for part in (where, self.address, self.path) if part)


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A mistake: where it is, what is wrong, and what is allowed; for Karpenter's objects also who refuses it.

    An absence is not a mistake in an object: it says that there is nothing to answer about. An unread file could not be opened,
    so its contents are unknown. `statements` of docs/spec describe what a release of Karpenter began to refuse. `advice` says
    what is allowed, where that names settings: `allowed` spells them as Python does, and `spelled` as another edge does.
    `effect` is what happens to the object, where its layer does not say so. `details` are sentences about the mistake for a
    list below it, such as what of the input is not read.
    """

    place: Place
    message: str
    allowed: str = ""
    nearest: str = ""
    layer: Layer | str = ""
    is_absence: bool = False
    is_unread: bool = False
    statements: str = ""
    advice: Advice | None = field(default=None, compare=False, repr=False)
    effect: str = field(default="", compare=False, repr=False)
    details: tuple[str, ...] = ()

    def spelled(self, edge: Edge, allow_empty: Setting) -> Problem:
        """Return the mistake in the words of an edge. An absence may be allowed by a setting, where it counts."""
        advice = self.advice or Advice.of(self.allowed)
        if self.is_absence:
            advice = Advice.of(*advice.ways, allow_empty)
        near = advice.nearest.spelled(edge) if advice.nearest is not None else self.nearest
        place, allowed = self.place.spelled(edge), advice.spelled(edge)
        return replace(self, place=place, allowed=allowed, nearest=near, is_absence=False, advice=None)

    def __str__(self) -> str:
        where = str(self.place)
        text = "; ".join((f"{where}: {self.text}" if where else self.text, *self.details))
        if self.allowed:
            text += f"; allowed: {self.allowed}"
        if self.nearest:
            text += f"; did you mean {self.nearest}?"
        return text

    @property
    def text(self) -> str:
        """Return what is wrong, and who refuses it, by which statements."""
        if not isinstance(self.layer, Layer):
            return self.message
        why = "; ".join(filter(None, (f"{self.layer}: {self.effect or self.layer.effect}", self.statements)))
        return f"{self.message} ({why})"


@dataclass(frozen=True, slots=True, order=True)
class UnknownMember(Problem):
    """A member that its object does not have. Whatever else the object has can still be checked."""


class InputError(CutlistError):
    """The user's input cannot be used. `problems` holds every mistake, in the order of files and lines."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(map(_masked, problems))
        super().__init__("\n".join(str(p) for p in self.problems))

    @staticmethod
    def one(place: Place, message: str, allowed: str | Advice = "", nearest: str = "") -> InputError:
        """Return an error with a single problem."""
        return InputError([problem_of(place, message, allowed, nearest)])


class NotChosenError(InputError):
    """The input is several environments, of which one has to be chosen: each is a problem with the command that reads it.

    `of_verb` returns these problems with the command of a verb, which may have arguments; the error itself has those of `plan`.
    """

    def __init__(self, of_verb: Callable[[str], Sequence[Problem]]) -> None:
        super().__init__(of_verb("plan"))
        self.of_verb = of_verb


def problem_of(
    place: Place,
    message: str,
    allowed: str | Advice = "",
    nearest: str = "",
    *,
    is_absence: bool = False,
    details: tuple[str, ...] = (),
) -> Problem:
    """Return a mistake; what is allowed may name settings."""
    if isinstance(allowed, str):
        return Problem(place, message, allowed, nearest, is_absence=is_absence, details=details)
    near = allowed.nearest.spelled(Edge.PYTHON) if allowed.nearest is not None else nearest
    return Problem(place, message, str(allowed), near, is_absence=is_absence, advice=allowed, details=details)


@dataclass(slots=True)
class Problems:
    """A collector of mistakes. With `allow_empty` absences are not among them."""

    found: list[Problem] = field(default_factory=list)
    allow_empty: bool = field(default=False, kw_only=True)
    inputs: list[Any] = field(default_factory=list, kw_only=True)
    """Data that mistakes are about: what of it is secret is not shown."""

    def add(self, place: Place, message: str, allowed: str | Advice = "", nearest: str = "") -> None:
        """Add one mistake."""
        self.found.append(problem_of(place, message, allowed, nearest))

    def add_absence(self, place: Place, message: str, allowed: str | Advice = "", details: tuple[str, ...] = ()) -> None:
        """Add that there is nothing to judge, unless that is allowed: an answer about nothing is never a success."""
        if not self.allow_empty:
            self.found.append(problem_of(place, message, allowed, is_absence=True, details=details))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Add several mistakes."""
        self.found.extend(problems)

    def __bool__(self) -> bool:
        return bool(self.found)

    def raise_if_any(self) -> None:
        """Raise InputError with every mistake added so far, by file and line; do nothing if there were no mistakes."""
        if self.found:
            raise InputError(self.ordered())

    def raise_if_empty(self) -> None:
        """Raise InputError with everything added so far if that includes an absence; do nothing otherwise."""
        if any(problem.is_absence for problem in self.found):
            raise InputError(self.ordered())

    def raise_if_unread(self) -> None:
        """Raise InputError with everything added so far if a file could not be opened; do nothing otherwise."""
        if any(problem.is_unread for problem in self.found):
            raise InputError(self.ordered())

    def ordered(self) -> list[Problem]:
        """Return every mistake added so far, by file and line; those that belong to no file, such as one in an option, come
        last."""
        ordered = sorted(self.found, key=lambda p: (not p.place.source, p.place))
        secrets = Secrets.of(text for data in self.inputs for text in secret_texts(data)) if ordered else Secrets()
        secrets = secrets.among("\n".join((p.message, p.allowed, p.nearest, *p.details)) for p in ordered)
        return [_masked(problem, secrets) for problem in ordered]


def _masked(problem: Problem, secrets: Secrets = _NO_SECRETS) -> Problem:
    """Return a problem with secret texts hidden, including those that its own words name as secret."""
    texts = (problem.message, problem.allowed, problem.nearest, *problem.details)
    shown = tuple(masked_sentence(secrets.hidden(text)) for text in texts)
    if shown == texts:
        return problem
    message, allowed, near, *details = shown
    advice = problem.advice if (allowed, near) == texts[1:3] else None
    return replace(problem, message=message, allowed=allowed, nearest=near, advice=advice, details=tuple(details))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word closest to what was written, ignoring case, or an empty string if none is close.

    Of numbers none is: 12 is not a slip for 1.
    """
    spelled = {name.lower(): name for name in known if not (word.isdecimal() and name.isdecimal())}
    cutoff = _NEAR_OF_SHORT if len(word) <= _SHORT else _NEAR
    matches = sorted(difflib.get_close_matches(word.lower(), list(spelled), n=_COMPARED, cutoff=cutoff))
    return spelled[max(matches, key=lambda match: _likeness(match, word.lower()))] if matches else ""


def _likeness(match: str, word: str) -> tuple[float, int, bool]:
    """Return how near a name is. Of equally similar names, one that begins alike is nearer; one that only makes a number longer
    is farther."""
    shared = _shared(match, word)
    is_longer_number = match[:shared][-1:].isdigit() and match[shared:][:1].isdigit()
    return difflib.SequenceMatcher(None, match, word).ratio(), shared, not is_longer_number


def _shared(first: str, second: str) -> int:
    """Return how many characters at the beginning of two words are equal, ignoring case."""
    pairs = enumerate(zip(first.lower(), second.lower(), strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(first), len(second)))


def names_near(word: str, known: Sequence[str], most: int = 12) -> str:
    """Return the known names for a message: all if there are few; otherwise those that begin as the word does, and how many
    others."""
    if len(known) <= most:
        return ", ".join(known)
    shared = {name: _shared(name, word) for name in known}
    longest = max(shared.values())
    alike = [name for name in known if shared[name] == longest][:most] if longest >= _BEGINNING else []
    if not alike:
        return f"one of {len(known):,} names, such as {known[0]}"
    return f"{', '.join(alike)}, or one of {len(known) - len(alike):,} others"
