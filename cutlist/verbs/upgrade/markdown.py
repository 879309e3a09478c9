"""What an upgrade of Karpenter changes, as Markdown for a ticket or a pull request."""

from __future__ import annotations

from cutlist.infrastructure.charts.notes import Subject
from cutlist.infrastructure.charts.upgrade import ChartDelta
from cutlist.report.markup import words
from cutlist.verbs.upgrade.answer import Upgrade
from cutlist.verbs.upgrade.text import heading, order_of_steps, verdict


def upgrade_markdown(upgrade: Upgrade) -> str:
    """Return what changes, a section per subject, with boxes to tick for everything that has to be done. Ends in a newline."""
    sentence, _ = verdict(upgrade)
    lines = [f"## Karpenter {upgrade.before} to {upgrade.after}", "", f"**{sentence}**", ""]
    lines += [words(order), ""] if (order := order_of_steps(upgrade)) else []
    lines += [f"- stop: {words(obstacle)}" for obstacle in upgrade.obstacles]
    lines += [f"- note: {words(note)}" for note in upgrade.notes]
    for subject in Subject:
        if deltas := upgrade.of(subject):
            changes = [f"{_mark(delta)}{words(delta.cited)}" for delta in deltas]
            lines += ["", f"### {heading(subject)}", "", *changes]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip("\n") + "\n"


def _mark(delta: ChartDelta) -> str:
    """Return a box and when to tick it, or the mark of a change that needs no action."""
    return f"- [ ] {delta.when}: " if delta.when else "- "
