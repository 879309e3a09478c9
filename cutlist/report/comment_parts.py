"""Parts that comments on pull requests share: the most important rows of a table, waiting pods, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from cutlist.core.notes import Note
from cutlist.core.wording import counted
from cutlist.planning.model import PendingPods
from cutlist.report.markup import at_most, code, folded, words
from cutlist.report.pending import other_reasons, pending_groups

T = TypeVar("T")


def weightiest(
    items: Sequence[T], count: int, weight: Callable[[T], float], row: Callable[[T], list[str]], more: str
) -> list[list[str]]:
    """Return at most this many rows, of the items with the highest weight, in the original order, and a row that counts the
    others: `more` is what one of them is called."""
    kept = sorted(sorted(range(len(items)), key=lambda i: -weight(items[i]))[:count])
    rows = [row(items[i]) for i in kept]
    return rows if len(items) <= count else [*rows, [f"and {counted(len(items) - count, more)}"]]


def waiting_pods(pending: Sequence[PendingPods], room: int) -> list[str]:
    """Return waiting pods by reason, at most this many, each with a remedy; the others are counted."""
    if not pending:
        return []
    lines = ["**Pending**", ""]
    groups = pending_groups(pending)
    for group in groups[:room]:
        others = len(group.workloads) - 1
        besides = f" and {counted(others, 'more workload')}" if others else ""
        lines.append(f"- {counted(group.pods, 'pod')} of {code(group.first.workload)}{besides}: {words(group.first.reason)}")
        if group.first.remedy:
            lines.append(f"  <br>What would help: {words(group.first.remedy)}")
    if more := groups[room:]:
        other_pods = sum(group.pods for group in more)
        lines.append(f"- and {counted(other_pods, 'more pod')} for {other_reasons(len(more))}")
    return [*lines, ""]


def listed_notes(title: str, notes: Sequence[Note], room: int) -> list[str]:
    """Return the first notes, folded under a fixed title; the others are counted."""
    if not notes:
        return []
    return folded(f"{title} ({len(notes):,})", at_most(room, [words(note.text) for note in notes]))
