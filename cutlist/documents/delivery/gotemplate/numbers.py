"""Functions of Sprig that calculate."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_WHOLE: Final = re.compile(r"[+-]?\d+")
_BOUNDS: Final = 2
LONGEST: Final = 100_000
"""How many numbers a function gives at most, and how often a template is repeated."""
_FLOAT: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def whole(value: Any) -> int:
    """Return a value as an integer, zero for one that is none: fractions are cut off."""
    if isinstance(value, str):
        text = value.strip()
        if _WHOLE.fullmatch(text):
            return int(text)
        return int(float(text)) if _FLOAT.fullmatch(text) else 0
    return int(value) if isinstance(value, bool | int | float) else 0


def _numbers(first: int, last: int, step: int) -> range:
    """Return the numbers from the first to the one before the last. Raises ValueError for too many."""
    found = range(first, last, step)
    if len(found) > LONGEST:
        raise ValueError(f"{len(found):,} numbers; allowed: up to {LONGEST:,}")
    return found


def fraction(value: Any) -> float:
    """Return a value as a number with a fraction, zero for one that is none."""
    if isinstance(value, str):
        return float(value) if _FLOAT.fullmatch(value) else 0.0
    return float(value) if isinstance(value, bool | int | float) else 0.0


def _quotient(first: Any, second: Any) -> int:
    dividend, divisor = whole(first), whole(second)
    # Go rounds toward 0, Python's // downward.
    result = abs(dividend) // abs(divisor)
    return result if (dividend < 0) == (divisor < 0) else -result


def _remainder(first: Any, second: Any) -> int:
    # With the sign of the dividend, as in Go.
    return whole(first) - _quotient(first, second) * whole(second)


def _rounded(value: Any, digits: Any, at: Any = 0.5) -> float:
    """Return a number rounded at a fraction of its last digit."""
    factor = 10.0 ** whole(digits)
    scaled = factor * fraction(value)
    part = scaled - math.trunc(scaled)
    return (math.ceil(scaled) if part >= fraction(at) else math.floor(scaled)) / factor


def _until(end: Any) -> list[int]:
    last = whole(end)
    # Sprig counts down for a negative end.
    return list(_numbers(0, last, 1 if last >= 0 else -1))


def _sequence(*bounds: Any) -> str:
    """Return the numbers from the first bound, or one, to the last; the one between them is the step."""
    numbers = list(map(whole, bounds))
    first, last = (1 if len(numbers) == 1 else numbers[0]), numbers[-1]
    step = numbers[1] if len(numbers) > _BOUNDS else -1 if last < first else 1
    return " ".join(map(str, _numbers(first, last + (1 if step > 0 else -1), step)))


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "atoi": lambda value: int(value) if _WHOLE.fullmatch(value) else 0,
    "int": whole,
    "int64": whole,
    "float64": fraction,
    "toDecimal": lambda value: int(str(value), 8),
    "add": lambda *values: sum(map(whole, values)),
    "add1": lambda value: whole(value) + 1,
    "sub": lambda first, second: whole(first) - whole(second),
    "div": _quotient,
    "mod": _remainder,
    "mul": lambda *values: math.prod(map(whole, values)),
    "addf": lambda *values: math.fsum(map(fraction, values)),
    "subf": lambda first, *others: fraction(first) - math.fsum(map(fraction, others)),
    "mulf": lambda *values: math.prod(map(fraction, values)),
    "divf": lambda first, *others: fraction(first) / math.prod(map(fraction, others)),
    "max": lambda *values: max(map(whole, values)),
    "biggest": lambda *values: max(map(whole, values)),
    "min": lambda *values: min(map(whole, values)),
    "maxf": lambda *values: max(map(fraction, values)),
    "minf": lambda *values: min(map(fraction, values)),
    "floor": lambda value: float(math.floor(fraction(value))),
    "ceil": lambda value: float(math.ceil(fraction(value))),
    "round": _rounded,
    "until": _until,
    "untilStep": lambda first, last, step: list(_numbers(whole(first), whole(last), whole(step))),
    "seq": _sequence,
}
