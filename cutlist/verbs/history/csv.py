"""What Karpenter did, as CSV: a row for each node that a command ended and each launch that failed."""

from __future__ import annotations

from typing import Final

from cutlist.report.columns import kinds_csv, named_cells
from cutlist.verbs.history.columns import ENDED_CSV, FAILED
from cutlist.verbs.history.record import History

_TITLES: Final = (
    *("kind", "time", "reason", "decision", "node", "instance_type", "capacity_type", "zone"),
    *("last_step", "seconds", "pods"),
)


def history_csv(answer: History) -> str:
    """Return the rows; `last_step` and `seconds` say how far the end of a node came, and how long after the command."""
    ended = [named_cells(ENDED_CSV, row, kind="ended") for row in answer.ended]
    return kinds_csv(_TITLES, [*ended, *(named_cells(FAILED, launch, kind="failed") for launch in answer.failed)])
