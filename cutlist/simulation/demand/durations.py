"""How long the pods of Jobs run: from a table, or from what earlier Jobs of the input needed.

A table has the columns `workload` and `duration`, such as `cronjob/report,12m`; a duration is as Kubernetes writes it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from statistics import median
from typing import Any, Final

from cutlist.api import durations
from cutlist.core.errors import Place, Problems
from cutlist.core.instants import instant
from cutlist.documents import Document, file_text
from cutlist.simulation.demand.jobs import terms_of, workload_of_job
from cutlist.simulation.events import SECOND

_COLUMNS: Final = ("workload", "duration")
_MILLI: Final = 10**6  # nanoseconds in a millisecond


def read_durations(path: str, problems: Problems) -> dict[str, int]:
    """Return the durations of a table by workload, in milliseconds. Mistakes are added to `problems`."""
    text = file_text(path, problems)
    by_workload: dict[str, int] = {}
    if text is None:
        return by_workload
    before = len(problems.found)
    try:
        rows = csv.DictReader(StringIO(text, newline=""))
        rows.fieldnames = [name.strip() for name in rows.fieldnames or ()]
        if sorted(rows.fieldnames) != sorted(_COLUMNS):
            columns = f"has the columns {', '.join(rows.fieldnames)}" if rows.fieldnames else "has no columns"
            problems.add(Place(path, line=1), columns, ", ".join(_COLUMNS))
            return by_workload
        for row in rows:
            place = Place(path, line=rows.line_num)
            if None in row or None in row.values():
                problems.add(place, "is not a row of the table", ", ".join(_COLUMNS))
            else:
                _add(row, place, by_workload, problems)
    except csv.Error as error:
        problems.add(Place(path), f"is not a table: {error}", ", ".join(_COLUMNS))
    if not by_workload and len(problems.found) == before:
        problems.add_absence(Place(path), "no duration is in it", f"rows of {', '.join(_COLUMNS)}")
    return by_workload


def _add(row: Mapping[str, str], place: Place, by_workload: dict[str, int], problems: Problems) -> None:
    workload, written = row["workload"].strip(), row["duration"].strip()
    milliseconds = durations.nanoseconds(written) // _MILLI if durations.is_readable(written) else 0
    if milliseconds <= 0:
        problems.add(place, f"{written!r} is not a duration", "such as 90s, 12m or 1h30m")
    elif by_workload.setdefault(workload, milliseconds) != milliseconds:
        problems.add(place, f"{workload} has another duration above")


def observed_durations(documents: Iterable[Document]) -> dict[str, int]:
    """Return how long a pod of each CronJob and Job ran, in milliseconds: the median of its Jobs that are complete.

    A Job with more completions than pods at a time runs them in turns, which are taken to be equally long.
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
        turns = -(-(terms.completions or 1) // max(1, terms.parallelism))
        return (ended - started) / max(1, turns)
    except (AttributeError, TypeError, ValueError):
        return None
