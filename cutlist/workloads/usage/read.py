"""Files of measured use: a CSV table, the JSON of a Prometheus query, or VerticalPodAutoscalers with recommendations.

A table has a header with `workload` and at least one of `cpu` and `memory`; `namespace` and `container` are optional; other
columns are refused. Each row is a sample:

    namespace,workload,container,cpu,memory
    shop,deployment/web,main,180m,310Mi

The answer of a query does not name its resource, so the user names it with the file: `cpu=cpu.json`. Its series have the labels
`namespace`, `pod` and `container`; values are cores or bytes.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, Final

from cutlist.core.errors import Place, Problems, QuantityError
from cutlist.core.quantity import NANO, nanos
from cutlist.documents.files import file_text
from cutlist.documents.parsing import parse_documents
from cutlist.workloads.usage.measured import CPU, MEMORY, Container, Owner, Usage

_RESOURCES: Final = (CPU, MEMORY)
_COLUMNS: Final = ("namespace", "workload", "container", *_RESOURCES)
_VERTICAL: Final = "VerticalPodAutoscaler"
_SERIES: Final = ("matrix", "vector")


def read_usage(files: Sequence[str], problems: Problems) -> Usage:
    """Return the measured use in some files; a file may be named as `cpu=FILE` or `memory=FILE`. Mistakes are added to
    `problems`."""
    parts = []
    for file in files:
        resource, path = next(((r, file[len(r) + 1 :]) for r in _RESOURCES if file.startswith(f"{r}=")), ("", file))
        text = file_text(path, problems)
        if text is not None:
            before = len(problems.found)
            part = _usage(text, path, resource, problems)
            if not part.samples and not part.targets and len(problems.found) == before:
                problems.add_absence(Place(path), "contains no measured use")
            parts.append(part)
    return Usage.joined(parts)


def _usage(text: str, path: str, resource: str, problems: Problems) -> Usage:
    if resource:
        return _query(text, path, resource, problems)
    if path.endswith(".csv"):
        return _table(text, path, problems)
    return _recommendations(text, path, problems)


def _table(text: str, path: str, problems: Problems) -> Usage:
    try:
        return _of_rows(csv.DictReader(StringIO(text, newline="")), path, problems)
    except csv.Error as error:
        problems.add(Place(path), f"is not a table: {error}", ", ".join(_COLUMNS))
        return Usage()


def _of_rows(rows: csv.DictReader[str], path: str, problems: Problems) -> Usage:
    names = [name.strip() for name in rows.fieldnames or ()]
    unknown = [name for name in names if name not in _COLUMNS]
    if unknown or "workload" not in names or not set(names) & set(_RESOURCES):
        wrong = f"columns {', '.join(unknown)} are unknown" if unknown else "the columns workload and cpu or memory are missing"
        problems.add(Place(path, line=1), wrong, ", ".join(_COLUMNS))
        return Usage()
    rows.fieldnames = names
    return _sampled(_rows(rows, path, problems))


def _rows(rows: csv.DictReader[str], path: str, problems: Problems) -> Iterator[tuple[Container, str, int]]:
    for row in rows:
        place = Place(path, line=rows.line_num)
        if None in row or not (row.get("workload") or "").strip():
            problems.add(place, "is not a row of the table", ", ".join(rows.fieldnames or ()))
            continue
        kind, _, name = row["workload"].strip().rpartition("/")
        owner = Owner((row.get("namespace") or "default").strip(), name, kind.lower())
        for resource in _RESOURCES:
            written = (row.get(resource) or "").strip()
            amount = _amount(written, place, problems) if written else None
            if amount is not None:
                yield (owner, (row.get("container") or "").strip()), resource, amount


def _amount(written: str, place: Place, problems: Problems) -> int | None:
    try:
        amount = nanos(written)
    except QuantityError as error:
        problems.add(place, str(error))
        return None
    if amount < 0:
        problems.add(place, f"{written} is negative")
        return None
    return amount


def _query(text: str, path: str, resource: str, problems: Problems) -> Usage:
    try:
        answer: Any = json.loads(text)
        data = answer["data"] if isinstance(answer, dict) and "data" in answer else answer
        kind, series = data["resultType"], data["result"]
        if kind not in _SERIES or not isinstance(series, list):
            raise TypeError
        return _sampled(s for member in series for s in _samples(member, kind, resource))
    except (ValueError, KeyError, TypeError, RecursionError):
        problems.add(Place(path), "is not the answer of a Prometheus query", "JSON with a resultType of matrix or vector")
        return Usage()


def _samples(series: Mapping[str, Any], kind: str, resource: str) -> Iterator[tuple[Container, str, int]]:
    labels = series["metric"]
    if not isinstance(labels, dict) or not all(isinstance(value, str) for value in labels.values()):
        raise TypeError("labels are texts by their names")
    if not labels.get("pod") or labels.get("container") in ("", "POD"):
        return  # sums over pods, and the sandbox of a pod
    container = Owner(labels.get("namespace") or "default", labels["pod"], is_pod=True), labels.get("container") or ""
    for _, value in series["values"] if kind == "matrix" else [series["value"]]:
        amount = float(value)
        if 0 <= amount < float("inf"):
            yield container, resource, round(amount * NANO)


def _recommendations(text: str, path: str, problems: Problems) -> Usage:
    targets: dict[Container, dict[str, int]] = {}
    for document in parse_documents(text, path, problems):
        if document.kind == _VERTICAL:
            try:
                targets.update(_targets(document.data))
            except (KeyError, TypeError, AttributeError, QuantityError):
                problems.add(document.at("status.recommendation"), "is not what a VerticalPodAutoscaler recommends")
    return Usage(targets=targets)


def _targets(vertical: Mapping[str, Any]) -> Iterator[tuple[Container, dict[str, int]]]:
    reference = vertical["spec"]["targetRef"]
    owner = Owner(vertical["metadata"].get("namespace") or "default", reference["name"], reference["kind"].lower())
    recommendation = (vertical.get("status") or {}).get("recommendation") or {}
    for of_container in recommendation.get("containerRecommendations") or ():
        target = of_container["target"]
        yield (owner, of_container["containerName"]), {r: nanos(target[r]) for r in _RESOURCES if r in target}


def _sampled(samples: Iterable[tuple[Container, str, int]]) -> Usage:
    of: dict[Container, dict[str, list[int]]] = {}
    for container, resource, amount in samples:
        of.setdefault(container, {}).setdefault(resource, []).append(amount)
    return Usage(of)
