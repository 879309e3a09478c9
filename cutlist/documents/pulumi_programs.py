"""Resources in programs of Pulumi in Python, as far as they are written: with literals and constants, in loops over these, and
in functions and classes of the same file that are called with these.

Nothing is run. What is computed is unknown, and of what is made any number of times only that is known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.documents.pulumi_values import Names, imports

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_DEEPEST: Final = 50
_MOST: Final = 5_000
"""Calls, and turns of loops, that are looked at: those of a program that goes through literals are far fewer."""
_COMPUTED: Final = "in a loop over what is computed"
_CONDITION: Final = "under a condition"
_CHANGES: Final = frozenset(("append", "extend", "insert", "remove", "pop", "clear", "update", "setdefault", "sort", "reverse"))
"""The methods that change a value."""


@dataclass(frozen=True, slots=True)
class ProgramResource:
    """A resource that a program makes: its class with the module, its name, its line, and its inputs by Python's names.

    `uncertain` says why it is not known how often it is made, or how it is called; empty for one that is made once.
    """

    type: str
    name: str
    line: int
    inputs: Mapping[str, Any]
    uncertain: str = ""


def resources_of_program(text: str) -> tuple[ProgramResource, ...]:
    """Return the resources that a program makes; nothing for a text that is not Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    walk = _Walk({node.name: node for node in tree.body if isinstance(node, _Function | ast.ClassDef)})
    found = list(walk.block(tree.body, Names(dict(imports(tree)))))
    unseen = [function for name, function in walk.functions.items() if name not in walk.called]
    for function in unseen:
        kind = "class" if isinstance(function, ast.ClassDef) else "function"
        why = f"in the {kind} {function.name}, which nothing here calls"
        found += walk.uncertain(function, Names(dict(imports(tree))), why)
    if walk.is_cut:
        found += walk.uncertain(tree, Names(dict(imports(tree))), "in more steps than are followed")
    return tuple(found)


@dataclass(slots=True)
class _Walk:
    """Goes through the statements of a program in their order, and into the functions of its file that are called."""

    functions: Mapping[str, _Function | ast.ClassDef]
    called: set[str] = field(default_factory=set)
    _steps: int = 0

    @property
    def is_cut(self) -> bool:
        """Tell whether there was more than is looked at."""
        return self._steps > _MOST

    def _goes_on(self) -> bool:
        """Count a call or a turn of a loop, and tell whether it is looked at."""
        self._steps += 1
        return not self.is_cut

    def block(self, body: Sequence[ast.stmt], names: Names, depth: int = 0) -> Iterator[ProgramResource]:
        """Yield the resources of statements, whose assignments the names learn."""
        for statement in body:
            if isinstance(statement, _Function | ast.ClassDef) or depth > _DEEPEST:
                continue
            if isinstance(statement, ast.For | ast.AsyncFor):
                yield from self._loop(statement, names, depth)
            elif isinstance(statement, ast.While):
                yield from self.uncertain(statement, names, _COMPUTED)
            elif isinstance(statement, ast.If) and not _is_started_by(statement):
                yield from self.uncertain(statement, names, _CONDITION)
                names.known.update(dict.fromkeys(_assigned(statement), UNKNOWN))
            elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                yield from self._expressions(statement, names, depth)
                _learn(statement, names)
            else:
                yield from self._expressions(statement, names, depth)
                yield from self._parts(statement, names, depth)

    def _parts(self, statement: ast.stmt, names: Names, depth: int) -> Iterator[ProgramResource]:
        """Yield the resources of the blocks of a statement; what a `try` assigns is not known after it."""
        blocks = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
        blocks += [handler.body for handler in getattr(statement, "handlers", ())]
        for block in blocks:
            yield from self.block(block, names, depth + 1)
        if isinstance(statement, ast.Try):
            names.known.update(dict.fromkeys(_assigned(statement), UNKNOWN))

    def _loop(self, loop: ast.For | ast.AsyncFor, names: Names, depth: int) -> Iterator[ProgramResource]:
        items = names.items(loop.iter)
        if items is None:
            yield from self.uncertain(loop, names, _COMPUTED)
            return
        for item in items:
            if not self._goes_on():
                return
            names.known.update(names.bound(loop.target, item))
            yield from self.block(loop.body, names, depth + 1)

    def _expressions(self, statement: ast.stmt, names: Names, depth: int) -> Iterator[ProgramResource]:
        """Yield the resources that the expressions of a statement make."""
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                yield from self._expression(child, names, depth + 1)
            elif isinstance(child, ast.withitem):
                yield from self._expression(child.context_expr, names, depth + 1)

    def _expression(self, node: ast.AST, names: Names, depth: int) -> Iterator[ProgramResource]:
        if depth > _DEEPEST or isinstance(node, ast.Lambda):
            return
        if isinstance(node, _Comprehension):
            yield from self._comprehension(node, names, depth)
            return
        if isinstance(node, ast.Call):
            yield from self._call(node, names, depth)
        for child in ast.iter_child_nodes(node):
            yield from self._expression(child, names, depth + 1)

    def _comprehension(self, node: _Comprehension, names: Names, depth: int) -> Iterator[ProgramResource]:
        generator = node.generators[0]
        items = names.items(generator.iter) if len(node.generators) == 1 and not generator.ifs else None
        if items is None:
            yield from self.uncertain(node, names, _COMPUTED)
            return
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for item in items:
            if not self._goes_on():
                return
            inside = names.with_known(names.bound(generator.target, item))
            for each in made:
                yield from self._expression(each, inside, depth + 1)

    def _call(self, call: ast.Call, names: Names, depth: int) -> Iterator[ProgramResource]:
        """Yield the resource that a call makes, or those of the function of this file that it calls."""
        if not self._goes_on():
            return
        resource = _resource(call, names)
        if resource is not None:
            yield resource
        elif isinstance(call.func, ast.Attribute) and call.func.attr in _CHANGES and isinstance(call.func.value, ast.Name):
            names.known[call.func.value.id] = UNKNOWN
        elif isinstance(call.func, ast.Name) and call.func.id in self.functions:
            name = call.func.id
            self.called.add(name)
            made = self.functions[name]
            function = _constructor(made) if isinstance(made, ast.ClassDef) else made
            if function is not None:
                skipped = 1 if isinstance(made, ast.ClassDef) else 0
                inside = names.with_known(_arguments(function, call, names, skipped))
                yield from self.block(function.body, inside, depth + 5)

    def uncertain(self, node: ast.AST, names: Names, why: str) -> Iterator[ProgramResource]:
        """Yield the resources of a part of a program, of which it is not known how often they are made."""
        for each in ast.walk(node):
            resource = _resource(each, names) if isinstance(each, ast.Call) else None
            if resource is not None:
                yield ProgramResource(resource.type, resource.name, resource.line, {}, why)


def _resource(call: ast.Call, names: Names) -> ProgramResource | None:
    """Return the resource that a call makes, if it is one of a class that is imported."""
    type_ = names.dotted(call.func)
    if not type_:
        return None
    inputs = {keyword.arg: names.value(keyword.value) for keyword in call.keywords if keyword.arg}
    for spread in (names.value(keyword.value) for keyword in call.keywords if not keyword.arg):
        inputs |= spread if isinstance(spread, dict) else {}
    written = names.value(call.args[0]) if call.args else inputs.pop("resource_name", UNKNOWN)
    if isinstance(written, str):
        return ProgramResource(type_, written, call.lineno, inputs)
    return ProgramResource(type_, "", call.lineno, inputs, "under a name that is computed")


def _is_started_by(statement: ast.If) -> bool:
    """Tell whether the condition is that the file is the program that runs."""
    return (
        isinstance(statement.test, ast.Compare)
        and isinstance(statement.test.left, ast.Name)
        and statement.test.left.id == "__name__"
    )


def _constructor(node: ast.ClassDef) -> _Function | None:
    return next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)


def _arguments(function: _Function, call: ast.Call, names: Names, skipped: int) -> dict[str, Any]:
    """Return the values of a function's parameters in a call; without the first ones, such as `self`."""
    parameters = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    defaults = dict(zip(reversed(parameters), reversed(function.args.defaults), strict=False))
    by_name = zip((parameter.arg for parameter in function.args.kwonlyargs), function.args.kw_defaults, strict=True)
    defaults |= {name: default for name, default in by_name if default is not None}
    values: dict[str, Any] = dict.fromkeys((*parameters, *(each.arg for each in function.args.kwonlyargs)), UNKNOWN)
    values |= {name: names.value(default) for name, default in defaults.items()}
    values |= {name: names.value(each) for name, each in zip(parameters[skipped:], call.args, strict=False)}
    return values | {each.arg: names.value(each.value) for each in call.keywords if each.arg in values}


def _learn(statement: ast.Assign | ast.AnnAssign | ast.AugAssign, names: Names) -> None:
    """Remember what a statement assigns."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    is_known = not isinstance(statement, ast.AugAssign) and statement.value is not None
    value = names.value(statement.value) if is_known and statement.value is not None else UNKNOWN
    for target in targets:
        names.known.update(names.bound(target, value))
        of: ast.expr = target
        while isinstance(of, ast.Subscript | ast.Attribute):
            of = of.value
        if of is not target and isinstance(of, ast.Name):
            names.known[of.id] = UNKNOWN  # a member of it is another one now


def _assigned(node: ast.AST) -> set[str]:
    """Return the names that a part of a program assigns to."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
