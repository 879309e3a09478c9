"""Objects of a cluster with everything that plans read of them, and the same with one thing changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.mutations import REMOVED, member_paths, mutated

_CREATED: Final = "2026-01-05T12:00:00Z"
_IN: Final = {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}
_SELECTOR: Final = {"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "Exists"}]}
POD: Final[dict[str, Any]] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {
        "name": "web-0",
        "namespace": "team",
        "labels": {"app": "web"},
        "creationTimestamp": _CREATED,
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "u", "controller": True}],
    },
    "spec": {
        "nodeName": "node-0",
        "priority": 100,
        "nodeSelector": {"kubernetes.io/arch": "amd64"},
        "overhead": {"cpu": "10m"},
        "resources": {"requests": {"memory": "3Gi"}},
        "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 30}],
        "topologySpreadConstraints": [
            {"topologyKey": "zone", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": _SELECTOR}
        ],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [_IN]}]},
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "preference": {"matchExpressions": [_IN]}}],
            },
            "podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "host", "labelSelector": _SELECTOR}]
            },
        },
        "initContainers": [{"name": "log", "restartPolicy": "Always", "resources": {"requests": {"cpu": "50m"}}}],
        "containers": [
            {
                "name": "app",
                "image": "app",
                "ports": [{"containerPort": 80, "hostPort": 8080}],
                "resources": {"requests": {"cpu": "100m", "memory": "1Gi"}, "limits": {"memory": "1Gi"}},
            }
        ],
        "volumes": [
            {"name": "data", "persistentVolumeClaim": {"claimName": "data-web-0"}},
            {"name": "token", "projected": {"sources": []}},
            {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": {"storageClassName": "gp3"}}}},
        ],
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}],
    },
    "status": {
        "phase": "Running",
        "startTime": _CREATED,
        "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Infeasible", "lastTransitionTime": _CREATED}],
        "containerStatuses": [
            {"name": "app", "resources": {"requests": {"cpu": "200m"}}, "allocatedResources": {"cpu": "150m"}, "imageID": "i"}
        ],
        "resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "web-0-gpu"}],
    },
}
_STATUS: Final[dict[str, Any]] = {
    "capacity": {"cpu": "2"},
    "allocatable": {"cpu": "1930m"},
    "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady", "lastTransitionTime": _CREATED}],
}
NODE: Final[dict[str, Any]] = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "node-0", "labels": {"zone": "a"}, "annotations": {"a": "b"}, "creationTimestamp": _CREATED},
    "spec": {"providerID": "aws:///a/i-0", "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]},
    "status": _STATUS,
}
NODE_CLAIM: Final[dict[str, Any]] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodeClaim",
    "metadata": {"name": "open-0", "labels": {"karpenter.sh/nodepool": "open"}},
    "spec": {"expireAfter": "720h", "terminationGracePeriod": "1h", "startupTaints": [{"key": "a", "effect": "NoSchedule"}]},
    "status": {**_STATUS, "providerID": "aws:///a/i-0", "lastPodEventTime": _CREATED},
}
_OTHERS: Final = (None, True, -1, "500m", "-1", [None], {}, {"a": 1}, REMOVED)


def changed(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An object with another value, without one, and with a member that its kind does not have, at each of its places."""
    for path in member_paths(whole):
        for value in _OTHERS if path else ():
            yield mutated(whole, path, value)
        if path and isinstance(path[-1], str):
            yield mutated(whole, (*path[:-1], f"{path[-1]}s"), "x")
