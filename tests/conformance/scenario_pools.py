"""Random NodePools, DaemonSets and NodeOverlays for scenarios."""

from __future__ import annotations

from tests.conformance.scenario_pods import PodMaker
from tests.conformance.scenario_words import CUSTOM, INSTANCE_TYPE, NODE_CLASS, POOLS, SINCE, ZONE, Object, some

LIMITS = {
    "cpu": ("4", "10", "16", "33", "64", "100"),
    "memory": ("16Gi", "40Gi", "64G"),
    "nodes": ("0", "1", "5"),
    "pods": ("100", "300"),
}


def taint(maker: PodMaker) -> Object:
    """Return a taint that some tolerations of `PodMaker` tolerate."""
    return dict(
        maker.rng.choice(
            (
                {"key": "dedicated", "value": "x", "effect": "NoSchedule"},
                {"key": "dedicated", "value": "y", "effect": "NoSchedule"},
                {"key": "dedicated", "value": "y", "effect": "NoExecute"},
                {"key": "soft", "effect": "PreferNoSchedule"},
                {"key": "soft", "value": "x", "effect": "PreferNoSchedule"},
                {"key": "level", "value": "4", "effect": "NoSchedule"},
            )
        )
    )


def node_pool(maker: PodMaker, name: str) -> Object:
    """Return a NodePool."""
    rng = maker.rng
    spec: Object = {"requirements": _requirements(maker), "nodeClassRef": dict(NODE_CLASS)}
    template: Object = {"spec": spec}
    labels = {key: rng.choice(CUSTOM[key]) for key in CUSTOM if rng.random() < 0.15}
    if labels:
        template["metadata"] = {"labels": labels}
    if maker.chance("taints", 0.3):
        spec["taints"] = [taint(maker)]
    if maker.chance("taints", 0.1):
        spec["startupTaints"] = [{"key": "boot", "effect": "NoSchedule"}]
    pool: Object = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {"template": template},
    }
    if maker.chance("pools", 0.5):
        pool["spec"]["weight"] = rng.choice((1, 10, 10, 50))
    if maker.chance("limits", 0.5):
        pool["spec"]["limits"] = {r: rng.choice(LIMITS[r]) for r in some(rng, list(LIMITS), 2)}
    return pool


def _requirements(maker: PodMaker) -> list[Object]:
    rng = maker.rng
    requirements = []
    if rng.random() < 0.25:
        requirements.append({"key": ZONE, "operator": "In", "values": some(rng, maker.words.zones, 3)})
    custom = rng.choice(list(CUSTOM))
    if rng.random() < 0.35:
        requirements.append({"key": custom, "operator": "In", "values": some(rng, CUSTOM[custom], 3)})
    elif rng.random() < 0.1:
        requirements.append({"key": custom, "operator": rng.choice(("Exists", "DoesNotExist"))})
    if maker.chance("pools", 0.35):
        requirements.append(maker.expression(of_pool=True))
    if maker.chance("minvalues", 0.7):
        keys = [k for k, values in maker.words.labels.items() if len(values) > 1]
        key = rng.choice([INSTANCE_TYPE, *keys])
        least = rng.choice((1, 2, 2, 3, 4, 6))
        if rng.random() < 0.7:
            requirements.append({"key": key, "operator": "Exists", "minValues": least})
        else:
            values = rng.sample(maker.words.labels[key], min(len(maker.words.labels[key]), max(least, rng.randint(2, 6))))
            requirements.append({"key": key, "operator": "In", "values": values, "minValues": min(least, len(values))})
    return requirements


def node_pools(maker: PodMaker) -> list[Object]:
    """Return one to three NodePools."""
    count = maker.rng.choice((1, 1, 2, 3)) if "pools" in maker.features else 1
    pools = [node_pool(maker, name) for name in maker.rng.sample(POOLS, count)]
    if maker.rng.random() < 0.4:
        pools[-1]["spec"]["template"] = {"spec": {"requirements": [], "nodeClassRef": dict(NODE_CLASS)}}
    if "states" in maker.features:
        _put_in_state(maker, pools[0])
    return pools


def _put_in_state(maker: PodMaker, pool: Object) -> None:
    """A NodePool that is, for some reason, not like others."""
    match maker.rng.choice(("static", "deleting", "unready", "ready", "foreign", "class")):
        case "static":
            pool["spec"].pop("weight", None)
            pool["spec"]["replicas"] = maker.rng.choice((0, 2))
            pool["spec"]["limits"] = {"nodes": "5"}
        case "deleting":
            pool["metadata"] |= {"deletionTimestamp": SINCE, "finalizers": ["karpenter.sh/termination"]}
        case "unready":
            pool["status"] = {"conditions": _conditions("False")}
        case "ready":
            pool["status"] = {"conditions": _conditions("True")}
        case "foreign":
            pool["spec"]["template"]["spec"]["nodeClassRef"] = {
                "group": "elsewhere.com",
                "kind": "OtherNodeClass",
                "name": "default",
            }
        case "class":
            reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "other"}
            pool["spec"]["template"]["spec"]["nodeClassRef"] = reference


def _conditions(ready: str) -> list[Object]:
    kinds = {"ValidationSucceeded": "True", "NodeClassReady": ready, "Ready": ready}
    return [{"type": k, "status": v, "reason": k, "message": "", "lastTransitionTime": SINCE} for k, v in kinds.items()]


def daemon_set(maker: PodMaker, name: str) -> Object:
    """Return a DaemonSet."""
    rng = maker.rng
    container: Object = {
        "name": "main",
        "image": "img",
        "resources": {"requests": {"cpu": rng.choice(("50m", "100m", "500m")), "memory": rng.choice(("32Mi", "100Mi", "1Gi"))}},
    }
    if rng.random() < 0.2:
        container["resources"] = {"limits": {"cpu": "200m"}, "requests": {"memory": "64Mi"}}
    if maker.chance("ports", 0.4):
        container["ports"] = [maker.port()]
    spec: Object = {"containers": [container]}
    if rng.random() < 0.25:
        e = maker.expression()
        if e.get("values"):
            spec["nodeSelector"] = {e["key"]: e["values"][0]}
    if rng.random() < 0.45:
        terms = maker.terms(3)
        spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    if rng.random() < 0.5:
        spec["tolerations"] = [maker.toleration()]
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": spec}},
    }


def node_overlay(maker: PodMaker, name: str) -> Object:
    """Return a NodeOverlay of a price or of extra resources."""
    rng = maker.rng
    spec: Object = {"requirements": [maker.expression(of_pool=True) for _ in range(rng.choice((1, 1, 2)))]}
    kind = rng.random()
    if kind < 0.4:
        spec["priceAdjustment"] = rng.choice(("+10%", "-50%", "+0.05", "-0.01", "-100%"))
    elif kind < 0.7:
        spec["price"] = rng.choice(("0.001", "0.3", "2"))
    else:
        spec["capacity"] = dict.fromkeys(some(rng, ("example.com/slot", "example.com/fuse"), 2), "2")
    if rng.random() < 0.6:
        spec["weight"] = rng.choice((1, 5, 5, 10))
    return {"apiVersion": "karpenter.sh/v1alpha1", "kind": "NodeOverlay", "metadata": {"name": name}, "spec": spec}
