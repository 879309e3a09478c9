"""Files with curves of replicas and metrics: CSV tables, and what Prometheus gives.

A table has a row for each instant and workload, with the columns `time`, `workload`, and `replicas` or names of metrics:

    time,workload,replicas
    2026-11-16T08:00:00Z,deployment/web,12

or a column of replicas for each workload:

    time,deployment/web,shop/deployment/api
    90m,12,4

A time is an instant, or the time since the start: `90m`, or seconds. An empty cell says nothing. Series of queries are those of
kube-state-metrics, or have labels that name the workload; `cpu=FILE` makes their values a metric of that name.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from cutlist.api import durations
from cutlist.core.errors import Place, Problems, QuantityError
from cutlist.core.instants import instant
from cutlist.core.quantity import MILLI, nanos
from cutlist.documents.files import file_text
from cutlist.simulation.demand.curve_series import exposition_samples, is_exposition, is_query, query_samples
from cutlist.simulation.demand.curves import REPLICAS, DemandCurves, Sample, checked_amount, is_instant

_COLUMNS: Final = "time, workload, and replicas or names of metrics; or time and a column for each workload"
_TIMES: Final = "an instant such as 2026-11-16T08:00:00Z, or the time since the start such as 90m, or seconds; until 2261"
_YEARS: Final = 10**8
"""Seconds below this are since the start: they are three years; from here on they are since 1970."""
_METRIC: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]*")
_WORKLOAD: Final = re.compile(r"(?:[a-z0-9.-]+/)?[a-z]+/[a-z0-9.-]+")


def read_curves(files: Sequence[str], problems: Problems, start: float | None = None) -> DemandCurves:
    """Return the curves of some files; one may be named `METRIC=FILE`. Mistakes are added to `problems`.

    `start` is the instant at which a simulation starts, in seconds since 1970; without it the first of the files' instants.
    """
    samples: list[Sample] = []
    for file in files:
        name, separator, path = file.partition("=")
        if not separator or not _METRIC.fullmatch(name):
            name, path = "", file
        text = file_text(path, problems)
        if text is not None:
            before, rows = len(problems.found), list(_samples(text, path, name, problems))
            if not rows and len(problems.found) == before:
                problems.add_absence(Place(path), "contains no curve", _COLUMNS)
            samples += rows
    return DemandCurves.of_samples(samples, start, problems)


def _samples(text: str, path: str, metric: str, problems: Problems) -> Iterator[Sample]:
    if is_query(text):
        return query_samples(text, path, metric, problems)
    if is_exposition(text):
        return exposition_samples(text, path, metric, problems)
    return _table(text, path, metric, problems)


def _table(text: str, path: str, metric: str, problems: Problems) -> Iterator[Sample]:
    try:
        rows = csv.DictReader(StringIO(text, newline=""))
        names = [name.strip() for name in rows.fieldnames or ()]
        rows.fieldnames = names
        cells = _cells_of(names, metric, path, problems)
        if cells is None:
            return
        for row in rows:
            place = Place(path, line=rows.line_num)
            if None in row or None in row.values():
                problems.add(place, f"is not a row of the table: {len(names)} columns are expected", ", ".join(names))
            elif (at := read_time(row["time"].strip(), place, problems)) is not None:
                for workload, name, written in cells(row):
                    value = _value(written.strip(), name, place, problems)
                    if not _WORKLOAD.fullmatch(workload):
                        problems.add(place, f"{workload!r} is not a workload", "such as deployment/web, or shop/deployment/web")
                    elif value is not None:
                        yield Sample(*at, workload, name, value, place)
    except csv.Error as error:
        problems.add(Place(path), f"is not a table: {error}", _COLUMNS)


_Row = Mapping[str, str]
_Cells = Callable[[_Row], Iterator[tuple[str, str, str]]]
"""What gives the workload, the name and the text of each value in a row."""


def _cells_of(names: Sequence[str], metric: str, path: str, problems: Problems) -> _Cells | None:
    """Return how to read the rows of a table with some columns, or None, with a problem added, for unknown columns."""
    others = [name for name in names if name not in ("time", "workload")]
    place = Place(path, line=1)
    repeated = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if "time" not in names or not others or repeated is not None:
        columns = f"has the columns {', '.join(names)}" if names else "has no columns"
        problems.add(place, columns if repeated is None else f"has the column {repeated!r} twice", _COLUMNS)
        return None
    if "workload" in names:
        wrong = [name for name in others if not _METRIC.fullmatch(name)]
        for name in wrong:
            problems.add(place, f"{name!r} is not the name of a column", _COLUMNS)
        return None if wrong else lambda row: ((row["workload"].strip(), name, row[name]) for name in others)
    wrong = [name for name in others if not _WORKLOAD.fullmatch(name)]
    for name in wrong:
        problems.add(place, f"column {name!r} is not a workload", "such as deployment/web, or shop/deployment/web")
    return None if wrong else lambda row: ((name, metric or REPLICAS, row[name]) for name in others)


def read_time(written: str, place: Place, problems: Problems) -> tuple[float, bool] | None:
    """Return a time in seconds, and whether it is since the start."""
    at: float | None
    try:
        if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", written):
            at = float(written)
            # A bare number may be either; three years of seconds after 1970 are not a plausible date.
            if at < _YEARS:
                return at, True
        elif durations.is_readable(written) and not written.startswith("-"):
            return durations.nanoseconds(written) / 10**9, True
        else:
            at = instant(written if re.search(r"(Z|[+-]\d\d:?\d\d)$", written) else f"{written}Z")
    except (ValueError, OverflowError):
        at = None
    if at is None or not is_instant(at):
        problems.add(place, f"{written!r} is not a time", _TIMES)
        return None
    return at, False


def _value(written: str, name: str, place: Place, problems: Problems) -> int | None:
    """Return a value in thousandths, or None for an empty cell and for a text that is no value."""
    if not written:
        return None
    try:
        amount = nanos(written) // MILLI
    except QuantityError:
        allowed = "whole numbers" if name == REPLICAS else "numbers such as 12.5 or 12500m"
        problems.add(place, f"{written!r} is not a number", allowed)
        return None
    return checked_amount(amount, written, name, place, problems)
