"""Words that CONTRIBUTING.md says not to write: no page, changelog, message, help, rule, view, docstring or test has one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PROJECT: Final = Path(__file__).resolve().parents[2]
_CONTRIBUTING: Final = _PROJECT / "CONTRIBUTING.md"
_FOLDERS: Final = (
    "components",
    "cutlist",
    "cutlist_cli",
    "cutlist_live",
    "docs",
    "examples",
    "policies",
    "stacks",
    "tests",
    "tools",
)
_SUFFIXES: Final = frozenset({".j2", ".js", ".md", ".py", ".sh", ".toml", ".yaml", ".yml"})
_NOT_OURS: Final = frozenset({"node_modules", "data", "site", "scenarios", "recordings"})  # a scenario is recorded by its name
_RECORDED: Final = _PROJECT / "tests" / "unit" / "workloads" / "validation" / "cases.py"
"""Objects that a real API server has judged, value by value."""
_SECTION: Final = re.compile(r"^## Words$.*?(?=^## )", re.MULTILINE | re.DOTALL)
_ROW: Final = re.compile(r"^\| (?P<write>[^|`]+) \| (?P<avoid>`[^|]+) \|$", re.MULTILINE)


def _files() -> Iterator[Path]:
    """Yield the files that have texts."""
    yield from _PROJECT.glob("*.md")
    yield from (_PROJECT / name for name in ("Dockerfile", "Makefile", "action.yml", "pyproject.toml"))
    for folder in _FOLDERS:
        for path in sorted((_PROJECT / folder).rglob("*")):
            if path.suffix in _SUFFIXES and _NOT_OURS.isdisjoint(path.parts):
                yield path


def _word_list() -> dict[str, str]:
    """Return what to write by each phrase to avoid, as the table in CONTRIBUTING.md has them."""
    (section,) = _SECTION.findall(_CONTRIBUTING.read_text("utf-8"))
    return {phrase: write for write, avoid in _ROW.findall(section) for phrase in re.findall(r"`([^`]+)`", avoid)}


def _avoidable(text: str, words: dict[str, str]) -> list[str]:
    """Return each phrase of a text that is to be avoided, with its line and what to write; lines may break inside."""
    plain = " ".join(text.lower().split())
    if not any(phrase in plain for phrase in words):
        return []  # as nearly all texts, of which the expression below would try each word
    phrases = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in words)
    matches = ((match, " ".join(match[0].lower().split())) for match in re.finditer(rf"\b(?:{phrases})\b", text, re.IGNORECASE))
    return [
        f"line {text.count(chr(10), 0, match.start()) + 1}: {phrase!r}; write: {words[phrase]}"
        for match, phrase in matches
        if "None" not in match[0]  # Python's value, not a word
    ]


def test_no_text_has_a_phrase_to_avoid():
    """Each is named with its file, its line and what to write."""
    words = _word_list()
    texts = {path.relative_to(_PROJECT): path.read_text("utf-8") for path in _files()}
    for recorded in (_RECORDED, Path(__file__)):
        del texts[recorded.relative_to(_PROJECT)]
    texts[_CONTRIBUTING.relative_to(_PROJECT)] = _SECTION.sub("", _CONTRIBUTING.read_text("utf-8"))
    assert [f"{path}, {problem}" for path, text in texts.items() for problem in _avoidable(text, words)] == []


def test_a_phrase_to_avoid_is_reported():
    """In capitals and across lines too, but not inside a word."""
    assert _avoidable("for every node\nNodes run for\never.", {"for ever": "forever"}) == ["line 2: 'for ever'; write: forever"]


def test_python_s_none_is_not_a_word_to_avoid():
    """A docstring may say that a value is None."""
    assert _avoidable("left out when it is None", {"it is none": "there is none"}) == []
    assert _avoidable("As for a price, it is none", {"it is none": "there is none"}) != []


def test_the_texts_of_commands_are_read():
    """Those of each folder: a folder that is renamed does not leave the check."""
    assert {path.relative_to(_PROJECT).parts[0] for path in _files()} >= set(_FOLDERS)


def test_the_table_is_read():
    """So the check above looks for something."""
    assert len(_word_list()) >= 10
