"""Pages that are served and not opened from disk: they look for a newer one where they come from, and show what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.errors import Problem
from cutlist.report.html.rendering import add_script, render


def live_page(page: str) -> str:
    """The page, which comes anew as soon as its server has another one. It may ask that server for this, and nobody else."""
    return add_script(page, "live.js", connects="'self'")


def problems_html(problems: Sequence[Problem]) -> str:
    """Every mistake in the files with its place, what is allowed and the nearest right thing, as a page."""
    return render("problems.html.j2", problems=problems)
