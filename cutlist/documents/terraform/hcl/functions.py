"""Functions of Terraform that a configuration calls with values that are known."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import yaml

from cutlist.core.unknown import UNKNOWN
from cutlist.documents.terraform.effort import MOST_CONTENT, is_too_much
from cutlist.documents.terraform.partly_known import as_text, has_unknown, marked, with_unknown_texts

_WIDE: Final = re.compile(r"%[-+ #0.\d]*(?:\*|\d{4})")
_LONGEST_RANGE: Final = 1024
"""The most numbers that Terraform's `range` gives; it refuses to give more."""


def _merge(*values: Any) -> Any:
    return {key: below for value in values if isinstance(value, Mapping) for key, below in value.items()}


def _concat(*values: list[Any]) -> list[Any]:
    return [item for value in values for item in value]


def _flatten(value: list[Any]) -> list[Any]:
    flat: list[Any] = []
    for item in value:
        flat += _flatten(item) if isinstance(item, list) else [item]
    return flat


def _lookup(value: Mapping[str, Any], key: str, *default: Any) -> Any:
    if key in value:
        return value[key]
    return default[0] if default else UNKNOWN


def _coalesce(*values: Any) -> Any:
    return next((value for value in values if value is not None and value != ""), UNKNOWN)


def _format(pattern: str, *values: Any) -> str:
    if _WIDE.search(pattern):
        raise ValueError("no width of four digits, and none that is an argument")
    return pattern.replace("%v", "%s").replace("%q", '"%s"') % tuple(
        value if isinstance(value, int | float) and not isinstance(value, bool) else as_text(value) for value in values
    )


def _distinct(value: list[Any]) -> list[Any]:
    kept: list[Any] = []
    plain: set[str | int | float] = set()
    for item in value:
        if isinstance(item, str | int | float):
            if item in plain:
                continue
            plain.add(item)
        elif item in kept:
            continue
        kept.append(item)
    return kept


def _range(*bounds: int) -> list[int]:
    numbers = range(*(int(bound) for bound in bounds))
    if len(numbers) > _LONGEST_RANGE:
        raise ValueError(f"more than {_LONGEST_RANGE} values were generated")
    return list(numbers)


def _tonumber(value: Any) -> Any:
    number = float(value)
    return int(number) if number.is_integer() else number


def _toset(value: Any) -> list[Any]:
    return sorted(_distinct(list(value)), key=str)


def _yamlencode(value: Any) -> str:
    return yaml.safe_dump(marked(value), sort_keys=True, allow_unicode=True)


def _jsonencode(value: Any) -> str:
    return json.dumps(marked(value), separators=(",", ":"), sort_keys=True)


def _yamldecode(text: str) -> Any:
    """Return the data in a text; a value with an unknown part is unknown."""
    loaded = yaml.safe_load(text)
    return UNKNOWN if is_too_much(loaded) else with_unknown_texts(loaded)


def _jsondecode(text: str) -> Any:
    return with_unknown_texts(json.loads(text))


def _indent(spaces: int, text: str) -> str:
    return _replace(text, "\n", "\n" + " " * min(int(spaces), MOST_CONTENT))


def _replace(text: str, old: str, new: str) -> str:
    if text.count(old) * len(new) > MOST_CONTENT:
        raise ValueError("too long")
    return text.replace(old, new)


def _join(separator: str, *lists: list[Any]) -> str:
    texts = [as_text(item) for each in lists for item in each]
    if len(texts) * len(separator) > MOST_CONTENT:
        raise ValueError("too long")
    return separator.join(texts)


def _element(value: list[Any], index: int) -> Any:
    return value[int(index) % len(value)]


_WHOLE: Final[Mapping[str, Callable[..., Any]]] = {
    "merge": _merge,
    "concat": _concat,
    "flatten": _flatten,
    "yamlencode": _yamlencode,
    "jsonencode": _jsonencode,
    "yamldecode": _yamldecode,
    "jsondecode": _jsondecode,
    "coalesce": _coalesce,
    "lookup": _lookup,
    "element": _element,
    "toset": _toset,
    "tolist": list,
    "tomap": dict,
    "values": lambda value: [value[key] for key in sorted(value)],
    "zipmap": lambda keys, values: dict(zip(keys, values, strict=True)),
    "try": lambda *values: next((value for value in values if value is not UNKNOWN), UNKNOWN),
    "nonsensitive": lambda value: value,
    "sensitive": lambda value: value,
    "length": len,
    "keys": lambda value: sorted(value),
}
"""Those that carry unknown parts along."""
_KNOWN: Final[Mapping[str, Callable[..., Any]]] = {
    "upper": lambda text: as_text(text).upper(),
    "lower": lambda text: as_text(text).lower(),
    "title": lambda text: as_text(text).title(),
    "trimspace": lambda text: as_text(text).strip(),
    "chomp": lambda text: as_text(text).rstrip("\n"),
    "trimprefix": lambda text, prefix: text.removeprefix(prefix),
    "trimsuffix": lambda text, suffix: text.removesuffix(suffix),
    "replace": _replace,
    "split": lambda separator, text: text.split(separator),
    "join": _join,
    "format": _format,
    "formatlist": lambda pattern, values: [_format(pattern, value) for value in values],
    "tostring": as_text,
    "tonumber": _tonumber,
    "tobool": lambda value: value in (True, "true"),
    "contains": lambda values, item: item in values,
    "distinct": _distinct,
    "compact": lambda values: [value for value in values if value],
    "reverse": lambda values: list(reversed(values)),
    "sort": sorted,
    "slice": lambda values, first, last: values[int(first) : int(last)],
    "setunion": lambda *lists: _toset(_concat(*map(list, lists))),
    "range": _range,
    "min": min,
    "max": max,
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "base64encode": lambda text: base64.b64encode(text.encode()).decode(),
    "startswith": lambda text, prefix: text.startswith(prefix),
    "endswith": lambda text, suffix: text.endswith(suffix),
    "indent": _indent,
}
"""Those that need every value."""


def call(name: str, arguments: list[Any]) -> Any:
    """Return what a function gives, or UNKNOWN where it, or a value that it needs, is not known."""
    function = _WHOLE.get(name)
    if function is None:
        function = _KNOWN.get(name)
        if function is None or any(map(has_unknown, arguments)):
            return UNKNOWN
    elif name != "try" and any(argument is UNKNOWN for argument in arguments) and not name.endswith("encode"):
        return UNKNOWN
    try:
        return function(*arguments)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, ZeroDivisionError, yaml.YAMLError):
        return UNKNOWN
