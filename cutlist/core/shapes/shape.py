"""A shape: the form of data, declared once. Reading with every mistake, JSON Schema and words for what is allowed follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cutlist.core.errors import Problems
from cutlist.core.shapes.report import Paths, Report

Schema = dict[str, Any]
Rule = Callable[[Any, str, Report], Any]
"""Takes a value, its path and a report of mistakes. What it returns counts only when no mistake was added. A rule that is not a
shape has no schema and no words."""
Test = Callable[[Any], bool]
"""Tells that a value has no mistake, without a path or a report. Where it says no, only the rule tells what is wrong, if
anything is."""


class Shape:
    """The base of all shapes. A shape is a rule: called, it returns the value as it is read."""

    __slots__ = ()

    @property
    def schema(self) -> Schema:
        """Return the JSON Schema."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """Return the kind of value in words, such as `a whole number`."""
        raise NotImplementedError

    @property
    def allowed(self) -> str:
        """Return the kind of value with its bounds."""
        return self.words

    @property
    def test(self) -> Test | None:
        """Return the test of the shape, or None if it has none."""
        return None

    def __call__(self, value: Any, path: str, report: Report) -> Any:
        """Return the value as it is read, and report every mistake in it."""
        raise NotImplementedError

    def accepts(self, value: Any) -> bool:
        """Tell whether a value has the shape."""
        problems = Problems()
        self(value, "", Report(Paths(), problems))
        return not problems

    def about(self, text: str) -> Shape:
        """Return the shape with a description in its schema."""
        return Ruled(self, {**self.schema, "description": text}, self.words, test=self.test)

    def called(self, words: str) -> Shape:
        """Return the shape with other words for its kind of value."""
        return Ruled(self, self.schema, words, test=self.test)


@dataclass(frozen=True, slots=True, eq=False)
class Ruled(Shape):
    """A shape that a rule checks: its schema and words are written beside it, and its test if it has one."""

    rule: Rule
    schema: Schema = field(default_factory=dict)
    words: str = ""
    test: Test | None = field(default=None, kw_only=True)

    def __call__(self, value: Any, path: str, report: Report) -> Any:
        """Return the value as the rule reads it."""
        return self.rule(value, path, report)


def direct(rule: Rule) -> Rule:
    """Return the function behind a rule: many values are read faster without a call in between."""
    return rule.rule if isinstance(rule, Ruled) else rule


def quick_test_of(rule: Rule) -> Test | None:
    """Return the test of a rule; none if it is not a shape, or one without a test."""
    return rule.test if isinstance(rule, Shape) else None


def schema_of(rule: Rule) -> Schema:
    """Return the schema of a rule; one that is not a shape may allow anything."""
    return rule.schema if isinstance(rule, Shape) else {}


def words_of(rule: Rule) -> str:
    """Return the words of a rule; none if it is not a shape."""
    return rule.words if isinstance(rule, Shape) else ""


def or_null(schema: Mapping[str, Any]) -> Schema:
    """Return a schema that null satisfies too."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "properties" in schema or "type" not in schema:
        return {"anyOf": [dict(schema), {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}
