"""Values of expressions of Python, as far as they are written: literals, names that are known, and texts made of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN

_SHAPES: Final = ("Args", "ArgsDict")
"""How the names of classes end that hold the inputs of a resource."""
_DEEPEST: Final = 50
_LONGEST: Final = 10_000
"""Characters or items of a value that is put together."""
_MOST: Final = 200
"""Items of a literal that a program goes through; what makes more node groups is no program that a person wrote."""


@dataclass(frozen=True, slots=True)
class Names:
    """What names stand for at a place of a program. `modules` are those of what is imported, `known` those of values."""

    modules: Mapping[str, str]
    known: dict[str, Any] = field(default_factory=dict)

    def with_known(self, further: Mapping[str, Any]) -> Names:
        """Return them with further values, as they are inside a function or a loop."""
        return Names(self.modules, {**self.known, **further})

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
            return self._mapping(node, depth)
        if isinstance(node, ast.JoinedStr):
            parts = [self._part(part, depth) for part in node.values]
            return UNKNOWN if UNKNOWN in parts or sum(map(len, map(str, parts))) > _LONGEST else "".join(map(str, parts))
        if isinstance(node, ast.Subscript):
            return _member(self.value(node.value, depth + 1), self.value(node.slice, depth + 1))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return _sum(self.value(node.left, depth + 1), self.value(node.right, depth + 1))
        if isinstance(node, ast.Call):
            return self._called(node, depth)
        if isinstance(node, ast.Attribute) and node.attr.isupper() and self.dotted(node):
            return node.attr.replace("_", " ").title().replace(" ", "")  # of an enumeration: SYSTEM is System
        return UNKNOWN

    def items(self, node: ast.expr) -> list[Any] | None:
        """Return what a loop over an expression goes through; None if that is not written."""
        value = self.value(node)
        if isinstance(value, dict):
            value = list(value)
        return value[:_MOST] if isinstance(value, list) else None

    def bound(self, target: ast.expr, value: Any) -> dict[str, Any]:
        """Return the names that an assignment of a value to a target gives values to."""
        if isinstance(target, ast.Name):
            return {target.id: value}
        if isinstance(target, ast.Tuple | ast.List):
            values = value if isinstance(value, list) and len(value) == len(target.elts) else [UNKNOWN] * len(target.elts)
            pairs = zip(target.elts, values, strict=True)
            return {name: of for each, item in pairs for name, of in self.bound(each, item).items()}
        return {}

    def _mapping(self, node: ast.Dict, depth: int) -> Any:
        pairs: dict[str, Any] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            if key is None:
                further = self.value(item, depth + 1)
                if not isinstance(further, dict):
                    return UNKNOWN
                pairs |= further
            elif (name := self.value(key, depth + 1)) is not UNKNOWN:
                pairs[str(name)] = self.value(item, depth + 1)
        return pairs

    def _part(self, node: ast.expr, depth: int) -> Any:
        """Return a part of a text; one that is formatted in any way is unknown."""
        if isinstance(node, ast.FormattedValue):
            value = self.value(node.value, depth + 1) if node.format_spec is None and node.conversion == -1 else UNKNOWN
            return value if isinstance(value, str | int) else UNKNOWN
        return self.value(node, depth + 1)

    def _called(self, node: ast.Call, depth: int) -> Any:
        """Return what a call gives: the inputs of a class of them, or what goes through a literal."""
        arguments = [self.value(each, depth + 1) for each in node.args]
        if isinstance(node.func, ast.Name) and node.func.id in ("range", "enumerate", "list", "tuple", "dict", "sorted", "zip"):
            return _of_built_in(node.func.id, arguments, self._inputs(node, depth))
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "values", "keys") and not arguments:
            of = self.value(node.func.value, depth + 1)
            if isinstance(of, dict):
                return [
                    [key, item] if node.func.attr == "items" else key if node.func.attr == "keys" else item
                    for key, item in of.items()
                ]
            return UNKNOWN
        return self._inputs(node, depth) if self.dotted(node.func).endswith(_SHAPES) else UNKNOWN

    def _inputs(self, node: ast.Call, depth: int) -> dict[str, Any]:
        return {keyword.arg: self.value(keyword.value, depth + 1) for keyword in node.keywords if keyword.arg}


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that modules and what is in them have in a program, with where each is from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (2 * (alias.name.partition(".")[0],))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _member(of: Any, key: Any) -> Any:
    if isinstance(of, dict):
        return of.get(str(key), UNKNOWN) if key is not UNKNOWN else UNKNOWN
    is_there = isinstance(of, list) and isinstance(key, int) and -len(of) <= key < len(of)
    return of[key] if is_there else UNKNOWN


def _sum(left: Any, right: Any) -> Any:
    """Return what `+` makes of two texts, lists or numbers; a program may make them longer and longer."""
    is_sum = any(isinstance(left, type_) and isinstance(right, type_) for type_ in (str, list, int))
    is_long = is_sum and not isinstance(left, int) and len(left) + len(right) > _LONGEST
    return left + right if is_sum and not is_long else UNKNOWN


def _of_built_in(name: str, arguments: list[Any], named: Mapping[str, Any]) -> Any:
    if name == "dict" and not arguments:
        return dict(named)
    if named or UNKNOWN in arguments or not arguments:
        return UNKNOWN
    if name == "range":
        is_number = len(arguments) < 4 and all(isinstance(each, int) and abs(each) <= _MOST for each in arguments)
        return list(range(*arguments)) if is_number and arguments[2:] != [0] else UNKNOWN
    listed = [list(each) if isinstance(each, dict) else each for each in arguments]
    if not all(isinstance(each, list) for each in listed):
        return UNKNOWN
    if name == "zip":
        return [list(each) for each in zip(*listed, strict=False)]
    if name == "enumerate":
        return [[index, item] for index, item in enumerate(listed[0])] if len(listed) == 1 else UNKNOWN
    if name == "sorted":
        return sorted(listed[0]) if all(isinstance(each, str) for each in listed[0]) else UNKNOWN
    return listed[0]
