"""Grafana dashboards of capacity and of the controller, pinned to the controller's version (spec: aws-infrastructure 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.infrastructure.observability.series import are_in, checked_version

_SCHEMA: Final = 39  # the version of Grafana's own format
_COLUMNS: Final = 24
_SOURCE: Final = {"type": "prometheus", "uid": "${source}"}


@dataclass(frozen=True, slots=True)
class Panel:
    """A graph: its title, its expressions, the legend of each line, and the unit in Grafana's terms."""

    title: str
    expression: str
    legend: str = ""
    unit: str = "short"
    kind: str = "timeseries"


@dataclass(frozen=True, slots=True)
class Dashboard:
    """A dashboard: a stable id, a title, and panels two in a row."""

    uid: str
    title: str
    panels: tuple[Panel, ...]


_CAPACITY: Final = Dashboard(
    "karpenter-capacity",
    "Karpenter: capacity",
    (
        Panel("Nodes by NodePool", 'count by (nodepool) (karpenter_nodes_allocatable{resource_type="cpu"})', "{{nodepool}}"),
        Panel(
            "Nodes by capacity type",
            'count by (capacity_type) (karpenter_nodes_allocatable{resource_type="cpu"})',
            "{{capacity_type}}",
        ),
        Panel(
            "Use of limits",
            "karpenter_nodepools_usage / (karpenter_nodepools_limit > 0)",
            "{{nodepool}} {{resource_type}}",
            "percentunit",
        ),
        Panel("Cost by NodePool", "sum by (nodepool) (karpenter_nodepools_cost_total)", "{{nodepool}}", "currencyUSD"),
        Panel(
            "CPU requested, of what nodes offer",
            'sum by (nodepool) (karpenter_nodes_total_pod_requests{resource_type="cpu"}) '
            '/ sum by (nodepool) (karpenter_nodes_allocatable{resource_type="cpu"})',
            "{{nodepool}}",
            "percentunit",
        ),
        Panel(
            "Memory requested, of what nodes offer",
            'sum by (nodepool) (karpenter_nodes_total_pod_requests{resource_type="memory"}) '
            '/ sum by (nodepool) (karpenter_nodes_allocatable{resource_type="memory"})',
            "{{nodepool}}",
            "percentunit",
        ),
        Panel(
            "CPU that daemons take of it",
            'sum by (nodepool) (karpenter_nodes_total_daemon_requests{resource_type="cpu"}) '
            '/ sum by (nodepool) (karpenter_nodes_allocatable{resource_type="cpu"})',
            "{{nodepool}}",
            "percentunit",
        ),
        Panel("Pods by phase", "sum by (phase) (karpenter_pods_state)", "{{phase}}"),
        Panel(
            "NodeClaims made, an hour",
            "sum by (nodepool) (increase(karpenter_nodeclaims_created_total[1h]))",
            "{{nodepool}}",
        ),
        Panel(
            "NodeClaims disrupted, an hour",
            "sum by (nodepool, reason) (increase(karpenter_nodeclaims_disrupted_total[1h]))",
            "{{nodepool}} {{reason}}",
        ),
        Panel(
            "NodeClaims ended, an hour",
            "sum by (nodepool) (increase(karpenter_nodeclaims_terminated_total[1h]))",
            "{{nodepool}}",
        ),
        Panel("Disruptions allowed now", "karpenter_nodepools_allowed_disruptions", "{{nodepool}} {{reason}}"),
    ),
)

_CONTROLLER: Final = Dashboard(
    "karpenter-controller",
    "Karpenter: controller",
    (
        Panel("State is synced", "min(karpenter_cluster_state_synced)", kind="stat"),
        Panel("Nodes in its state", "max(karpenter_cluster_state_node_count)", kind="stat"),
        Panel("Pods that no NodePool can place", "sum(karpenter_scheduler_unschedulable_pods_count)"),
        Panel("Pods in the queue", "sum(karpenter_scheduler_queue_depth)"),
        Panel(
            "A pass of scheduling, 95 of 100",
            "histogram_quantile(0.95, sum by (le) (rate(karpenter_scheduler_scheduling_duration_seconds_bucket[5m])))",
            unit="s",
        ),
        Panel(
            "From pod to running, middle and slowest",
            "max by (quantile) (karpenter_pods_startup_duration_seconds)",
            "{{quantile}}",
            "s",
        ),
        Panel("Nodes that could go", "max by (reason) (karpenter_voluntary_disruption_eligible_nodes)", "{{reason}}"),
        Panel(
            "Decisions to disrupt, an hour",
            "sum by (decision, reason) (increase(karpenter_voluntary_disruption_decisions_total[1h]))",
            "{{decision}} {{reason}}",
        ),
        Panel(
            "Nodes terminated before their replacement, an hour",
            "sum by (nodepool, reason) (increase(karpenter_voluntary_disruption_terminate_first_decisions_total[1h]))",
            "{{nodepool}} {{reason}}",
        ),
        Panel("Nodes rebooted, an hour", "sum by (result) (increase(karpenter_nodes_reboots_total[1h]))", "{{result}}"),
        Panel(
            "Interruption messages, an hour",
            "sum by (message_type) (increase(karpenter_interruption_received_messages_total[1h]))",
            "{{message_type}}",
        ),
        Panel(
            "Interruption messages wait, 95 of 100",
            "histogram_quantile(0.95, sum by (le) (rate(karpenter_interruption_message_queue_duration_seconds_bucket[5m])))",
            unit="s",
        ),
        Panel(
            "Failed launches, an hour",
            "sum by (reason, zone) (increase(karpenter_cloudprovider_instance_launch_failures_total[1h]))",
            "{{reason}} {{zone}}",
        ),
        Panel(
            "Errors of the cloud, an hour",
            "sum by (method, error) (increase(karpenter_cloudprovider_errors_total[1h]))",
            "{{method}} {{error}}",
        ),
        Panel(
            "Calls of the cloud, 95 of 100",
            "histogram_quantile(0.95, sum by (le, method) (rate(karpenter_cloudprovider_duration_seconds_bucket[5m])))",
            "{{method}}",
            "s",
        ),
        Panel(
            "Longest end of a NodeClaim",
            "max(operator_nodeclaim_termination_current_time_seconds)",
            unit="s",
        ),
    ),
)

BOARDS: Final = (_CAPACITY, _CONTROLLER)


def dashboards(version: KarpenterVersion) -> dict[str, dict[str, Any]]:
    """Return Grafana's JSON of each dashboard as data, by id. Panels whose series a version does not have are left out.

    Raises InputError for a version whose series are not known.
    """
    known = checked_version(version)
    return {board.uid: _drawn(board, known) for board in BOARDS}


def _drawn(board: Dashboard, version: KarpenterVersion) -> dict[str, Any]:
    shown = [panel for panel in board.panels if are_in(panel.expression, version)]
    return {
        "uid": board.uid,
        "title": f"{board.title} ({version.line})",
        "tags": ["karpenter", f"karpenter-{version.line}"],
        "schemaVersion": _SCHEMA,
        "editable": False,
        "refresh": "1m",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [{"name": "source", "type": "datasource", "query": "prometheus", "label": "Data source"}]},
        "panels": _placed(shown),
    }


def _placed(panels: Sequence[Panel]) -> list[dict[str, Any]]:
    width, height = _COLUMNS // 2, 8
    return [
        {
            "id": number + 1,
            "title": panel.title,
            "type": panel.kind,
            "datasource": _SOURCE,
            "gridPos": {"x": number % 2 * width, "y": number // 2 * height, "w": width, "h": height},
            "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
            "targets": [{"refId": "A", "expr": panel.expression, "legendFormat": panel.legend, "datasource": _SOURCE}],
        }
        for number, panel in enumerate(panels)
    ]
