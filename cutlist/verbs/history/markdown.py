"""What Karpenter did, as Markdown: the commands by reason, and the launches that failed."""

from __future__ import annotations

from collections import Counter
from typing import Final

from cutlist.core.wording import counted
from cutlist.logs import Decision, Story
from cutlist.report.markup import at_most, code, folded, table, words
from cutlist.report.plain import instant, short_name
from cutlist.verbs.history.answer import History
from cutlist.verbs.history.text import new_nodes_text
from cutlist.verbs.history.words import doubles_text

_COMMANDS: Final = 12
_FAILED: Final = 6


def history_markdown(answer: History) -> str:
    """Return the history as Markdown of less than 60 lines; of many commands the last are shown. Ends in a newline."""
    stories = answer.stories
    nodes = sum(len(story.endings) for story in stories)
    lines = [f"### {counted(len(stories), 'command')} of Karpenter ended {counted(nodes, 'node')}", ""]
    reasons = Counter(story.decision.reason or "disruption" for story in stories)
    if reasons:
        lines += [", ".join(f"{count:,} × {words(reason)}" for reason, count in sorted(reasons.items())) + ".", ""]
    lines += _failed(answer)
    if stories:
        shown = [_row(story) for story in stories[-_COMMANDS:]]
        title = f"The last {_COMMANDS} commands" if len(stories) > _COMMANDS else "Commands"
        lines += folded(title, table(["time", "reason", "nodes that end", "nodes that come"], shown))
    if answer.others:
        lines += [f"{counted(answer.others, 'line')} ignored: neither Karpenter's log nor an event."]
    if answer.doubles:
        lines += ["", f"{words(doubles_text(answer.doubles))}."]
    return "\n".join(lines).rstrip() + "\n"


def _row(story: Story) -> list[str]:
    decision: Decision = story.decision
    ended = ", ".join(code(short_name(node.name) or f"claim {node.claim}") for node in decision.nodes)
    come = ", ".join(words(new_nodes_text(new)) for new in decision.new)
    return [instant(decision.at), words(decision.reason or "disruption"), ended, come or "-"]


def _failed(answer: History) -> list[str]:
    if not answer.failed:
        return []
    items = [
        f"{code(launch.claim or launch.node_pool)}: {words(launch.message) or 'no reason reported'}"
        + (f"; {counted(len(launch.pods), 'pod')} waited" if launch.pods else "")
        for launch in answer.failed
    ]
    return [f"**{counted(len(items), 'launch', 'launches')} failed**", "", *at_most(_FAILED, items), ""]
