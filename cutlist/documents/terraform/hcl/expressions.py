"""Expressions of HCL evaluated as far as they are known before an apply."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.documents.terraform.effort import Effort
from cutlist.documents.terraform.hcl.functions import call
from cutlist.documents.terraform.hcl.parsing import JSON_VALUE, Tree, inner, rule, word
from cutlist.documents.terraform.hcl.templates import Part, pairs_of, parts_of, rendered
from cutlist.documents.terraform.partly_known import has_unknown, is_partly_unknown, joined, unescaped, without_indentation

Call = Callable[[str, list[Any]], Any]
_DEEPEST: Final = 200
_HEREDOC: Final = re.compile(r"<<-?([\w.-]+)\r?\n(.*?)\n?[ \t]*\1\s*$", re.DOTALL)
_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


_OF_NUMBERS: Final = frozenset("+-*/%")
_LARGEST: Final = 2**512
"""The largest number that is calculated with, of as many bits as those of Terraform."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What names stand for: `var`, `local` and others, and those that loops bind. `call` gives functions that read files."""

    names: Mapping[str, Any]
    call: Call = field(default=call)
    effort: Effort = field(default_factory=Effort, compare=False)

    def evaluate(self, node: Tree) -> Any:
        """Return the value of an expression: plain data, with UNKNOWN for what only an apply knows."""
        return _value(node, self, {}, 0)

    def rendered(self, text: str, names: Mapping[str, Any]) -> Any:
        """Return what the template in a text gives with these names only."""
        return rendered(parts_of(text), lambda node, bound: _value(node, replace(self, names=names), bound, 0), {})


def _value(node: Tree, scope: Scope, bound: Mapping[str, Any], depth: int) -> Any:
    if depth > _DEEPEST or not scope.effort.takes_step():
        return UNKNOWN
    kind, parts = rule(node), inner(node) if hasattr(node, "data") else []

    def of(below: Tree, names: Mapping[str, Any] = bound) -> Any:
        return _value(below, scope, names, depth + 1)

    if kind == "expr_term":
        terms = [part for part in parts if rule(part) not in ("LPAR", "RPAR")]
        return of(terms[0]) if len(terms) == 1 else UNKNOWN
    handler = _HANDLERS.get(kind)
    return handler(parts, of, scope, bound) if handler is not None else UNKNOWN


def _json_value(parts: list[Any], of: Any, _: Scope, bound: Mapping[str, Any]) -> Any:
    """Return a value of the JSON syntax, whose texts and keys are templates."""

    def text(written: str) -> Any:
        return rendered(parts_of(written), lambda node, names: of(node, {**bound, **names}), bound)

    def value(written: Any) -> Any:
        if isinstance(written, str):
            return text(written)
        if isinstance(written, dict):
            return {text(key): value(below) for key, below in written.items()}
        return [value(item) for item in written] if isinstance(written, list) else written

    return value(parts[0])


def _literal(parts: list[Tree], *_: Any) -> Any:
    return {"true": True, "false": False, "null": None}.get(str(parts[0]), UNKNOWN)


def _integer(parts: list[Tree], *_: Any) -> Any:
    return int(parts[0])


def _float(parts: list[Tree], *_: Any) -> Any:
    return float(parts[0])


def _identifier(parts: list[Tree], _: Any, scope: Scope, bound: Mapping[str, Any]) -> Any:
    name = str(parts[0])
    return bound[name] if name in bound else scope.names.get(name, UNKNOWN)


def _string(parts: list[Tree], of: Any, _: Scope, bound: Mapping[str, Any]) -> Any:
    pieces = [_piece(part.children[0]) for part in parts if rule(part) == "string_part"]

    def evaluate(node: Tree, names: Mapping[str, Any]) -> Any:
        return of(node, {**bound, **names})

    if any(piece.kind == "value" for piece in pieces) and len(pieces) == 1:
        return evaluate(pieces[0].node, {})
    return rendered(pieces, evaluate, bound) if pieces else ""


def _piece(node: Tree) -> Part:
    kind = rule(node)
    if kind == "interpolation":
        return Part("value", "", next(part for part in inner(node) if rule(part) not in ("INTERP_START", "RBRACE")))
    if kind.startswith("template_"):
        names = tuple(word(part) for part in inner(node) if rule(part) == "identifier")
        nodes = [part for part in inner(node) if hasattr(part, "data") and rule(part) != "identifier"]
        form = {"template_if_start": "if", "template_for_start": "for"}.get(kind, kind.removeprefix("template_"))
        return Part(form, "", nodes[0] if nodes else None, names)
    text = str(node)
    return Part("text", text[1:] if text.startswith(("$${", "%%{")) else unescaped(text))


def _heredoc(parts: list[Tree], of: Any, _: Scope, bound: Mapping[str, Any]) -> Any:
    written = str(parts[0])
    match = _HEREDOC.match(written)
    if match is None:
        return UNKNOWN
    text = match[2] + "\n"
    text = without_indentation(text) if written.startswith("<<-") else text
    values = rendered(parts_of(text), lambda node, names: of(node, {**bound, **names}), bound)
    return joined([values, ""]) if not isinstance(values, str) else values


def _tuple(parts: list[Tree], of: Any, *_: Any) -> Any:
    return [of(part) for part in parts if hasattr(part, "data")]


def _object(parts: list[Tree], of: Any, *_: Any) -> Any:
    members: dict[Any, Any] = {}
    for part in parts:
        if rule(part) == "object_elem":
            key, *rest = inner(part)
            members[_key(inner(key)[0], of)] = of(rest[-1])
    return members


def _key(node: Tree, of: Any) -> Any:
    """Return a key: a word stands for itself, anything else is evaluated."""
    below = inner(node) if hasattr(node, "data") else []
    if rule(node) in ("identifier", "keyword") or (len(below) == 1 and rule(below[0]) == "identifier"):
        return word(node)
    key = of(node)
    return key if isinstance(key, str) or key is UNKNOWN else str(key)


def _attribute(parts: list[Tree], of: Any, *_: Any) -> Any:
    value, name = of(parts[0]), word(inner(parts[1])[-1])
    return value.get(name, UNKNOWN) if isinstance(value, Mapping) else UNKNOWN


def _index(parts: list[Tree], of: Any, *_: Any) -> Any:
    value, at = of(parts[0]), inner(parts[1])
    key: Any = int(at[-1]) if rule(parts[1]) == "short_index" else of(next(part for part in at if hasattr(part, "data")))
    if isinstance(value, Mapping):
        return value.get(key, UNKNOWN) if isinstance(key, str) else UNKNOWN
    is_in = isinstance(value, list) and isinstance(key, int) and -1 < key < len(value)
    return value[key] if is_in else UNKNOWN


def _splat(parts: list[Tree], of: Any, *_: Any) -> Any:
    value = of(parts[0])
    if value is UNKNOWN:
        return UNKNOWN
    items = value if isinstance(value, list) else [] if value is None else [value]
    for step in inner(parts[1]):
        if rule(step) == "get_attr":
            name = word(inner(step)[-1])
            items = [item.get(name, UNKNOWN) if isinstance(item, Mapping) else UNKNOWN for item in items]
        elif hasattr(step, "data"):
            return UNKNOWN
    return items


def _function(parts: list[Tree], of: Any, scope: Scope, *_: Any) -> Any:
    names = [word(part) for part in parts if rule(part) == "identifier"]
    written = next((inner(part) for part in parts if rule(part) == "arguments"), [])
    arguments = [of(part) for part in written if hasattr(part, "data")]
    if any(rule(part) == "ELLIPSIS" for part in written):
        if not isinstance(arguments[-1], list):
            return UNKNOWN
        arguments = [*arguments[:-1], *arguments[-1]]
    if not scope.effort.holds(arguments):
        return UNKNOWN
    result = scope.call(names[-1], arguments)
    return result if scope.effort.holds(result) else UNKNOWN


def _conditional(parts: list[Tree], of: Any, *_: Any) -> Any:
    condition, first, second = (part for part in parts if hasattr(part, "data"))
    chosen = of(condition)
    if chosen is UNKNOWN:
        one, other = of(first), of(second)
        return one if one == other else UNKNOWN
    return of(first) if chosen in (True, "true") else of(second)


def _binary(parts: list[Tree], of: Any, *_: Any) -> Any:
    left, term = parts[0], inner(parts[1])
    sign = str(inner(term[0])[0])
    first = of(left)
    if sign in ("&&", "||"):
        second = of(term[1])
        decides = sign == "||"
        if first is decides or second is decides:
            return decides
        return UNKNOWN if UNKNOWN in (first, second) else not decides
    second = of(term[1])
    if has_unknown(first) or has_unknown(second):
        return UNKNOWN
    if sign in _OF_NUMBERS and not (_is_number(first) and _is_number(second)):
        return UNKNOWN  # no repetition of a text, and no number with a million digits
    try:
        result = _OPERATORS[sign](first, second)
    except (KeyError, TypeError, ZeroDivisionError, OverflowError):
        return UNKNOWN
    return int(result) if isinstance(result, float) and result.is_integer() else result


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= _LARGEST


def _unary(parts: list[Tree], of: Any, *_: Any) -> Any:
    value = of(parts[1])
    if value is UNKNOWN or is_partly_unknown(value):
        return UNKNOWN
    return not value if str(parts[0]) == "!" else -value if isinstance(value, int | float) else UNKNOWN


def _for(parts: list[Tree], of: Any, _: Scope, bound: Mapping[str, Any], *, is_object: bool) -> Any:
    intro = inner(next(part for part in parts if rule(part) == "for_intro"))
    names = [word(part) for part in intro if rule(part) == "identifier"]
    collection = of(next(part for part in intro if hasattr(part, "data") and rule(part) != "identifier"))
    if not isinstance(collection, Mapping | list):
        return UNKNOWN
    outcome = [part for part in parts if hasattr(part, "data") and rule(part) not in ("for_intro", "for_cond")]
    condition = next((inner(part)[-1] for part in parts if rule(part) == "for_cond"), None)
    is_grouped = any(rule(part) == "ELLIPSIS" for part in parts)
    members: list[tuple[Any, Any]] = []
    for key, item in pairs_of(collection):
        own = {**bound, **({names[0]: item} if len(names) == 1 else {names[0]: key, names[1]: item})}
        is_kept = True if condition is None else of(condition, own)
        if is_kept is UNKNOWN:
            return UNKNOWN
        if is_kept:
            members.append((of(outcome[0], own) if is_object else None, of(outcome[-1], own)))
    if not is_object:
        return [value for _, value in members]
    grouped: dict[Any, Any] = {}
    for key, value in members:
        if is_grouped:
            grouped.setdefault(key, []).append(value)
        else:
            grouped[key] = value
    return grouped


_HANDLERS: Final[Mapping[str, Callable[..., Any]]] = {
    JSON_VALUE: _json_value,
    "literal_value": _literal,
    "int_lit": _integer,
    "float_lit": _float,
    "identifier": _identifier,
    "string": _string,
    "heredoc_template": _heredoc,
    "heredoc_template_trim": _heredoc,
    "tuple": _tuple,
    "object": _object,
    "get_attr_expr_term": _attribute,
    "index_expr_term": _index,
    "attr_splat_expr_term": _splat,
    "full_splat_expr_term": _splat,
    "function_call": _function,
    "conditional": _conditional,
    "binary_op": _binary,
    "unary_op": _unary,
    "for_tuple_expr": lambda *given: _for(*given, is_object=False),
    "for_object_expr": lambda *given: _for(*given, is_object=True),
}
