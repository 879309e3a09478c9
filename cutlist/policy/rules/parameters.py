"""The parameters of rules: values of a few kinds, each with a default, a check and a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from cutlist.api.durations import seconds
from cutlist.core.errors import QuantityError
from cutlist.core.quantity import Quantity


class Kind(StrEnum):
    """The kind of a parameter's value, in the words of messages."""

    NUMBER = "a number"
    COUNT = "a whole number"
    FLAG = "true or false"
    TEXT = "a text"
    TEXTS = "a list of texts"
    DURATION = "a duration such as 24h"
    AMOUNTS = "amounts by resource, such as {cpu: 1000, memory: 4Ti}"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a rule. With a default of None the rule stays undetermined until the user sets what only the user can
    know."""

    name: str
    kind: Kind
    default: Any
    help: str

    def accepts(self, value: Any) -> bool:
        """Tell whether a value is of the parameter's kind."""
        return _CHECKS[self.kind](value)

    @property
    def allowed(self) -> str:
        """Return in words what it accepts."""
        return f"{self.kind}, 0 or more" if self.kind in (Kind.NUMBER, Kind.COUNT) else str(self.kind)

    def schema(self) -> dict[str, Any]:
        """Return the parameter as JSON Schema."""
        schema: dict[str, Any] = {**_SCHEMAS[self.kind], "description": self.help}
        return schema if self.default is None else {**schema, "default": self.default}


def number(name: str, default: float | None, help_: str) -> Parameter:
    """Return a parameter that is a non-negative number."""
    return Parameter(name, Kind.NUMBER, default, help_)


def count(name: str, default: int | None, help_: str) -> Parameter:
    """Return a parameter that is a non-negative whole number."""
    return Parameter(name, Kind.COUNT, default, help_)


def flag(name: str, default: bool, help_: str) -> Parameter:
    """Return a parameter that is on or off."""
    return Parameter(name, Kind.FLAG, default, help_)


def text(name: str, default: str | None, help_: str) -> Parameter:
    """Return a parameter that is a text."""
    return Parameter(name, Kind.TEXT, default, help_)


def texts(name: str, default: tuple[str, ...], help_: str) -> Parameter:
    """Return a parameter that is a list of texts."""
    return Parameter(name, Kind.TEXTS, list(default), help_)


def duration(name: str, default: str, help_: str) -> Parameter:
    """Return a parameter that is a duration, as Karpenter's objects write them."""
    return Parameter(name, Kind.DURATION, default, help_)


def amounts(name: str, default: Mapping[str, str], help_: str) -> Parameter:
    """Return a parameter that holds quantities by resource."""
    return Parameter(name, Kind.AMOUNTS, dict(default), help_)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")


def _is_duration(value: Any) -> bool:
    try:
        return isinstance(value, str) and seconds(value) is not None
    except ValueError:
        return False


def _is_amounts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(k, str) and is_amount(v) for k, v in value.items())


def is_amount(value: Any) -> bool:
    """Tell whether a value is a quantity as Kubernetes writes them."""
    return amount(value) is not None


def amount(value: Any) -> Quantity | None:
    """Return a quantity as Kubernetes writes them: text or a whole number. None for any other value."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    try:
        return Quantity.parse(value)
    except QuantityError:
        return None


_CHECKS: Final[Mapping[Kind, Callable[[Any], bool]]] = {
    Kind.NUMBER: _is_number,
    Kind.COUNT: lambda value: _is_number(value) and float(value).is_integer(),
    Kind.FLAG: lambda value: isinstance(value, bool),
    Kind.TEXT: lambda value: isinstance(value, str) and bool(value),
    Kind.TEXTS: lambda value: isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value),
    Kind.DURATION: _is_duration,
    Kind.AMOUNTS: _is_amounts,
}
_SCHEMAS: Final[Mapping[Kind, Mapping[str, Any]]] = {
    Kind.NUMBER: {"type": "number", "minimum": 0},
    Kind.COUNT: {"type": "integer", "minimum": 0},
    Kind.FLAG: {"type": "boolean"},
    Kind.TEXT: {"type": "string", "minLength": 1},
    Kind.TEXTS: {"type": "array", "items": {"type": "string", "minLength": 1}},
    Kind.DURATION: {"type": "string", "pattern": "^([0-9]+(s|m|h))+$"},
    Kind.AMOUNTS: {"type": "object", "additionalProperties": {"type": ["string", "integer"]}},
}
