"""Read a template into its parts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.documents.delivery.gotemplate.nodes import (
    Action,
    Block,
    Branch,
    Call,
    Expression,
    Include,
    Leave,
    Literal,
    Member,
    Node,
    Pipeline,
    Template,
    Text,
)
from cutlist.documents.delivery.gotemplate.values import TemplateError
from cutlist.documents.delivery.gotemplate.words import pieces, words

_CONSTANTS: Final[dict[str, Any]] = {"true": True, "false": False, "nil": None}
_BRANCHES: Final = ("if", "with", "range")
_ENDS: Final = ("end", "else")


def parse(text: str, check: Callable[[str], None]) -> Template:
    """Return a template; `check` raises for the name of an unknown function. Raises TemplateError."""
    reader = _Blocks(list(pieces(text)), check)
    body, end = reader.block()
    if end:
        raise TemplateError(f"unexpected {{{{{end}}}}}")
    return Template(body, reader.defined)


@dataclass(slots=True)
class _Blocks:
    pieces: list[tuple[bool, str]]
    check: Callable[[str], None]
    defined: dict[str, Block] = field(default_factory=dict)
    at: int = 0

    def block(self) -> tuple[Block, str]:
        """Return the parts up to an end, and the action that ends them."""
        nodes: list[Node] = []
        while self.at < len(self.pieces):
            is_action, text = self.pieces[self.at]
            self.at += 1
            if not is_action:
                nodes += [Text(text)] if text else []
                continue
            word, _, rest = text.strip().partition(" ")
            if word in _ENDS:
                return tuple(nodes), text.strip()
            nodes += self._node(text, word, rest)
        return tuple(nodes), ""

    def _node(self, text: str, word: str, rest: str) -> Iterator[Node]:
        if text.strip().startswith("/*"):
            return
        if word in _BRANCHES:
            yield self._branch(word, rest)
        elif word in ("define", "block"):
            yield from self._definition(word, rest)
        elif word == "template":
            name, pipeline = self._named(rest)
            yield Include(name, pipeline)
        elif word in ("break", "continue"):
            yield Leave(word)
        else:
            yield Action(_Words(words(text), self.check).pipeline())

    def _branch(self, word: str, rest: str) -> Branch:
        pipeline = _Words(words(rest), self.check).pipeline()
        body, end = self.block()
        otherwise: Block = ()
        if end != "end" and end.startswith("else"):
            further, _, condition = end.removeprefix("else").strip().partition(" ")
            if further in _BRANCHES:
                # `else if` shares the end of the whole, which the inner branch has read.
                otherwise, end = (self._branch(further, condition),), "end"
            elif further:
                raise TemplateError(f"unexpected {further!r} after else")
            else:
                otherwise, end = self.block()
        if end != "end":
            raise TemplateError(f"{word} has no end")
        return Branch(word, pipeline, body, otherwise)

    def _definition(self, word: str, rest: str) -> Iterator[Node]:
        name, pipeline = self._named(rest)
        body, end = self.block()
        if end != "end":
            raise TemplateError(f"{word} {name} has no end")
        # Definitions count for the whole template, wherever they stand.
        self.defined[name] = body
        if word == "block":
            yield Include(name, pipeline)

    def _named(self, rest: str) -> tuple[str, Pipeline | None]:
        listed = [word for word in words(rest) if word[0] != "space"]
        if not listed or listed[0][0] not in ("string", "raw"):
            raise TemplateError("a template needs a name in quotes")
        below = listed[1:]
        return str(_literal(*listed[0])), _Words(below, self.check).pipeline() if below else None


@dataclass(slots=True)
class _Words:
    words: list[tuple[str, str]]
    check: Callable[[str], None]
    at: int = 0

    def pipeline(self, end: str = "") -> Pipeline:
        """Return a pipeline, up to a closing bracket if that is its end."""
        variables, declares = self._variables()
        commands = [self._command()]
        while self._peek == ("sign", "|"):
            self.at += 1
            commands.append(self._command())
        if end and self._peek != ("sign", end):
            raise TemplateError("unclosed left paren")
        if not end and self._peek[0]:
            raise TemplateError(f"unexpected {self._peek[1]!r} in an action")
        return Pipeline(tuple(commands), variables, declares)

    @property
    def _peek(self) -> tuple[str, str]:
        """Return the next word that is not space."""
        while self.at < len(self.words) and self.words[self.at][0] == "space":
            self.at += 1
        return self.words[self.at] if self.at < len(self.words) else ("", "")

    def _variables(self) -> tuple[tuple[str, ...], bool]:
        """Return the variables that a pipeline sets, and whether it declares them."""
        listed = [word for word in self.words[self.at :] if word[0] != "space"]
        texts = [text for _, text in listed[:4]]
        # `$x :=` or `$key, $item :=`; anything else is an expression that begins with a variable.
        for count in (1, 2):
            names = texts[0 : 2 * count - 1 : 2]
            sign = texts[2 * count - 1 : 2 * count]
            is_list = count == 1 or texts[1:2] == [","]
            if is_list and sign in (["="], [":="]) and all(name.startswith("$") and "." not in name for name in names):
                for _ in range(2 * count):
                    self._take()
                return tuple(names), sign == [":="]
        return (), True

    def _take(self) -> tuple[str, str]:
        word = self._peek
        self.at += 1
        return word

    def _command(self) -> Expression:
        operands = [self._operand()]
        while self._peek[0] and self._peek not in (("sign", "|"), ("sign", ")")):
            operands.append(self._operand())
        first, *rest = operands
        # Only a bare name takes arguments: what stands in brackets is a value already.
        if isinstance(first, Call) and not first.arguments:
            return Call(first.name, tuple(rest))
        if rest:
            raise TemplateError("can't give argument to non-function")
        return first

    def _operand(self) -> Expression:
        kind, text = self._take()
        if kind in ("string", "raw", "character", "number"):
            return Literal(_literal(kind, text))
        if kind == "dot":
            return Member(None, ())
        if kind == "field":
            return Member(None, tuple(text.split(".")[1:]))
        if kind == "variable":
            name, *below = text.split(".")
            return Member(None, tuple(below), name)
        if (kind, text) == ("sign", "("):
            return self._in_brackets()
        if kind == "name":
            if text in _CONSTANTS:
                return Literal(_CONSTANTS[text])
            self.check(text)
            return Call(text)
        raise TemplateError(f"unexpected {text!r} in an action" if text else "missing value for an action")

    def _in_brackets(self) -> Expression:
        inner = self.pipeline(")")
        self._take()
        # Only without a space in between: after one, `.name` is the next argument.
        if self.at < len(self.words) and self.words[self.at][0] == "field":
            return Member(inner, tuple(self._take()[1].split(".")[1:]))
        return inner


def _literal(kind: str, text: str) -> Any:
    if kind == "raw":
        return text[1:-1]
    try:
        if kind == "number":
            # Python reads the numbers that are words here as Go does, but for a leading plus.
            return ast.literal_eval(text.lstrip("+"))
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        raise TemplateError(f"{text} is not a value") from None
    return ord(value) if kind == "character" and len(value) == 1 else value
