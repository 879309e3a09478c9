"""Words of the code that CONTRIBUTING.md keeps off the screen: no text and no Markdown of an answer has one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

_PROJECT: Final = Path(__file__).resolve().parents[2]
_SECTION: Final = re.compile(r"^## Words of a screen$.*?(?=^## )", re.MULTILINE | re.DOTALL)
_ROW: Final = re.compile(r"^\| (?P<inside>`[^|]+) \| (?P<shown>[^|`]+) \|$", re.MULTILINE)
_VIEWS: Final = re.compile(r"(?:^|_)(?:text|words|markdown|opening|closing|columns|lines|pending|answer|commands)$")


def _words() -> list[str]:
    (section,) = _SECTION.findall((_PROJECT / "CONTRIBUTING.md").read_text("utf-8"))
    return [word for inside, _ in _ROW.findall(section) for word in re.findall(r"`([^`]+)`", inside)]


def _modules() -> Iterator[Path]:
    """Yield the modules with the texts of answers."""
    yield from (_PROJECT / "cutlist" / "report").glob("*.py")
    yield from (path for path in (_PROJECT / "cutlist" / "verbs").rglob("*.py") if _VIEWS.search(path.stem))
    yield _PROJECT / "cutlist" / "planning" / "model" / "passes.py"
    yield _PROJECT / "cutlist" / "planning" / "notes.py"


def _shown(source: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that have several words, with their lines; docstrings and names are not shown."""
    tree = ast.parse(source)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent and " " in node.value:
            yield node.lineno, node.value


def _found(source: str, words: list[str]) -> list[str]:
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")
    if pattern.search(source) is None:
        return []
    return [f"line {line}: {match[0]!r}" for line, text in _shown(source) if (match := pattern.search(text))]


def test_no_view_shows_a_word_of_the_code():
    """Each is named with its module and line."""
    words = _words()
    found = {path.relative_to(_PROJECT): _found(path.read_text("utf-8"), words) for path in _modules()}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ('say(f"{n} passes were made")', 1),
        ('"""The passes of a plan."""', 0),
        ('x = "passes"', 0),
        ('say("all are on nodes")', 0),
    ],
)
def test_a_word_is_found_where_it_is_shown(source, count):
    """Not in a docstring, and not where it is a name alone."""
    assert len(_found(source, ["passes"])) == count


def test_the_table_and_the_views_are_read():
    """So the check above looks for something, somewhere."""
    assert len(_words()) >= 9
    assert len(list(_modules())) > 60
