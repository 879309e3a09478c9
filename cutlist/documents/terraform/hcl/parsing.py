"""HCL parsed by python-hcl2: files into blocks, and texts into expressions."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from cutlist.core.errors import Place, Problems

Tree = Any
"""A node of the parser: a rule with `data` and `children`, or a token, which is a text with `type` and `line`."""
EXTRA: Final = "hcl"
JSON_VALUE: Final = "json_value"
"""The rule of a node that is a value of the JSON syntax."""
_SKIPPED: Final = ("new_line_or_comment",)


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its words, such as `resource`, type and name, the line of the first, and its body."""

    words: tuple[str, ...]
    line: int
    body: Tree

    @property
    def attributes(self) -> dict[str, Tree]:
        """Return the expressions by name."""
        return {word(child.children[0]): child.children[-1] for child in inner(self.body) if rule(child) == "attribute"}

    @property
    def blocks(self) -> Iterator[Block]:
        """Yield the blocks below."""
        return blocks_of(self.body)


def is_installed() -> bool:
    """Tell whether the parser is installed."""
    return importlib.util.find_spec("hcl2") is not None


def parse(text: str, source: str, problems: Problems) -> Tree | None:
    """Return the body of a file, or None, with a problem added, if it is not HCL."""
    import hcl2  # type: ignore[import-not-found,unused-ignore]

    try:
        return hcl2.parses_to_tree(text if text.endswith("\n") else text + "\n").children[0]
    except Exception as error:
        line = getattr(error, "line", 0)
        problems.add(Place(source, line=line if isinstance(line, int) and line > 0 else 0), "is not HCL that can be read")
        return None


@lru_cache(maxsize=4096)
def expression(text: str) -> Tree | None:
    """Return the expression in a text, or None if it is not one."""
    body = parse(f"x = {text}\n", "", Problems())
    attributes = [] if body is None else [child for child in inner(body) if rule(child) == "attribute"]
    return attributes[0].children[-1] if len(attributes) == 1 else None


def blocks_of(body: Tree) -> Iterator[Block]:
    """Yield the blocks directly inside a body, each with the line where it begins."""
    for child in inner(body):
        if rule(child) == "block":
            words = [part for part in child.children if rule(part) in ("identifier", "string", "keyword", "literal_value")]
            yield Block(tuple(map(word, words)), _line(child), child.children[-2])


def rule(node: Tree) -> str:
    """Return the name of a node's rule; of a token, the name of its type."""
    return str(node.data) if hasattr(node, "data") else str(getattr(node, "type", ""))


def inner(node: Tree) -> list[Tree]:
    """Return what is below a node, without line ends and comments."""
    return [child for child in node.children if rule(child) not in _SKIPPED]


def word(node: Tree) -> str:
    """Return the text of an identifier, or of a label in quotes."""
    if not hasattr(node, "data"):
        return str(node)
    return "".join(word(child) for child in node.children if rule(child) != "DBLQUOTE")


def _line(node: Tree) -> int:
    if not hasattr(node, "data"):
        line = getattr(node, "line", None)
        return line if isinstance(line, int) else 0
    return next((line for child in node.children if (line := _line(child))), 0)
