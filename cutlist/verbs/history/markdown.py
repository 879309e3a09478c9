"""What Karpenter did, as Markdown: the commands by reason, and the launches that failed."""

from __future__ import annotations

from collections import Counter
from typing import Final

from cutlist.core.wording import counted
from cutlist.report.columns import markdown_table
from cutlist.report.markup import at_most, code, folded, words
from cutlist.verbs.history.columns import COMMENT
from cutlist.verbs.history.record import History
from cutlist.verbs.history.words import doubles_text

_COMMANDS: Final = 12
_FAILED: Final = 6


def history_markdown(answer: History) -> str:
    """Return the history as Markdown of less than 60 lines; of many commands the last are shown. Ends in a newline."""
    stories = answer.stories
    lines = [f"### {counted(len(stories), 'command')} of Karpenter ended {counted(len(answer.ended), 'node')}", ""]
    reasons = Counter(story.decision.reason or "disruption" for story in stories)
    if reasons:
        lines += [", ".join(f"{count:,} × {words(reason)}" for reason, count in sorted(reasons.items())) + ".", ""]
    lines += _failed(answer)
    if stories:
        title = f"The last {_COMMANDS} commands" if len(stories) > _COMMANDS else "Commands"
        lines += folded(title, markdown_table(COMMENT, stories[-_COMMANDS:]))
    if answer.others:
        lines += [f"{counted(answer.others, 'line')} ignored: neither Karpenter's log nor an event."]
    if answer.doubles:
        lines += ["", f"{words(doubles_text(answer.doubles))}."]
    return "\n".join(lines).rstrip() + "\n"


def _failed(answer: History) -> list[str]:
    if not answer.failed:
        return []
    items = [
        f"{code(launch.claim or launch.node_pool)}: {words(launch.message) or 'no reason reported'}"
        + (f"; {counted(len(launch.pods), 'pod')} waited" if launch.pods else "")
        for launch in answer.failed
    ]
    return [f"**{counted(len(items), 'launch', 'launches')} failed**", "", *at_most(_FAILED, items), ""]
