"""A cluster as the API server lists it: with what it and the kubelets add to each object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tools.benchmarks.standard_input import node_of, pod_on

_CREATED: Final = "2026-01-05T12:00:00Z"
_CONDITIONS: Final = {
    "MemoryPressure": ("False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    "DiskPressure": ("False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    "PIDPressure": ("False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    "Ready": ("True", "KubeletReady", "kubelet is posting ready status"),
}
_POD_CONDITIONS: Final = ("Initialized", "Ready", "ContainersReady", "PodScheduled")
_REGISTRY: Final = "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks"
_IMAGES: Final = 3  # of a node
_SYSTEM: Final = {
    "architecture": "amd64",
    "containerRuntimeVersion": "containerd://1.7.27",
    "kernelVersion": "6.1.141-155.222.amzn2023.x86_64",
    "kubeletVersion": "v1.33.1-eks-1b3e656",
    "operatingSystem": "linux",
    "osImage": "Amazon Linux 2023.7.20250623",
}


def listed(nodes: int, pods: int) -> Iterator[dict[str, Any]]:
    """Yield the nodes and the pods of `standard_input.cluster`, as the API server lists them."""
    yield from (_node(number) for number in range(nodes))
    yield from (_pod(number, number % nodes) for number in range(pods))


def _node(number: int) -> dict[str, Any]:
    node = node_of(number)
    address = _address(number)
    hostname = f"ip-{address.replace('.', '-')}.us-west-2.compute.internal"
    node["metadata"] |= {
        "annotations": {
            "alpha.kubernetes.io/provided-node-ip": address,
            "csi.volume.kubernetes.io/nodeid": f'{{"ebs.csi.aws.com":"i-{number:017x}"}}',
            "karpenter.sh/nodepool-hash": "12523513268464243063",
            "karpenter.sh/nodepool-hash-version": "v3",
        },
        "resourceVersion": f"{81_000_000 + number}",
        "uid": _uid(number),
    }
    node["status"] |= {
        "addresses": [{"address": address, "type": "InternalIP"}, {"address": hostname, "type": "InternalDNS"}],
        "conditions": [_condition(kind, number) for kind in _CONDITIONS],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
        "images": [_image(number, image) for image in range(_IMAGES)],
        "nodeInfo": {**_SYSTEM, "machineID": f"ec2{number:029x}", "systemUUID": _uid(number), "bootID": _uid(number + 1)},
    }
    return node


def _condition(kind: str, number: int) -> dict[str, str]:
    status, reason, message = _CONDITIONS[kind]
    times = {"lastHeartbeatTime": _time(number), "lastTransitionTime": _CREATED}
    return {**times, "message": message, "reason": reason, "status": status, "type": kind}


def _image(number: int, image: int) -> dict[str, Any]:
    name = f"{_REGISTRY}/service-{image}"
    names = [f"{name}@sha256:{number * 31 + image:064x}", f"{name}:v1.{number % 20}.{image}"]
    return {"names": names, "sizeBytes": 90_000_000 + image}


def _pod(number: int, node: int) -> dict[str, Any]:
    pod, started = pod_on(number, node), _time(number)
    pod["metadata"] |= {"creationTimestamp": started, "resourceVersion": f"{82_000_000 + number}", "uid": _uid(number)}
    pod["spec"]["containers"][0] |= {"imagePullPolicy": "IfNotPresent", "terminationMessagePath": "/dev/termination-log"}
    pod["spec"] |= {"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler"}
    conditions = [{"lastTransitionTime": started, "status": "True", "type": kind} for kind in _POD_CONDITIONS]
    addresses = {"hostIP": _address(node), "podIP": _address(100_000 + number)}
    pod["status"] |= {"conditions": conditions, **addresses, "startTime": started}
    return pod


def _time(number: int) -> str:
    return f"2026-01-05T{12 + number // 3_600 % 12}:{number // 60 % 60:02}:{number % 60:02}Z"


def _address(number: int) -> str:
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def _uid(number: int) -> str:
    return f"7d1f{number:04x}-9c1a-4b7e-8f60-{number:012x}"
