"""Pods with resources of their own, and what kube-scheduler of Kubernetes 1.35 and 1.37 counts as their requests.

python -m tests.unit.workloads.request_answers questions | .oracle/kubernetes > answers.jsonl
python -m tests.unit.workloads.request_answers write 35 < answers.jsonl
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any, Final

ANSWERS: Final = Path(__file__).with_name("request_answers.json")
MINORS: Final = (35, 37)
_HUGE: Final = "hugepages-2Mi"

_OF_PODS: Final[tuple[dict[str, Any] | None, ...]] = (
    None,
    {},
    {"requests": {"cpu": "4"}},
    {"requests": {"memory": "8Gi"}, "limits": {"memory": "8Gi"}},
    {"limits": {"cpu": "6"}},
    {"limits": {"memory": "16Gi", "cpu": "6"}},
    {"requests": {"cpu": "4", "memory": "8Gi"}, "limits": {"cpu": "8"}},
    {"requests": {"cpu": "4"}, "limits": {_HUGE: "8Mi"}},
)
_CONTAINERS: Final[Mapping[str, dict[str, Any]]] = {
    "nothing": {"containers": [{}]},
    "requests": {"containers": [{"requests": {"cpu": "1", "memory": "1Gi"}}]},
    "limits": {"containers": [{"limits": {"cpu": "2", "memory": "2Gi"}}]},
    "some": {"containers": [{"requests": {"cpu": "500m"}}, {"limits": {"memory": "1Gi"}}]},
    "init": {"containers": [{"requests": {"cpu": "1"}}], "initContainers": [{"requests": {"cpu": "3", "memory": "2Gi"}}]},
    "sidecar": {
        "containers": [{"requests": {"cpu": "1"}}],
        "initContainers": [{"requests": {"cpu": "1500m"}, "restartPolicy": "Always"}],
    },
    "others": {"containers": [{"limits": {"nvidia.com/gpu": 1, "cpu": "1"}, "requests": {"ephemeral-storage": "1Gi"}}]},
    "huge": {"containers": [{"limits": {_HUGE: "4Mi", "cpu": "1"}}]},
}
_RESIZED: Final[Mapping[str, dict[str, Any]]] = {
    "grown": {"containerStatuses": [{"name": "c0", "resources": {"requests": {"cpu": "500m"}}}]},
    "shrunk": {"containerStatuses": [{"name": "c0", "resources": {"requests": {"cpu": "2"}}}]},
    "allocated": {
        "containerStatuses": [
            {"name": "c0", "resources": {"requests": {"cpu": "500m"}}, "allocatedResources": {"cpu": "3", "memory": "1Gi"}}
        ]
    },
    "infeasible": {
        "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Infeasible"}],
        "containerStatuses": [{"name": "c0", "resources": {"requests": {"cpu": "250m"}}}],
    },
    "deferred": {
        "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Deferred"}],
        "containerStatuses": [{"name": "c0", "resources": {"requests": {"cpu": "250m"}}}],
    },
    "pod grown": {"resources": {"requests": {"cpu": "2"}}, "allocatedResources": {"cpu": "3"}},
    "pod shrunk": {"resources": {"requests": {"cpu": "6"}}, "allocatedResources": {"cpu": "5"}},
}


def pods() -> dict[str, dict[str, Any]]:
    """The pods by name."""
    found = {}
    for (number, resources), (name, parts) in product(enumerate(_OF_PODS), _CONTAINERS.items()):
        found[f"{number} {name}"] = _pod(parts, resources)
    for (number, resources), (name, status) in product(enumerate(_OF_PODS[:3]), _RESIZED.items()):
        found[f"{number} {name}"] = {**_pod(_CONTAINERS["requests"], resources), "status": status}
    return found


def _pod(parts: Mapping[str, list[dict[str, Any]]], resources: dict[str, Any] | None) -> dict[str, Any]:
    spec: dict[str, Any] = {}
    for part, containers in parts.items():
        spec[part] = []
        for index, container in enumerate(containers):
            wanted = {name: value for name, value in container.items() if name in ("requests", "limits")}
            others = {name: value for name, value in container.items() if name == "restartPolicy"}
            spec[part].append({"name": f"{part[0]}{index}", "image": "x", **others, "resources": wanted})
    if resources is not None:
        spec["resources"] = resources
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": spec}


def answers() -> dict[str, dict[str, dict[str, str] | None]]:
    """The recorded requests by minor version and pod; None for a pod that is refused."""
    recorded: dict[str, dict[str, dict[str, str] | None]] = json.loads(ANSWERS.read_text("utf-8"))
    return recorded


def main(command: str, minor: str = "") -> None:
    """Write the questions, or record the answers of standard input."""
    if command == "questions":
        sys.stdout.writelines(json.dumps({"name": name, "object": pod}) + "\n" for name, pod in pods().items())
        return
    recorded = answers() if ANSWERS.exists() else {}
    found = {answer["name"]: answer for answer in map(json.loads, sys.stdin)}
    recorded[minor] = {name: found[name].get("requests") if found[name]["accepted"] else None for name in pods()}
    ANSWERS.write_text(json.dumps(recorded, indent=0, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
