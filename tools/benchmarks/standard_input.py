"""A standard input of commands: an environment, a changed one, a cluster that runs it, and a log, as files in a folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from tools.benchmarks.views import WORKLOADS, object_of, objects

ENVIRONMENT: Final = "environment.json"
CHANGED: Final = "changed.json"
CLUSTER: Final = "cluster.json"
LOG: Final = "karpenter.log"
REGION: Final = "us-west-2"
_PENDING: Final = 20  # workloads that no node takes
_PODS_EACH: Final = 10  # of a node
_TYPES: Final = (("m6i.large", "1930m", "6903Mi"), ("m6i.xlarge", "3920m", "14162Mi"), ("c6i.2xlarge", "7910m", "14162Mi"))


def write_input(folder: Path, pods: int) -> None:
    """Write the files for a number of pods: of up to 500 workloads, some of which wait, and on a tenth as many nodes."""
    environment = [*objects(pods), *map(waiting, range(min(_PENDING, pods)))]
    _write(folder / ENVIRONMENT, environment)
    _write(folder / CHANGED, [*objects(pods + min(pods, WORKLOADS)), *map(waiting, range(min(_PENDING, pods)))])
    write_log(folder, pods)
    _write(folder / CLUSTER, cluster(max(1, pods // _PODS_EACH), pods))


def write_log(folder: Path, lines: int) -> None:
    """Write Karpenter's log of so many launches, one in each minute."""
    each = (
        {
            "level": "INFO",
            "time": f"2026-01-{5 + n // 1440 % 20:02}T{n // 60 % 24:02}:{n % 60:02}:00.000Z",
            "message": "created nodeclaim",
            "NodePool": {"name": "open"},
            "NodeClaim": {"name": f"open-{n:06}"},
            "requests": {"cpu": "1", "pods": "3"},
        }
        for n in range(lines)
    )
    (folder / LOG).write_text("".join(json.dumps(line) + "\n" for line in each), encoding="utf-8")


def cluster(nodes: int, pods: int) -> Iterator[dict[str, Any]]:
    """Yield the nodes of a cluster, and pods of up to 500 workloads that run on them in turn."""
    yield from map(node_of, range(nodes))
    yield from (pod_on(number, number % nodes) for number in range(pods))


def written(items: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the JSON of a list of objects, object by object."""
    yield '{"apiVersion": "v1", "kind": "List", "items": ['
    for number, item in enumerate(items):
        yield f"{', ' if number else ''}{json.dumps(item)}"
    yield "]}"


def _write(file: Path, items: Iterable[dict[str, Any]]) -> None:
    file.write_text("".join(written(items)), encoding="utf-8")


def waiting(number: int) -> dict[str, Any]:
    labels = {"app": f"waiting-{number}"}
    requests = {"cpu": f"{number + 1}", "memory": "1Gi"}
    containers = [{"name": "app", "image": "app", "resources": {"requests": requests}}]
    pod = {"containers": containers, "nodeSelector": {"team": f"team-{number}"}}
    template = {"metadata": {"labels": labels}, "spec": pod}
    spec = {"replicas": 1, "selector": {"matchLabels": labels}, "template": template}
    return object_of("apps/v1", "Deployment", f"waiting-{number}", spec)


def node_of(number: int) -> dict[str, Any]:
    name, (machine, cpu, memory), zone = f"node-{number}", _TYPES[number % len(_TYPES)], f"{REGION}{'abc'[number % 3]}"
    labels = {
        "karpenter.sh/nodepool": "open",
        "karpenter.sh/registered": "true",
        "karpenter.sh/initialized": "true",
        "karpenter.sh/capacity-type": "on-demand",
        "node.kubernetes.io/instance-type": machine,
        "topology.kubernetes.io/zone": zone,
        "kubernetes.io/hostname": name,
        "kubernetes.io/arch": "amd64",
    }
    amounts = {"cpu": cpu, "memory": memory, "pods": "58", "ephemeral-storage": "17Gi"}
    node = object_of("v1", "Node", name, {"providerID": f"aws:///{zone}/i-{number:017x}"})
    node["metadata"] |= {"labels": labels, "creationTimestamp": "2026-01-05T12:00:00Z"}
    return {**node, "status": {"capacity": amounts, "allocatable": amounts}}


def pod_on(number: int, node: int) -> dict[str, Any]:
    workload = f"service-{number % WORKLOADS}"
    requests = {"cpu": f"{100 + number % WORKLOADS}m", "memory": "256Mi"}
    containers = [{"name": "app", "image": "app", "resources": {"requests": requests}}]
    pod = object_of("v1", "Pod", f"{workload}-{number}", {"nodeName": f"node-{node}", "containers": containers})
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"{workload}-7f9c", "uid": workload, "controller": True}
    pod["metadata"] |= {"labels": {"app": workload}, "ownerReferences": [owner]}
    return {**pod, "status": {"phase": "Running"}}
