"""What Karpenter did, as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cutlist.core.wording import counted
from cutlist.logs import Decision, Ending, FailedLaunch, Story
from cutlist.report.page import HEADING, QUIET, WARN, Page
from cutlist.report.plain import escape, instant
from cutlist.verbs.history.record import History
from cutlist.verbs.history.words import doubles_text, ended_name, launch_text, new_nodes_text


def render_history(answer: History, width: int = 100, colour: bool = False) -> str:
    """Return each command with what happened to its nodes, a count by reason, and launches that failed. Ends in a
    newline."""
    page, stories = Page(width), answer.stories
    for story in stories:
        decision = story.decision
        page.paragraph(_command(decision), first=f"{instant(decision.at)}  ", indent=4, style=HEADING)
        for ending in story.endings:
            _ending(page, ending)
        for replacement in decision.new:
            page.paragraph(new_nodes_text(replacement), first="    comes  ", indent=11)
    for launch in answer.launched:
        page.paragraph(launch_text(launch), first=f"{instant(launch.at)}  ", indent=4)
    if stories or answer.launched:
        page.blank()
    _totals(page, stories, answer.others)
    if answer.doubles:
        page.paragraph(escape(doubles_text(answer.doubles)), style=WARN)
    if answer.failed:
        page.blank()
        _failed(page, answer.failed)
    return page.text(colour=colour)


def _command(decision: Decision) -> str:
    pods = f" with {counted(decision.pods, 'pod')}" if decision.pods is not None else ""
    savings = f", saves ${decision.savings:.2f} per hour" if decision.savings is not None else ""
    return (
        f"{decision.reason or 'disruption'}: {decision.decision or 'end'} {counted(len(decision.nodes), 'node')}{pods}{savings}"
    )


def _ending(page: Page, ending: Ending) -> None:
    node = ending.node
    bought = " ".join(filter(None, (node.instance_type, node.capacity_type)))
    page.paragraph(f"{escape(ended_name(node))}{f', {bought}' if bought else ''}", first="    ends   ", indent=11)
    for step in ending.steps:
        page.paragraph(escape(step.what), first=f"           +{step.after:.1f}s  ", indent=13, style=QUIET)


def _totals(page: Page, stories: Sequence[Story], others: int) -> None:
    nodes = sum(len(s.endings) for s in stories)
    page.line((f"{counted(len(stories), 'command')} ended {counted(nodes, 'node')}", HEADING))
    for (reason, what), count in sorted(Counter((s.decision.reason, s.decision.decision) for s in stories).items()):
        page.line(f"  {count:>4}  {reason or 'disruption'}, {what or 'end'}")
    if others:
        page.paragraph(f"{counted(others, 'line')} ignored: neither Karpenter's log nor an event", style=WARN)


def _failed(page: Page, launches: Sequence[FailedLaunch]) -> None:
    """Add each launch that failed, with the provider's reason and the pods that waited for the node."""
    page.line((f"{counted(len(launches), 'launch', 'launches')} failed", HEADING))
    for launch in launches:
        message = f"{escape(launch.claim or launch.node_pool)}: {escape(launch.message) or 'no reason reported'}"
        page.paragraph(message, first=f"{instant(launch.at)}  ", indent=4, style=WARN)
        if launch.pods:
            page.paragraph(escape(", ".join(launch.pods)), first=f"    {counted(len(launch.pods), 'pod')} waited: ", indent=8)
