"""Expand `${name}` in a text as Flux does: defaults, lengths, slices, case, replacements, and parts that are cut off.

The forms are those of a shell, with the differences that Flux has: an operator for unset variables counts as one for empty
ones, `${a:?b}` and `${a:+b}` give `b` as a default, and `${a-b}` is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.documents.patterns import path_pattern

_NAME: Final = re.compile(r"\w+")
_DEFAULTS: Final = ("=", ":=", ":-", ":?", ":+")
_CUTS: Final = ("##", "#", "%%", "%")
_REPLACEMENTS: Final = ("//", "/#", "/%", "/")
_ESCAPED: Final = ("$$", "\\/", "\\\\")
_WHOLE: Final = re.compile(r"[+-]?[0-9]+")


class BadSubstitution(ValueError):
    """An expression that Flux refuses; the text is what it says."""


def expand(
    text: str, variables: Mapping[str, str], *, strict: bool = False, unset: Callable[[str], object] = lambda _name: None
) -> str:
    """Return a text with its expressions replaced; `$$` is `$`. Raises BadSubstitution.

    A variable that is not set is empty, and `unset` is given it; with `strict` it is refused. One whose expression has a
    default is neither.
    """
    return _Reader(text, variables, strict, unset).everything()


@dataclass(slots=True)
class _Reader:
    """Reads a text from left to right, and evaluates each expression where it ends."""

    text: str
    variables: Mapping[str, str]
    strict: bool
    unset: Callable[[str], object]
    at: int = 0

    def everything(self) -> str:
        """Return the whole text with its expressions replaced."""
        pieces: list[str] = []
        while self.at < len(self.text):
            if self._takes("${"):
                pieces.append(self._expression())
            elif self._takes("$$"):
                pieces.append("$")
            else:
                dollar = self.text.find("$", self.at + 1)
                end = len(self.text) if dollar < 0 else dollar
                pieces.append(self.text[self.at : end])
                self.at = end
        return "".join(pieces)

    def _expression(self) -> str:
        """Return the value of an expression whose beginning has been read."""
        if self._takes("#"):
            name = self._name("bad substitution")
            self._close()
            # Go counts bytes.
            return str(len(self._value(name).encode()))
        name = self._name("unable to parse variable name")
        for operators, value in (
            (_DEFAULTS, self._default),
            ((":",), self._slice),
            (_REPLACEMENTS, self._replaced),
            (_CUTS, self._cut),
        ):
            # Longer operators come first in each tuple, or `##` would be read as `#`.
            operator = next((operator for operator in operators if self._takes(operator)), "")
            if operator:
                return value(name, operator)
        if self._next in (",", "^"):
            return self._cased(name)
        self._close("missing closing brace")
        return self._value(name)

    def _default(self, name: str, _operator: str) -> str:
        pieces: list[str] = []
        while self._next != "}":
            pieces.append(self._argument("}"))
        self._close()
        # Not through `_value`: with a default a missing variable is no mistake, even in strict mode (GO-17).
        return self.variables.get(name, "") or "".join(pieces)

    def _slice(self, name: str, _operator: str) -> str:
        arguments = [self._argument(":}")]
        if self._next == ":":
            while self._takes(":"):
                pass
            arguments.append(self._argument("}"))
        self._close()
        # Slices count bytes, so one may cut a character in two.
        value = self._value(name).encode()
        if not all(_WHOLE.fullmatch(argument) for argument in arguments):
            return value.decode()
        return _part(value, *map(int, arguments)).decode(errors="replace")

    def _replaced(self, name: str, operator: str) -> str:
        old = self._argument("/", escapes=True)
        if not self._takes("/"):
            raise BadSubstitution("bad substitution")
        while self._takes("/"):
            pass
        new = None if self._next == "}" else self._argument("}", escapes=True)
        self._close()
        return _replaced(self._value(name), operator, old, new)

    def _cut(self, name: str, operator: str) -> str:
        pattern = self._argument("}")
        self._close()
        value = self._value(name)
        is_longest = len(operator) > 1
        if operator[0] == "#":
            return _without_start(value, pattern, is_longest=is_longest)
        # A suffix is a prefix read backwards; patterns with a class such as `[a-b]` are not, in Flux either.
        return _without_start(value[::-1], pattern[::-1], is_longest=is_longest)[::-1]

    def _cased(self, name: str) -> str:
        end = self.at
        # Two signs at most; other pairs than `,,` and `^^` change nothing.
        while end < self.at + 2 and self.text[end : end + 1] in (",", "^"):
            end += 1
        operator, self.at = self.text[self.at : end], end
        self._close()
        value = self._value(name)
        changes: dict[str, Callable[[], str]] = {
            ",": lambda: value[:1].lower() + value[1:],
            ",,": value.lower,
            "^": lambda: value[:1].upper() + value[1:],
            "^^": value.upper,
        }
        return changes.get(operator, lambda: value)()

    def _argument(self, ends: str, *, escapes: bool = False) -> str:
        """Return an expression, or a text up to one of the ends or to the next expression."""
        if self._takes("${"):
            return self._expression()
        if self.at >= len(self.text) or (self._next in ends and not (escapes and self.text.startswith(_ESCAPED, self.at))):
            raise BadSubstitution("unable to parse substitution within function")
        pieces: list[str] = []
        while self.at < len(self.text) and not self.text.startswith("${", self.at):
            # The sign after the escape is taken as it is, even one that would end the argument.
            if escapes and self.text.startswith(_ESCAPED, self.at):
                self.at += 1
            elif self._next in ends:
                break
            pieces.append(self._next)
            self.at += 1
        return "".join(pieces)

    def _value(self, name: str) -> str:
        if name in self.variables:
            return self.variables[name]
        if self.strict:
            raise BadSubstitution(f'variable not set (strict mode): "{name}"')
        self.unset(name)
        return ""

    def _name(self, otherwise: str) -> str:
        match = _NAME.match(self.text, self.at)
        if match is None:
            raise BadSubstitution(otherwise)
        self.at = match.end()
        return match[0]

    def _close(self, otherwise: str = "bad substitution") -> None:
        if not self._takes("}"):
            raise BadSubstitution(otherwise)

    def _takes(self, word: str) -> bool:
        if not self.text.startswith(word, self.at):
            return False
        self.at += len(word)
        return True

    @property
    def _next(self) -> str:
        return self.text[self.at : self.at + 1]


def _part(value: bytes, start: int, length: int | None = None) -> bytes:
    """Return the bytes from a position, which counts from the end if it is negative; a negative length ends there too."""
    first = max(len(value) + start, 0) if start < 0 else start
    if length is None:
        return value[first:]
    end = len(value) + length if length < 0 else first + length
    # Python would take a negative end as one that counts from the end.
    return value[first:end] if end >= first else b""


def _replaced(value: str, operator: str, old: str, new: str | None) -> str:
    if operator == "//":
        return value.replace(old, new or "")
    if operator == "/":
        return value.replace(old, new or "", 1)
    if new is None:
        return value
    if operator == "/#":
        return value.replace(old, new, 1) if value.startswith(old) else value
    return value.removesuffix(old) + new if value.endswith(old) else value


def _without_start(value: str, pattern: str, *, is_longest: bool) -> str:
    """Return a text without the beginning that a pattern matches."""
    expression = path_pattern(pattern, crosses=True)
    if expression is None:
        return value
    sizes = range(1, len(value) + 1)
    size = next((size for size in (reversed(sizes) if is_longest else sizes) if expression.fullmatch(value, 0, size)), 0)
    return value[size:]
