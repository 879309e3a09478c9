"""What an upgrade of Karpenter changes, as Markdown for a ticket or a pull request."""

from __future__ import annotations

from cutlist.infrastructure.charts.notes import Subject
from cutlist.infrastructure.charts.upgrade import Upgrade
from cutlist.report.markup import words
from cutlist.report.upgrade.text import heading, verdict


def upgrade_markdown(upgrade: Upgrade) -> str:
    """Return what changes, a section per subject, with boxes to tick for what has to be done first. Ends in a newline."""
    sentence, _ = verdict(upgrade)
    lines = [f"## Karpenter {upgrade.before} to {upgrade.after}", "", f"**{sentence}**", ""]
    lines += [f"- stop: {words(obstacle)}" for obstacle in upgrade.obstacles]
    lines += [f"- note: {words(note)}" for note in upgrade.notes]
    for subject in Subject:
        if deltas := upgrade.of(subject):
            marks = ("- [ ] " if delta.is_first else "- " for delta in deltas)
            changes = [f"{mark}{words(delta.cited)}" for mark, delta in zip(marks, deltas, strict=True)]
            lines += ["", f"### {heading(subject)}", "", *changes]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip("\n") + "\n"
