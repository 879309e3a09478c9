"""Alerts on conditions that keep pods from getting nodes, pinned to the version of the controller (spec: aws-infrastructure
10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.infrastructure.observability.series import are_in, checked_version


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert. `expressions` are tried in order; a version uses the first one whose series it has."""

    name: str
    expressions: tuple[str, ...]
    pending: str
    severity: str
    summary: str
    advice: str

    def expression(self, version: KarpenterVersion) -> str | None:
        """Return the expression for a version, or None if that version has no series for it."""
        return next((expression for expression in self.expressions if are_in(expression, version)), None)


ALERTS: Final = (
    Alert(
        "KarpenterPodsPending",
        (
            'sum(karpenter_scheduler_unschedulable_pods_count{controller="provisioner"}) > 0',
            "sum(kube_pod_status_unschedulable) > 0",
        ),
        "15m",
        "warning",
        "{{ $value }} pods have been without a node for 15 minutes",
        "No NodePool allows what they ask for, or all that do are at their limit; the pods' events say which.",
    ),
    Alert(
        "KarpenterNodePoolNearLimit",
        ("max by (nodepool, resource_type) (karpenter_nodepools_usage / (karpenter_nodepools_limit > 0)) > 0.8",),
        "10m",
        "warning",
        "NodePool {{ $labels.nodepool }} uses {{ $value | humanizePercentage }} of its {{ $labels.resource_type }} limit",
        "At the limit no further node is made. Raise it within the budget, or find what grew.",
    ),
    Alert(
        "KarpenterNodeClassNotReady",
        (
            'max by (name) (operator_ec2nodeclass_status_condition_count{type="Ready", status!="True"}) > 0',
            'max by (name) (operator_status_condition_count{kind="EC2NodeClass", type="Ready", status!="True"}) > 0',
        ),
        "10m",
        "critical",
        "EC2NodeClass {{ $labels.name }} is not ready",
        "Its pools make no nodes. The reason of the condition names what is missing.",
    ),
    Alert(
        "KarpenterLaunchesFail",
        (
            "sum by (reason) (rate(karpenter_cloudprovider_instance_launch_failures_total[10m])) > 0",
            "sum by (error) (rate(karpenter_cloudprovider_errors_total[10m])) > 0",
        ),
        "15m",
        "warning",
        "launches have failed for 15 minutes",
        "Capacity that is out comes back, or allow more types and zones; a refused call is a matter of the role.",
    ),
    Alert(
        "KarpenterStateNotSynced",
        ("min(karpenter_cluster_state_synced) == 0",),
        "5m",
        "critical",
        "the controller does not know its nodes",
        "It decides nothing until it does. Its log names the NodeClaim or node that it waits for.",
    ),
    Alert(
        "KarpenterInterruptionsUnheard",
        (
            "sum(increase(karpenter_interruption_received_messages_total[1w])) == 0 "
            'and on () count(karpenter_nodes_allocatable{capacity_type="spot"}) > 0',
        ),
        "1h",
        "warning",
        "no interruption message came for a week though spot nodes run",
        "The event rules, the queue's policy or the queue's name may be wrong.",
    ),
    Alert(
        "KarpenterInterruptionsSlow",
        (
            "histogram_quantile(0.95, sum by (le) "
            "(rate(karpenter_interruption_message_queue_duration_seconds_bucket[10m]))) > 60",
        ),
        "10m",
        "warning",
        "interruption messages wait {{ $value | humanizeDuration }}",
        "A spot node has two minutes. Give the controller more CPU.",
    ),
    Alert(
        "KarpenterDrainStuck",
        ("max by (name) (operator_nodeclaim_termination_current_time_seconds) > 3600",),
        "5m",
        "warning",
        "NodeClaim {{ $labels.name }} has been ending for {{ $value | humanizeDuration }}",
        "A pod disruption budget or a finalizer holds a pod; terminationGracePeriod would end the wait.",
    ),
)


def alert_rules(version: KarpenterVersion) -> dict[str, Any]:
    """Return the rules for a version in Prometheus' form. Raises InputError for a version whose series are not known."""
    return {"groups": [{"name": "karpenter", "rules": list(_rules(checked_version(version)))}]}


def _rules(version: KarpenterVersion) -> Iterator[dict[str, Any]]:
    for alert in ALERTS:
        expression = alert.expression(version)
        if expression is not None:
            yield {
                "alert": alert.name,
                "expr": expression,
                "for": alert.pending,
                "labels": {"severity": alert.severity},
                "annotations": {"summary": alert.summary, "description": alert.advice},
            }
