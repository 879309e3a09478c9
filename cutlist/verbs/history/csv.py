"""What Karpenter did, as CSV: a row for each node that a command ended and each launch that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.report.csv import Cell, rows_csv
from cutlist.report.plain import instant
from cutlist.verbs.history.answer import History

_TITLES: Final = (
    *("kind", "time", "reason", "decision", "node", "instance_type", "capacity_type", "zone"),
    *("last_step", "seconds", "pods"),
)


def history_csv(answer: History) -> str:
    """Return the rows; `last_step` and `seconds` say how far the end of a node came, and how long after the command."""
    return rows_csv(_TITLES, _rows(answer))


def _rows(answer: History) -> Iterator[Sequence[Cell]]:
    for story in answer.stories:
        decision = story.decision
        for ending in story.endings:
            node, last = ending.node, ending.steps[-1] if ending.steps else None
            what = (decision.reason, decision.decision, node.name or node.claim, node.instance_type, node.capacity_type, "")
            steps = (last.what, last.after) if last else ("", None)
            yield ("ended", instant(decision.at), *what, *steps, decision.pods)
    for launch in answer.failed:
        name = launch.claim or launch.node_pool
        yield ("failed", instant(launch.at), launch.message, "", name, "", "", "", "", None, len(launch.pods))
