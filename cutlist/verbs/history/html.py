"""What Karpenter did as a page: its commands, what happened to each node, launches that failed, and nodes compared with their
plan."""

from __future__ import annotations

from collections import Counter

from cutlist.report.html.rendering import render
from cutlist.verbs.history.answer import History, Match
from cutlist.verbs.history.text import new_nodes_text
from cutlist.verbs.history.words import doubles_text


def history_html(answer: History) -> str:
    """Return the history as one page."""
    reasons = Counter(story.decision.reason or "disruption" for story in answer.stories)
    kept = Counter(outcome.kept for outcome in answer.arrivals.outcomes) if answer.arrivals is not None else Counter[Match]()
    return render(
        "history/page.html.j2",
        answer=answer,
        ended=sum(len(story.endings) for story in answer.stories),
        endings=[(story.decision.at, ending) for story in answer.stories for ending in story.endings],
        reasons=sorted(reasons.items()),
        doubles=doubles_text(answer.doubles),
        new_nodes=new_nodes_text,
        matches=[(str(match), kept[match]) for match in Match if kept[match]],
    )
