"""Why something is as it is, as a page: the sentence, what would help, and the facts."""

from __future__ import annotations

from cutlist.report.html.rendering import render
from cutlist.verbs.why.columns import FACTS
from cutlist.verbs.why.reason import Why


def why_html(answer: Why) -> str:
    """Return the answer as one page."""
    return render("why/page.html.j2", answer=answer, columns=FACTS)
