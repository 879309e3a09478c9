"""How long the pods of Jobs run: from a table, or from what earlier Jobs of the input needed.

A table has the columns `workload` and `duration`, such as `cronjob/report,12m`; a duration is as Kubernetes writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any, Final

from cutlist.api import durations
from cutlist.core.errors import Place, Problems
from cutlist.core.instants import instant
from cutlist.documents.document import Document
from cutlist.simulation.demand.jobs import terms_of, workload_of_job
from cutlist.simulation.demand.tables import rows_of
from cutlist.simulation.events import SECOND

_COLUMNS: Final = ("workload", "duration")
_MILLI: Final = 10**6  # nanoseconds in a millisecond


def read_durations(path: str, problems: Problems) -> dict[str, int]:
    """Return the durations of a table by workload, in milliseconds. Mistakes are added to `problems`."""
    by_workload: dict[str, int] = {}
    for place, row in rows_of(path, _COLUMNS, "duration", problems):
        _add(row, place, by_workload, problems)
    return by_workload


def _add(row: Mapping[str, str], place: Place, by_workload: dict[str, int], problems: Problems) -> None:
    workload, written = row["workload"], row["duration"]
    milliseconds = durations.nanoseconds(written) // _MILLI if durations.is_readable(written) else 0
    if milliseconds <= 0:
        problems.add(place, f"{written!r} is not a duration", "such as 90s, 12m or 1h30m")
    elif by_workload.setdefault(workload, milliseconds) != milliseconds:
        problems.add(place, f"{workload} has another duration above")


def observed_durations(documents: Iterable[Document]) -> dict[str, int]:
    """Return how long a pod of each CronJob and Job ran, in milliseconds: the median of its Jobs that are complete.

    A Job with more completions than pods at a time runs them in turns, which are assumed to be equally long.
    """
    lengths: dict[str, list[float]] = {}
    for document in documents:
        length = _length(document) if document.kind == "Job" else None
        if length is not None:
            lengths.setdefault(workload_of_job(document), []).append(length)
    return {workload: round(median(of) * SECOND) for workload, of in lengths.items()}


def _length(document: Document) -> float | None:
    """Return how many seconds each turn of a Job took, or None for one that is not complete."""
    status: Any = document.data.get("status") or {}
    try:
        started, ended = instant(status.get("startTime")), instant(status.get("completionTime"))
        if started is None or ended is None or ended <= started:
            return None
        terms = terms_of(document.data.get("spec") or {})
        # Rounded up: the last turn takes as long as the others, even with fewer pods.
        turns = -(-(terms.completions or 1) // max(1, terms.parallelism))
        return (ended - started) / max(1, turns)
    except (AttributeError, TypeError, ValueError):
        return None
