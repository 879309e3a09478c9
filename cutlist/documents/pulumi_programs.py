"""Resources in programs of Pulumi in Python, as far as they are written: what runs once, with literals and constants.

Nothing is run. What is computed is unknown, and what is made in loops, functions and classes is left out, since nothing says
how often it is made.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN

_REPEATED: Final = (
    *(ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_SHAPES: Final = ("Args", "ArgsDict")
"""How the names of classes end that hold the inputs of a resource."""
_DEEPEST: Final = 50


@dataclass(frozen=True, slots=True)
class ProgramResource:
    """A resource that a program makes: its class with the module, its name, its line, and its inputs by Python's names."""

    type: str
    name: str
    line: int
    inputs: Mapping[str, Any]


def resources_of_program(text: str) -> Iterator[ProgramResource]:
    """Yield the resources that a program makes once; nothing for a text that is not Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    reader = _Reader(dict(_imports(tree)))
    reader.learn(tree)
    for call in _calls(tree):
        type_ = reader.dotted(call.func)
        if type_ and call.args:
            name = reader.value(call.args[0])
            inputs = {keyword.arg: reader.value(keyword.value) for keyword in call.keywords if keyword.arg}
            if isinstance(name, str):
                yield ProgramResource(type_, name, call.lineno, inputs)


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that modules and what is in them have in a program, with where each is from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (2 * (alias.name.partition(".")[0],))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _calls(node: ast.AST, depth: int = 0) -> Iterator[ast.Call]:
    """Yield the calls that run once, in the order in which they are written."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _REPEATED) or depth > _DEEPEST:
            continue
        if isinstance(child, ast.Call):
            yield child
        yield from _calls(child, depth + 1)


@dataclass(slots=True)
class _Reader:
    """Gives the values of expressions. `modules` are the names of what is imported, `known` the constants of the program."""

    modules: Mapping[str, str]
    known: dict[str, Any] = field(default_factory=dict)

    def learn(self, tree: ast.Module) -> None:
        """Remember the names to which a program assigns a value once."""
        counts = Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
            value = getattr(node, "value", None)
            if len(targets) == 1 and isinstance(targets[0], ast.Name) and counts[targets[0].id] == 1 and value is not None:
                self.known[targets[0].id] = self.value(value)

    def dotted(self, node: ast.expr) -> str:
        """Return the whole name of what an expression means in an imported module; empty for anything else."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id, "")
        if isinstance(node, ast.Attribute) and (of := self.dotted(node.value)):
            return f"{of}.{node.attr}"
        return ""

    def value(self, node: ast.expr, depth: int = 0) -> Any:
        """Return the value of an expression, UNKNOWN for one that is computed."""
        if depth > _DEEPEST:
            return UNKNOWN
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str | int | float | bool | None) else UNKNOWN
        if isinstance(node, ast.Name):
            return self.known.get(node.id, UNKNOWN)
        if isinstance(node, ast.List | ast.Tuple):
            return [self.value(item, depth + 1) for item in node.elts]
        if isinstance(node, ast.Dict):
            pairs = [
                (key.value, item) for key, item in zip(node.keys, node.values, strict=True) if isinstance(key, ast.Constant)
            ]
            return {str(key): self.value(item, depth + 1) for key, item in pairs}
        if isinstance(node, ast.Call) and self.dotted(node.func).endswith(_SHAPES):
            return {keyword.arg: self.value(keyword.value, depth + 1) for keyword in node.keywords if keyword.arg}
        if isinstance(node, ast.Attribute) and node.attr.isupper() and self.dotted(node):
            return node.attr.replace("_", " ").title().replace(" ", "")  # of an enumeration: SYSTEM is System
        return UNKNOWN
