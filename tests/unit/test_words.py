"""Words that CONTRIBUTING.md says not to write: no page, changelog, help text, rule, guide or component has one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_PROJECT: Final = Path(__file__).resolve().parents[2]
_CONTRIBUTING: Final = _PROJECT / "CONTRIBUTING.md"
_TEXTS: Final = (
    *_PROJECT.glob("*.md"),
    *_PROJECT.glob("docs/*.md"),
    *_PROJECT.glob("docs/decisions/*.md"),
    *_PROJECT.glob("docs/spec/*.md"),
    _PROJECT / "tests" / "live" / "README.md",
    *_PROJECT.glob("cutlist_cli/**/*.py"),
    *_PROJECT.glob("cutlist/policy/guides/*.yaml"),
    *_PROJECT.glob("cutlist/policy/**/*.py"),
    *_PROJECT.glob("cutlist/planning/*.py"),
    *_PROJECT.glob("cutlist/verification/causes/*.py"),
    *_PROJECT.glob("components/pulumi_cutlist/**/*.py"),
)
_SECTION: Final = re.compile(r"^## Words$.*?(?=^## )", re.MULTILINE | re.DOTALL)
_ROW: Final = re.compile(r"^\| (?P<write>[^|`]+) \| (?P<avoid>`[^|]+) \|$", re.MULTILINE)


def _word_list() -> dict[str, str]:
    """Return what to write by each phrase to avoid, as the table in CONTRIBUTING.md has them."""
    (section,) = _SECTION.findall(_CONTRIBUTING.read_text("utf-8"))
    return {phrase: write for write, avoid in _ROW.findall(section) for phrase in re.findall(r"`([^`]+)`", avoid)}


def _avoidable(text: str, words: dict[str, str]) -> list[str]:
    """Return each phrase of a text that is to be avoided, with its line and what to write; lines may break inside."""
    phrases = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in words)
    matches = ((match, " ".join(match[0].lower().split())) for match in re.finditer(rf"\b(?:{phrases})\b", text, re.IGNORECASE))
    return [f"line {text.count(chr(10), 0, m.start()) + 1}: {phrase!r}; write: {words[phrase]}" for m, phrase in matches]


def test_no_text_has_a_phrase_to_avoid():
    """Each is named with its file, its line and what to write."""
    words = _word_list()
    texts = {path.relative_to(_PROJECT): path.read_text("utf-8") for path in _TEXTS}
    texts[_CONTRIBUTING.relative_to(_PROJECT)] = _SECTION.sub("", _CONTRIBUTING.read_text("utf-8"))
    assert [f"{path}, {problem}" for path, text in texts.items() for problem in _avoidable(text, words)] == []


def test_a_phrase_to_avoid_is_reported():
    """In capitals and across lines too, but not inside a word."""
    assert _avoidable("for every node\nNodes run for\never.", {"for ever": "forever"}) == ["line 2: 'for ever'; write: forever"]


def test_the_table_is_read():
    """So the check above looks for something."""
    assert len(_word_list()) >= 10
