"""Rules for the structure of a part of a manifest, which report every mistake with its path.

A rule is a function of a value, its path and a `Report`; rules combine into rules. The rules for pods are in
`cutlist.workloads.check`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Protocol

from cutlist.core.errors import Place, Problems, QuantityError, nearest
from cutlist.core.quantity import nanos


class Located(Protocol):
    """An object that knows where each path of a manifest is in the user's files, such as a `Document`."""

    def at(self, path: str) -> Place:
        """Return the place of a path."""


@dataclass(frozen=True, slots=True)
class Report:
    """Collects the mistakes of one document."""

    document: Located
    problems: Problems

    def add(self, path: str, message: str, allowed: str = "", meant: str = "") -> None:
        """Add a mistake at a path."""
        self.problems.add(self.document.at(path), message, allowed, meant)


LAST_YEAR: Final = 2261  # the last whole year in which Go's 64 bits of nanoseconds suffice
# `toleration` and `nodeselector` are typing mistakes; new fields are less similar to known ones.
_LIKENESS: Final = 0.85

Rule = Callable[[Any, str, Report], None]


def anything(_value: Any, _path: str, _report: Report) -> None:
    """Accept a value that is not read."""


def text(value: Any, path: str, report: Report) -> None:
    """Accept a text; bare numbers and booleans of YAML are reported with the quotes that they need."""
    if isinstance(value, str):
        return
    if isinstance(value, bool | int | float):
        written = str(value).lower() if isinstance(value, bool) else str(value)
        report.add(path, f"{written} is not text", meant=f'"{written}"')
    else:
        report.add(path, f"expected text, found {kind_of(value)}")


def boolean(value: Any, path: str, report: Report) -> None:
    """Accept `true` or `false`, without quotes."""
    if not isinstance(value, bool):
        report.add(path, f"expected true or false, found {shown(value)}")


def quantity(value: Any, path: str, report: Report) -> None:
    """Accept a resource quantity that is not negative."""
    try:
        if nanos(value) < 0:
            report.add(path, f"{shown(value)} is negative", allowed="amounts from 0 on")
    except QuantityError as error:
        report.add(path, str(error))
    except TypeError:
        report.add(
            path,
            f"expected a quantity, found {kind_of(value)}",
            allowed="a number with an optional suffix, such as 500m or 1.5Gi",
        )


def timestamp(value: Any, path: str, report: Report) -> None:
    """Accept an instant with its time zone, as the API server writes it."""
    if isinstance(value, datetime):
        return
    try:
        read = datetime.fromisoformat(value.replace("Z", "+00:00")) if isinstance(value, str) else None
    except ValueError:
        read = None
    if read is None or read.tzinfo is None:
        report.add(path, f"{shown(value)} is not a time", allowed="a time such as 2026-01-05T12:00:00Z")
    elif read.year > LAST_YEAR:
        report.add(path, f"{shown(value)} is too far off", allowed=f"a time in {LAST_YEAR} or before")


def integer(low: int, high: int = 2**31 - 1) -> Rule:
    """Return a rule for a whole number within bounds."""

    def check(value: Any, path: str, report: Report) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            report.add(path, f"expected a whole number, found {shown(value)}")
        elif not low <= value <= high:
            has_end = high < 2**31 - 1 or value > high
            report.add(path, f"{value} is out of range", allowed=f"{low} to {high}" if has_end else f"{low} or more")

    return check


def one_of(*words: str) -> Rule:
    """Return a rule for one of a closed set of words."""

    def check(value: Any, path: str, report: Report) -> None:
        if value not in words:
            report.add(path, f"{shown(value)} is unknown", ", ".join(w for w in words if w), nearest(str(value), words))

    return check


def list_of(rule: Rule, at_least: int = 0) -> Rule:
    """Return a rule for a list whose items follow a rule; null counts as empty."""

    def check(value: Any, path: str, report: Report) -> None:
        items = [] if value is None else value
        if not isinstance(items, list):
            report.add(path, f"expected a list, found {kind_of(value)}")
        elif len(items) < at_least:
            report.add(path, "is empty; at least one entry is needed")
        else:
            for i, item in enumerate(items):
                rule(item, f"{path}[{i}]", report)

    return check


def map_of(rule: Rule) -> Rule:
    """Return a rule for a mapping from texts to values that follow a rule; null counts as empty."""

    def check(value: Any, path: str, report: Report) -> None:
        entries = {} if value is None else value
        if not isinstance(entries, Mapping):
            report.add(path, f"expected a mapping, found {kind_of(value)}")
            return
        for key, entry in entries.items():
            text(key, path, report)
            rule(entry, f"{path}.{key}", report)

    return check


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping with known fields. Required ones must be present; null counts as missing.

    An unknown field is a mistake if it resembles a known one, and always if the mapping is `closed`: kubectl refuses all of
    them, but fields newer than this list must not stop a plan.
    """

    required: Mapping[str, Rule]
    optional: Mapping[str, Rule]
    closed: bool = False

    def __call__(self, value: Any, path: str, report: Report) -> None:
        """Check a value against the fields."""
        if not isinstance(value, Mapping):
            report.add(path, f"expected a mapping, found {kind_of(value)}" if value is not None else "is missing or empty")
            return
        for name, rule in self.required.items():
            if value.get(name) is None:
                report.add(join(path, name), "is missing")
            else:
                rule(value[name], join(path, name), report)
        for name, rule in self.optional.items():
            if value.get(name) is not None:
                rule(value[name], join(path, name), report)
        known = (*self.required, *self.optional)
        for name in value:
            if name not in known and (self.closed or _looks_like(str(name), known)):
                report.add(
                    join(path, str(name)),
                    "is not a field here",
                    ", ".join(known) if self.closed else "",
                    nearest(str(name), known),
                )


def closed(required: Mapping[str, Rule] | None = None, optional: Mapping[str, Rule] | None = None) -> Fields:
    """Return a mapping that may have only the named fields."""
    return Fields(required or {}, optional or {}, closed=True)


def fields(required: Mapping[str, Rule] | None = None, optional: Mapping[str, Rule] | None = None) -> Fields:
    """Return a mapping that may have more fields than those named."""
    return Fields(required or {}, optional or {})


def join(path: str, name: str) -> str:
    """Return the path of a member."""
    return f"{path}.{name}" if path else name


def kind_of(value: Any) -> str:
    """Return the type of a value in YAML's terms."""
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return "nothing" if value is None else shown(value)


def shown(value: Any) -> str:
    """Return a value as messages quote it."""
    written = {True: "true", False: "false", None: "null"}.get(value) if value is None or isinstance(value, bool) else None
    return written or (repr(value) if len(repr(value)) <= 60 else repr(value)[:57] + "...")


@lru_cache(maxsize=4096)
def _looks_like(name: str, known: tuple[str, ...]) -> bool:
    folded = name.replace("_", "").replace("-", "").lower()
    return bool(difflib.get_close_matches(folded, [k.lower() for k in known], n=1, cutoff=_LIKENESS))
