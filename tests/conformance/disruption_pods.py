"""Random pods of disruption scenarios: what runs on the nodes, what waits, and what protects it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.conformance.disruption_maker import BORN, DO_NOT_DISRUPT, Maker, condition, cores
from tests.conformance.scenario_words import CAPACITY_TYPE, HOSTNAME, INSTANCE_TYPE, ZONE, Object, weighted

DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"
OWNERS: Final[Mapping[str, float]] = {"ReplicaSet": 16, "StatefulSet": 1, "Job": 1, "": 1, "DaemonSet": 1, "Node": 0.5}
GUARDS: Final[Sequence[Object]] = (
    {"maxUnavailable": 1},
    {"maxUnavailable": 0},
    {"maxUnavailable": "0%"},
    {"minAvailable": 1},
    {"minAvailable": "50%"},
    {"minAvailable": "100%"},
)


@dataclass(frozen=True)
class App:
    """Pods of one kind: what all of them say of where they want to be."""

    name: str
    spec: Mapping[str, Any]
    alone: bool = False


def apps(maker: Maker, count: int) -> list[App]:
    """Return the applications of a cluster."""
    return [_app(maker, f"app{i}") for i in range(count)]


def _app(maker: Maker, name: str) -> App:
    rng, spec = maker.rng, {}
    selector = {"matchLabels": {"app": name}}
    affinity: Object = {}
    apart = maker.chance("apart", 0.35)
    if apart:
        term = {"topologyKey": HOSTNAME, "labelSelector": selector}
        affinity["podAntiAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    elif maker.chance("preferences", 0.4):
        term = {"topologyKey": rng.choice((HOSTNAME, ZONE)), "labelSelector": selector}
        kind = rng.choice(("podAntiAffinity", "podAffinity"))
        affinity[kind] = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 10, "podAffinityTerm": term}]}
    if maker.chance("spread", 0.5):
        spec["topologySpreadConstraints"] = [_spread(maker, selector) for _ in range(rng.choice((1, 1, 2)))]
    if maker.chance("affinity", 0.3):
        other = rng.choice((name, "app0", "app1"))
        term = {"topologyKey": rng.choice((ZONE, ZONE, HOSTNAME)), "labelSelector": {"matchLabels": {"app": other}}}
        affinity["podAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    if maker.chance("affinity", 0.3):
        affinity["nodeAffinity"] = _node_affinity(maker)
    if affinity:
        spec["affinity"] = affinity
    if maker.chance("ports", 0.4):
        spec["port"] = rng.choice((8080, 9090))
    if maker.chance("volumes", 0.4):
        volume = {"name": "data", "persistentVolumeClaim": {"claimName": rng.choice(("vol-0", "vol-1", "vol-2", "vol-3"))}}
        spec["volumes"] = [volume]
    return App(name, spec, apart)


def _spread(maker: Maker, selector: Object) -> Object:
    rng = maker.rng
    constraint: Object = {
        "maxSkew": rng.choice((1, 1, 2, 5)),
        "topologyKey": rng.choice((ZONE, ZONE, HOSTNAME, CAPACITY_TYPE)),
        "whenUnsatisfiable": "ScheduleAnyway" if maker.chance("preferences", 0.4) else "DoNotSchedule",
        "labelSelector": selector,
    }
    if rng.random() < 0.15:
        constraint["minDomains"] = rng.randint(1, 3)
    if rng.random() < 0.15:
        constraint["nodeTaintsPolicy"] = "Honor"
    return constraint


def _node_affinity(maker: Maker) -> Object:
    rng = maker.rng
    key = rng.choice((ZONE, ZONE, CAPACITY_TYPE, INSTANCE_TYPE))
    known = maker.words.labels[key]
    term = {"key": key, "operator": rng.choice(("In", "In", "NotIn")), "values": rng.sample(known, min(len(known) - 1, 2) or 1)}
    if maker.chance("preferences", 0.5):
        preferred = {"weight": rng.choice((1, 20)), "preference": {"matchExpressions": [term]}}
        return {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [term]}]}}


def load(maker: Maker, node: Object, known: Sequence[App], first: int) -> list[Object]:
    """Return pods that run on a node."""
    rng = maker.rng
    left = cores(node["status"]["capacity"]["cpu"]) * weighted(rng, {0.0: 2.0, 0.2: 4.0, 0.4: 3.0, 0.7: 2.0, 0.95: 2.0})
    pods: list[Object] = []
    used: set[str] = set()
    while True:
        size = rng.choice((0.1, 0.25, 0.5, 0.9, 1, 1.5, 2, 3))
        if size > left:
            return pods
        left -= size
        free = [a for a in known if not (a.alone and a.name in used)]
        app = rng.choice(free or [App("plain", {})])
        used.add(app.name)
        pods.append(bound(maker, f"{app.name}-{first + len(pods)}", node, app, size))


def bound(maker: Maker, name: str, node: Object, app: App, cpu: float) -> Object:
    """Return a pod of an application on a node."""
    rng = maker.rng
    owner = weighted(rng, OWNERS) if "owners" in maker.features else "ReplicaSet"
    manifest = pod(maker, name, app, cpu)
    metadata, spec = manifest["metadata"], manifest["spec"]
    spec["nodeName"] = node["metadata"]["name"]
    if owner:
        controller = {"apiVersion": "v1" if owner == "Node" else "apps/v1", "kind": owner, "name": "owner", "uid": "uid-owner"}
        metadata["ownerReferences"] = [{**controller, "controller": True}]
    tolerated = [{"key": t["key"], "operator": "Exists"} for t in node["spec"].get("taints") or ()]
    if maker.chance("owners", 0.03):
        tolerated = [{"operator": "Exists"}]
    if tolerated:
        spec["tolerations"] = tolerated
    if maker.chance("owners", 0.04):
        metadata |= {"deletionTimestamp": "2026-01-05T12:00:20Z", "deletionGracePeriodSeconds": 30}
        metadata["finalizers"] = ["example.com/keep"]
    phase = "Running"
    if maker.chance("owners", 0.06):
        phase = rng.choice(("Succeeded", "Failed", "Pending", "Pending"))
    ready = "False" if rng.random() < 0.05 else "True"
    manifest["status"] = {
        "phase": phase,
        "conditions": [condition("PodScheduled"), condition("Ready", ready)],
        "startTime": maker.minute(100),
    }
    return manifest


def pod(maker: Maker, name: str, app: App, cpu: float) -> Object:
    """Return a pod of an application, not bound yet."""
    rng = maker.rng
    requests = {"cpu": f"{round(cpu * 1000)}m"}
    if rng.random() < 0.5 and cpu < 2:
        requests["memory"] = rng.choice(("64Mi", "256Mi", "1Gi"))
    container: Object = {"name": "main", "image": "app", "resources": {"requests": requests}}
    spec: Object = {k: v for k, v in app.spec.items() if k != "port"}
    if "port" in app.spec:
        container["ports"] = [{"containerPort": 80, "hostPort": app.spec["port"], "protocol": "TCP"}]
    annotations = {}
    if "ties" not in maker.features:
        annotations[DELETION_COST] = str(rng.randint(-1_000_000, 100_000_000))
    if maker.chance("held", 0.04):
        annotations[DO_NOT_DISRUPT] = rng.choice(("true", "30m", "90m", "no"))
    if rng.random() < 0.08:
        spec["priority"] = rng.choice((1000, 1_000_000, 100_000_000, -100, -40_000_000))
    metadata: Object = {
        "name": name,
        "namespace": "default",
        "uid": f"uid-pod-{name}",
        "creationTimestamp": BORN,
        "labels": {"app": app.name},
    }
    if annotations:
        metadata["annotations"] = annotations
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {**spec, "containers": [container]}}


def guards(maker: Maker, known: Sequence[App]) -> list[Object]:
    """PodDisruptionBudgets of some applications, now and then two of one."""
    rng, budgets = maker.rng, []
    for app in known:
        for i in range(rng.choice((0, 0, 0, 1, 1, 2)) if maker.chance("guards", 0.6) else 0):
            spec = {"selector": {"matchLabels": {"app": app.name}}, **rng.choice(GUARDS)}
            if rng.random() < 0.2:
                spec["unhealthyPodEvictionPolicy"] = "AlwaysAllow"
            status = {
                "disruptionsAllowed": rng.choice((0, 1, 1, 2)),
                "currentHealthy": 1,
                "desiredHealthy": 1,
                "expectedPods": 1,
            }
            metadata = {"name": f"guard-{app.name}-{i}", "namespace": "default", "uid": f"uid-pdb-{app.name}-{i}"}
            budgets.append(
                {
                    "apiVersion": "policy/v1",
                    "kind": "PodDisruptionBudget",
                    "metadata": metadata,
                    "spec": spec,
                    "status": status,
                }
            )
    return budgets
