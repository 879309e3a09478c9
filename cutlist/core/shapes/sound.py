"""Shapes whose parts count one by one: a part with a mistake is reported and left out, and the others are read.

For data where one mistake must not make everything else count as absent. Null has no parts, and is not a mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from cutlist.core.shapes.parts import Fields, List, Map
from cutlist.core.shapes.report import Report, join, kind_of
from cutlist.core.shapes.shape import Rule, Shape

_MISTAKEN: Final = object()


class Sound(Shape):
    """The base of these shapes: what they return counts even if mistakes were added, so a test would not do."""

    __slots__ = ()

    @property
    def test(self) -> None:
        """Return None."""


@dataclass(frozen=True, slots=True, eq=False)
class SoundFields(Sound, Fields):
    """A mapping with known fields only, read into a dictionary of those without a mistake. Here null is a value of a field."""

    closed: bool = True
    short: str = ""
    """The field that a value stands for if it is not a mapping: `off` is short for `{level: off}`."""

    def __call__(self, value: Any, path: str, report: Report) -> dict[str, Any]:
        """Return the sound fields by name."""
        rules = {**self.required, **self.optional}
        if self.short and not isinstance(value, Mapping):
            return _sound({self.short: _part(rules[self.short], value, path, report)})
        if not isinstance(value, Mapping):
            if value is not None or self.required:
                report.add(path, f"expected a mapping, found {kind_of(value)}", f"a mapping with {', '.join(rules)}")
            return {}
        for name in self.required:
            if name not in value:
                report.add(join(path, name), f"{name} is missing" if self.member else "is missing")
        self._add_unknown([str(name) for name in value if name not in rules], path, report)
        known = {name: rule for name, rule in rules.items() if name in value}
        return _sound({name: _part(rule, value[name], join(path, name), report) for name, rule in known.items()})


@dataclass(frozen=True, slots=True, eq=False)
class SoundMap(Sound, Map):
    """A mapping from texts to values that follow a rule, without those that have a mistake."""

    def __call__(self, value: Any, path: str, report: Report) -> dict[str, Any]:
        """Return the sound entries by key."""
        return {} if value is None else _sound(Map(partial(_part, self.value))(value, path, report))


@dataclass(frozen=True, slots=True, eq=False)
class SoundList(Sound, List):
    """A list whose items follow a rule, without those that have a mistake."""

    def __call__(self, value: Any, path: str, report: Report) -> tuple[Any, ...]:
        """Return the sound items in their order."""
        parts = () if value is None else List(partial(_part, self.item))(value, path, report)
        return tuple(part for part in parts if part is not _MISTAKEN)


def _part(rule: Rule, value: Any, path: str, report: Report) -> Any:
    before = len(report.problems.found)
    read = rule(value, path, report)
    return read if isinstance(rule, Sound) or len(report.problems.found) == before else _MISTAKEN


def _sound(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in parts.items() if part is not _MISTAKEN}
