"""What stands in for kubelets: nodes become Ready, bound pods run, deleted pods end.

    python -m tests.live.kubelet SERVER AUTHORITY TOKEN

A node whose Ready condition somebody has set keeps it: a scenario may let nodes fail.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx2

from tests.live.api import CONFLICT, NOT_FOUND, Api, ApiError

_PRESSURES: Final = ("MemoryPressure", "DiskPressure", "PIDPressure")
_POD_CONDITIONS: Final = ("PodScheduled", "Initialized", "ContainersReady", "Ready")
_UNKNOWN_SYSTEM: Final = (
    "machineID",
    "systemUUID",
    "bootID",
    "kernelVersion",
    "osImage",
    "containerRuntimeVersion",
    "kubeProxyVersion",
)


def now() -> str:
    """Return the time as Kubernetes writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ready_node(node: dict[str, Any], at: str) -> dict[str, Any] | None:
    """Return the status of a node that starts, or None for one that has a Ready condition or is being deleted."""
    conditions = node.get("status", {}).get("conditions") or []
    if node["metadata"].get("deletionTimestamp") or any(condition["type"] == "Ready" for condition in conditions):
        return None
    labels = node["metadata"].get("labels") or {}
    statuses = [("Ready", "True", "KubeletReady"), *((kind, "False", f"KubeletHasNo{kind}") for kind in _PRESSURES)]
    return {
        "phase": "Running",
        "conditions": [
            {"type": kind, "status": status, "reason": reason, "message": "", "lastHeartbeatTime": at, "lastTransitionTime": at}
            for kind, status, reason in statuses
        ],
        "nodeInfo": {
            "kubeletVersion": "v1.35.1",
            "architecture": labels.get("kubernetes.io/arch", ""),
            "operatingSystem": labels.get("kubernetes.io/os", ""),
            **dict.fromkeys(_UNKNOWN_SYSTEM, ""),
        },
    }


def running_pod(pod: dict[str, Any], at: str) -> dict[str, Any] | None:
    """Return the status of a bound pod that starts, or None for any other pod."""
    if not pod["spec"].get("nodeName") or pod["status"].get("phase") != "Pending":
        return None
    return {
        "phase": "Running",
        "startTime": at,
        "podIP": "127.0.0.2",
        "conditions": [{"type": kind, "status": "True", "lastTransitionTime": at} for kind in _POD_CONDITIONS],
        "containerStatuses": [
            {
                "name": container["name"],
                "image": container.get("image", ""),
                "imageID": "",
                "ready": True,
                "started": True,
                "restartCount": 0,
                "state": {"running": {"startedAt": at}},
            }
            for container in pod["spec"]["containers"]
        ],
    }


def tend_node(api: Api, node: dict[str, Any]) -> None:
    """Let a node become Ready."""
    if status := ready_node(node, now()):
        api.patch("Node", node["metadata"]["name"], {"status": status}, subresource="status")


def tend_pod(api: Api, pod: dict[str, Any]) -> None:
    """Let a bound pod run, and one that is being deleted end."""
    metadata = pod["metadata"]
    if metadata.get("deletionTimestamp") and pod["spec"].get("nodeName"):
        api.delete("Pod", metadata["name"], metadata["namespace"], gracePeriodSeconds=0)
    elif status := running_pod(pod, now()):
        api.patch("Pod", metadata["name"], {"status": status}, metadata["namespace"], "status")


def tend(api: Api, kind: str, turn: Callable[[Api, dict[str, Any]], None]) -> None:
    """Do this for every object of a kind, whenever it changes, until the process ends."""
    while True:
        try:
            for item in api.watched(kind):
                try:
                    turn(api, item)
                except ApiError as error:
                    if error.code not in (NOT_FOUND, CONFLICT):
                        sys.stderr.write(f"{kind} {item['metadata']['name']}: {error}\n")
        except (ApiError, httpx2.TransportError, ValueError) as error:
            sys.stderr.write(f"{kind}: {type(error).__name__}: {error}\n")
        time.sleep(0.5)


def main(server: str, authority: str, token: str) -> None:
    """Stand in for the kubelets of a cluster until the process ends."""
    for kind, turn in (("Node", tend_node), ("Pod", tend_pod)):
        threading.Thread(target=tend, args=(Api(server, Path(authority), token), kind, turn), daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
