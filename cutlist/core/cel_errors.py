"""Errors of CEL's compiler in the words of the Go library that Karpenter uses (spec: VA15-10). Cutlist's library finds the same
mistakes; it reports some in other words, at another place, or in more detail.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Final

# Patterns are texts, which `re` compiles when needed: few runs have such an error.
_ERROR: Final = r"ERROR: <input>:([0-9]+):([0-9]+): (.*)\n \| (.*)\n \| \.*\^?"
_FOLLOWING: Final = "*error*"
"""The type of a part with a mistake: Go reports nothing that follows from it."""
_OTHER_WORDS: Final = (
    (r"has\(\) argument must be a field selection", "invalid argument to has() macro"),
    (r"(?:map|filter)\(\) variable name must be a simple identifier", "argument is not an identifier"),
    (r"\w+\(\) variable name must be a simple identifier", "argument must be a simple name"),
    (
        r"expression of type '([^']*)' cannot be the operand of a select operation",
        r"type '\1' does not support field selection",
    ),
)
_UNDECLARED: Final = r"undeclared reference to '([A-Za-z_]\w*)((?:\.\w+)+)'"
_UNCALLED: Final = (
    r"undeclared reference to '(min|max|size|int|uint|double|string|bytes|bool|duration|timestamp|type|dyn|matches)' "
    r"\(in container ''\)"
)
_OVERLOAD: Final = r"found no matching overload for '(\w+)' applied to '\((.*)\)'"
_TEXTS: Final = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\""""
_FRACTION: Final = r"(?a)(?<![\w.])(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+"


@dataclass(frozen=True, slots=True)
class _Error:
    """An error at a place, counted from 1, with its line of the expression."""

    line: int
    column: int
    message: str
    text: str

    def __str__(self) -> str:
        mark = "." * (self.column - 1)
        return f"ERROR: <input>:{self.line}:{self.column}: {self.message}\n | {self.text}\n | {mark}^"


def errors_in_go(message: str, expression: str) -> str:
    """Return the errors of an expression in the words of Go's library, in the order of their places.

    Text that is not in the form of errors is returned unchanged.
    """
    if not expression:  # there is no first character
        return message.replace("<input>:1:1:", "<input>:1:0:")
    errors = [_Error(int(m[1]), int(m[2]), m[3], m[4]) for m in re.finditer(_ERROR, message)]
    in_go = sorted((_in_go(e) for e in errors if _FOLLOWING not in e.message), key=lambda e: (e.line, e.column))
    return "\n".join(map(str, in_go)) or message


def infinite_literal(expression: str) -> str:
    """Return the error on a fraction that is too large, which only Go refuses; empty without one."""
    for number, line in enumerate(expression.split("\n"), 1):
        code = re.sub(_TEXTS, lambda match: " " * len(match[0]), line).partition("//")[0]
        for literal in re.finditer(_FRACTION, code):
            if math.isinf(float(literal[0])):
                return str(_Error(number, literal.start() + 1, "invalid double literal", line))
    return ""


def _in_go(error: _Error) -> _Error:
    message = error.message
    for ours, theirs in _OTHER_WORDS:
        message = re.sub(ours, theirs, message)
    if path := re.search(_UNDECLARED, message):  # in a path, it is the first name that is not declared
        place = re.search(rf"(?<![\w.]){path[1]}\s*\.", error.text)
        column = place.start() + 1 if place else error.column
        return replace(error, column=column, message=message.replace(f"{path[1]}{path[2]}", path[1]))
    if (name := re.fullmatch(_UNCALLED, message)) and re.match(r"\(\s*\)", error.text[error.column - 1 :]):
        return replace(error, message=f"found no matching overload for '{name[1]}' applied to '()'")
    overload = re.search(_OVERLOAD, message)
    if overload and re.search(r"\.\s*\w+\s*$", error.text[: error.column - 1]):
        receiver, *others = _types(overload[2])
        return replace(error, message=message.replace(f"({overload[2]})", f"{receiver}.({', '.join(others)})"))
    return replace(error, message=message)


def _types(listed: str) -> list[str]:
    """Return the types in a written list, in which a type may contain others in brackets."""
    types, depth = [""], 0
    for character in listed:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            types.append("")
        else:
            types[-1] += character
    return [name.strip() for name in types]
