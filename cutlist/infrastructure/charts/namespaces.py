"""A namespace of the controller's own, and its place in the queue of the API server (spec: aws-infrastructure 7.4)."""

from __future__ import annotations

from typing import Any

from cutlist.infrastructure.charts.settings import SYSTEM_NAMESPACE


def flow_schemas(namespace: str, service_account: str) -> dict[str, dict[str, Any]]:
    """The specs of the FlowSchemas that a controller needs outside of kube-system, by name; none inside of it.

    Requests from kube-system go first by themselves. From elsewhere the controller would wait in line with everybody under
    pressure, lose its lease and stop making nodes just when they are wanted.
    """
    if namespace == SYSTEM_NAMESPACE:
        return {}
    subject = {"kind": "ServiceAccount", "serviceAccount": {"name": service_account, "namespace": namespace}}
    leases = {"apiGroups": ["coordination.k8s.io"], "namespaces": ["*"], "resources": ["leases"], "verbs": ["*"]}
    everything = {"apiGroups": ["*"], "clusterScope": True, "namespaces": ["*"], "resources": ["*"], "verbs": ["*"]}
    anywhere = {"nonResourceURLs": ["*"], "verbs": ["*"]}
    return {
        "karpenter-leader-election": _schema("leader-election", 200, subject, {"resourceRules": [leases]}),
        "karpenter-workload": _schema(
            "workload-high", 1000, subject, {"resourceRules": [everything], "nonResourceRules": [anywhere]}
        ),
    }


def _schema(level: str, precedence: int, subject: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    return {
        "distinguisherMethod": {"type": "ByUser"},
        "matchingPrecedence": precedence,
        "priorityLevelConfiguration": {"name": level},
        "rules": [{"subjects": [subject], **rules}],
    }
