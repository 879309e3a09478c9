"""Small objects that an API server takes, one of each kind; cases change single members of them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

from tests.unit.workloads.validation.device_objects import DEVICE_SPECS

_CONTAINER: Final = {"name": "main", "image": "registry.example.com/main:1"}
_TEMPLATE: Final = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [_CONTAINER]}}
_JOB_TEMPLATE: Final = {"spec": {"restartPolicy": "Never", "containers": [_CONTAINER]}}
_SELECTOR: Final = {"matchLabels": {"app": "web"}}
_CLAIM: Final = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "10Gi"}}}
_CPU: Final = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}}
_TARGET: Final = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}

_SPECS: Final[Mapping[tuple[str, str], Mapping[str, Any]]] = {
    ("v1", "Pod"): {"spec": {"containers": [_CONTAINER]}},
    ("v1", "PodTemplate"): {"template": _TEMPLATE},
    ("v1", "ReplicationController"): {"spec": {"replicas": 2, "selector": {"app": "web"}, "template": _TEMPLATE}},
    ("apps/v1", "Deployment"): {"spec": {"replicas": 2, "selector": _SELECTOR, "template": _TEMPLATE}},
    ("apps/v1", "ReplicaSet"): {"spec": {"replicas": 2, "selector": _SELECTOR, "template": _TEMPLATE}},
    ("apps/v1", "DaemonSet"): {"spec": {"selector": _SELECTOR, "template": _TEMPLATE}},
    ("apps/v1", "StatefulSet"): {
        "spec": {
            "serviceName": "web",
            "selector": _SELECTOR,
            "template": _TEMPLATE,
            "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": _CLAIM}],
        }
    },
    ("batch/v1", "Job"): {"spec": {"template": _JOB_TEMPLATE}},
    ("batch/v1", "CronJob"): {"spec": {"schedule": "*/5 * * * *", "jobTemplate": {"spec": {"template": _JOB_TEMPLATE}}}},
    ("policy/v1", "PodDisruptionBudget"): {"spec": {"minAvailable": 1, "selector": _SELECTOR}},
    ("autoscaling/v2", "HorizontalPodAutoscaler"): {
        "spec": {"minReplicas": 2, "maxReplicas": 5, "scaleTargetRef": _TARGET, "metrics": [_CPU]}
    },
    ("scheduling.k8s.io/v1", "PriorityClass"): {"value": 1000},
    ("node.k8s.io/v1", "RuntimeClass"): {"handler": "kata"},
    ("storage.k8s.io/v1", "StorageClass"): {"provisioner": "ebs.csi.aws.com"},
    ("v1", "LimitRange"): {"spec": {"limits": [{"type": "Container", "max": {"cpu": "4"}}]}},
    ("v1", "ResourceQuota"): {"spec": {"hard": {"requests.cpu": "10"}}},
    ("v1", "PersistentVolumeClaim"): {"spec": _CLAIM},
    ("v1", "PersistentVolume"): {
        "spec": {
            "capacity": {"storage": "10Gi"},
            "accessModes": ["ReadWriteOnce"],
            "csi": {"driver": "ebs.csi.aws.com", "volumeHandle": "vol-1"},
        }
    },
    ("v1", "Namespace"): {},
    ("v1", "Service"): {"spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]}},
    **DEVICE_SPECS,
}
OBJECTS: Final = {
    kind: {"apiVersion": version, "kind": kind, "metadata": {"name": "web"}, **spec} for (version, kind), spec in _SPECS.items()
}


def changed(kind: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object of a kind with changes by path, such as `spec/containers/0/image`; `...` removes a member.

    Mappings on the way that are missing are made, and a list takes one more item at the position after its last.
    """
    manifest: dict[str, Any] = copy.deepcopy(OBJECTS[kind])
    for path, value in changes.items():
        *parents, last = path.split("/")
        holder: Any = manifest
        for name in parents:
            holder = holder[int(name)] if isinstance(holder, list) else holder.setdefault(name, {})
        if value is ...:
            del holder[int(last) if isinstance(holder, list) else last]
        elif isinstance(holder, list) and int(last) == len(holder):
            holder.append(value)
        else:
            holder[int(last) if isinstance(holder, list) else last] = value
    return manifest
