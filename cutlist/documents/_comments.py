"""The comments of a YAML document: where they are, and the document without some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, Final

import yaml

from cutlist.documents._layout import line_end, line_start

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_START: Final = "---\n"


def comments_in(text: str) -> list[str]:
    """Return the comments of a document, each from its `#` to the end of its line."""
    return [text[start:end] for start, end in _places(text)]


def without_comments(text: str, known: Collection[str]) -> str:
    """Return a document without those of its comments that are known; their lines go where nothing else stands on them."""
    kept, at = "", 0
    for start, end in _places(text) if known else ():
        if text[start:end] in known:
            line = line_start(text, start)
            before = text[line:start].rstrip()
            kept += text[at:line] + before
            at = end if before else line_end(text, end)
    kept += text[at:]
    if not at:
        return text
    head = _START if kept.startswith(_START) else ""
    return head + kept.removeprefix(head).lstrip("\n")


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Yield where comments begin and end: between tokens, nothing but spaces and comments stands."""
    tokens = [(token.start_mark.index, token.end_mark.index) for token in yaml.scan(text, Loader=_Loader)]
    for (_, end), (start, _) in pairwise([(0, 0), *tokens, (len(text), len(text))]):
        while (mark := text.find("#", end, start)) >= 0:
            end = mark + len(text[mark : line_end(text, mark)].rstrip())
            yield mark, end
