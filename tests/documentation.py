"""The pages of the documentation, as tests read them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"


def section(page: str, *titles: str) -> str:
    """Return what stands below headings of a page of `docs/`, with the headings below each; an error if there is none such."""
    return "\n".join(_section((DOCS / page).read_text("utf-8"), title) for title in titles)


def _section(text: str, title: str) -> str:
    """Return what stands below a heading, to the next one of its level or above. A comment in a block is no heading."""
    prose = re.sub(r"^```.*?^```$", lambda block: " " * len(block[0]), text, flags=re.MULTILINE | re.DOTALL)
    heading = re.search(rf"^(?P<level>#+) {re.escape(title)}$", prose, re.MULTILINE)
    assert heading is not None, title
    end = re.compile(rf"^#{{1,{len(heading['level'])}}} ", re.MULTILINE).search(prose, heading.end())
    return text[heading.end() : end.start() if end else len(text)]
