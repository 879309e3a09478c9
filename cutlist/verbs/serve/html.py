"""Pages that are served and not opened from disk: they check their server for a newer version, and show mistakes."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.errors import Problem
from cutlist.report.html.rendering import add_script, render


def live_page(page: str) -> str:
    """Return the page with a script that reloads it when its server has a new version, and that may contact only that
    server."""
    return add_script(page, "live.js", connects="'self'")


def problems_html(problems: Sequence[Problem]) -> str:
    """Return every mistake in the files with its place, what is allowed and the nearest right thing, as a page."""
    return render("serve/page.html.j2", problems=problems)
