"""What the built-in functions of programs in YAML give for values that are known. Each raises WrongValueError."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any


class WrongValueError(Exception):
    """A value without the member that is named, or of another type than a function takes."""

    def __init__(self, message: str, allowed: str = "") -> None:
        super().__init__(message)
        self.allowed = allowed


def member_of(value: Any, steps: tuple[str | int, ...], written: str) -> Any:
    """Return a member of a value, in steps; `written` is the reference. Raises WrongValueError."""
    for step in steps:
        if isinstance(value, Mapping):
            if step not in value:
                raise WrongValueError(f"{written} has no member {step!r}", ", ".join(map(str, value)))
            value = value[step]
        elif isinstance(value, list) and isinstance(step, int):
            if not 0 <= step < len(value):
                raise WrongValueError(f"{written} has no member {step}: the list has {len(value)}")
            value = value[step]
        else:
            raise WrongValueError(f"{written} has no member {step!r}: it is not a mapping or list")
    return value


def joined(pair: list[Any]) -> str:
    """Return the texts of a list with a delimiter between them."""
    delimiter, values = pair
    if not isinstance(values, list):
        raise WrongValueError("what is joined is not a list")
    return as_text(delimiter).join(map(as_text, values))


def split(pair: list[Any]) -> list[str]:
    """Return the parts of a text between a delimiter."""
    delimiter, source = pair
    if not isinstance(source, str) or not isinstance(delimiter, str):
        raise WrongValueError("what is split is not a text, by a text")
    return source.split(delimiter) if delimiter else list(source)


def selected(pair: list[Any]) -> Any:
    """Return the member of a list at an index."""
    index, values = pair
    if isinstance(index, float) and index.is_integer():
        index = int(index)
    if not isinstance(values, list) or not isinstance(index, int) or isinstance(index, bool):
        raise WrongValueError("the argument is not a whole number and a list")
    if not 0 <= index < len(values):
        raise WrongValueError(f"no member {index} in a list of {len(values)}")
    return values[index]


def in_base64(text: Any) -> str:
    """Return a text in base64."""
    if not isinstance(text, str):
        raise WrongValueError("what is encoded is not a text")
    return base64.b64encode(text.encode()).decode()


def from_base64(text: Any) -> str:
    """Return the text that is in base64."""
    try:
        return base64.b64decode(text, validate=True).decode()
    except (TypeError, ValueError) as error:
        raise WrongValueError("what is decoded is not a text in base64") from error


def as_text(value: Any) -> str:
    """Return a value as a text has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
