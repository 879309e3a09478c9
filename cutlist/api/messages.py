"""Breaches of a schema, or of the types of its fields, in Cutlist's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

from cutlist.api import durations, scale
from cutlist.api.fields import ModelField
from cutlist.api.findings import Finding, Hints, SchemaViolation, described, path_of, shortened
from cutlist.api.patterns import PATTERNS_IN_WORDS, QUANTITY
from cutlist.core.errors import QuantityError, nearest
from cutlist.core.quantity import Quantity

_MANY: Final = 30  # a longer list of allowed fields does not help
_WORDS: Final = PATTERNS_IN_WORDS
_YAML_1_1: Final = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
_GIBIBYTES: Final = {"": 1.0, "G": 1.0, "T": 1024.0, "M": 1 / 1024}
_MAX_GIBIBYTES: Final = 59_000


class Modelled(Protocol):
    """A class whose fields are declared."""

    @property
    def model_fields(self) -> Mapping[str, ModelField]:
        """Return the fields by name."""
        ...


def finding_of(violation: SchemaViolation, model: Modelled, hints: Hints) -> Finding:
    """Return a breach in Cutlist's words. The caller sets its layer."""
    kind, loc, value, context = violation
    path = path_of(loc)
    if kind == "extra_forbidden":
        return _unknown(path, loc, model, hints)
    if kind in _WANTED:
        wanted, better = _WANTED[kind]
        return Finding(path, f"found {described(value)} where {wanted} is needed", nearest=better(value))
    return _out_of_range(path, kind, value, context, hints)


def _out_of_range(path: str, kind: str, value: Any, context: Mapping[str, Any], hints: Hints) -> Finding:
    match kind:
        case "missing":
            return Finding(path, *hints.missing.get(path, ("is missing and required",)))
        case "literal_error":
            return _not_supported(path, value, context)
        case "string_pattern_mismatch":
            return _mismatch(path, value, context["pattern"], hints)
        case "too_long" | "too_short" | "string_too_long" | "string_too_short":
            return _size(path, kind, value, context)
        case "quantity":
            return Finding(path, context["reason"])
        case "volume_size":
            return Finding(path, f"{context['value']} is not a volume size", context["allowed"], _in_gibibytes(value))
        case "no_duration":
            return Finding(path, *_why_no_duration(value))
    if kind in _BOUNDS:
        message, allowed = _BOUNDS[kind]
        return Finding(path, message.format(shortened(value)), allowed.format(**context))
    return Finding(path, f"found {described(value)}, which is refused: {kind.replace('_', ' ')}")


_BOUNDS: Final[Mapping[str, tuple[str, str]]] = {
    "greater_than_equal": ("found {}", "at least {ge}"),
    "less_than_equal": ("found {}", "at most {le}"),
    scale.KIND: ("found {}", f"a whole number up to {scale.MOST}"),
    "duplicate": ("{} appears twice", "each entry once"),
    "date_time": ("{!r} is not a time", "such as 2025-02-28T12:00:00Z"),
    "beyond_32_bits": ("found {}, which is larger than a controller can read", f"at most {2**31 - 1}"),
}
"""Values outside a range: what is wrong, and what is allowed."""


def _mismatch(path: str, value: Any, pattern: str, hints: Hints) -> Finding:
    if pattern == QUANTITY:
        return Finding(path, _why_no_quantity(value))
    allowed = hints.patterns.get(pattern) or _WORDS.get(pattern) or f"text that matches {pattern}"
    return Finding(path, f"{shortened(value)!r} is not valid here", allowed)


def _why_no_quantity(value: str) -> str:
    try:
        Quantity.parse(value)
    except QuantityError as error:
        return str(error)
    return f"{shortened(value)!r} is not a quantity; write one such as 500m, 2 or 1.5Gi, without spaces"


def _why_no_duration(value: str) -> tuple[str, str]:
    if durations.is_go_duration(value):
        return f"{shortened(value)} is longer than a controller can read", f"at most {durations.LONGEST // 3600}h"
    return f"{shortened(value)!r} is not a duration", "such as 30s, 1m30s or 2m"


def _unknown(path: str, loc: tuple[int | str, ...], model: Modelled, hints: Hints) -> Finding:
    name = str(loc[-1])
    bare = re.sub(r"\[\d+\]", "", path)
    if bare in hints.moved:
        return Finding(path, f"unknown field {name!r}: {hints.moved[bare]}")
    known = _fields_at(model, loc[:-1])
    close = nearest(name, known)
    if not close and not _is_of_entry(loc):
        elsewhere = (p for p in _paths(model) if p.rpartition(".")[2] == name)
        close = next(elsewhere, "") or _near_elsewhere(name, model)
    allowed = ", ".join(sorted(known)) if len(known) <= _MANY else ""
    return Finding(path, f"unknown field {name!r}", allowed, close)


def _is_of_entry(loc: tuple[int | str, ...]) -> bool:
    """Tell whether a member belongs to an entry of a list: then it is not a member of the object in the wrong place."""
    return len(loc) > 1 and isinstance(loc[-2], int)


def _near_elsewhere(name: str, model: Modelled) -> str:
    by_name = {p.rpartition(".")[2]: p for p in reversed(list(_paths(model)))}
    return by_name.get(nearest(name, by_name), "")


def _not_supported(path: str, value: Any, context: Mapping[str, Any]) -> Finding:
    allowed = re.findall(r"'([^']*)'", str(context.get("expected", "")))
    words = {a.lower(): a for a in allowed}
    near = words.get(value.lower()) or nearest(value, allowed) if isinstance(value, str) else ""
    return Finding(path, f"found {described(value)}", ", ".join(allowed), near or "")


def _size(path: str, kind: str, value: Any, context: Mapping[str, Any]) -> Finding:
    singular, plural = ("character", "characters") if isinstance(value, str) else ("entry", "entries")
    side, bound = ("at most", context["max_length"]) if kind.endswith("long") else ("at least", context["min_length"])
    return Finding(
        path, f"has {len(value)} {plural}" if value else "is empty", f"{side} {bound} {singular if bound == 1 else plural}"
    )


def _quoted(value: Any) -> str:
    if isinstance(value, bool):
        return '"true"' if value else '"false"'
    return f'"{value}"' if isinstance(value, int | float) else ""


def _unquoted(value: Any) -> str:
    return value if isinstance(value, str) and re.fullmatch(r"-?[0-9]+", value) else ""


def _truth(value: Any) -> str:
    return _YAML_1_1.get(str(value).lower(), "")


def _listed(value: Any) -> str:
    return f"[{value}]" if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _nothing(_: Any) -> str:
    return ""


_WANTED: Final[Mapping[str, tuple[str, Callable[[Any], str]]]] = {
    "string_type": ("text", _quoted),
    "int_type": ("a whole number", _unquoted),
    "int_from_float": ("a whole number", _unquoted),
    "bool_type": ("true or false", _truth),
    "model_type": ("a mapping", _nothing),
    "model_attributes_type": ("a mapping", _nothing),
    "dict_type": ("a mapping", _nothing),
    "tuple_type": ("a list", _listed),
    "quantity_type": ("a quantity (text such as 500m or 10Gi, or a whole number)", _quoted),
}
"""Type errors: what is needed, and how the value found would be written in that type."""


def _in_gibibytes(value: str) -> str:
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *(Gi|GiB|GB|Ti|TiB|TB|Mi|)", value)
    if match is None:
        return ""
    size = float(match[1]) * _GIBIBYTES[match[2][:1]]
    return f"{int(size)}Gi" if size.is_integer() and 1 <= size <= _MAX_GIBIBYTES else ""


def _fields_at(model: Modelled, loc: tuple[int | str, ...]) -> list[str]:
    """Return the known fields at a place of a model."""
    here: Modelled | None = model
    for member in loc:
        if isinstance(member, str):
            here = next((field.model for field in _fields(here) if field.alias == member), None)
    return [field.alias for field in _fields(here)]


def _fields(model: Modelled | None) -> list[ModelField]:
    return [] if model is None else list(model.model_fields.values())


def _paths(model: Modelled, prefix: str = "") -> Iterator[str]:
    for field in _fields(model):
        path = f"{prefix}{field.alias}"
        if path.partition(".")[0] not in ("metadata", "status"):
            yield path
            if field.model is not None:
                yield from _paths(field.model, path + ".")
