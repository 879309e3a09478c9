"""Functions of Sprig and Argo CD for mappings, and for JSON and YAML."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from cutlist.core.go_json import go_json
from cutlist.documents.delivery.gotemplate.values import TemplateError, is_true, printed
from cutlist.documents.text.go_yaml import from_yaml, to_yaml


def as_data(value: Any) -> Any:
    """Return a value as Go reads it from JSON: its numbers are floats."""
    if isinstance(value, Mapping):
        return {str(key): as_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_data(item) for item in value]
    # Go's JSON decoder knows only floats, and they print differently: a million as 1e+06 (GO-41).
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def as_json(value: Any) -> Any:
    """Return a value as JSON has it: numbers without a fraction are integers."""
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    # From 1e21 on Go's JSON encoder writes an exponent.
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e21 else value


def _dict(*items: Any) -> dict[str, Any]:
    # Sprig gives the last key an empty value.
    pairs = [*items, ""] if len(items) % 2 else list(items)
    return {printed(key, nested=True): value for key, value in zip(pairs[::2], pairs[1::2], strict=True)}


def _set(mapping: dict[str, Any], key: Any, value: Any) -> dict[str, Any]:
    # In place, as in Sprig: templates use `set` for its effect.
    mapping[str(key)] = value
    return mapping


def _unset(mapping: dict[str, Any], key: Any) -> dict[str, Any]:
    mapping.pop(str(key), None)
    return mapping


def _dig(*arguments: Any) -> Any:
    *path, default, value = arguments
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return default
        value = value[key]
    return value


def _merge(target: dict[str, Any], *others: Mapping[str, Any]) -> dict[str, Any]:
    """Add what a mapping lacks; what is empty in it counts as lacking."""
    # Sprig's merge treats an empty value as missing.
    return _merged(target, others, replaces=lambda known: not is_true(known))


def merge_over(target: dict[str, Any], *others: Mapping[str, Any]) -> dict[str, Any]:
    """Lay mappings over one, which changes; mappings in them are merged."""
    return _merged(target, others, replaces=lambda _: True)


def _merged(target: dict[str, Any], others: Iterable[Mapping[str, Any]], replaces: Callable[[Any], bool]) -> dict[str, Any]:
    """Put members of others into a mapping where they replace what it has, into mappings of it as well."""
    for other in others:
        for key, value in other.items():
            known = target.get(key)
            if isinstance(known, dict) and isinstance(value, Mapping):
                _merged(known, [value], replaces)
            elif replaces(known):
                target[key] = copy.deepcopy(value)
    return target


def _compact(value: Any) -> str:
    return go_json(as_json(value))


def _from_json(text: Any) -> Any:
    try:
        return as_data(json.loads(text))
    except ValueError:
        return None


def _from_yaml(kind: type, text: Any) -> Any:
    try:
        value = from_yaml(text)
    except ValueError as error:
        raise TemplateError(f"error converting YAML to JSON: {error}") from None
    if value is not None and not isinstance(value, kind):
        raise TemplateError(f"error unmarshaling JSON: it is not a {kind.__name__}")
    return as_data(value) if value is not None else kind()


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "dict": _dict,
    "get": lambda mapping, key: mapping.get(key, ""),
    "set": _set,
    "unset": _unset,
    "hasKey": lambda mapping, key: key in mapping,
    "pluck": lambda key, *mappings: [mapping[key] for mapping in mappings if key in mapping],
    "dig": _dig,
    "merge": _merge,
    "mustMerge": _merge,
    "mergeOverwrite": merge_over,
    "mustMergeOverwrite": merge_over,
    "keys": lambda *mappings: [key for mapping in mappings for key in mapping],
    "values": lambda mapping: list(mapping.values()),
    "pick": lambda mapping, *keys: {key: mapping[key] for key in keys if key in mapping},
    "omit": lambda mapping, *keys: {key: value for key, value in mapping.items() if key not in keys},
    "deepCopy": copy.deepcopy,
    "mustDeepCopy": copy.deepcopy,
    "toJson": _compact,
    "mustToJson": _compact,
    "toRawJson": lambda value: json.dumps(as_json(value), ensure_ascii=False, sort_keys=True, separators=(",", ":")),
    "toPrettyJson": lambda value: go_json(as_json(value), indent=2),
    "fromJson": _from_json,
    "mustFromJson": _from_json,
    "toYaml": lambda value: to_yaml(as_json(value)).removesuffix("\n").removesuffix("\n..."),
    "fromYaml": lambda text: _from_yaml(dict, text),
    "fromYamlArray": lambda text: _from_yaml(list, text),
}
