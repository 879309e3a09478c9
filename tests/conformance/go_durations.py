"""Durations in annotations as Go reads them, and what it says of others."""

from __future__ import annotations

import re

from cutlist.api.durations import is_readable

UNITS = ("ns", "us", "µs", "μs", "ms", "s", "m", "h")


def parse_error(text: str) -> str:
    """Return what time.ParseDuration says of a text, or an empty string for a duration."""
    if is_readable(text):
        return ""
    rest = text[1:] if text[:1] in ("-", "+") else text
    while rest:
        number = re.match(r"([0-9]*)(\.[0-9]*)?", rest, re.ASCII)
        assert number is not None
        if not (number[1] or len(number[2] or "") > 1):
            break
        rest = rest[number.end() :]
        unit = re.match(r"[^0-9.]*", rest, re.ASCII)
        assert unit is not None
        if not unit[0]:
            return f'time: missing unit in duration "{text}"'
        if unit[0] not in UNITS:
            return f'time: unknown unit "{unit[0]}" in duration "{text}"'
        rest = rest[unit.end() :]
    return f'time: invalid duration "{text}"'
