"""YAML text parsed to plain values, each with its line.

Works on the parser's events with its own stack: input that is nested too deeply, refers to itself or grows by aliases is
refused in time and memory that depend on its size alone. Aliased values are shared, never copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from cutlist.core.errors import Place, Problems
from cutlist.documents.text.scalars import Scalar, key_text, plain, tagged

MAX_DEPTH: Final = 200  # nothing in Kubernetes comes near; deeper input would exhaust later code
MAX_ALIASED: Final = 500_000  # values that aliases may add to a file
MAX_VALUES: Final = 4_000_000  # values and keys that are written in a file, of which the largest snapshots have as many
MAX_MEMBERS: Final = 20_000  # of one mapping: each may be compared with all names that are known
MAX_ITEMS: Final = 200_000  # of one list: more pods than a cluster can have

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MERGE: Final = "<<"
_NO_START: Final = "did not find expected <document start>"
_TOO_DEEP: Final = "exceeded maximum nesting depth"  # libyaml's own limit, which it may reach before we see the first value
_NO_BEGIN: Final = "found character that cannot start any token"
_END_HINT: Final = "; after a line `...`, which ends a document, the next one has to start with `---`"
TEMPLATE_HINT: Final = "; this looks like a template: render it first (helm template, kustomize build)"
"""How a mistake ends in a text that has places for values of a template."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """One YAML document: its 1-based number in the file, its value, and the line of each path."""

    number: int
    value: Any
    lines: dict[str, int]


@dataclass(slots=True)
class _Open:
    """A mapping or list that is being read."""

    value: Any
    path: str
    anchor: str | None
    size: int = 1
    key: str | None = None
    awaits_key: bool = True
    merged: list[dict[str, Any]] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)


class _Stop(Exception):
    """Reading cannot go on; the problem has been added already."""


def parse(text: str, source: str, problems: Problems, word: Callable[[str], Scalar] = plain) -> Iterator[Parsed]:
    """Yield the documents of a YAML text, empty ones as None. A document with mistakes is left out, and the mistakes are
    added. `word` gives the values of unquoted words."""
    reader = _Reader(source, problems, TEMPLATE_HINT if "{{" in text else "", word)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            finished = reader.take(event)
            if finished is not None:
                yield finished
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        if error.problem == _TOO_DEEP:
            reader.note_depth(line)
            return
        where = f" at column {mark.column + 1}" if mark else ""
        what = ", ".join(part for part in (error.context, error.problem) if part)
        after = _END_HINT if error.problem == _NO_START and "\n..." in text else ""
        first = _first_hint(text[mark.index : mark.index + 1]) if mark and error.problem == _NO_BEGIN else ""
        reader.note(line, f"is not YAML{where}: {what}{first}{after}{reader.hint}")
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        code = ord(error.character) if isinstance(error.character, str) else int(error.character)
        reader.note(line, f"is not YAML: the character U+{code:04X} is not allowed")
    except yaml.YAMLError as error:
        reader.note(0, f"is not YAML: {error}")
    except _Stop:
        return


def _first_hint(character: str) -> str:
    if character == "\t":
        return "; this is a tab, and YAML indents only with spaces"
    return f"; text that begins with {character} must be in quotes" if character else ""


class _Reader:
    def __init__(self, source: str, problems: Problems, hint: str, word: Callable[[str], Scalar]) -> None:
        self.source, self.problems, self.hint, self.word = source, problems, hint, word
        self.number = 0
        self._written = self._aliased = 0
        self._start()

    def _start(self) -> None:
        self.stack: list[_Open] = []
        self.lines: dict[str, int] = {}
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.root: Any = None
        self.broken = False

    def note(self, line: int, message: str, path: str = "") -> None:
        """Add a mistake in the current document."""
        self.broken = True
        self.problems.add(Place(self.source, self.number, line, path), message)

    def note_depth(self, line: int) -> None:
        """Add the mistake of nesting too deeply."""
        self.note(line, f"is nested more than {MAX_DEPTH} levels deep")

    def take(self, event: Any) -> Parsed | None:
        """Process one event of the parser; return the document that it completes, if any."""
        kind = type(event)
        self._written += 1
        if self._written > MAX_VALUES:
            self.note(event.start_mark.line + 1, f"it has more than {MAX_VALUES:,} values; split it")
            raise _Stop
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._open({} if kind is yaml.MappingStartEvent else [], event)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._close(event)
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self.number += 1
            self._start()
        elif kind is yaml.DocumentEndEvent and not self.broken:
            return Parsed(self.number, self.root, self.lines)
        elif kind is yaml.DocumentEndEvent:
            self.problems.inputs.append(self.root)  # the mistakes may repeat what is secret in it
        return None

    def _scalar(self, event: Any) -> None:
        value: Scalar = event.value
        is_plain = event.implicit[0] and event.tag is None
        if is_plain:
            value = self.word(event.value)
        elif event.tag is not None:
            try:
                value = tagged(event.tag, event.value)
            except ValueError as error:
                self.note(event.start_mark.line + 1, str(error), self._member_path())
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)
        if self._expects_key():
            self._key(key_text(value), event, is_merge=is_plain and value == MERGE)
        else:
            self._add(value, 1, event)

    def _open(self, value: Any, event: Any) -> None:
        line = event.start_mark.line + 1
        if len(self.stack) >= MAX_DEPTH:
            self.note_depth(line)
            raise _Stop
        if event.tag is not None and not event.tag.endswith((":map", ":seq")):
            self.note(line, f"the tag {event.tag} is not understood", self._member_path())
        path = self._member_path()
        if path not in self.lines:
            self.lines[path] = line
        self.stack.append(_Open(value, path, event.anchor))

    def _close(self, event: Any) -> None:
        done = self.stack.pop()
        for base in done.merged:
            for key, value in base.items():
                done.value.setdefault(key, value)
        if done.anchor:
            self.anchors[done.anchor] = (done.value, done.size)
        if self._expects_key():
            self.note(event.start_mark.line + 1, f"a key must be a single word, not a mapping or a list{self.hint}", done.path)
            self._key("", event, is_merge=False)
        else:
            self._add(done.value, done.size, event)

    def _alias(self, event: Any) -> None:
        line = event.start_mark.line + 1
        value, size = self.anchors.get(event.anchor, (None, 1))
        if event.anchor not in self.anchors:
            inside = any(o.anchor == event.anchor for o in self.stack)
            what = "is inside the value that it refers to" if inside else "refers to an anchor that is not defined before it"
            self.note(line, f"the alias *{event.anchor} {what}", self._member_path())
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            self.note(line, f"its aliases stand for more than {MAX_ALIASED} values")
            raise _Stop
        if self._expects_key():
            self._key(None if isinstance(value, dict | list) else key_text(value), event, is_merge=False)
        else:
            self._add(value, size, event)

    def _expects_key(self) -> bool:
        return bool(self.stack) and self.stack[-1].awaits_key and isinstance(self.stack[-1].value, dict)

    def _key(self, key: str | None, event: Any, *, is_merge: bool) -> None:
        top, line = self.stack[-1], event.start_mark.line + 1
        if len(top.keys) >= MAX_MEMBERS:
            self.note(line, f"a mapping has more than {MAX_MEMBERS:,} members", top.path)
            raise _Stop
        if key is None:
            self.note(line, "a key must be text, and this one is empty", top.path)
        elif not is_merge:
            if key in top.keys:
                self.note(line, f"the key {key!r} is written twice, first in line {top.keys[key]}", _member(top.path, key))
            top.keys[key] = line
            self.lines[_member(top.path, key)] = line
        top.key, top.awaits_key = (None if is_merge else key or ""), False

    def _add(self, value: Any, size: int, event: Any) -> None:
        if not self.stack:
            self.root = value
            self.lines.setdefault("", event.start_mark.line + 1)
            return
        top = self.stack[-1]
        top.size += size
        if isinstance(top.value, list):
            if len(top.value) >= MAX_ITEMS:
                self.note(event.start_mark.line + 1, f"a list has more than {MAX_ITEMS:,} items; split it", top.path)
                raise _Stop
            self.lines.setdefault(f"{top.path}[{len(top.value)}]", event.start_mark.line + 1)
            top.value.append(value)
            return
        top.awaits_key = True
        if top.key is None:
            self._merge(top, value, event)
        else:
            top.value[top.key] = value

    def _merge(self, top: _Open, value: Any, event: Any) -> None:
        bases = value if isinstance(value, list) else [value]
        if all(isinstance(base, dict) for base in bases):
            top.merged.extend(bases)
        else:
            self.note(event.start_mark.line + 1, "only mappings can be merged with <<", top.path)

    def _member_path(self) -> str:
        if not self.stack:
            return ""
        top = self.stack[-1]
        return f"{top.path}[{len(top.value)}]" if isinstance(top.value, list) else _member(top.path, top.key or "")


def _member(path: str, key: str) -> str:
    return f"{path}.{key}" if path and key else path or key
