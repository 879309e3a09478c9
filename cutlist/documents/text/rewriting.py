"""Put new values into an existing text: only the lines of what differs change.

Comments, order, quotes and spaces of everything else stay as they are, byte for byte. A member that moves to another place with
the same value keeps its comments. Every result is read back; if it differs from the intended value, as with anchors that are
used elsewhere, the document is rewritten.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from cutlist.core.errors import Problems
from cutlist.documents.text import yaml
from cutlist.documents.text.layout import (
    Entry,
    Node,
    Patches,
    column,
    layout,
    own_lines,
    segments,
    style_of,
    value_end,
    whole,
    without_comments,
)
from cutlist.documents.text.writing import Style, block_lines, entry_lines, flow_text, scalar_text

Values = Sequence[Sequence[Any] | None]
"""For each document of a text: None to leave it, or the values that replace it. The first takes the document's layout and
comments, further ones follow as separate documents; an empty sequence removes the document."""
Followers = Mapping[int, Sequence[Any]]
"""New values that follow a document of a text, by its number from 0: laid out as it is, without its comments."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text, and the 1-based numbers of the documents whose layout and comments could not be kept."""

    text: str
    renewed: tuple[int, ...] = ()


@dataclass(slots=True)
class Moves:
    """Members that move from one place of some texts to another, with their original lines."""

    lines: dict[tuple[str, str], list[tuple[str, ...]]] = field(default_factory=dict)

    @staticmethod
    def of(texts: Iterable[tuple[str, Values]]) -> Moves:
        """Return the moves between all documents of some texts."""
        removed: list[tuple[tuple[str, str], tuple[str, ...]]] = []
        added: set[tuple[str, str]] = set()
        for text, values in texts:
            parts = segments(_unix(text)) if _json(text) is None else []
            for segment, new in zip(parts, values, strict=False):
                if new is not None:
                    root, old = layout(segment), _value(segment)
                    added.update(key for value in new for key in _added(old, value))
                    if root is not None and new:
                        removed += _removed(segment, root, old, new[0])
        moves = Moves()
        for key, lines in removed:
            if key in added and lines:
                moves.lines.setdefault(key, []).append(lines)
        return moves

    def take(self, key: str, value: Any) -> tuple[str, ...]:
        """Return the lines of a member that moves here, each only once, or nothing if none waits."""
        waiting = self.lines.get(_identity(key, value))
        return waiting.pop(0) if waiting else ()

    def take_start(self, key: str, value: Any) -> tuple[int, tuple[str, ...]]:
        """Return the lines of a block list that moves here and grows, and its number of items, or 0 and no lines."""
        for count in range(len(value) - 1, 0, -1) if isinstance(value, list) else ():
            lines = self.take(key, value[:count])
            if lines:
                return count, lines
        return 0, ()


def rewrite(
    text: str,
    values: Values,
    moves: Moves | None = None,
    successors: Mapping[str, str] | None = None,
    followers: Followers = MappingProxyType({}),
) -> Rewritten:
    """Return the text with new values, and with new documents.

    `moves` are those between several texts; without them, members move only inside this text. `successors` are keys whose place
    and comments pass to another key.
    """
    moves = moves or Moves.of([(text, values)])
    if (as_json := _json(text)) is not None:
        kept = [as_json] if values[0] is None else values[0]
        return Rewritten(_as_json(text, as_json, [*kept, *followers.get(0, ())]))
    parts: list[str] = []
    renewed: list[int] = []
    for number, (segment, new) in enumerate(zip(segments(_unix(text)), values, strict=True), 1):
        if new is None:
            parts.append(segment)
        for index, value in enumerate(new or ()):
            rewritten = _of_segment(segment, value, moves, successors or {})
            if rewritten is None and number not in renewed:
                renewed.append(number)
            rewritten = _anew(segment, value) if rewritten is None else rewritten
            parts.append(rewritten if index == 0 else _separate(rewritten))
        parts += _following(segment, followers.get(number - 1, ()))
    joined = "".join(p if p.endswith("\n") or p is parts[-1] else f"{p}\n" for p in parts)
    return Rewritten(joined if _unix(text) == text else joined.replace("\n", "\r\n"), tuple(renewed))


def _following(segment: str, values: Sequence[Any]) -> Iterator[str]:
    """Yield new documents laid out like another one."""
    bare = without_comments(segment) if values else ""
    for value in values:
        yield _separate(_of_segment(bare, value, Moves(), {}) or _anew(bare, value))


def _separate(text: str) -> str:
    return text if text.startswith("---") else f"---\n{text}"


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n") if text.count("\n") == text.count("\r\n") else text


def _of_segment(segment: str, new: Any, moves: Moves, successors: Mapping[str, str]) -> str | None:
    """Return the text of a document with another value, or None if that takes rewriting the whole document."""
    old, root = _value(segment), layout(segment)
    if old == new:
        return segment
    if root is None or root.is_flow or root.kind != "mapping" or not isinstance(new, dict):
        return None
    difference = _Difference(segment, style_of(segment, root), moves, successors)
    difference.mapping(root, old, new)
    text = difference.patches.applied(segment)
    return text if text is not None and _value(text) == new else None


def _value(segment: str) -> Any:
    problems = Problems()
    values = [parsed.value for parsed in yaml.parse(segment, "", problems)]
    return values[0] if len(values) == 1 and not problems else None


def _json(text: str) -> Any:
    """Return the value of a JSON text; None for other texts."""
    try:
        return json.loads(text) if text.lstrip().startswith("{") else None
    except ValueError:
        return None


def _as_json(text: str, old: Any, values: Sequence[Any]) -> str:
    if list(values) == [old]:
        return text
    second = next(iter(text.strip().split("\n")[1:]), "")
    indent = len(second) - len(second.lstrip()) or None
    kept = values if len(values) < 2 else [{"apiVersion": "v1", "kind": "List", "items": list(values)}]
    return "".join(json.dumps(value, indent=indent, ensure_ascii=False) + "\n" for value in kept)


def _anew(segment: str, value: Any) -> str:
    start = "---\n" if segment.startswith("---") else ""
    return start + "\n".join(block_lines(value, Style())) + "\n"


def _identity(key: str, value: Any) -> tuple[str, str]:
    return key, json.dumps(value, sort_keys=True)


def _added(old: Any, new: Any) -> Iterator[tuple[str, str]]:
    if isinstance(new, dict):
        for key, value in new.items():
            before = old.get(key) if isinstance(old, dict) else None
            if before is None:
                yield _identity(key, value)
                yield from (_identity(key, value[:count]) for count in range(1, len(value) if isinstance(value, list) else 0))
            yield from _added(before, value)


def _removed(text: str, node: Node, old: Any, new: Any) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    for entry in node.entries if isinstance(old, dict) and not node.is_flow else ():
        if entry.key in old:
            after = new.get(entry.key) if isinstance(new, dict) else None
            if after is None:
                yield _identity(entry.key, old[entry.key]), own_lines(text, node, entry)
            yield from _removed(text, entry.value, old[entry.key], after)


@dataclass(slots=True)
class _Difference:
    """Compares two values and collects the pieces of the text that change."""

    text: str
    style: Style
    moves: Moves
    successors: Mapping[str, str]
    patches: Patches = field(default_factory=Patches)

    def mapping(self, node: Node, old: dict[str, Any], new: dict[str, Any]) -> None:
        """Patch the differences between two mappings, of which the old one is in block style at a node."""
        places: dict[str, Entry] = {}
        for entry in node.entries:
            if entry.key == yaml.MERGE:
                continue
            heir = self.successors.get(entry.key, "")
            if entry.key in new:
                places[entry.key] = entry
                if old.get(entry.key) != new[entry.key]:
                    self._member(entry, old.get(entry.key), new[entry.key])
            elif heir in new and heir not in old:
                places[heir] = entry
                self._replace(entry, heir, new[heir])
            else:
                self.patches.cut(*whole(self.text, node, entry))
        written = {entry.key for entry in node.entries}
        inherited = {key for key in old if key not in written and old[key] == new.get(key)}
        self._add(node, places, {key: value for key, value in new.items() if key not in inherited})

    def _member(self, entry: Entry, old: Any, new: Any) -> None:
        node = entry.value
        is_block = not node.is_flow
        if node.kind == "mapping" and is_block and isinstance(old, dict) and isinstance(new, dict) and new:
            self.mapping(node, old, new)
        elif node.kind == "list" and is_block and isinstance(new, list) and len(new) >= len(node.items) > 0:
            for item, before, now in zip(node.items, old, new, strict=False):
                self._item(item, before, now)
            self._append(entry, new[len(node.items) :])
        else:
            self._replace(entry, entry.key, new)

    def _append(self, entry: Entry, items: Sequence[Any]) -> None:
        """Add items at the end of a block list, in the form of its last one."""
        last = entry.value.items[-1]
        line = self.text.rfind("\n", 0, last.start) + 1
        indent = len(self.text[line:]) - len(self.text[line:].lstrip(" "))
        for item in items:
            is_flow = last.is_flow and isinstance(item, dict | list)
            lines = [f"- {flow_text(item)}"] if is_flow else list(block_lines([item], self.style))
            self.patches.insert(value_end(self.text, entry), self._indented(lines, indent))

    def _item(self, node: Node, old: Any, new: Any) -> None:
        if node.kind == "mapping" and not node.is_flow and isinstance(old, dict) and isinstance(new, dict):
            self.mapping(node, old, new)
        elif old != new:
            self.patches.put(node.start, node.end, flow_text(new))

    def _replace(self, entry: Entry, key: str, new: Any) -> None:
        node, is_word = entry.value, not isinstance(new, dict | list)
        if key != entry.key:
            self.patches.put(entry.start, entry.key_end, scalar_text(key))
        first, *rest = entry_lines(key, new, self.style)
        head, below = first[len(scalar_text(key)) :], self._indented(rest, column(self.text, entry.start))
        colon = self.text.index(":", entry.key_end)
        if node.is_flow or (node.is_one_line and is_word):
            self.patches.put(node.start, node.end, scalar_text(new, node.quote) if is_word else flow_text(new))
        elif node.is_one_line:  # what follows on its line is a comment, and stays
            self.patches.put(colon, node.end, head)
            self.patches.insert(value_end(self.text, entry), below)
        else:
            self.patches.put(colon, value_end(self.text, entry), f"{head}\n{below}")

    def _add(self, node: Node, places: dict[str, Entry], new: dict[str, Any]) -> None:
        """Insert new members where the order of the new mapping puts them."""
        for index, key in enumerate(new if node.entries else ()):
            if key not in places:
                before = next((k for k in reversed(list(new)[:index]) if k in places), None)
                beside = places[before] if before is not None else node.entries[0]
                at = whole(self.text, node, beside)[before is not None]
                self.patches.insert(at, self._indented(self._lines(key, new[key]), column(self.text, node.entries[0].start)))

    def _lines(self, key: str, value: Any) -> Sequence[str]:
        moved = self.moves.take(key, value) or self._grown(key, value)
        if moved or not isinstance(value, dict) or not value:
            return moved or tuple(entry_lines(key, value, self.style))
        below = [line for k, v in value.items() for line in self._lines(k, v)]
        return [f"{scalar_text(key)}:", *(" " * self.style.step + line if line else "" for line in below)]

    def _grown(self, key: str, value: Any) -> tuple[str, ...]:
        count, lines = self.moves.take_start(key, value)
        dashes = [line for line in lines[1:] if line.lstrip().startswith("- ")]
        if not dashes:
            return ()
        indent = " " * (len(dashes[0]) - len(dashes[0].lstrip()))
        return (*lines, *(indent + line for line in block_lines(value[count:], self.style)))

    def _indented(self, lines: Sequence[str], indent: int) -> str:
        return "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in lines)
