"""`python -m tools.benchmarks stable`: a large cluster followed step by step until Karpenter does nothing more."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.trajectory import until_stable
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.cluster_state import at_instant, cluster_state_of
from tools.benchmarks.views import object_of

SIZES: Final = (500, 1000, 2000, 4000)
_REGION: Final = "us-west-2"
_BEGAN: Final = "2026-01-05T08:00:00Z"
_CLASS: Final = {
    "role": "nodes",
    "amiSelectorTerms": [{"alias": "al2023@latest"}],
    "subnetSelectorTerms": [{"id": "subnet-1"}],
    "securityGroupSelectorTerms": [{"id": "sg-1"}],
}
_TYPES: Final = (("m6i.large", 1930, 6903), ("m6i.xlarge", 3920, 14162), ("c6i.2xlarge", 7910, 14162))
"""Types with the cpu in millicores and the memory in MiB that pods may use."""
_WORKLOADS: Final = 50
_CPUS: Final = (100, 250, 250, 500, 500, 1000)
_FILL: Final = (0.2, 0.95)


def report(sizes: Sequence[int] = SIZES) -> int:
    """Print a row for each number of nodes: the processor seconds of all steps, and how they end."""
    print("| nodes | pods | steps | nodes left | end | processor |\n|---|---|---|---|---|---|")
    for size in sizes:
        inputs, instant = at_instant(cluster_of(size), None, None)
        cluster = cluster_state_of(inputs, instant, FeatureGates(), allow_empty=False)
        started = time.process_time()
        course = until_stable(cluster)
        seconds = time.process_time() - started
        pods, left = sum(len(node.pods) for node in cluster.nodes), len(course.cluster.nodes)
        print(f"| {size:,} | {pods:,} | {len(course.steps)} | {left:,} | {course.end} | {seconds:.1f} s |", flush=True)
    return 0


def cluster_of(nodes: int) -> PlanInputs:
    """Return a cluster of this many nodes, of three types in three zones, each with between a fifth of its cpu requested and
    nearly all of it, under an open NodePool."""
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [*_objects(nodes)]})
    return read_inputs(["-"], region=_REGION, stdin=text)


def _objects(nodes: int) -> Iterator[dict[str, Any]]:
    random = Random(f"{nodes} nodes")  # noqa: S311 - the same cluster on every run, not a secret
    yield object_of("karpenter.k8s.aws/v1", "EC2NodeClass", "default", _CLASS)
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    requirements = [{"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["c", "m", "r"]}]
    template = {"spec": {"nodeClassRef": reference, "requirements": requirements}}
    yield object_of("karpenter.sh/v1", "NodePool", "open", {"template": template})
    for number in range(nodes):
        machine, cpu, memory = random.choice(_TYPES)
        yield from _node(f"node-{number}", machine, cpu, memory, f"{_REGION}{random.choice('abc')}")
        yield from _pods(f"node-{number}", cpu * random.uniform(*_FILL), random)


def _node(name: str, machine: str, cpu: int, memory: int, zone: str) -> Iterator[dict[str, Any]]:
    labels = {
        "karpenter.sh/nodepool": "open",
        "karpenter.sh/capacity-type": "on-demand",
        "node.kubernetes.io/instance-type": machine,
        "topology.kubernetes.io/zone": zone,
        "topology.kubernetes.io/region": _REGION,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
        "karpenter.k8s.aws/instance-category": machine[0],
    }
    amounts = {"cpu": f"{cpu}m", "memory": f"{memory}Mi", "pods": "58", "ephemeral-storage": "17Gi"}
    status = {"capacity": amounts, "allocatable": amounts}
    ready = {"type": "Ready", "status": "True", "reason": "Ready", "lastTransitionTime": _BEGAN}
    node = object_of("v1", "Node", name, {"providerID": f"aws:///{zone}/{name}"})
    own = {"karpenter.sh/registered": "true", "karpenter.sh/initialized": "true", "kubernetes.io/hostname": name}
    node["metadata"] |= {"labels": {**labels, **own}, "creationTimestamp": _BEGAN}
    yield {**node, "status": {**status, "conditions": [ready]}}
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    claim = object_of("karpenter.sh/v1", "NodeClaim", f"claim-{name}", {"nodeClassRef": reference, "requirements": []})
    claim["metadata"] |= {"labels": labels, "creationTimestamp": _BEGAN}
    conditions = [
        {"type": kind, "status": "True", "reason": kind, "lastTransitionTime": _BEGAN}
        for kind in ("Launched", "Registered", "Initialized", "Consolidatable")
    ]
    yield {**claim, "status": {**status, "providerID": f"aws:///{zone}/{name}", "nodeName": name, "conditions": conditions}}


def _pods(node: str, millicores: float, random: Random) -> Iterator[dict[str, Any]]:
    """Yield pods on a node that request as much cpu as this at most, with two GiB of memory for each core."""
    left, number = millicores, 0
    while left >= _CPUS[0]:
        workload = random.randrange(_WORKLOADS)
        cpu = _CPUS[workload % len(_CPUS)]
        if cpu > left:
            break
        left, number = left - cpu, number + 1
        name, owner = f"service-{workload}", {"apiVersion": "apps/v1", "kind": "ReplicaSet", "controller": True}
        requests = {"cpu": f"{cpu}m", "memory": f"{2 * cpu}Mi"}
        containers = [{"name": "app", "image": "app", "resources": {"requests": requests}}]
        pod = object_of("v1", "Pod", f"{name}-{node}-{number}", {"nodeName": node, "containers": containers})
        owners = [{**owner, "name": f"{name}-7f9c", "uid": name}]
        pod["metadata"] |= {"labels": {"app": name}, "ownerReferences": owners, "creationTimestamp": _BEGAN}
        yield {**pod, "status": {"phase": "Running", "startTime": _BEGAN}}
