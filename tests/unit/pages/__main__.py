"""Write today's answers into the pages: `python -m tests.unit.pages`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.unit.pages.blocks import PAGES, Shown
from tests.unit.pages.reader import reading


def _refresh(page: Path) -> bool:
    """Write what the commands of a page answer into the blocks that show it; tell whether any of it is new."""
    before = text = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shown = [(part, answer) for part, answer in reading(page, Path(folder)) if isinstance(part, Shown) and not part.file]
    for part, answer in reversed(shown):
        new = part.part(answer.errors if part.is_error else answer.output)
        text = text[: part.start] + new + text[part.start + len(part.text) :]
    page.write_text(text, "utf-8")
    return text != before


if __name__ == "__main__":
    for one in [page for page in PAGES if not sys.argv[1:] or page.name in sys.argv[1:]]:
        if _refresh(one):
            sys.stdout.write(f"{one.name}: new answers\n")
