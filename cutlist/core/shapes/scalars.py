"""The shapes of single values: texts, truth values, numbers, words, quantities and times."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from cutlist.core.days import A_DAY
from cutlist.core.errors import QuantityError, nearest
from cutlist.core.quantity import nanos
from cutlist.core.shapes.report import Report, kind_of, shown
from cutlist.core.shapes.shape import Ruled, Schema, Shape, Test

LAST_YEAR: Final = 2261  # the last whole year in which Go's 64 bits of nanoseconds suffice
LARGEST: Final = 2**63 - 1  # sums of larger numbers overflow, and the API server accepts no larger ones
_INT32: Final = 2**31 - 1


def _anything(value: Any, _path: str, _report: Report) -> Any:
    return value


def _text(value: Any, path: str, report: Report) -> Any:
    """Bare numbers and booleans of YAML are reported with the quotes that they need."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        written = str(value).lower() if isinstance(value, bool) else str(value)
        # 1.30 is the number 1.3, so what was written is not known.
        is_cut = isinstance(value, float) and len(written.partition(".")[2]) == 1
        allowed, meant = (f'in quotes, "{written}" or "{written}0"', "") if is_cut else ("", f'"{written}"')
        report.add(path, f"{written} is not text", allowed, meant)
    else:
        report.add(path, f"expected text, found {kind_of(value)}")
    return value


def _boolean(value: Any, path: str, report: Report) -> Any:
    if not isinstance(value, bool):
        report.add(path, f"expected true or false, found {shown(value)}")
    return value


def _amount(value: Any, path: str, report: Report) -> Any:
    if isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        example = "a number with an optional suffix, such as 500m or 1.5Gi"
        report.add(path, f"expected a quantity, found {kind_of(value)}", example)
        return 0
    try:
        return nanos(value)
    except QuantityError as error:
        report.add(path, str(error))
    return 0


def _quantity(value: Any, path: str, report: Report) -> Any:
    if _amount(value, path, report) < 0:
        report.add(path, f"{shown(value)} is negative", "amounts from 0 on")
    return value


def _timestamp(value: Any, path: str, report: Report) -> Any:
    if isinstance(value, datetime):
        return value
    try:
        read = datetime.fromisoformat(value.replace("Z", "+00:00")) if isinstance(value, str) else None
    except ValueError:
        read = None
    if read is None or read.tzinfo is None:
        report.add(path, f"{shown(value)} is not a time", "a time such as 2026-01-05T12:00:00Z")
    elif read.year > LAST_YEAR:
        report.add(path, f"{shown(value)} is too far off", f"a time in {LAST_YEAR} or before")
    return value


def _day(value: Any, path: str, report: Report) -> Any:
    try:
        written = value if isinstance(value, str) and date.fromisoformat(value).isoformat() == value else None
    except ValueError:
        written = None
    if written is None:
        report.add(path, f"{shown(value)} is not a day", A_DAY)
    return value


def _is_anything(_value: Any) -> bool:
    return True


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def _is_amount(value: Any) -> bool:
    try:
        return nanos(value) >= 0
    except QuantityError:
        return False


def _is_timestamp(value: Any) -> bool:
    try:
        read = datetime.fromisoformat(value.replace("Z", "+00:00")) if isinstance(value, str) else None
    except ValueError:
        return False
    return read is not None and read.tzinfo is not None and read.year <= LAST_YEAR


anything: Final = Ruled(_anything, test=_is_anything)
text: Final = Ruled(_text, {"type": "string"}, "a text", test=_is_text)
boolean: Final = Ruled(_boolean, {"type": "boolean"}, "true or false", test=_is_boolean)
amount: Final = Ruled(_amount, {"type": ["string", "number"]}, "a quantity", test=_is_amount)
"""A resource quantity, negative ones too."""
quantity: Final = Ruled(_quantity, {"type": ["string", "number"]}, "a quantity", test=_is_amount)
timestamp: Final = Ruled(
    _timestamp, {"type": "string", "format": "date-time"}, "a time such as 2026-01-05T12:00:00Z", test=_is_timestamp
)
"""An instant with its time zone, as the API server writes it."""
day: Final = Ruled(_day, {"type": "string", "format": "date"}, A_DAY)
"""A day in ISO form."""


def filled(allowed: str) -> Shape:
    """Return the shape of a text that is not blank; `allowed` says what it should be, such as `a name`."""

    def check(value: Any, path: str, report: Report) -> Any:
        _text(value, path, report)
        if isinstance(value, str) and not value.strip():
            report.add(path, "is empty", allowed)
        return value

    return Ruled(check, {"type": "string", "minLength": 1}, "a text")


def matching(pattern: str, what: str, allowed: str) -> Shape:
    """Return the shape of a text that matches a pattern as a whole; `what` is the name of such texts, such as `a version`."""
    compiled = re.compile(pattern)

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, str) or compiled.fullmatch(value) is None:
            report.add(path, f"{shown(value)} is not {what}", allowed)
        return value

    return Ruled(check, {"type": "string", "pattern": f"^(?:{pattern})$"}, what)


@dataclass(frozen=True, slots=True, eq=False)
class Number(Shape):
    """A number within bounds, if it has some. A whole one may be `loose`: formats with only one kind of number turn 2 into
    2.0."""

    low: float | None = None
    high: float | None = None
    is_whole: bool = False
    is_loose: bool = False

    @property
    def schema(self) -> Schema:
        """Return the JSON Schema."""
        bounds = {"minimum": self.low, "maximum": self.high}
        schema: Schema = {"type": "integer" if self.is_whole else "number"}
        return schema | {name: bound for name, bound in bounds.items() if bound is not None}

    @property
    def words(self) -> str:
        """Return the kind of number in words."""
        return "a whole number" if self.is_whole else "a number"

    @property
    def test(self) -> Test:
        """Return the test of the number: one with a fraction or exponent is read to tell."""
        low, high = -LARGEST - 1 if self.low is None else self.low, LARGEST if self.high is None else self.high
        return lambda value: type(value) is int and low <= value <= high

    @property
    def allowed(self) -> str:
        """Return the kind of number with its bounds."""
        return self.words if self.low is None else f"{self.words}, {self._bounds(self.low)}"

    def __call__(self, value: Any, path: str, report: Report) -> Any:
        """Return the number: whole, or a float."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if isinstance(value, float) and not math.isfinite(value):  # a whole number may be too large to ask that of it
            is_number = False
        if not is_number or (self.is_whole and not isinstance(value, int) and not (self.is_loose and value.is_integer())):
            report.add(path, f"expected {self.words}, found {shown(value)}")
            return value
        low, high = -LARGEST - 1 if self.low is None else self.low, LARGEST if self.high is None else self.high
        if not low <= value <= high:
            report.add(path, f"{value} is out of range", self._bounds(value))
            return value
        return int(value) if self.is_whole else float(value)

    def _bounds(self, value: float) -> str:
        """Return the bounds in words; the end is of no interest where it is the largest number of 32 bits."""
        high = LARGEST if self.high is None else self.high
        if high < _INT32 or value > high:
            return f"{-LARGEST - 1 if self.low is None else self.low} to {high}"
        return f"{self.low} or more"


def integer(low: int, high: int = _INT32) -> Shape:
    """Return the shape of a whole number within bounds, written without a point."""
    return Number(low, high, is_whole=True)


def number(low: float | None = None, high: float | None = None) -> Shape:
    """Return the shape of a number within bounds."""
    return Number(low, high)


def whole(low: float | None = None, high: float | None = None) -> Shape:
    """Return the shape of a whole number within bounds, which may be written as 2.0."""
    return Number(low, high, is_whole=True, is_loose=True)


def values(known: Sequence[Any], names: str = "") -> Shape:
    """Return the shape of a value of a closed set; `names` are words for the values where they are too many to be listed."""
    words = [str(word) for word in known if word != ""]
    allowed = names or ", ".join(words)

    def check(value: Any, path: str, report: Report) -> Any:
        if value not in known:
            report.add(path, f"{shown(value)} is unknown", allowed, nearest(str(value), words))
        return value

    schema = {"const": known[0]} if len(known) == 1 else {"enum": list(known)}
    return Ruled(check, schema, allowed, test=known.__contains__)


def one_of(*words: str) -> Shape:
    """Return the shape of a word of a closed set."""
    return values(words)
