"""Templates of HCL: texts with `${...}` and `%{...}`, in heredocs, quoted texts and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.documents.terraform.hcl.parsing import Tree, expression
from cutlist.documents.terraform.partly_known import joined

Evaluate = Callable[[Tree, Mapping[str, Any]], Any]
_BEGINS: Final = {"${": "value", "%{": "directive"}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a template: `text`, `value`, `if`, `else`, `endif`, `for` or `endfor`.

    `names` are those that a loop binds; without a node, the expression could not be parsed.
    """

    kind: str
    text: str = ""
    node: Tree | None = None
    names: tuple[str, ...] = ()


def parts_of(text: str) -> list[Part]:
    """Return literal texts, interpolations and directives in order, without the spaces that a `~` removes."""
    return list(_stripped(_scanned(text)))


def rendered(parts: list[Part], evaluate: Evaluate, names: Mapping[str, Any]) -> Any:
    """Return what the parts give: a text, or the value of a single interpolation; unknown parts of a text are marked."""
    values, end = _block(parts, 0, evaluate, names)
    return UNKNOWN if end < len(parts) else joined(values) if values else ""


def _block(parts: list[Part], at: int, evaluate: Evaluate, names: Mapping[str, Any]) -> tuple[list[Any], int]:
    """Return the values from a part on, and where the block around them ends or goes on."""
    values: list[Any] = []
    while at < len(parts):
        part = parts[at]
        if part.kind in ("else", "endif", "endfor"):
            return values, at
        if part.kind == "text":
            values.append(part.text)
        elif part.kind == "value":
            values.append(UNKNOWN if part.node is None else evaluate(part.node, names))
        elif part.kind == "if":
            chosen, at = _condition(parts, at, evaluate, names)
            values += chosen
        else:
            repeated, at = _loop(parts, at, evaluate, names)
            values += repeated
        at += 1
    return values, at


def _condition(parts: list[Part], at: int, evaluate: Evaluate, names: Mapping[str, Any]) -> tuple[list[Any], int]:
    node = parts[at].node
    condition = UNKNOWN if node is None else evaluate(node, names)
    first, at = _block(parts, at + 1, evaluate, names)
    second: list[Any] = []
    if at < len(parts) and parts[at].kind == "else":
        second, at = _block(parts, at + 1, evaluate, names)
    if condition is UNKNOWN:
        return ([UNKNOWN] if first != second else first), at
    return (first if condition else second), at


def _loop(parts: list[Part], at: int, evaluate: Evaluate, names: Mapping[str, Any]) -> tuple[list[Any], int]:
    part = parts[at]
    collection = UNKNOWN if part.node is None else evaluate(part.node, names)
    values: list[Any] = []
    _, end = _block(parts, at + 1, lambda *_: UNKNOWN, names)
    for key, item in pairs_of(collection):
        bound = {part.names[0]: item} if len(part.names) == 1 else dict(zip(part.names, (key, item), strict=True))
        values += _block(parts, at + 1, evaluate, {**names, **bound})[0]
    return ([UNKNOWN] if collection is UNKNOWN else values), end


def pairs_of(collection: Any) -> list[tuple[Any, Any]]:
    """Return the keys and items of a mapping in their order, or the positions and items of a list."""
    if isinstance(collection, Mapping):
        return sorted(collection.items(), key=lambda pair: str(pair[0]))
    return list(enumerate(collection)) if isinstance(collection, list) else []


def _scanned(text: str) -> Iterator[tuple[Part, bool, bool]]:
    """Yield the parts of a text, each with whether it strips the spaces before and after it."""
    at = start = 0
    while at < len(text):
        begins = text[at : at + 2]
        if begins in _BEGINS and text[at : at + 3] not in ("$${", "%%{"):
            if text[max(at - 1, 0) : at] == begins[0]:  # doubled: it stands for itself
                yield Part("text", text[start : at - 1] + begins), False, False
                start = at = at + 2
                continue
            if at > start:
                yield Part("text", text[start:at]), False, False
            end = _end(text, at + 2)
            words = text[at + 2 : end]
            before, after = words.startswith("~"), words.endswith("~")
            words = words.removeprefix("~").removesuffix("~").strip()
            yield (Part("value", "", expression(words)) if begins == "${" else _directive(words)), before, after
            start = at = end + 1
            continue
        at += 1
    if at > start:
        yield Part("text", text[start:]), False, False


def _directive(words: str) -> Part:
    kind, _, rest = words.partition(" ")
    if kind == "if":
        return Part("if", "", expression(rest))
    if kind == "for":
        names, _, collection = rest.partition(" in ")
        return Part("for", "", expression(collection), tuple(name.strip() for name in names.split(",")))
    return Part(kind if kind in ("else", "endif", "endfor") else "value")


def _end(text: str, at: int) -> int:
    """Return where the brace is closed that was opened before a position."""
    depth, quoted = 1, False
    while at < len(text):
        character = text[at]
        if character == '"' and text[at - 1] != "\\":
            quoted = not quoted
        elif not quoted:
            depth += {"{": 1, "}": -1}.get(character, 0)
            if not depth:
                return at
        at += 1
    return at


def _stripped(scanned: Iterator[tuple[Part, bool, bool]]) -> Iterator[Part]:
    """Yield the parts with spaces removed where a part asks for it: those of its own line, and the end of that line."""
    listed = list(scanned)
    for index, (part, _, _) in enumerate(listed):
        if part.kind == "text":
            text = part.text
            if index and listed[index - 1][2]:
                line, end, rest = text.partition("\n")
                text = f"{line}{end}".lstrip() + rest
            if index + 1 < len(listed) and listed[index + 1][1]:
                line_start = text.rfind("\n", 0, len(text) - 1) + 1
                text = text[:line_start] + text[line_start:].rstrip()
            yield Part("text", text)
        else:
            yield part
