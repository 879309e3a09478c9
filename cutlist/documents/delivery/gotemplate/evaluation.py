"""Fill in a template."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.documents.delivery.gotemplate.functions import FUNCTIONS, LEFT_TO_GO
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
    Text,
)
from cutlist.documents.delivery.gotemplate.numbers import LONGEST
from cutlist.documents.delivery.gotemplate.parsing import parse
from cutlist.documents.delivery.gotemplate.values import (
    ABSENT,
    TemplateError,
    UnknownFunction,
    is_true,
    kind_of,
    present,
    printed,
)

ERROR: Final = "missingkey=error"
_SHORT_CIRCUITS: Final = ("and", "or")
_DEEPEST: Final = 100


def execute(text: str, data: Any, options: Iterable[str] = ()) -> str:
    """Return a template with its actions carried out on data. Raises TemplateError, or UnknownFunction."""
    # Functions are looked up while parsing, so an unknown one is an error even in a branch that is never taken.
    template = parse(text, _check)
    run = _Run(data, ERROR in options, template.defined)
    run.block(template.body, data)
    return "".join(run.out)


def _check(name: str) -> None:
    if name in LEFT_TO_GO:
        raise UnknownFunction(f"only Go's own code knows the function {name}")
    if name not in FUNCTIONS and name not in _SHORT_CIRCUITS:
        raise TemplateError(f'function "{name}" not defined')


class _Left(Exception):
    """A `range` goes on with its next item, or ends."""

    def __init__(self, word: str) -> None:
        self.word = word


@dataclass(slots=True)
class _Run:
    root: Any
    is_strict: bool
    defined: Mapping[str, Block]
    out: list[str] = field(default_factory=list)
    scopes: list[dict[str, Any]] = field(default_factory=lambda: [{}])
    depth: int = 0

    def block(self, block: Block, dot: Any) -> None:
        """Print the parts of a block; variables that it declares end with it."""
        self.scopes.append({})
        try:
            for node in block:
                self._node(node, dot)
        finally:
            self.scopes.pop()

    def _node(self, node: Node, dot: Any) -> None:
        if isinstance(node, Text):
            self.out.append(node.text)
        elif isinstance(node, Action):
            value = self._value(node.pipeline, dot)
            # An action that sets a variable prints nothing.
            if not node.pipeline.variables:
                self.out.append(printed(value))
        elif isinstance(node, Leave):
            raise _Left(node.word)
        elif isinstance(node, Include):
            self._include(node, dot)
        elif node.word == "range":
            self._range(node, dot)
        else:
            self._branch(node, dot)

    def _branch(self, node: Branch, dot: Any) -> None:
        self.scopes.append({})
        try:
            value = self._value(node.pipeline, dot)
            if is_true(value):
                self.block(node.body, value if node.word == "with" else dot)
            else:
                self.block(node.otherwise, dot)
        finally:
            # Also on the way of a `continue` out to its `range`, or the variables of that would stay.
            self.scopes.pop()

    def _range(self, node: Branch, dot: Any) -> None:
        # Without its variables, which are set for each item and not for the whole.
        over = Pipeline(node.pipeline.commands)
        pairs = _pairs(self._value(over, dot))
        names = node.pipeline.variables
        if not pairs:
            self.block(node.otherwise, dot)
        for key, item in pairs:
            # With one variable Go gives it the item, with two the key first.
            self.scopes.append(dict(zip(names, (item,) if len(names) == 1 else (key, item), strict=False)))
            try:
                self.block(node.body, item)
            except _Left as left:
                if left.word == "break":
                    return
            finally:
                self.scopes.pop()

    def _include(self, node: Include, dot: Any) -> None:
        if node.name not in self.defined:
            raise TemplateError(f'template "{node.name}" not defined')
        if self.depth == _DEEPEST:
            raise TemplateError("exceeded maximum template depth")
        value = None if node.pipeline is None else self._value(node.pipeline, dot)
        # A template that is included sees none of the caller's variables, and its `$` is what it was given.
        included = _Run(value, self.is_strict, self.defined, self.out, depth=self.depth + 1)
        included.block(self.defined[node.name], value)

    def _value(self, node: Expression, dot: Any, *last: Any) -> Any:
        """Return the value of an expression; `last` is what comes to it through a pipe."""
        if isinstance(node, Pipeline):
            piped: tuple[Any, ...] = last
            for command in node.commands:
                piped = (self._value(command, dot, *piped),)
            self._set(node, piped[0])
            return piped[0]
        if isinstance(node, Call):
            return self._call(node, dot, last)
        if last:
            raise TemplateError("can't give argument to non-function")
        if isinstance(node, Literal):
            return node.value
        return self._member(node, dot)

    def _set(self, node: Pipeline, value: Any) -> None:
        for name in node.variables:
            scopes = reversed(self.scopes)
            # `=` changes the variable where it was declared, so the change outlives an `if`.
            scope = self.scopes[-1] if node.declares else next((s for s in scopes if name in s), None)
            if scope is None:
                raise TemplateError(f'undefined variable "{name}"')
            scope[name] = value

    def _call(self, node: Call, dot: Any, last: tuple[Any, ...]) -> Any:
        if node.name in _SHORT_CIRCUITS:
            return self._short(node, dot, last)
        arguments = [self._value(argument, dot) for argument in node.arguments]
        function: Callable[..., Any] = FUNCTIONS[node.name]
        try:
            # The piped value is the last argument.
            return function(*map(present, (*arguments, *last)))
        except TemplateError:
            raise
        # What Python's functions raise stands for the panics that Go turns into errors of the template.
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, ZeroDivisionError) as error:
            raise TemplateError(f"error calling {node.name}: {error}") from None

    def _short(self, node: Call, dot: Any, last: tuple[Any, ...]) -> Any:
        """Return the first value that decides `and` or `or`, else the last; those behind it are not looked at."""
        value: Any = None
        for argument in node.arguments:
            value = self._value(argument, dot)
            if is_true(value) == (node.name == "or"):
                return value
        return last[0] if last else value

    def _member(self, node: Member, dot: Any) -> Any:
        if node.variable == "$":
            # `$` stays what it was at the beginning, also inside `with` and `range`, where the dot changes.
            value = self.root
        elif node.variable:
            scope = next((s for s in reversed(self.scopes) if node.variable in s), None)
            if scope is None:
                raise TemplateError(f'undefined variable "{node.variable}"')
            value = scope[node.variable]
        else:
            value = dot if node.of is None else self._value(node.of, dot)
        for name in node.names:
            value = self._below(value, name)
        return value

    def _below(self, value: Any, name: str) -> Any:
        if value is ABSENT:
            if self.is_strict:
                raise TemplateError(f'nil data; no entry for key "{name}"')
            return ABSENT
        if value is None:
            raise TemplateError(f"nil pointer evaluating interface {{}}.{name}")
        if not isinstance(value, Mapping):
            raise TemplateError(f"can't evaluate field {name} in type {kind_of(value)}")
        if name in value:
            return value[name]
        if self.is_strict:
            raise TemplateError(f'map has no entry for key "{name}"')
        return ABSENT


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    """Return the items of a value with their keys or positions, as `range` goes over them."""
    if value is ABSENT or value is None:
        return []
    if isinstance(value, Mapping):
        # Go ranges over a map in the order of its keys.
        return sorted(value.items())
    if isinstance(value, int) and not isinstance(value, bool):
        if value > LONGEST:
            raise TemplateError(f"range over {value:,}; allowed: up to {LONGEST:,} turns")
        return [(index, index) for index in range(value)]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(enumerate(value))
    raise TemplateError(f"range can't iterate over {printed(value)}")
