"""What Karpenter did as a page: its commands, what happened to each node, and launches that failed."""

from __future__ import annotations

from collections import Counter

from cutlist.report.html.rendering import render
from cutlist.verbs.history.columns import ENDED_PAGE, FAILED, PAGE
from cutlist.verbs.history.record import History
from cutlist.verbs.history.words import doubles_text


def history_html(answer: History) -> str:
    """Return the history as one page."""
    reasons = Counter(story.decision.reason or "disruption" for story in answer.stories)
    return render(
        "history/page.html.j2",
        answer=answer,
        columns=PAGE,
        ended_columns=ENDED_PAGE,
        failed_columns=FAILED,
        reasons=sorted(reasons.items()),
        doubles=doubles_text(answer.doubles),
    )
