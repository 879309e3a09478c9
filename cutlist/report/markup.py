"""Parts of Markdown that keep their form whatever they contain: names, sentences, tables, folded parts.

Names are written as code, so that none becomes a mention, a link, a picture or markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cutlist.report.plain import escape, shorten

MARKED: Final = " \\* marks an estimate."
"""What stands after sums that are marked."""

_NAME: Final = 60  # columns of a name
_WORDS: Final = 400  # columns of a sentence
_MARKUP: Final = re.compile(r"[\\`*_\[\]<>~$&]|^[#+=-]")
_NUMBERED: Final = re.compile(r"^(\d+)([.)])")
_REFERENCES: Final = re.compile(r"(?<=[@#])(?=\w)|(?<=\bGH-)(?=\d)|(?<=:)(?=//)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_PIPE: Final = "\\x7c"  # a bare `|` would end a cell, and Markdown dialects differ in how it is escaped
_PIPE_IN_WORDS: Final = "&#124;"
_NO_BREAK: Final = "&#8203;"  # invisible, but breaks mentions and links


def code(name: str, width: int = _NAME) -> str:
    """Return a name as code, in a table or elsewhere: whatever it contains, it is shown literally."""
    shown = shorten(escape(name), width).replace("|", _PIPE)
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    pad = " " if not shown or shown[0] in " `" or shown[-1] in " `" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def words(text: str, width: int = _WORDS) -> str:
    """Return a sentence in which nothing is markup, a mention or a link."""
    plain = _NUMBERED.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", shorten(escape(text).strip(), width)))
    return _REFERENCES.sub(_NO_BREAK, plain).replace("|", _PIPE_IN_WORDS)


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table; a title that starts with `>` is for numbers. Short rows are filled up."""
    head = [title.removeprefix(">") for title in titles]
    rule = ["---:" if title.startswith(">") else "---" for title in titles]
    filled = [[*row, *[""] * (len(titles) - len(row))] for row in rows]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *filled)]


def at_most(room: int, items: Sequence[str]) -> list[str]:
    """Return the lines of a list of at most this many items, and one that counts the others."""
    hidden = len(items) - room
    return [f"- {item}" for item in items[:room]] + ([f"- and {hidden:,} more"] if hidden > 0 else [])


def folded(title: str, lines: Sequence[str]) -> list[str]:
    """Return lines that a reader unfolds by a title, which must not be input."""
    return [f"<details><summary>{title}</summary>", "", *lines, "", "</details>", ""]


def fenced(text: str, language: str = "") -> list[str]:
    """Return the lines of a text as a block of code, which nothing in the text can end."""
    fence = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return [f"{fence}{language}", *(escape(line) for line in text.splitlines()), fence]
