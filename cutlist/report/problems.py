"""Problems of inputs as text: each with its place, what is allowed and the nearest right thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from cutlist.core.errors import Problem
from cutlist.core.wording import counted
from cutlist.report.page import BAD, GOOD, Page
from cutlist.report.plain import escape

_MOST: Final = 1_000  # problems that are shown: more than anybody reads, and already a second of work


def render_problems(problems: Sequence[Problem], width: int = 100, colour: bool = False) -> str:
    """Return mistakes with their places, what is allowed and the nearest right thing; then the number of all mistakes."""
    page = Page(width)
    for problem in problems[:_MOST]:
        _problem(page, problem)
    page.blank()
    if len(problems) > _MOST:
        page.line(f"The first {_MOST:,} are shown.")
    page.line(f"Found {counted(len(problems), 'problem')}.")
    return page.text(colour=colour)


def _problem(page: Page, problem: Problem) -> None:
    where = escape(str(problem.place) or "error")
    if cell_len(where) > page.width // 2:
        page.paragraph(f"{where}:")
        page.paragraph(problem.text, first="    ", indent=4, style=BAD)
    else:
        page.paragraph(problem.text, first=f"{where}: ", indent=min(4, cell_len(where) + 2), style=BAD)
    for detail in problem.details:
        page.paragraph(detail, first="    - ", indent=6)
    if problem.allowed:
        page.paragraph(problem.allowed, first="    allowed: ", indent=13)
    if problem.nearest:
        page.paragraph(f"did you mean {problem.nearest}?", first="    ", indent=4, style=GOOD)
