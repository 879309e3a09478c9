"""Find the parts of a YAML document in its text, its comments too, and replace some of them, as edits of the text need it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, Literal

import yaml

from cutlist.documents.text.writing import Style

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_START: Final = "---\n"
_BLOCK_SCALARS: Final = ("|", ">")


@dataclass(slots=True)
class Node:
    """A value and its text, from `start` to `end`. `quote` is how a scalar is quoted, or the mark of its block."""

    kind: Literal["mapping", "list", "scalar", "alias"]
    start: int
    end: int
    is_flow: bool = False
    quote: str = ""
    entries: list[Entry] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)

    @property
    def is_block_scalar(self) -> bool:
        """Tell whether it is a text below `|` or `>`."""
        return self.quote in _BLOCK_SCALARS

    @property
    def is_one_line(self) -> bool:
        """Tell whether it is a word on the line of its key, or an alias."""
        return self.kind in ("scalar", "alias") and not self.is_block_scalar and self.end > self.start


@dataclass(slots=True)
class Entry:
    """A member of a mapping."""

    key: str
    start: int
    key_end: int
    value: Node


def segments(text: str) -> list[str]:
    """Return the text cut into its documents, including what is between them: joined they are the text."""
    events: Iterator[Any] = (e for e in yaml.parse(text, Loader=_Loader) if isinstance(e, yaml.DocumentStartEvent))
    starts = [event.start_mark.index for event in events]
    cuts = [0, *(line_start(text, at) for at in starts[1:]), len(text)]
    return [text[a:b] for a, b in pairwise(cuts)] if starts else []


def line_start(text: str, at: int) -> int:
    """Return the start of the line that contains a position."""
    return text.rfind("\n", 0, at) + 1


def column(text: str, at: int) -> int:
    """Return the column of a position in its line."""
    return at - line_start(text, at)


def line_end(text: str, at: int) -> int:
    """Return the start of the next line."""
    newline = text.find("\n", at)
    return len(text) if newline < 0 else newline + 1


def layout(text: str) -> Node | None:
    """Return the layout of a text of one document; None when the document is empty."""
    events = iter(yaml.parse(text, Loader=_Loader))
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            return _node(next(events), events)
    return None


def _node(event: Any, events: Iterator[Any]) -> Node:
    start, end = event.start_mark.index, event.end_mark.index
    if isinstance(event, yaml.AliasEvent):
        return Node("alias", start, end)
    if isinstance(event, yaml.ScalarEvent):
        return Node("scalar", start, end, quote=event.style or "")
    is_flow = bool(event.flow_style)
    if isinstance(event, yaml.MappingStartEvent):
        node = Node("mapping", start, end, is_flow)
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            name = key.value if isinstance(key, yaml.ScalarEvent) else ""
            entry = Entry(name, key.start_mark.index, key.end_mark.index, _node(next(events), events))
            node.entries.append(entry)
        last = node.entries[-1].value.end if node.entries else end
    else:
        node, key = Node("list", start, end, is_flow), None
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            node.items.append(_node(item, events))
        key, last = item, node.items[-1].end if node.items else end
    # A block ends with its last member; the parser reports that only at the next token.
    node.end = key.end_mark.index if is_flow else last
    return node


def own_lines(text: str, node: Node, entry: Entry) -> tuple[str, ...]:
    """Return the lines of a member with its comments, without indentation; empty when it shares its first line."""
    start, end = whole(text, node, entry)
    indent = column(text, entry.start)
    if text[line_start(text, entry.start) : entry.start].strip():
        return ()
    lines = text[start:end].removesuffix("\n").split("\n")
    return tuple(line.lstrip() if line[:indent].strip() else line[indent:] for line in lines)


def whole(text: str, node: Node, entry: Entry) -> tuple[int, int]:
    """Return where the lines of a member begin and end, including the comments directly above it and more deeply indented ones
    below.

    Comments at the top of a document concern the whole document.
    """
    start, indent = line_start(text, entry.start), column(text, entry.start)
    end = value_end(text, entry)
    while _comment_column(text, end) > indent:
        end = line_end(text, end)
    if indent == 0 and node.entries[0] is entry:
        return start, end
    while start and _comment_column(text, above := line_start(text, start - 1)) == indent:
        start = above
    return start, end


def value_end(text: str, entry: Entry) -> int:
    """Return the start of the line after a member's value."""
    end = max(entry.value.end, entry.key_end)
    if entry.value.is_block_scalar or text[end - 1] == "\n":
        end = len(text[:end].rstrip("\n"))
    return line_end(text, end)


def style_of(text: str, root: Node) -> Style:
    """Return how the first nested mapping and the first list of a document are indented."""
    nested = list(_nested(text, root))
    steps = [column(text, n.entries[0].start) - indent for n, indent in nested if n.entries]
    dashes = [_dash(text, n) - indent for n, indent in nested if n.items]
    return Style(next((s for s in steps if s > 0), 2), next((d for d in dashes if d >= 0), 2))


def _nested(text: str, node: Node) -> Iterator[tuple[Node, int]]:
    """Yield the block collections below a key, with the column of that key."""
    for entry in node.entries:
        if entry.value.kind in ("mapping", "list") and not entry.value.is_flow:
            yield entry.value, column(text, entry.start)
            yield from _nested(text, entry.value)
    for item in node.items:
        yield from _nested(text, item)


def _dash(text: str, node: Node) -> int:
    return column(text, text.rfind("-", 0, node.items[0].start))


def _comment_column(text: str, at: int) -> int:
    """Return the column of a comment that has its own line; -1 when the line is something else."""
    line = text[at : line_end(text, at)]
    bare = line.lstrip(" ")
    return len(line) - len(bare) if bare.startswith("#") else -1


def without_comments(text: str) -> str:
    """Return a document without its comments and without the lines that hold nothing else."""
    kept, at = "", 0
    for start, end in _comments(text):
        line = line_start(text, start)
        before = text[line:start].rstrip()
        kept += text[at : line + len(before)]
        at = end if before else line_end(text, end)
    kept += text[at:]
    head = _START if kept.startswith(_START) else ""
    return head + kept.removeprefix(head).lstrip("\n")


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield where comments begin and end: between tokens there are only spaces and comments."""
    tokens = [(token.start_mark.index, token.end_mark.index) for token in yaml.scan(text, Loader=_Loader)]
    for (_, end), (start, _) in pairwise([(0, 0), *tokens, (len(text), len(text))]):
        while (mark := text.find("#", end, start)) >= 0:
            end = mark + len(text[mark : line_end(text, mark)].rstrip())
            yield mark, end


@dataclass(slots=True)
class Patches:
    """Replacements that are collected first and applied at once."""

    pieces: list[tuple[int, int, str]] = field(default_factory=list)

    def put(self, start: int, end: int, text: str) -> None:
        """Replace the text between two positions."""
        self.pieces.append((start, end, text))

    def insert(self, at: int, text: str) -> None:
        """Insert a text at a position; a later insertion comes after it."""
        self.put(at, at, text)

    def cut(self, start: int, end: int) -> None:
        """Remove the text between two positions."""
        self.put(start, end, "")

    def applied(self, text: str) -> str | None:
        """Return the text with all replacements applied; None when two of them overlap."""
        result, at = "", 0
        for start, end, piece in sorted(self.pieces, key=lambda p: (p[0], p[1])):
            if start < at:
                return None
            result += text[at:start]
            result += ("\n" if piece and start == end == len(text) and result and not result.endswith("\n") else "") + piece
            at = end
        return result + text[at:]
