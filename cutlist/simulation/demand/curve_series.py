"""Curves in the answers of Prometheus: the JSON of a range query, and samples as text with their times.

Series are those of kube-state-metrics that have replicas, or have labels that name the workload.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.simulation.demand.curves import REPLICAS, THOUSANDTHS, Sample, checked_amount, is_instant
from cutlist.workloads.groups import workload_name

_SERIES: Final = ("matrix", "vector")
_OF_STATE: Final[Mapping[str, str]] = {
    "kube_deployment_spec_replicas": "deployment",
    "kube_deployment_status_replicas": "deployment",
    "kube_replicationcontroller_spec_replicas": "replicationcontroller",
    "kube_replicationcontroller_status_replicas": "replicationcontroller",
    "kube_statefulset_replicas": "statefulset",
    "kube_statefulset_status_replicas": "statefulset",
}
"""The series of kube-state-metrics that have replicas, and the label that names their workload. ReplicaSets are left out: most
belong to a Deployment."""
_STATE_METRICS: Final = "kube_"
"""How the names of all series of kube-state-metrics begin: those that have no replicas count for nothing."""
_WANTED: Final[Mapping[str, str]] = {
    "kube_deployment_status_replicas": "kube_deployment_spec_replicas",
    "kube_replicationcontroller_status_replicas": "kube_replicationcontroller_spec_replicas",
    "kube_statefulset_status_replicas": "kube_statefulset_replicas",
}
"""Series of the replicas that there are, which count only without those that are wanted."""
_KINDS: Final = tuple(dict.fromkeys(_OF_STATE.values()))
_LINE: Final = re.compile(
    r"(?P<name>[A-Za-z_:][\w:]*)?\s*(?:\{(?P<labels>.*)\})?\s+(?P<value>\S+)\s+(?P<time>-?[0-9]+(?:\.[0-9]+)?)"
)
_LABEL: Final = re.compile(r"\s*([A-Za-z_]\w*)=\"((?:[^\"\\]|\\.)*)\"\s*(?:,|$)")
_ESCAPED: Final = re.compile(r"\\(.)")
_OF_MILLISECONDS: Final = 10**11
"""Times from here on are milliseconds, as in text expositions and dumps, and not seconds, as in OpenMetrics: the year 5138."""


def is_query(text: str) -> bool:
    """Tell whether a text begins as JSON does, and not as a sample with labels."""
    return re.match(r"\s*(\[|\{\s*(\"|\}))", text) is not None


def is_exposition(text: str) -> bool:
    """Tell whether the first line of a text is a comment, or a sample with labels."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    name, brace, _ = first.partition("{")
    return first.startswith("#") or (brace != "" and (not name or name.replace(":", "_").isidentifier()))


def query_samples(text: str, path: str, metric: str, problems: Problems) -> Iterator[Sample]:
    """Yield the samples of the JSON that a query of Prometheus answers; with `metric` they are values of that metric."""
    try:
        answer: Any = json.loads(text)
        data = answer["data"] if isinstance(answer, dict) and "data" in answer else answer
        kind, series = data["resultType"], data["result"]
        if kind not in _SERIES or not isinstance(series, list):
            raise TypeError
        names = {member["metric"].get("__name__", "") for member in series}
        for number, member in enumerate(series):
            values = member["values"] if kind == "matrix" else [member["value"]]
            points = [(float(at), str(value)) for at, value in values]
            labels = {str(key): str(value) for key, value in member["metric"].items()}
            place, name = Place(path, path=f"result[{number}]"), labels.get("__name__", "")
            if not metric and name.startswith(_STATE_METRICS) and name not in _OF_STATE:
                # Answers of broad queries have many series; only one without any of replicas is a mistake.
                if not names & _OF_STATE.keys():
                    problems.add(place, f"{name} is not a series of replicas", ", ".join(_OF_STATE), nearest(name, _OF_STATE))
            elif not _is_superseded(name, text):
                yield from _of_series(labels, points, metric, place, problems)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        problems.add(Place(path), "is not the answer of a Prometheus query", "JSON with a resultType of matrix or vector")


def _of_series(
    labels: Mapping[str, str], points: Sequence[tuple[float, str]], metric: str, place: Place, problems: Problems
) -> Iterator[Sample]:
    """Yield the samples of a series; values that are not numbers, such as NaN, are gaps."""
    workload = _workload(labels)
    if workload is None:
        written = ", ".join(f"{key}={value}" for key, value in sorted(labels.items())) or "no labels"
        allowed = f"one of {', '.join(_KINDS)}; or workload and workload_type"
        problems.add(place, f"no label names a workload: {written}", allowed)
        return
    name = metric or REPLICAS
    for at, written in points:
        if not is_instant(at):
            problems.add(place, f"{at:.15g} is not an instant", "seconds since 1970, until 2261")
            return
        try:
            value = float(written)
        except ValueError:
            problems.add(place, f"{written!r} is not a number")
            return
        amount = checked_amount(round(value * THOUSANDTHS), written, name, place, problems) if math.isfinite(value) else None
        if amount is not None:
            yield Sample(at, False, workload, name, amount, place)


def _is_superseded(series: str, text: str) -> bool:
    return series in _WANTED and _WANTED[series] in text


def _workload(labels: Mapping[str, str]) -> str | None:
    """Return the workload that the labels of a series name.

    Where Prometheus does not honor the labels of kube-state-metrics, `namespace` is where that one runs.
    """
    namespace = labels.get("exported_namespace") or labels.get("namespace") or "default"
    if labels.get("workload"):
        return workload_name(labels.get("workload_type") or "deployment", namespace, labels["workload"])
    label = _OF_STATE.get(labels.get("__name__", ""))
    kind = label or next((kind for kind in _KINDS if labels.get(kind)), None)
    return workload_name(kind, namespace, labels[kind]) if kind is not None and labels.get(kind) else None


def exposition_samples(text: str, path: str, metric: str, problems: Problems) -> Iterator[Sample]:
    """Yield the samples of lines such as `kube_deployment_status_replicas{deployment="web"} 3 1763280000000`.

    Of series with a name those of kube-state-metrics count that have replicas, or all where they are a metric.
    """
    superseded = [series for series in _WANTED if _is_superseded(series, text)]
    for number, line in enumerate(text.splitlines(), 1):
        written, place = line.strip(), Place(path, line=number)
        if not written or written.startswith("#"):
            continue
        match = _LINE.fullmatch(written)
        labels = None if match is None else _labels(match["labels"] or "", match["name"])
        if match is None or labels is None:
            problems.add(place, "is not a sample", 'such as name{label="value"} 3 1763280000000, with its time')
        elif metric or (labels.get("__name__", "") in ("", *_OF_STATE) and labels.get("__name__") not in superseded):
            at = float(match["time"])
            # Prometheus' text form has milliseconds, OpenMetrics has seconds; the unit is not written.
            seconds = at / 1000 if at >= _OF_MILLISECONDS else at
            yield from _of_series(labels, [(seconds, match["value"])], metric, place, problems)


def _labels(written: str, name: str | None) -> dict[str, str] | None:
    labels = {} if name is None else {"__name__": name}
    at = 0
    while at < len(written.rstrip()):
        match = _LABEL.match(written, at)
        if match is None:
            return None
        labels[match[1]] = _ESCAPED.sub(r"\1", match[2])
        at = match.end()
    return labels
