"""The comments of a YAML document, and the document without them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import yaml

from cutlist.documents.layout import line_end, line_start

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_START: Final = "---\n"


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
