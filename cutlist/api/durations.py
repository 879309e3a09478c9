"""Durations as Karpenter's objects write them: `720h`, `1h30m`, `Never` (spec: api-objects 0.3)."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Final

NEVER: Final = "Never"
LONGEST: Final = (2**63 - 1) // 10**9
"""The longest duration in seconds that controllers can read: they count nanoseconds in 64 bits."""

_GO_DURATION: Final = re.compile(r"[-+]?(?:0|(?:(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:ns|us|µs|μs|ms|s|m|h))++)", re.ASCII)
_GO_PART: Final = re.compile(r"([0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]++(?:\.[0-9]*+)?|\.[0-9]++", re.ASCII)
_UNIT: Final = re.compile(r"[^0-9.]++")
_UNITS: Final = {"ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600}
_PART: Final = re.compile(r"([0-9]++)([smh])", re.ASCII)
_WHOLE: Final = re.compile(r"(?:[0-9]++[smh])++", re.ASCII)


def seconds(text: str) -> int | None:
    """Return the length in whole seconds, or None for `Never`. Raises ValueError for anything else."""
    if text == NEVER:
        return None
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text!r} is not a duration; write whole numbers with s, m or h, such as 30s or 1h30m, or Never")
    return sum(int(number) * _SECONDS[unit] for number, unit in _PART.findall(text))


def canonical(text: str) -> str:
    """Return the spelling that controllers write back: `24h` is `24h0m0s`; `Never` stays."""
    length = seconds(text)
    if length is None:
        return NEVER
    minutes, rest = divmod(length, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h{minutes}m{rest}s"
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"


def is_go_duration(text: str) -> bool:
    """Tell whether a text is a duration as Go reads it, such as `1m30s`, `1.5h` or `500ms` in kubelet settings."""
    return _GO_DURATION.fullmatch(text) is not None


def nanoseconds(text: str) -> int:
    """Return the length of a duration as Go reads it; fractions of a nanosecond are dropped."""
    nanos = sum(int(Decimal(number) * _UNITS[unit]) for number, unit in _GO_PART.findall(text))
    return -nanos if text.startswith("-") else nanos


def is_readable(text: str) -> bool:
    """Tell whether a controller can read a duration: it counts nanoseconds in 64 bits."""
    return is_go_duration(text) and -(2**63) <= nanoseconds(text) < 2**63


def in_go(text: str) -> str:
    """Return a duration in Go's own spelling: `90s` is `1m30s`, `0.5s` is `500ms`. The text must be a duration."""
    nanos = nanoseconds(text)
    return ("-" if nanos < 0 else "") + _spelled(abs(nanos))


def _spelled(nanos: int) -> str:
    if nanos == 0:
        return "0s"
    if nanos < _UNITS["s"]:
        unit, size = next((u, s) for u, s in (("ms", 10**6), ("µs", 10**3), ("ns", 1)) if nanos >= s)
        return f"{_fraction(nanos, size)}{unit}"
    minutes, rest = divmod(nanos, 60 * _UNITS["s"])
    hours, minutes = divmod(minutes, 60)
    seconds = f"{_fraction(rest, _UNITS['s'])}s"
    if hours:
        return f"{hours}h{minutes}m{seconds}"
    return f"{minutes}m{seconds}" if minutes else seconds


def _fraction(amount: int, unit: int) -> str:
    """Return a fraction without trailing zeros."""
    whole, rest = divmod(amount, unit)
    if not rest:
        return str(whole)
    return f"{whole}.{str(rest).zfill(len(str(unit)) - 1).rstrip('0')}"


def duration_problem(text: str) -> str:
    """Return Go's message about a text that is not a duration, or an empty string for a duration."""
    if is_readable(text):
        return ""
    quoted = json.dumps(text, ensure_ascii=False)
    rest = text[1:] if text[:1] in ("+", "-") else text
    while rest:
        number = _NUMBER.match(rest)
        if number is None:
            break
        rest = rest[number.end() :]
        unit = _UNIT.match(rest)
        if unit is None:
            return f"time: missing unit in duration {quoted}"
        if unit.group() not in _UNITS:
            return f"time: unknown unit {json.dumps(unit.group(), ensure_ascii=False)} in duration {quoted}"
        rest = rest[unit.end() :]
    return f"time: invalid duration {quoted}"
