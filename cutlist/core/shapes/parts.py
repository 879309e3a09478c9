"""The shapes of data with parts: lists, mappings, mappings with known fields, and values that may be null."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from cutlist.core.errors import nearest
from cutlist.core.shapes.report import Report, join, kind_of
from cutlist.core.shapes.scalars import anything, text
from cutlist.core.shapes.shape import Rule, Ruled, Schema, Shape, Test, direct, or_null, quick_test_of, schema_of, words_of

# `toleration` and `nodeselector` are typing mistakes; new fields are less similar to known ones.
_LIKENESS: Final = 0.85
# Each is compared with the known ones, which takes some milliseconds where there are many.
_MOST_UNKNOWN: Final = 100
_NO_CHECK: Final = direct(anything)
_TEXTS: Final = frozenset((str,))
_MOST_TESTED: Final = 100
"""The most members of a mapping with known fields that is tested: its layout is remembered."""


@dataclass(frozen=True, slots=True, eq=False)
class List(Shape):
    """A list whose items follow a rule."""

    item: Rule
    at_least: int = 0
    at_most: int | None = None

    @property
    def schema(self) -> Schema:
        """Return the JSON Schema."""
        least = {"minItems": self.at_least} if self.at_least else {}
        most = {} if self.at_most is None else {"maxItems": self.at_most}
        return {"type": "array", **least, **most, "items": schema_of(self.item)}

    @property
    def words(self) -> str:
        """Return what a list has, in words."""
        return f"a list, each item {of_each}" if (of_each := words_of(self.item)) else "a list"

    @property
    def test(self) -> Test | None:
        """Return the test of the list, if its items have one."""
        least, most = self.at_least, math.inf if self.at_most is None else self.at_most
        if (of_each := quick_test_of(self.item)) is None:
            return None
        return lambda value: type(value) is list and least <= len(value) <= most and all(map(of_each, value))

    def __call__(self, value: Any, path: str, report: Report) -> Any:
        """Return the items as they are read."""
        if type(value) is not list and not isinstance(value, list | tuple):
            report.add(path, f"expected a list, found {kind_of(value)}")
            return ()
        if len(value) < self.at_least:
            report.add(path, "is empty; at least one entry is needed")
        if self.at_most is not None and len(value) > self.at_most:
            report.add(path, f"has {len(value):,} entries", f"{self.at_most:,} at most")
            return ()
        rule = direct(self.item)
        return tuple([rule(item, f"{path}[{index}]", report) for index, item in enumerate(value)])


class Mapped(Shape):
    """The base of the shapes of mappings."""

    __slots__ = ()

    @property
    def words(self) -> str:
        """Return `a mapping`, without its fields: a mistake in one of these has words of its own."""
        return "a mapping"


@dataclass(frozen=True, slots=True, eq=False)
class Map(Mapped):
    """A mapping from texts to values that follow a rule."""

    value: Rule
    joined: Callable[[str, str], str] = join
    """Returns the path of an entry."""

    @property
    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "object", **({"additionalProperties": schema} if (schema := schema_of(self.value)) else {})}

    @property
    def test(self) -> Test | None:
        """Return the test of the mapping, if its values have one."""
        if (of_each := quick_test_of(self.value)) is None:
            return None
        return lambda value: type(value) is dict and _TEXTS.issuperset(map(type, value)) and all(map(of_each, value.values()))

    def __call__(self, value: Any, path: str, report: Report) -> Any:
        """Return the entries as they are read."""
        if type(value) is not dict and not isinstance(value, Mapping):
            report.add(path, f"expected a mapping, found {kind_of(value)}")
            return {}
        rule, joined = direct(self.value), self.joined
        return {text(key, path, report): rule(entry, joined(path, str(key)), report) for key, entry in value.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Fields(Mapped):
    """A mapping with known fields, which is returned as it is. Required ones must be present; null counts as missing.

    An unknown field is a mistake if it resembles a known one, and always if the mapping is `closed`: kubectl refuses all of
    them, but fields newer than this list must not stop a plan.
    """

    required: Mapping[str, Rule]
    optional: Mapping[str, Rule]
    closed: bool = False
    member: str = ""
    """What the fields are, such as `a rule`, where messages are read without their path."""
    names: str = ""
    """Words for the fields of a closed mapping, where they are too many to be listed."""
    _checks: Mapping[str, Rule] = field(init=False, repr=False)
    _unchecked: frozenset[str] = field(init=False, repr=False)
    _known: tuple[str, ...] = field(init=False, repr=False)
    _tests: Mapping[str, Test] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Put the rules that check something together: a snapshot has a million values, and most fields may hold anything."""
        rules = {name: direct(rule) for name, rule in {**self.required, **self.optional}.items()}
        checks = {name: rule for name, rule in rules.items() if rule is not _NO_CHECK}
        object.__setattr__(self, "_checks", checks)
        object.__setattr__(self, "_unchecked", frozenset(rules.keys() - checks.keys()))
        object.__setattr__(self, "_known", (*self.required, *self.optional))
        tests = {name: quick_test_of(rule) for name, rule in {**self.required, **self.optional}.items() if name in checks}
        known = {name: test for name, test in tests.items() if test is not None}
        object.__setattr__(self, "_tests", known if len(known) == len(tests) else None)

    @property
    def schema(self) -> Schema:
        """Return the JSON Schema."""
        required = {name: schema_of(rule) for name, rule in self.required.items()}
        optional = {name: or_null(schema_of(rule)) for name, rule in self.optional.items()}
        return object_schema({**required, **optional}, list(required), is_closed=self.closed)

    @property
    def test(self) -> Test | None:
        """Return the test of the mapping, if all fields that are checked have one."""
        return None if self._tests is None else self._fits

    def _fits(self, value: Any) -> bool:
        if type(value) is not dict or len(value) > _MOST_TESTED:
            return False
        layout = _layout(self, tuple(value))
        if layout is None:
            return False
        for name in layout.needed:
            if value[name] is None:
                return False
        for name, test in layout.tests:
            member = value[name]
            if member is not None and not test(member):
                return False
        return True

    def __call__(self, value: Any, path: str, report: Report) -> Any:
        """Return the mapping as it is. Nearly every mapping has no mistake, and its paths are not needed then."""
        if self._tests is not None and self._fits(value):
            return value
        if type(value) is not dict and not isinstance(value, Mapping):
            report.add(path, f"expected a mapping, found {kind_of(value)}" if value is not None else "is missing or empty")
            return value
        for name in self.required:
            if value.get(name) is None:
                report.add(join(path, name), "is missing")
        before, unknown, checks, unchecked = f"{path}." if path else "", list[str](), self._checks, self._unchecked
        for name, member in value.items():
            if (rule := checks.get(name)) is not None:
                if member is not None:
                    rule(member, f"{before}{name}", report)
            elif name not in unchecked:
                unknown.append(str(name))
        if unknown:
            self._add_unknown(unknown, path, report)
        return value

    def _add_unknown(self, names: Sequence[str], path: str, report: Report) -> None:
        wrong, known = names if self.closed else [name for name in names if _looks_like(name, self)], self._known
        allowed = (self.names or ", ".join(known)) if self.closed else ""
        for name in wrong[:_MOST_UNKNOWN]:
            message = f"{name!r} is not {self.member}" if self.member else "is not a field here"
            report.add(join(path, name), message, allowed, nearest(name, known))
        if len(wrong) > _MOST_UNKNOWN:
            report.add(path, f"{len(wrong) - _MOST_UNKNOWN:,} more unknown members", allowed)


def object_schema(properties: Mapping[str, Schema], required: list[str], *, is_closed: bool = True, about: str = "") -> Schema:
    """Return the schema of an object with known members."""
    return {
        "type": "object",
        **({"description": about} if about else {}),
        "properties": dict(properties),
        "required": required,
        **({"additionalProperties": False} if is_closed else {}),
    }


def nullable(rule: Rule) -> Shape:
    """Return the shape of a value that may be null."""
    read = direct(rule)

    def check(value: Any, path: str, report: Report) -> Any:
        return None if value is None else read(value, path, report)

    test = quick_test_of(rule)
    or_nothing = None if test is None else lambda value: value is None or test(value)
    return Ruled(check, or_null(schema_of(rule)), words_of(rule), test=or_nothing)


def list_of(rule: Rule, at_least: int = 0, at_most: int | None = None) -> Shape:
    """Return the shape of a list whose items follow a rule."""
    return List(rule, at_least, at_most)


def map_of(rule: Rule) -> Shape:
    """Return the shape of a mapping from texts to values that follow a rule."""
    return Map(rule)


def either(*shapes: Shape) -> Shape:
    """Return the shape of a value that has one of some shapes."""
    words = " or ".join(shape.words for shape in shapes)

    def check(value: Any, path: str, report: Report) -> Any:
        if not any(shape.accepts(value) for shape in shapes):
            report.add(path, f"expected {words}, found {kind_of(value)}")
        return value

    return Ruled(check, {"anyOf": [shape.schema for shape in shapes]}, words)


def closed(required: Mapping[str, Rule] | None = None, optional: Mapping[str, Rule] | None = None) -> Fields:
    """Return the shape of a mapping that may have only the named fields."""
    return Fields(required or {}, optional or {}, closed=True)


def fields(required: Mapping[str, Rule] | None = None, optional: Mapping[str, Rule] | None = None) -> Fields:
    """Return the shape of a mapping that may have more fields than those named."""
    return Fields(required or {}, optional or {})


@dataclass(frozen=True, slots=True)
class _Layout:
    """What there is to test in mappings with the same members in the same order, of which many objects of a cluster consist."""

    needed: tuple[str, ...]
    tests: tuple[tuple[str, Test], ...]


@lru_cache(maxsize=4096)
def _layout(fields: Fields, names: tuple[Any, ...]) -> _Layout | None:
    """Return what there is to test in a mapping with known fields that has these members, or None if a member is a mistake."""
    unknown = [name for name in names if name not in fields._checks and name not in fields._unchecked]
    if any(fields.closed or type(name) is not str or _looks_like(name, fields) for name in unknown):
        return None
    if not fields.required.keys() <= set(names):
        return None
    tests = fields._tests or {}
    return _Layout(tuple(fields.required), tuple((name, tests[name]) for name in names if name in tests))


@lru_cache(maxsize=4096)
def _looks_like(name: str, fields: Fields) -> bool:
    folded = name.replace("_", "").replace("-", "").lower()
    return bool(difflib.get_close_matches(folded, [k.lower() for k in fields._known], n=1, cutoff=_LIKENESS))
