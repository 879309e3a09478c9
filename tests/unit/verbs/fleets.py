"""A made fleet on EKS: nodes of four NodePools with what differs between Karpenter 1.14 and 1.15, as a snapshot has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

Object = dict[str, Any]

CREATED: Final = "2026-01-05T08:00:00Z"
NOW: Final = "2026-01-05T12:00:00Z"
ZONES: Final = ("us-west-2a", "us-west-2b", "us-west-2c")
HASH: Final = "karpenter.k8s.aws/ec2nodeclass-hash"
_TERMS: Final = [{"tags": {"a": "b"}}]


def node_class(name: str, family: str = "al2023", **spec: Any) -> Object:
    """An EC2NodeClass as a cluster has it, stamped by 1.14."""
    metadata = {"name": name, "uid": f"class-{name}", "annotations": {HASH: "1", f"{HASH}-version": "v5"}}
    terms = {"subnetSelectorTerms": _TERMS, "securityGroupSelectorTerms": _TERMS}
    whole = {"role": "nodes", "amiSelectorTerms": [{"alias": f"{family}@latest"}], **terms, **spec}
    return {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": metadata, "spec": whole}


def node_pool(name: str, of_class: str, *requirements: Object, **spec: Any) -> Object:
    """A NodePool that launches one type, unless its requirements say otherwise."""
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": of_class}
    wanted = list(requirements) or [one_of("node.kubernetes.io/instance-type", "m6i.xlarge")]
    template = {"spec": {"nodeClassRef": reference, "requirements": wanted, "expireAfter": "Never"}}
    disruption = {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s", "budgets": [{"nodes": "10%"}]}
    whole = {"template": template, "disruption": disruption, **spec}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": whole}


def one_of(key: str, *values: str, **more: Any) -> Object:
    return {"key": key, "operator": "In", "values": list(values), **more}


def node(
    name: str, pool: str, of_class: str, zone: str, *, hashed: str = "1", conditions: tuple[Object, ...] = ()
) -> list[Object]:
    """A node of type m6i.xlarge that runs, with its NodeClaim; `conditions` are further ones of the claim."""
    labels = {
        "karpenter.sh/nodepool": pool,
        "node.kubernetes.io/instance-type": "m6i.xlarge",
        "karpenter.sh/capacity-type": "on-demand",
        "topology.kubernetes.io/zone": zone,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
    }
    amounts = {name: {"cpu": "4", "memory": "14Gi", "pods": "58"} for name in ("capacity", "allocatable")}
    ready = {"type": "Ready", "status": "True", "reason": "Ready", "lastTransitionTime": CREATED}
    initialized = {"karpenter.sh/registered": "true", "karpenter.sh/initialized": "true", "kubernetes.io/hostname": name}
    machine = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "creationTimestamp": CREATED, "labels": labels | initialized},
        "spec": {"providerID": f"aws:///{zone}/i-{name}"},
        "status": {**amounts, "conditions": [ready]},
    }
    done = [
        {"type": kind, "status": "True", "reason": kind, "lastTransitionTime": CREATED}
        for kind in ("Launched", "Registered", "Initialized", "Consolidatable")
    ]
    annotations = {HASH: hashed, f"{HASH}-version": "v5"}
    claim = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": f"claim-{name}", "creationTimestamp": CREATED, "labels": labels, "annotations": annotations},
        "spec": {
            "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": of_class},
            "requirements": [one_of("karpenter.sh/nodepool", pool)],
            "expireAfter": "Never",
        },
        "status": {
            "providerID": f"aws:///{zone}/i-{name}",
            "nodeName": name,
            **amounts,
            "lastPodEventTime": CREATED,
            "conditions": [*done, *conditions],
        },
    }
    return [machine, claim]


def drifted(reason: str = "AMIDrift") -> Object:
    return {"type": "Drifted", "status": "True", "reason": reason, "lastTransitionTime": "2026-01-05T11:00:00Z"}


def pod(name: str, on: str, cpu: str = "1", **annotations: str) -> Object:
    """A pod of a ReplicaSet that runs on a node; annotations are keyed by their words with dashes."""
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "shop",
            "creationTimestamp": CREATED,
            "annotations": annotations,
            "labels": {"app": "web"},
            "ownerReferences": [owner],
        },
        "spec": {"nodeName": on, "containers": [{"name": "web", "image": "web", "resources": {"requests": {"cpu": cpu}}}]},
        "status": {"phase": "Running", "startTime": CREATED, "conditions": [{"type": "Ready", "status": "True"}]},
    }


def deployment(name: str, cpu: str = "1", replicas: int = 1, **pod_spec: Any) -> Object:
    """A workload whose pods wait."""
    container = {"name": "app", "image": "app", "resources": {"requests": {"cpu": cpu}}}
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container], **pod_spec}}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "shop"}, "spec": spec}


def any_two_zones() -> Object:
    """A requirement without values of its own: an API server takes claims that are narrowed by what they exclude (S-125)."""
    return {"key": "topology.kubernetes.io/zone", "operator": "Exists", "minValues": 2}


def only_in_the_first_zone() -> Object:
    """An affinity that excludes all zones but one."""
    others = {"key": "topology.kubernetes.io/zone", "operator": "NotIn", "values": [*ZONES[1:], "us-west-2d"]}
    required = {"nodeSelectorTerms": [{"matchExpressions": [others]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def fleet(nodes: int = 60) -> Iterator[Object]:
    """Nodes in four NodePools: plain ones, Bottlerocket, one that wants two zones, one whose pods name their costs.

    Two have drifted, one carries another hash than its class, and two workloads wait: one that is bound to a zone.
    """
    spread = (any_two_zones(), one_of("node.kubernetes.io/instance-type", "m6i.xlarge", "m6i.2xlarge"))
    yield from (node_class("default"), node_class("bottlerocket", "bottlerocket"))
    yield from (node_pool("general", "default"), node_pool("costs", "default"))
    yield node_pool("bottlerocket", "bottlerocket", weight=10)
    yield node_pool("zonal", "default", *spread, weight=50)
    pools = (("general", "default"), ("bottlerocket", "bottlerocket"), ("zonal", "default"), ("costs", "default"))
    for number in range(nodes):
        pool, of_class = pools[number % 4]
        name = f"{pool}-{number:03d}"
        more = (drifted(),) if number in (4, 5) else ()
        yield from node(name, pool, of_class, ZONES[number % 3], hashed="2" if number == 8 else "1", conditions=more)
        costs = {"controller.kubernetes.io/pod-deletion-cost": f"{number}.5"} if pool == "costs" else {}
        yield from (pod(f"{name}-a", name, "2", **costs), pod(f"{name}-b", name, "1200m"))
    yield deployment("api", "2", 4)
    yield deployment("zone-bound", "2", 2, nodeSelector={"karpenter.sh/nodepool": "zonal"}, affinity=only_in_the_first_zone())
