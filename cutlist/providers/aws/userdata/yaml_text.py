"""YAML as Karpenter's library writes it: keys in natural order, quotes if a text would be read as something else."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import yaml

_WORDS: Final = frozenset(
    spelling
    for word in ("y", "yes", "true", "on", "n", "no", "false", "off", "null", ".inf", "+.inf", "-.inf")
    for spelling in (word, word.capitalize(), word.upper())
) | {"", "~", ".nan", ".NaN", ".NAN", ".Inf", "+.Inf", "-.Inf"}
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_INTEGER: Final = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9][0-9]*|0)", re.ASCII)
_BASE_60: Final = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?", re.ASCII)
_DATE: Final = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
    r"([Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\.[0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})"
    r"| [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\.[0-9]+)?)?",
    re.ASCII,
)
_DIGITS: Final = re.compile(r"[0-9]+", re.ASCII)
_NULL: Final = "tag:yaml.org,2002:null"
_FLOAT_TAG: Final = "tag:yaml.org,2002:float"
_NO_NUMBER: Final = re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE)  # mappings are read as JSON, which has no such numbers
_MERGE: Final = "tag:yaml.org,2002:merge"
_NUMBER_AT_END: Final = re.compile(r"[0-9]+$", re.ASCII)
_DIGITS_AT_START: Final = re.compile(r"[0-9]*", re.ASCII)


def write_yaml(value: Any) -> str:
    """Return a document of maps with text keys, lists, texts, whole numbers and booleans."""
    events = (
        yaml.StreamStartEvent(),
        yaml.DocumentStartEvent(explicit=False),
        *_events(value),
        yaml.DocumentEndEvent(explicit=False),
        yaml.StreamEndEvent(),
    )
    written: str = yaml.emit(events, allow_unicode=True)
    return written


def _events(value: Any) -> Iterator[yaml.Event]:
    if isinstance(value, Mapping):
        yield yaml.MappingStartEvent(None, None, True, flow_style=not value)
        for key in sorted(value, key=functools.cmp_to_key(natural_order)):
            yield _scalar(key, _style(key))
            yield from _events(value[key])
        yield yaml.MappingEndEvent()
    elif isinstance(value, str):
        yield _scalar(value, _style(value))
    elif isinstance(value, Sequence):
        yield yaml.SequenceStartEvent(None, None, True, flow_style=not value)
        for item in value:
            yield from _events(item)
        yield yaml.SequenceEndEvent()
    else:
        yield _scalar(str(value).lower(), None)


def _scalar(text: str, style: str | None) -> yaml.ScalarEvent:
    return yaml.ScalarEvent(None, None, (True, True), text, style=style)


def _style(text: str) -> str | None:
    """Return the style: literal for several lines, double quotes for a text that would not be read back as text, else plain."""
    if "\n" in text:
        return "|"
    return None if reads_as_text(text) else '"'


def reads_as_text(text: str) -> bool:
    """Tell whether a plain scalar is read as text, and not as a boolean, number, date or null."""
    if text in _WORDS:
        return False
    if text[0] not in "+-.0123456789":
        return True
    plain = text if text[0] == "." else text.replace("_", "")
    if _INTEGER.fullmatch(plain) or (_FLOAT.fullmatch(plain) and math.isfinite(float(plain))):
        return False
    return not (_BASE_60.fullmatch(text) or _is_date(text))


def _is_date(text: str) -> bool:
    """Tell whether a text is an existing date, with or without a time."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    try:
        datetime(*(int(number) for number in _DIGITS.findall(text)[: 6 if match[1] else 3]))  # type: ignore[arg-type]
    except ValueError:
        return False
    return True


def natural_order(a: str, b: str) -> int:
    """Compare keys: numbers by their amount, letters after everything else. Negative when `a` comes first."""
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    if at is None:
        return len(a) - len(b)
    x, y = a[at], b[at]
    if x.isalpha() and y.isalpha():
        return ord(x) - ord(y)
    if x.isalpha() or y.isalpha():
        return 1 if x.isalpha() else -1
    # Zeros inside a number belong to it; leading zeros do not count.
    before = _NUMBER_AT_END.search(a[:at]) if "0" in (x, y) else None
    lead = "1" if before and before[0].strip("0") else ""
    runs = [_DIGITS_AT_START.match(text, at) for text in (a, b)]
    digits = [run[0] if run else "" for run in runs]
    numbers = [int(f"{lead}{d}" or "0") for d in digits]
    return numbers[0] - numbers[1] or len(digits[0]) - len(digits[1]) or ord(x) - ord(y)


def holds_mapping(text: str) -> bool:
    """Tell whether the first document of a text is a mapping, or the text is only comments; False for a text that is not
    YAML."""
    try:
        loader = yaml.CSafeLoader(text)
        node = loader.get_node() if loader.check_node() else None
    except (yaml.YAMLError, ValueError):  # ValueError: invalid characters
        return False
    if isinstance(node, yaml.MappingNode):
        return _can_be_merged(node) and not any(_NO_NUMBER.fullmatch(s) for s in _floats(node, set()))
    return node is None or (isinstance(node, yaml.ScalarNode) and node.tag == _NULL)


def _floats(node: yaml.Node, visited: set[yaml.Node]) -> Iterator[str]:
    """Yield the floats in a document, as they are written."""
    if node in visited:
        return
    visited.add(node)
    if isinstance(node, yaml.ScalarNode):
        if node.tag == _FLOAT_TAG:
            yield node.value
        return
    for part in node.value:
        for inner in part if isinstance(part, tuple) else (part,):
            yield from _floats(inner, visited)


def _can_be_merged(node: yaml.MappingNode) -> bool:
    """Tell whether the values of merge keys are mappings or lists of mappings."""
    merged = [value for key, value in node.value if key.tag == _MERGE]
    parts = [part for value in merged for part in (value.value if isinstance(value, yaml.SequenceNode) else [value])]
    return all(isinstance(part, yaml.MappingNode) for part in parts)
