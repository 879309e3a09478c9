"""The parameters of rules: values of a few shapes, each with a default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.durations import seconds
from cutlist.core.errors import QuantityError
from cutlist.core.quantity import Quantity
from cutlist.core.shapes import Report, Ruled, Schema, Shape, boolean, filled, list_of, map_of, shown, whole
from cutlist.core.shapes import number as number_of


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a rule. With a default of None the rule stays undetermined until the user sets what only the user can
    know."""

    name: str
    shape: Shape
    default: Any
    help: str

    def accepts(self, value: Any) -> bool:
        """Tell whether a value has the parameter's shape."""
        return self.shape.accepts(value)

    def schema(self) -> Schema:
        """Return the parameter as JSON Schema."""
        schema = self.shape.about(self.help).schema
        return schema if self.default is None else {**schema, "default": self.default}


def number(name: str, default: float | None, help_: str) -> Parameter:
    """Return a parameter that is a non-negative number."""
    return Parameter(name, number_of(0), default, help_)


def count(name: str, default: int | None, help_: str) -> Parameter:
    """Return a parameter that is a non-negative whole number."""
    return Parameter(name, whole(0), default, help_)


def flag(name: str, default: bool, help_: str) -> Parameter:
    """Return a parameter that is on or off."""
    return Parameter(name, boolean, default, help_)


def text(name: str, default: str | None, help_: str) -> Parameter:
    """Return a parameter that is a text with more than spaces."""
    return Parameter(name, filled("a text"), default, help_)


def texts(name: str, default: tuple[str, ...], help_: str) -> Parameter:
    """Return a parameter that is a list of texts."""
    return Parameter(name, list_of(filled("a text")).called("a list of texts"), list(default), help_)


def duration(name: str, default: str, help_: str) -> Parameter:
    """Return a parameter that is a duration, as Karpenter's objects write them."""
    return Parameter(name, DURATION, default, help_)


def amounts(name: str, default: Mapping[str, str], help_: str) -> Parameter:
    """Return a parameter that holds quantities by resource."""
    return Parameter(name, AMOUNTS, dict(default), help_)


def amount(value: Any) -> Quantity | None:
    """Return a quantity as Kubernetes writes them: text or a whole number. None for any other value."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    try:
        return Quantity.parse(value)
    except QuantityError:
        return None


def _read_amount(value: Any, path: str, report: Report) -> Any:
    if amount(value) is None:
        report.add(path, f"{shown(value)} is not a quantity", "amounts such as 1000 or 4Ti")
    return value


def _read_duration(value: Any, path: str, report: Report) -> Any:
    try:
        is_finite = isinstance(value, str) and seconds(value) is not None
    except ValueError:
        is_finite = False
    if not is_finite:
        report.add(path, f"{shown(value)} is not a duration", DURATION.words)
    return value


DURATION: Final = Ruled(_read_duration, {"type": "string", "pattern": "^([0-9]+(s|m|h))+$"}, "a duration such as 24h")
AMOUNTS: Final = map_of(Ruled(_read_amount, {"type": ["string", "integer"]}, "a quantity")).called(
    "amounts by resource, such as {cpu: 1000, memory: 4Ti}"
)
