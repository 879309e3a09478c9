"""YAML as Karpenter's library writes it: keys in natural order, quotes where a text would be read as something else."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
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
_NUMBER_OR_CHAR: Final = re.compile(r"[0-9]+|.", re.ASCII | re.DOTALL)


def write_yaml(value: Any) -> str:
    """A document of maps with text keys, lists, texts, whole numbers and booleans."""
    events = (
        yaml.StreamStartEvent(),
        yaml.DocumentStartEvent(explicit=False),
        *_events(value),
        yaml.DocumentEndEvent(explicit=False),
        yaml.StreamEndEvent(),
    )
    written: str = yaml.emit(events, allow_unicode=True, width=math.inf)  # lines are never folded
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
    """Literal for several lines, double quotes for what would not be read back as text, else plain."""
    if "\n" in text:
        return "|"
    return None if reads_as_text(text) else '"'


def reads_as_text(text: str) -> bool:
    """Whether a plain scalar is a text, and not a boolean, number, date or nothing."""
    if text in _WORDS:
        return False
    if text[0] not in "+-.0123456789":
        return True
    plain = text if text[0] == "." else text.replace("_", "")
    is_number = _FLOAT.fullmatch(plain) or _INTEGER.fullmatch(plain)
    return not (is_number or _BASE_60.fullmatch(text) or _DATE.fullmatch(text))


def natural_order(a: str, b: str) -> int:
    """Compare keys: runs of digits by their number, letters after everything else."""
    for x, y in zip_longest(_NUMBER_OR_CHAR.findall(a), _NUMBER_OR_CHAR.findall(b), fillvalue=""):
        if x == y:
            continue
        if not x or not y:
            return -1 if not x else 1
        if x[0].isalpha() != y[0].isalpha():
            return 1 if x[0].isalpha() else -1
        numbers = (int(x), len(x)) if x.isdecimal() else (0, 0), (int(y), len(y)) if y.isdecimal() else (0, 0)
        if numbers[0] != numbers[1]:
            return -1 if numbers[0] < numbers[1] else 1
        return -1 if x < y else 1
    return 0


def holds_mapping(text: str) -> bool:
    """Whether the first document of a text is a mapping, or there is nothing but comments; False for what is no YAML."""
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_node() if loader.check_node() else None
    except yaml.YAMLError:
        return False
    if node is None or isinstance(node, yaml.MappingNode):
        return True
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"
