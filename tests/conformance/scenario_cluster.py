"""Random contents of a cluster for scenarios: nodes with their pods, volumes, buffers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.conformance.scenario_pods import PodMaker
from tests.conformance.scenario_pools import taint
from tests.conformance.scenario_words import (
    CAPACITY_TYPE,
    CUSTOM,
    HOSTNAME,
    INSTANCE_TYPE,
    NODE_CLASS,
    NODEPOOL,
    SINCE,
    ZONE,
    Object,
    some,
    weighted,
)

DRIVER = "ebs.csi.example.com"
STATES = {"initialized": 6.0, "registered": 1.5, "unregistered": 1.0, "claim only": 1.0, "unmanaged": 1.5}


def condition(kind: str, status: str = "True") -> Object:
    """Return a status condition."""
    return {"type": kind, "status": status, "reason": kind, "message": "", "lastTransitionTime": SINCE}


def nodes(maker: PodMaker, pools: list[str], scenario: Object) -> None:
    """Add some nodes in different states, and what runs on them."""
    rng = maker.rng
    for number in range(rng.choice((1, 1, 2, 3, 4))):
        name = f"node-{number}"
        state = weighted(rng, STATES)
        scenario["objects"] += node(maker, name, state, rng.choice(pools))
        if state != "claim only":
            scenario["objects"] += [bound_pod(maker, f"run-{number}-{i}", name) for i in range(rng.choice((0, 1, 2, 4)))]
            if maker.chance("volumes", 0.5):
                scenario["objects"].append(csi_node(maker, name))
        if maker.chance("deleting", 0.3):
            scenario.setdefault("markedForDeletion", []).append(name)


def node(maker: PodMaker, name: str, state: str, pool: str) -> list[Object]:
    """Return a Node, its NodeClaim, or both."""
    rng = maker.rng
    instance_type = rng.choice(maker.words.machines[:40])
    labels = _labels(maker, instance_type, pool)
    amounts = {k: v for k, v in instance_type["capacity"].items() if k in ("cpu", "memory", "pods") or rng.random() < 0.8}
    if rng.random() < 0.3:
        amounts["pods"] = rng.choice(("2", "8", "110"))
    taints = [taint(maker)] if maker.chance("taints", 0.3) else []
    startup = [{"key": "boot", "effect": "NoSchedule"}] if rng.random() < 0.2 else []
    conditions = ["Launched"]
    conditions += ["Registered"] if state in ("registered", "initialized") else []
    conditions += ["Initialized"] if state == "initialized" else []
    status: Object = {"capacity": amounts, "allocatable": amounts}
    objects = []
    if state != "unmanaged":
        claim_spec: Object = {"requirements": [], "nodeClassRef": dict(NODE_CLASS)}
        if taints:
            claim_spec["taints"] = taints
        if startup:
            claim_spec["startupTaints"] = startup
        claim_status = {"providerID": f"example:///{name}", **status, "conditions": [condition(c) for c in conditions]}
        if state != "claim only":
            claim_status["nodeName"] = name
        objects.append(
            {
                "apiVersion": "karpenter.sh/v1",
                "kind": "NodeClaim",
                "metadata": {"name": f"{name}-claim", "labels": labels},
                "spec": claim_spec,
                "status": claim_status,
            }
        )
    if state != "claim only":
        objects.append(_node_object(maker, name, state, labels, [*taints, *startup], amounts))
    return objects


def _node_object(maker: PodMaker, name: str, state: str, labels: Object, taints: list[Object], amounts: Object) -> Object:
    rng = maker.rng
    own = {**labels, HOSTNAME: name}
    if state == "unmanaged":
        own = {k: v for k, v in own.items() if not k.startswith("karpenter.sh/") or rng.random() < 0.3}
        own.pop(NODEPOOL, None)
    if state in ("registered", "initialized"):
        own["karpenter.sh/registered"] = "true"
    if state == "initialized":
        own["karpenter.sh/initialized"] = "true"
        taints = [t for t in taints if t["key"] != "boot"]
    if state in ("registered", "unregistered") and rng.random() < 0.6:
        taints = [*taints, {"key": "node.kubernetes.io/not-ready", "effect": rng.choice(("NoSchedule", "NoExecute"))}]
    if state == "unregistered" and rng.random() < 0.6:
        taints = [*taints, {"key": "karpenter.sh/unregistered", "effect": "NoExecute"}]
    if state != "initialized" and rng.random() < 0.4:
        amounts = {k: v for k, v in amounts.items() if rng.random() < 0.6}
    spec: Object = {"providerID": f"example:///{name}"}
    if taints:
        spec["taints"] = taints
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": own},
        "spec": spec,
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def _labels(maker: PodMaker, instance_type: Mapping[str, Any], pool: str) -> dict[str, str]:
    rng = maker.rng
    labels = {r["key"]: rng.choice(r["values"]) for r in instance_type["requirements"] if r.get("values")}
    offering = {r["key"]: r["values"][0] for r in rng.choice(instance_type["offerings"])["requirements"] if r.get("values")}
    labels |= {k: v for k, v in offering.items() if k in (ZONE, CAPACITY_TYPE) or not k.endswith("-id")}
    if rng.random() < 0.15:
        labels.pop(rng.choice([key for key in labels if key != INSTANCE_TYPE]))
    labels |= {key: rng.choice(values) for key, values in CUSTOM.items() if rng.random() < 0.3}
    return {**labels, NODEPOOL: pool}


def bound_pod(maker: PodMaker, name: str, on: str) -> Object:
    """Return a pod that runs on a node."""
    rng = maker.rng
    pod = maker.pod(name)
    spec = pod["spec"]
    spec.pop("topologySpreadConstraints", None)
    spec["nodeName"] = on
    for container in spec["containers"]:
        container["resources"]["requests"] = {"cpu": rng.choice(("50m", "100m", "1")), "memory": rng.choice(("64Mi", "1Gi"))}
    if rng.random() < 0.1:
        pod["metadata"]["ownerReferences"] = [
            {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "daemon-0", "uid": "daemon-0", "controller": True}
        ]
    if maker.chance("volumes", 0.4):
        spec["volumes"] = volumes_of(maker)
    if maker.chance("deleting", 0.1):
        pod["metadata"].setdefault("annotations", {})["karpenter.sh/do-not-disrupt"] = "true"
    phase = weighted(rng, {"Running": 10, "Succeeded": 0.7, "Failed": 0.3})
    return {**pod, "apiVersion": "v1", "kind": "Pod", "status": {"phase": phase}}


# --- volumes

CLAIMS = ("vol-0", "vol-1", "vol-2", "vol-3")


def csi_node(maker: PodMaker, name: str) -> Object:
    """Return what a node may attach."""
    driver = {"name": DRIVER, "nodeID": name, "topologyKeys": None, "allocatable": {"count": maker.rng.choice((0, 1, 2, 3))}}
    return {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": name}, "spec": {"drivers": [driver]}}


def volumes_of(maker: PodMaker) -> list[Object]:
    """Volumes of a pod."""
    return [
        {"name": f"v{i}", "persistentVolumeClaim": {"claimName": name}} for i, name in enumerate(some(maker.rng, CLAIMS, 2))
    ]


def storage(maker: PodMaker) -> list[Object]:
    """Claims, volumes and classes; now and then one is missing."""
    rng = maker.rng
    objects: list[Object] = []
    for name in CLAIMS:
        if rng.random() < 0.04:
            continue
        bound = rng.random() < 0.5
        claim: Object = {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": name},
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": "1Gi"}},
                "storageClassName": rng.choice(("sc", "zonal")),
            },
            "status": {"phase": "Bound" if bound else "Pending"},
        }
        if bound:
            claim["metadata"]["annotations"] = {"pv.kubernetes.io/bind-completed": "yes"}
            claim["spec"]["volumeName"] = f"pv-{name}"
            if rng.random() > 0.04:
                objects.append(_volume(maker, f"pv-{name}"))
        objects.append(claim)
    return [*objects, _storage_class("sc"), {**_storage_class("zonal"), "allowedTopologies": _allowed(maker)}]


def _volume(maker: PodMaker, name: str) -> Object:
    rng = maker.rng
    spec: Object = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"]}
    if rng.random() < 0.8:
        spec["csi"] = {"driver": DRIVER, "volumeHandle": name}
    else:
        spec["local"] = {"path": "/data"}
    if rng.random() < 0.8:
        terms = []
        for _ in range(rng.choice((1, 1, 2))):
            key, values = rng.choice(((ZONE, maker.words.zones), (ZONE, maker.words.zones), (HOSTNAME, ("node-0", "node-9"))))
            terms.append({"matchExpressions": [{"key": key, "operator": "In", "values": some(rng, values, 2)}]})
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": terms}}
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": spec}


def _storage_class(name: str) -> Object:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": DRIVER,
        "volumeBindingMode": "WaitForFirstConsumer",
    }


def _allowed(maker: PodMaker) -> list[Object]:
    zones = maker.words.zones
    return [
        {"matchLabelExpressions": [{"key": ZONE, "values": some(maker.rng, zones, 2)}]}
        for _ in range(maker.rng.choice((1, 1, 2)))
    ]


# --- buffers


def buffers(maker: PodMaker) -> list[Object]:
    """Return a ready CapacityBuffer with its template."""
    replicas = maker.rng.randint(1, 5)
    labels = maker.labels()
    status = {"replicas": replicas, "podTemplateRef": {"name": "room"}, "conditions": [condition("ReadyForProvisioning")]}
    return [
        {
            "apiVersion": "autoscaling.x-k8s.io/v1beta1",
            "kind": "CapacityBuffer",
            "metadata": {"name": "spare", "namespace": "default", "uid": "spare-uid"},
            "spec": {"podTemplateRef": {"name": "room"}, "replicas": replicas},
            "status": status,
        },
        {
            "apiVersion": "v1",
            "kind": "PodTemplate",
            "metadata": {"name": "room", "namespace": "default"},
            "template": {"metadata": {"labels": labels}, "spec": maker.spec(labels["app"])},
        },
    ]
