"""Resources in files of Bicep, as far as their values are written: literals, parameters with a default, and variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN

_TOKEN: Final = re.compile(
    r"(?P<space>[ \t\r]+|//[^\n]*|/\*.*?\*/)|(?P<line>\n)|(?P<block>'''.*?''')|(?P<text>'(?:[^'\\\n]|\\.)*')"
    r"|(?P<number>-?\d+)|(?P<name>[A-Za-z_]\w*)|(?P<mark>.)",
    re.DOTALL,
)
_WORDS: Final[Mapping[str, Any]] = {"true": True, "false": False, "null": None}
_OPENING: Final = {"{": "}", "[": "]", "(": ")"}
_CLOSING: Final = frozenset(_OPENING.values())
_DEEPEST: Final = 64
_ESCAPED: Final = re.compile(r"\\(.)")
_END: Final = ("end", "", 0)

_Token = tuple[str, str, int]
"""The kind of a token, its text, and its line."""


@dataclass(frozen=True, slots=True)
class BicepResource:
    """A resource: its symbolic name, its type without the version, its line, and its members; what is computed is unknown."""

    symbol: str
    type: str
    line: int
    members: Mapping[str, Any]


def resources_in(text: str) -> Iterator[BicepResource]:
    """Yield the resources of a file and those inside others; not those that exist elsewhere, or are made in a loop."""
    parser = _Parser(_tokens(text))
    parser.statements()
    yield from parser.resources


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    line = 1
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind != "space":
            tokens.append((kind, match[0], line))
        line += match[0].count("\n")
    return tokens


@dataclass(slots=True)
class _Parser:
    """Reads statements one after the other, and passes over what it does not know to the end of its line."""

    tokens: list[_Token]
    at: int = 0
    known: dict[str, Any] = field(default_factory=dict)
    resources: list[BicepResource] = field(default_factory=list)

    def statements(self) -> None:
        """Read all statements of the file."""
        while (token := self._next())[0] != "end":
            if token[1] in ("param", "var") and self._peek()[0] == "name":
                name = self._next()[1]
                if self._find("="):
                    self.known[name] = self._value(0)
            elif token[1] == "resource":
                self._resource("", 0)
            elif token[0] != "line":
                self._pass_over()

    def _peek(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def _next(self) -> _Token:
        token = self._peek()
        self.at += 1
        return token

    def _find(self, mark: str) -> bool:
        """Go beyond a mark on the same line, and tell whether there is one."""
        while (token := self._peek())[0] not in ("line", "end"):
            self.at += 1
            if token[1] == mark:
                return True
        return False

    def _resource(self, outer: str, depth: int) -> None:
        """Read a resource from its symbolic name on; `outer` is the type of the one around it."""
        (_, symbol, line), (kind, type_, _) = self._next(), self._next()
        whole = "/".join(filter(None, (outer, type_.strip("'").partition("@")[0])))
        if kind != "text" or self._peek()[1] != "=":  # it exists elsewhere
            self._pass_over()
            return
        self.at += 1
        if self._peek()[1] == "if":
            self.at += 1
            self._condition()
        if self._peek()[1] != "{":
            self._value(depth)  # a loop
            return
        index = len(self.resources)
        members = self._mapping(depth, whole)
        self.resources.insert(index, BicepResource(symbol, whole, line, members))

    def _condition(self) -> None:
        """Go beyond a condition in brackets."""
        depth = 0
        while (token := self._next())[0] != "end":
            depth += (token[1] == "(") - (token[1] == ")")
            if not depth:
                return

    def _value(self, depth: int) -> Any:
        """Return the value of an expression, and go to its end: UNKNOWN unless it is a literal or a known name."""
        token = self._peek()
        if depth > _DEEPEST:
            self._pass_over()
            return UNKNOWN
        if token[1] == "{":
            value: Any = self._mapping(depth, "")
        elif token[1] == "[":
            value = self._list(depth)
        else:
            self.at += 1
            value = self._scalar(token)
        if self._peek()[0] in ("line", "end") or self._peek()[1] in (",", *_CLOSING):
            return value
        self._pass_over()
        return UNKNOWN

    def _scalar(self, token: _Token) -> Any:
        kind, text, _ = token
        if kind == "number":
            return int(text)
        if kind == "block":
            return text.strip("'").removeprefix("\n")
        if kind == "text":
            return UNKNOWN if "${" in text else _ESCAPED.sub(r"\1", text[1:-1])
        if kind == "name":
            return _WORDS[text] if text in _WORDS else self.known.get(text, UNKNOWN)
        self.at -= 1
        return UNKNOWN

    def _mapping(self, depth: int, type_: str) -> dict[str, Any]:
        """Return the members of an object; resources in it, which that of `type_` may have, are added to all."""
        members: dict[str, Any] = {}
        self.at += 1
        while (token := self._next())[0] != "end" and token[1] != "}":
            if token[0] == "line" or token[1] == ",":
                continue
            if type_ and depth < _DEEPEST and token[1] == "resource" and self._peek()[0] == "name":
                self._resource(type_, depth + 1)
            elif token[0] in ("name", "text") and self._peek()[1] == ":":
                self.at += 1
                members[token[1].strip("'")] = self._value(depth + 1)
            else:
                self._pass_over()
        return members

    def _list(self, depth: int) -> Any:
        """Return the items of a list; UNKNOWN for those of a loop."""
        self.at += 1
        items: list[Any] = []
        is_loop = self._peek()[1] == "for"
        while (token := self._peek())[0] != "end" and token[1] != "]":
            if token[0] == "line" or token[1] in (",", *_CLOSING):
                self.at += 1
            elif is_loop:
                self._pass_over()
            else:
                items.append(self._value(depth + 1))
        self.at += 1
        return UNKNOWN if is_loop else items

    def _pass_over(self) -> None:
        """Go to the end of an expression: of its line, or before what closes the object or list around it."""
        open_: list[str] = []
        while (token := self._peek())[0] != "end":
            if not open_ and (token[0] == "line" or token[1] in (",", *_CLOSING)):
                break
            if token[1] in _OPENING and token[0] == "mark":
                open_.append(_OPENING[token[1]])
            elif open_ and token[1] == open_[-1]:
                open_.pop()
            self.at += 1
