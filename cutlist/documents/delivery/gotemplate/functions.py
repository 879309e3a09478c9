"""The functions that templates may call: those of Go, of Sprig, and of Argo CD."""

from __future__ import annotations

import html
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from cutlist.documents.delivery.gotemplate import dicts, lists, numbers, texts
from cutlist.documents.delivery.gotemplate.formats import sprintf
from cutlist.documents.delivery.gotemplate.values import TemplateError, equals, is_less, is_true, kind_of, printed

LEFT_TO_GO: Final = frozenset(
    {
        *("now", "date", "dateInZone", "dateModify", "ago", "duration", "durationRound", "htmlDate", "unixEpoch", "toDate"),
        *("randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes", "randInt", "shuffle", "uuidv4"),
        *("genPrivateKey", "genCA", "genSelfSignedCert", "genSignedCert", "derivePassword", "htpasswd", "bcrypt"),
        *(
            "encryptAES",
            "decryptAES",
            "buildCustomCert",
            "mustToDate",
            "must_date_modify",
            "date_modify",
            "urlParse",
            "urlJoin",
        ),
    }
)
"""Functions of time, chance and keys, and others that are left to Go."""


def _index(value: Any, *path: Any) -> Any:
    for key in path:
        if isinstance(value, Mapping):
            value = value.get(key)
        elif value is None:
            raise TemplateError("index of untyped nil")
        else:
            at = numbers.whole(key)
            if not 0 <= at < len(value):
                raise TemplateError(f"index out of range: {at}")
            # The element of a Go string is a number.
            value = ord(value[at]) if isinstance(value, str) else value[at]
    return value


def _printed_together(*values: Any) -> str:
    """Return values one after the other, with a space between two that are no texts."""
    pieces: list[str] = []
    for index, value in enumerate(values):
        # The rule of Go's Sprint.
        if index and not isinstance(value, str) and not isinstance(values[index - 1], str):
            pieces.append(" ")
        pieces.append(printed(value, nested=True))
    return "".join(pieces)


def _same(first: Any, *others: Any) -> bool:
    if not others:
        raise TemplateError("missing argument for comparison")
    # Go's `eq` with several arguments asks whether the first equals any of them.
    return any(equals(first, other) for other in others)


def _default(default: Any, *value: Any) -> Any:
    return value[0] if value and is_true(value[0]) else default


def _fail(message: Any) -> None:
    raise TemplateError(printed(message))


def _length(value: Any) -> int:
    if isinstance(value, str):
        # Go's len counts bytes of a text.
        return len(value.encode())
    if isinstance(value, Mapping | Sequence):
        return len(value)
    raise TemplateError(f"len of type {kind_of(value)}")


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **texts.FUNCTIONS,
    **lists.FUNCTIONS,
    **dicts.FUNCTIONS,
    **numbers.FUNCTIONS,
    "not": lambda value: not is_true(value),
    "len": _length,
    "index": _index,
    "print": _printed_together,
    "printf": sprintf,
    "println": lambda *values: " ".join(printed(value, nested=True) for value in values) + "\n",
    "html": lambda *values: html.escape(_printed_together(*values)).replace("&quot;", "&#34;").replace("&#x27;", "&#39;"),
    "urlquery": lambda *values: urllib.parse.quote_plus(_printed_together(*values)),
    "eq": _same,
    "ne": lambda first, second: not equals(first, second),
    "lt": is_less,
    "le": lambda first, second: is_less(first, second) or equals(first, second),
    "gt": lambda first, second: is_less(second, first),
    "ge": lambda first, second: is_less(second, first) or equals(first, second),
    "default": _default,
    "empty": lambda value: not is_true(value),
    "coalesce": lambda *values: next((value for value in values if is_true(value)), None),
    "all": lambda *values: all(map(is_true, values)),
    "any": lambda *values: any(map(is_true, values)),
    "ternary": lambda first, second, test: first if is_true(test) else second,
    "fail": _fail,
    "required": lambda message, value: _fail(message) if value in (None, "") else value,
    "kindOf": kind_of,
    "kindIs": lambda kind, value: kind_of(value) == kind,
    "typeOf": lambda value: {"map": "map[string]interface {}", "slice": "[]interface {}"}.get(kind_of(value), kind_of(value)),
    "deepEqual": lambda first, second: first == second,
}
