"""Functions of Sprig and Argo CD for texts."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from cutlist.documents.delivery.gotemplate.numbers import whole
from cutlist.documents.delivery.gotemplate.values import TemplateError, printed

_WORD: Final = re.compile(r"\b\w")
_LONGEST_NAME: Final = 253
_LONGEST_SLUG: Final = 50


def text_of(value: Any) -> str:
    """Return what functions of texts read: nothing for nil, and any other value as it would be printed inside a list."""
    return "" if value is None else printed(value, nested=True)


def sanitized(name: Any) -> str:
    """Return a name with what no name of an object may have replaced."""
    return re.sub(r"[^-a-z0-9.]", "-", str(name).lower())[:_LONGEST_NAME].strip("-.")


def _slug(*arguments: Any) -> str:
    """Return a name for addresses: at most so long, cut between words unless the settings say otherwise."""
    *settings, name = arguments
    size = whole(settings[0]) if settings else _LONGEST_SLUG
    is_smart = bool(settings[1]) if len(settings) > 1 else True
    slug = re.sub(r"[^a-z0-9]+", "-", str(name).lower()).strip("-")
    if len(slug) <= size or size < 1:
        return slug
    # One character more, since a word that ends exactly at the limit is whole.
    if is_smart and "-" in slug[: size + 1]:
        return slug[: size + 1].rpartition("-")[0].strip("-")
    return slug[:size].strip("-")


def _quoted(mark: str) -> Callable[..., str]:
    def quoted(*values: Any) -> str:
        texts = (text_of(value) for value in values if value is not None)
        return " ".join(json.dumps(text, ensure_ascii=False) if mark == '"' else f"'{text}'" for text in texts)

    return quoted


def _trunc(size: Any, text: Any) -> str:
    count = whole(size)
    # A negative size keeps the end of a text.
    return str(text)[count:] if count < 0 and len(str(text)) + count > 0 else str(text)[:count] if count >= 0 else str(text)


def _abbreviated(width: Any, text: Any) -> str:
    size = whole(width)
    return str(text) if len(str(text)) <= size or size < 4 else f"{str(text)[: size - 3]}..."


def _substr(first: Any, last: Any, text: Any) -> str:
    start, end = whole(first), whole(last)
    if start < 0:
        return str(text)[:end]
    return str(text)[start:] if end < 0 or end > len(str(text)) else str(text)[start:end]


def _indented(spaces: Any, text: Any) -> str:
    pad = " " * whole(spaces)
    return pad + str(text).replace("\n", f"\n{pad}")


def _split(between: Any, text: Any) -> dict[str, str]:
    return {f"_{index}": part for index, part in enumerate(str(text).split(str(between)))}


def _snake(text: Any) -> str:
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", str(text)))
    return re.sub(r"[\s\-_.]+", "_", spaced).lower()


def _camel(text: Any) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[\s\-_.]+", str(text)))


def _expression(pattern: Any) -> re.Pattern[str]:
    try:
        return re.compile(str(pattern))
    except re.error as error:
        raise TemplateError(f"error parsing regexp: {error}") from None


def _regex_replaced(pattern: Any, text: Any, new: Any) -> str:
    # Go writes `$1` or `${name}` for a group, Python `\g<1>`.
    groups = re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda m: f"\\g<{m[1] or m[2]}>", str(new).replace("\\", "\\\\"))
    return _expression(pattern).sub(groups, str(text))


def _regex_found(pattern: Any, text: Any) -> str:
    match = _expression(pattern).search(str(text))
    return match[0] if match else ""


def _regex_all(pattern: Any, text: Any, most: Any) -> list[str]:
    matches = [match[0] for match in _expression(pattern).finditer(str(text))]
    return matches if whole(most) < 0 else matches[: whole(most)]


def _regex_split(pattern: Any, text: Any, most: Any) -> list[str]:
    count = whole(most)
    return [] if count == 0 else _expression(pattern).split(str(text), 0 if count < 0 else max(count - 1, 0))


def _decoded(text: Any) -> str:
    try:
        return base64.b64decode(str(text), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        # Sprig returns the error as the text.
        return str(error)


_REGEX: Final[Mapping[str, Callable[..., Any]]] = {
    "regexMatch": lambda pattern, text: _expression(pattern).search(str(text)) is not None,
    "regexFind": _regex_found,
    "regexFindAll": _regex_all,
    "regexReplaceAll": _regex_replaced,
    "regexReplaceAllLiteral": lambda pattern, text, new: _expression(pattern).sub(lambda _: str(new), str(text)),
    "regexSplit": _regex_split,
}

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **_REGEX,
    **{f"must{name[0].upper()}{name[1:]}": function for name, function in _REGEX.items()},
    "regexQuoteMeta": lambda text: re.escape(str(text)),
    "normalize": sanitized,
    "slugify": _slug,
    "toString": text_of,
    "lower": lambda text: str(text).lower(),
    "upper": lambda text: str(text).upper(),
    "title": lambda text: _WORD.sub(lambda match: match[0].upper(), str(text)),
    "untitle": lambda text: _WORD.sub(lambda match: match[0].lower(), str(text)),
    "trim": lambda text: str(text).strip(),
    "trimAll": lambda cut, text: str(text).strip(str(cut)),
    "trimall": lambda cut, text: str(text).strip(str(cut)),
    "trimSuffix": lambda end, text: str(text).removesuffix(str(end)),
    "trimPrefix": lambda start, text: str(text).removeprefix(str(start)),
    "nospace": lambda text: "".join(str(text).split()),
    "initials": lambda text: "".join(word[0] for word in str(text).split()),
    "trunc": _trunc,
    "abbrev": _abbreviated,
    "substr": _substr,
    "repeat": lambda count, text: str(text) * whole(count),
    "replace": lambda old, new, text: str(text).replace(str(old), str(new)),
    "contains": lambda part, text: str(part) in str(text),
    "hasPrefix": lambda start, text: str(text).startswith(str(start)),
    "hasSuffix": lambda end, text: str(text).endswith(str(end)),
    "quote": _quoted('"'),
    "squote": _quoted("'"),
    "cat": lambda *values: " ".join(text_of(value) for value in values if value is not None),
    "indent": _indented,
    "nindent": lambda spaces, text: f"\n{_indented(spaces, text)}",
    "plural": lambda one, many, count: one if whole(count) == 1 else many,
    "snakecase": _snake,
    "camelcase": _camel,
    "kebabcase": lambda text: _snake(text).replace("_", "-"),
    "swapcase": lambda text: str(text).swapcase(),
    "split": _split,
    "splitn": lambda between, count, text: {
        f"_{index}": part for index, part in enumerate(str(text).split(str(between), max(whole(count) - 1, 0)))
    },
    "splitList": lambda between, text: str(text).split(str(between)),
    "b64enc": lambda text: base64.b64encode(str(text).encode()).decode(),
    "b64dec": _decoded,
    "sha1sum": lambda text: hashlib.sha1(str(text).encode(), usedforsecurity=False).hexdigest(),
    "sha256sum": lambda text: hashlib.sha256(str(text).encode()).hexdigest(),
    "sha512sum": lambda text: hashlib.sha512(str(text).encode()).hexdigest(),
    "adler32sum": lambda text: str(zlib.adler32(str(text).encode())),
    "base": lambda path: str(path).rstrip("/").rpartition("/")[2] or "/",
    "dir": lambda path: str(path).rpartition("/")[0] or ".",
    "ext": lambda path: (re.search(r"\.[^./]*$", str(path)) or [""])[0],
    "clean": lambda path: re.sub(r"/+", "/", str(path)).rstrip("/") or "/",
}
