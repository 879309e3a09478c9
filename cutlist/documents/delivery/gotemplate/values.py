"""Values in templates: what is true, what is the same, and how values print, as Go has it.

Numbers of data are floats, as in JSON; those written in a template are integers unless they have a fraction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

_SMALLEST: Final = -4
_LARGEST: Final = 6
"""The exponents of numbers that are written without one."""
_DIGITS: Final = 18


class TemplateError(ValueError):
    """A template that cannot be read, or that fails on the given values."""


class UnknownFunction(TemplateError):
    """A function that only the program itself has, such as one of time or chance."""


class Absent(Enum):
    """The value of a member that does not exist."""

    VALUE = "<no value>"


ABSENT: Final = Absent.VALUE


def present(value: Any) -> Any:
    """Return a value as functions get it: an absent one is None."""
    return None if value is ABSENT else value


def is_true(value: Any) -> bool:
    """Tell whether a value counts as true."""
    return value is not ABSENT and bool(value)


def kind_of(value: Any) -> str:
    """Return the kind of a value as Go calls it."""
    if value is None or value is ABSENT:
        return "invalid"
    # In this order: a Python bool is an int too, and a text a sequence.
    names = ((bool, "bool"), (int, "int"), (float, "float64"), (str, "string"), (Mapping, "map"), (Sequence, "slice"))
    return next(name for kind, name in names if isinstance(value, kind))


def printed(value: Any, *, nested: bool = False) -> str:
    """Return a value as Go prints it."""
    if value is ABSENT or (value is None and not nested):
        return str(ABSENT.value)
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Mapping):
        # Go prints maps by their keys.
        members = (f"{printed(key, nested=True)}:{printed(value[key], nested=True)}" for key in sorted(value))
        return f"map[{' '.join(members)}]"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{' '.join(printed(item, nested=True) for item in value)}]"
    return str(value)


def _float(value: float) -> str:
    """Return the shortest text of a number, with an exponent where Go writes one."""
    mantissa, exponent = next(
        # The fewest digits that still give the same number, as Go's %v has them.
        text.split("e")
        for text in (f"{value:.{precision}e}" for precision in range(_DIGITS))
        if float(text) == value
    )
    if _SMALLEST <= int(exponent) < _LARGEST:
        return repr(value).removesuffix(".0")
    return f"{mantissa}e{exponent}"


def equals(first: Any, second: Any) -> bool:
    """Tell whether two values are the same. Raises TemplateError for values of different kinds."""
    kinds = {kind_of(first), kind_of(second)}
    # nil equals only nil, and comparing it with anything is no mistake.
    if "invalid" in kinds:
        return len(kinds) == 1
    if len(kinds) > 1:
        raise TemplateError("incompatible types for comparison")
    if kinds & {"map", "slice"}:
        raise TemplateError("non-comparable types")
    return bool(first == second)


def is_less(first: Any, second: Any) -> bool:
    """Tell whether a value is less than another. Raises TemplateError for values that have no order."""
    kinds = {kind_of(first), kind_of(second)}
    if len(kinds) > 1 or not kinds <= {"int", "float64", "string"}:
        raise TemplateError("incompatible types for comparison")
    return bool(first < second)
