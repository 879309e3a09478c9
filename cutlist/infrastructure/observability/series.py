"""The series that dashboards and alerts use, by version of Karpenter (spec: aws-infrastructure 10)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import InputError, Place, Problem
from cutlist.core.karpenter.versions import KarpenterVersion

OLDEST: Final = KarpenterVersion(1, 0, 0)
_NAME: Final = re.compile(r"\b(?:karpenter|operator)_[a-z0-9_]+")
_OF_HISTOGRAMS: Final = ("_bucket", "_sum", "_count")


@dataclass(frozen=True, slots=True)
class Series:
    """A series by its name, and the version since which it exists."""

    name: str
    since: KarpenterVersion = OLDEST


_SPLIT: Final = KarpenterVersion(1, 1, 0)
_V1_15: Final = KarpenterVersion(1, 15, 0)

SERIES: Final = (
    Series("karpenter_cloudprovider_duration_seconds"),
    Series("karpenter_cloudprovider_errors_total"),
    Series("karpenter_cloudprovider_instance_launch_failures_total", KarpenterVersion(1, 14, 0)),
    Series("karpenter_cluster_state_node_count"),
    Series("karpenter_cluster_state_synced"),
    Series("karpenter_interruption_message_queue_duration_seconds"),
    Series("karpenter_interruption_received_messages_total"),
    Series("karpenter_nodeclaims_created_total"),
    Series("karpenter_nodeclaims_disrupted_total"),
    Series("karpenter_nodeclaims_terminated_total"),
    Series("karpenter_nodepools_allowed_disruptions"),
    Series("karpenter_nodepools_cost_total", KarpenterVersion(1, 10, 0)),
    Series("karpenter_nodepools_limit"),
    Series("karpenter_nodepools_usage"),
    Series("karpenter_nodes_allocatable"),
    Series("karpenter_nodes_reboots_total", _V1_15),
    Series("karpenter_nodes_total_daemon_requests"),
    Series("karpenter_nodes_total_pod_requests"),
    Series("karpenter_pods_startup_duration_seconds"),
    Series("karpenter_pods_state"),
    Series("karpenter_scheduler_queue_depth"),
    Series("karpenter_scheduler_scheduling_duration_seconds"),
    Series("karpenter_scheduler_unschedulable_pods_count", _SPLIT),
    Series("karpenter_voluntary_disruption_decisions_total"),
    Series("karpenter_voluntary_disruption_eligible_nodes"),
    Series("karpenter_voluntary_disruption_terminate_first_decisions_total", _V1_15),
    Series("operator_ec2nodeclass_status_condition_count", _SPLIT),
    Series("operator_nodeclaim_termination_current_time_seconds", _SPLIT),
    Series("operator_status_condition_count"),
)


def names_in(expression: str) -> frozenset[str]:
    """Return the names of Karpenter's series in an expression, without the suffixes that Prometheus adds for histograms."""
    known = {series.name for series in SERIES}
    return frozenset(_base(name, known) for name in _NAME.findall(expression))


def are_in(expression: str, version: KarpenterVersion) -> bool:
    """Tell whether a version of Karpenter has all series of an expression."""
    had = {series.name for series in SERIES if series.since <= version}
    return names_in(expression) <= had


def checked_version(version: KarpenterVersion) -> KarpenterVersion:
    """Return the version if its series are known. Raises InputError otherwise."""
    if problems := list(series_problems(version, Place(path="karpenterVersion"))):
        raise InputError(problems)
    return version


def series_problems(version: KarpenterVersion, place: Place) -> Iterator[Problem]:
    """Yield a problem for a version whose series are not known."""
    if version < OLDEST:
        yield Problem(place, f"the series of Karpenter {version} are not known", f"{OLDEST} or later")


def _base(name: str, known: set[str]) -> str:
    if name in known:
        return name
    return next((name.removesuffix(end) for end in _OF_HISTOGRAMS if name.removesuffix(end) in known), name)
