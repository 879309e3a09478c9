"""The pages stay few and short, and each begins with the question that it answers and one command.

What people write is counted: not what tests or commands write, which is on pages of its own and in blocks that show output.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.documentation import DOCS
from tests.unit.pages.blocks import PROJECT

GENERATED: Final = frozenset({"causes.md", "controller-permissions.md", "how-we-know.md", "rules.md"})
"""Pages that are written from the code."""
REGISTRY: Final = frozenset({"_index.md", "installation-configuration.md"})
"""Pages of Pulumi's registry, in its form."""
PAGES: Final = sorted(page for page in DOCS.glob("*.md") if page.name not in GENERATED | REGISTRY)
MOST_PAGES: Final = 25
MOST_WORDS: Final = 45_000
MOST_OF_README: Final = 700
MEASURED: Final = "performance.md"
"""A page whose tables `python -m tools.benchmarks` prints."""
_OUTPUT: Final = re.compile(r"^<!-- (?:output|errors|file)\b[^>\n]*-->\n+^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)


def words(page: Path) -> int:
    """Return how many words people wrote on a page: prose, tables, programs and commands, without rules and dashes."""
    text = _OUTPUT.sub("", page.read_text("utf-8"))
    if page.name == MEASURED:
        text = re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)
    return sum(any(map(str.isalnum, word)) for word in text.split())


def test_the_pages_are_few_and_short() -> None:
    """Whoever adds a page or a section takes out another one."""
    written = {page.name: words(page) for page in PAGES}
    assert len(written) <= MOST_PAGES
    assert sum(written.values()) <= MOST_WORDS, written
    assert words(PROJECT / "README.md") <= MOST_OF_README


@pytest.mark.parametrize("page", [PROJECT / "README.md", *PAGES], ids=lambda page: page.name)
def test_a_page_opens_with_its_question_and_a_command(page: Path) -> None:
    """Before any other heading, so that a reader knows whether this is the page, and has something to try."""
    opening, block, rest = page.read_text("utf-8").partition("\n```console\n")
    assert opening.startswith("# ")
    assert opening.count("\n#") == 0
    assert "?" in opening
    assert "```" not in opening
    assert block
    assert rest.startswith("$ ")
