"""Compute the replicas that the metrics of a HorizontalPodAutoscaler call for, as its controller does (spec: controllers 1).

Amounts are whole thousandths of their unit, as the controller has them: of a core, of a byte, of a request.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_MOST: Final = 2**31 - 1


class MetricSource(StrEnum):
    """What a metric is measured of."""

    RESOURCE = "Resource"
    CONTAINER_RESOURCE = "ContainerResource"
    PODS = "Pods"
    OBJECT = "Object"
    EXTERNAL = "External"

    @property
    def is_of_pods(self) -> bool:
        """Tell whether each pod has a value of its own."""
        return self not in (MetricSource.OBJECT, MetricSource.EXTERNAL)


class MetricTarget(StrEnum):
    """What a metric is compared with."""

    UTILIZATION = "Utilization"
    VALUE = "Value"
    AVERAGE_VALUE = "AverageValue"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of an autoscaler and its target: percent of the request, or thousandths of the metric's unit.

    `request` is what each pod requests of a resource, in thousandths; 0 where a pod requests none of it.
    """

    source: MetricSource
    name: str
    target_type: MetricTarget
    target: int
    container: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class PodCounts:
    """The pods of a workload that are neither ending nor failed.

    `ready` pods have a metric that counts. `unready` ones are pending, or their use of CPU does not count yet. `missing` ones
    run, and have no metric yet.
    """

    ready: int
    unready: int = 0
    missing: int = 0

    @property
    def total(self) -> int:
        """Return the number of pods that the workload's status has."""
        return self.ready + self.unready + self.missing


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The fraction of its target by which a metric may be below or above it before replicas change."""

    below: float = 0.1
    above: float = 0.1

    def covers(self, ratio: float) -> bool:
        """Tell whether the ratio of use to target is near enough to 1 (C-3)."""
        return 1.0 - self.below <= ratio <= 1.0 + self.above


DEFAULT_TOLERANCE: Final = Tolerance()


def replicas_for_metrics(
    metrics: tuple[Metric, ...], usage: Mapping[str, int], current: int, pods: PodCounts, tolerance: Tolerance
) -> int | None:
    """Return the most replicas that one of the metrics calls for, or None if there is no recommendation (C-8).

    `usage` has for each metric by name what all ready pods use together, or the value of an object's or an external metric; one
    that is not there could not be read.
    """
    proposals = [replicas_for(m, usage.get(m.name), current, pods, tolerance) for m in metrics]
    known = [replicas for replicas in proposals if replicas is not None]
    most = max(known, default=None)
    # With a metric unread, what is known may only scale up: the missing one might have asked for more (C-8).
    if most is None or (len(known) < len(metrics) and most < current):
        return None
    return most


def replicas_for(metric: Metric, usage: int | None, current: int, pods: PodCounts, tolerance: Tolerance) -> int | None:
    """Return the replicas that a metric calls for, or None where it cannot be read or compared."""
    if usage is None:
        return None
    if metric.source.is_of_pods:
        return _by_pods(metric, usage, current, pods, tolerance)
    if metric.target_type == MetricTarget.AVERAGE_VALUE:
        return _by_average(metric, usage, pods, tolerance)
    return _by_value(metric, usage, current, pods, tolerance)


def _by_pods(metric: Metric, usage: int, current: int, pods: PodCounts, tolerance: Tolerance) -> int | None:
    """Return the replicas by a metric of pods: pods without one count as idle if more are needed, and as on target if fewer are
    (C-4, C-5)."""
    if not pods.ready or (metric.target_type == MetricTarget.UTILIZATION and not metric.request):
        return None
    ratio = _ratio(metric, usage, pods.ready)
    counts_unready = pods.unready > 0 and ratio > 1.0
    if not counts_unready and not pods.missing:
        return current if tolerance.covers(ratio) else _rounded_up(ratio * pods.ready)
    counted = pods.ready
    if pods.missing and ratio != 1.0:
        counted += pods.missing
        usage += pods.missing * _on_target(metric) if ratio < 1.0 else 0
    if counts_unready:
        counted += pods.unready
    corrected = _ratio(metric, usage, counted)
    replicas = _rounded_up(corrected * counted)
    # The assumption about pods without a metric may only soften a change, not turn it round: then nothing changes (C-5).
    turns = (ratio < 1.0 < corrected) or (corrected < 1.0 < ratio)
    contradicts = (corrected < 1.0 and replicas > current) or (corrected > 1.0 and replicas < current)
    return current if tolerance.covers(corrected) or turns or contradicts else replicas


def _ratio(metric: Metric, usage: int, pods: int) -> float:
    if metric.target_type == MetricTarget.UTILIZATION:
        # Whole percent, as the controller computes them, and only then the ratio.
        return usage * 100 // (metric.request * pods) / metric.target
    return usage // pods / metric.target


def _on_target(metric: Metric) -> int:
    """Return the use that a pod without a metric is assumed to have if fewer pods are needed."""
    if metric.target_type == MetricTarget.UTILIZATION:
        # At its full request at least, even if the target is below it.
        return metric.request * max(100, metric.target) // 100
    return metric.target


def _by_value(metric: Metric, usage: int, current: int, pods: PodCounts, tolerance: Tolerance) -> int | None:
    """Return the replicas by one value for all: in proportion to the ready pods (C-6)."""
    ratio = usage / metric.target
    # Without any pod there is no proportion, so the value itself is the number.
    if not current:
        return _rounded_up(ratio)
    if tolerance.covers(ratio):
        return current
    return _rounded_up(ratio * pods.ready) if pods.total else None


def _by_average(metric: Metric, usage: int, pods: PodCounts, tolerance: Tolerance) -> int:
    """Return the replicas by a value that is divided among all pods (C-7)."""
    if pods.total and tolerance.covers(usage / (metric.target * pods.total)):
        return pods.total
    return _rounded_up(usage / metric.target)


def _rounded_up(replicas: float) -> int:
    return min(math.ceil(replicas), _MOST)
