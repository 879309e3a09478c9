"""The values of unquoted words in YAML.

As kubectl reads it (through YAML to JSON), with one deliberate exception: `yes`, `no`, `on`, `off`, `y` and `n` stay text, as
in YAML 1.2. kubectl turns them into booleans; here a field that needs a boolean refuses them as text, and a country code never
turns into `false`. Dates stay text, `010` is eight, `1_000` is a thousand, `5.0` is five.
"""

from __future__ import annotations

import re
from typing import Final

Scalar = str | int | float | bool | None

_WORDS: Final[dict[str, Scalar]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_SWITCHES: Final[dict[str, Scalar]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_NUMBER_STARTS: Final = frozenset("0123456789+-.")
_INTEGER: Final = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)", re.ASCII)
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_MAX_DIGITS: Final = 400  # longer texts of digits are useless as numbers, and slow to convert
_WHOLE_FLOATS: Final = 1e21  # JSON writes whole numbers below this without a fraction
_PREFIX: Final = "tag:yaml.org,2002:"


def plain(text: str) -> Scalar:
    """Return the value of an unquoted word."""
    if text in _WORDS:
        return _WORDS[text]
    return _number(text) if text[0] in _NUMBER_STARTS else text


def plain_in_go(text: str) -> Scalar:
    """Return the value of an unquoted word as Helm, Argo CD and Flux read it, in YAML 1.1."""
    return _SWITCHES[text] if text in _SWITCHES else plain(text)


def tagged(tag: str, text: str) -> Scalar:
    """Return the value of a word with a tag such as `!!str`. Raises ValueError for an unknown tag or an invalid value."""
    kind = tag.removeprefix(_PREFIX)
    if tag == "!" or kind == "str":
        return text
    value = plain(text)
    if kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        return value
    if {"int": int, "float": float, "bool": bool, "null": type(None)}.get(kind) is not type(value):
        raise ValueError(f"the tag {tag.replace(_PREFIX, '!!')} on {text!r} is not understood")
    return value


def key_text(value: Scalar) -> str | None:
    """Return a mapping's key as JSON has it, where all keys are text; None for a null key."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _number(text: str) -> Scalar:
    digits = text.replace("_", "")
    if len(digits) > _MAX_DIGITS:
        return text
    if _INTEGER.fullmatch(digits):
        return _integer(digits)
    if _FLOAT.fullmatch(digits):
        return _float(digits, text)
    return text


def _integer(digits: str) -> int:
    sign, magnitude = (-1, digits[1:]) if digits[0] == "-" else (1, digits.lstrip("+"))
    if len(magnitude) > 1 and magnitude[0] == "0" and magnitude[1].isdigit():
        return sign * int(magnitude, 8)
    return sign * int(magnitude, 0)


def _float(digits: str, text: str) -> Scalar:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        return text
    return int(number) if number.is_integer() and abs(number) < _WHOLE_FLOATS else number
