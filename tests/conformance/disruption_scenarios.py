"""Random disruption scenarios: the same seed and features always make the same scenario."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final

from tests.conformance.disruption_maker import BORN, DO_NOT_DISRUPT, Maker, condition
from tests.conformance.disruption_nodes import node_objects
from tests.conformance.disruption_pods import App, apps, guards, load, pod
from tests.conformance.scenario_cluster import storage
from tests.conformance.scenario_pods import PodMaker
from tests.conformance.scenario_pools import daemon_set, node_overlay
from tests.conformance.scenario_words import CAPACITY_TYPE, INSTANCE_TYPE, NODE_CLASS, ZONE, Object, some, weighted, words

FEATURES: Final[Mapping[str, float]] = {
    "pools": 0.5,
    "spot": 0.6,
    "gate": 0.5,
    "budgets": 0.4,
    "windows": 0.25,
    "balanced": 0.25,
    "whenempty": 0.12,
    "after": 0.35,
    "weights": 0.4,
    "limits": 0.25,
    "minvalues": 0.2,
    "taints": 0.2,
    "static": 0.15,
    "unready": 0.05,
    "drifted": 0.35,
    "states": 0.4,
    "strange": 0.08,
    "nominated": 0.2,
    "marked": 0.2,
    "queued": 0.08,
    "buffered": 0.05,
    "spread": 0.35,
    "apart": 0.25,
    "affinity": 0.3,
    "preferences": 0.2,
    "policies": 0.3,
    "ports": 0.12,
    "volumes": 0.15,
    "guards": 0.35,
    "held": 0.25,
    "owners": 0.4,
    "daemons": 0.3,
    "pending": 0.35,
    "reserved": 0.12,
    "overlays": 0.06,
    "ties": 0.1,
    "many": 0.08,
    "conditions": 0.15,
    "during": 0.12,
    "steps": 0.12,
}
"""What a scenario may have, with the share of scenarios that do."""

TYPE_FILES: Final[Mapping[str, float]] = {"disruption": 8, "aws-small": 3, "skewed": 2, "tiny": 2, "kwok": 0.5}
NOON: Final = "2026-01-05T12:00:00Z"  # a Monday
SCHEDULES: Final = (
    "0 12 * * *",
    "1 12 * * *",
    "0 9 * * mon-fri",
    "0 9 * * sat,sun",
    "*/5 * * * *",
    "0 11 5 * 3",
    "0 11 6 * 1",
    "0 11 6 * 2",
    "@daily",
    "@hourly",
    "0 0 30 2 *",
    "0 0 1 1 ?",
    "30 6-10/2 */2 * 1",
)
DURATIONS: Final = ("5m", "1h", "3h", "3h1m", "12h", "160h")
REASONS: Final = ("Empty", "Drifted", "Underutilized")


def scenario(seed: int, vectors: Path, allowed: Collection[str] = tuple(FEATURES)) -> Object:
    """Return the scenario of a seed, with some of the allowed features. `vectors` is the folder with the type files."""
    rng = Random(f"disruption {seed}")  # noqa: S311 - it has to be the same every time
    features = {name for name, share in FEATURES.items() if rng.random() < share and name in allowed}
    file = "reserved" if "reserved" in features else weighted(rng, TYPE_FILES)
    maker = Maker(rng, words(vectors, file), features)
    pools = _pools(maker)
    known = apps(maker, rng.choice((2, 3, 4, 6)))
    result: Object = {
        "name": f"disruption-{seed}",
        "about": f"seed {seed}: {', '.join(sorted(features)) or 'plain nodes'} on {file} types",
        "now": NOON,
        "provider": maker.words.provider,
        "options": _options(maker),
        "instanceTypes": f"types/{file}.json",
        "nodePools": pools,
        "objects": [],
        "pods": _pending(maker, known),
        "disruption": {},
    }
    _cluster(maker, result, known)
    if "daemons" in features:
        result["objects"] += [daemon_set(_others(maker), f"daemon-{i}") for i in range(rng.choice((1, 1, 2)))]
    if "overlays" in features:
        result["objects"] += [node_overlay(_others(maker), f"overlay-{i}") for i in range(rng.choice((1, 2)))]
    if "volumes" in features:
        result["objects"] += storage(_others(maker))
    result["objects"] += guards(maker, known)
    _happenings(maker, result)
    return {k: v for k, v in result.items() if v != []}


def _others(maker: Maker) -> PodMaker:
    """Return what makes the parts that scheduling scenarios have as well."""
    return PodMaker(maker.rng, maker.words, maker.features)


def _options(maker: Maker) -> Object:
    rng = maker.rng
    gates = {"reservedCapacity": rng.random() < 0.9, "spotToSpotConsolidation": "gate" in maker.features}
    gates |= {"nodeOverlay": "overlays" in maker.features, "staticCapacity": "static" in maker.features}
    ignored = maker.chance("policies", 0.6)
    lenient = maker.chance("policies", 0.6)
    return {
        "preferencePolicy": "Ignore" if ignored else "Respect",
        "minValuesPolicy": "BestEffort" if lenient else "Strict",
        "featureGates": gates,
    }


# --- NodePools


def _pools(maker: Maker) -> list[Object]:
    count = maker.rng.choice((2, 2, 3)) if "pools" in maker.features else 1
    pools = [_pool(maker, name) for name in maker.rng.sample(("alpha", "beta", "gamma"), count)]
    if "static" in maker.features:
        replicas = maker.rng.choice((1, 2, 3))
        limits = {"limits": {"nodes": str(replicas + maker.rng.choice((0, 1, 2)))}} if maker.rng.random() < 0.7 else {}
        pools.append(_pool(maker, "static"))
        spec = {k: v for k, v in pools[-1]["spec"].items() if k not in ("weight", "limits")}
        pools[-1]["spec"] = {**spec, "replicas": replicas, **limits}
    if maker.chance("unready", 0.8):
        kinds = ("ValidationSucceeded", "NodeClassReady", "Ready")
        pools[0]["status"] = {"conditions": [condition(k, maker.rng.choice(("True", "False"))) for k in kinds]}
    return pools


def _pool(maker: Maker, name: str) -> Object:
    rng = maker.rng
    spec: Object = {"nodeClassRef": dict(NODE_CLASS), "requirements": _requirements(maker), "expireAfter": "Never"}
    if maker.chance("taints", 0.4):
        spec["taints"] = [{"key": "team", "value": name, "effect": rng.choice(("NoSchedule", "PreferNoSchedule"))}]
    policies = {"WhenEmptyOrUnderutilized": 6.0}
    policies |= {"Balanced": 8.0} if "balanced" in maker.features else {}
    policies |= {"WhenEmpty": 4.0} if "whenempty" in maker.features else {}
    after = weighted(rng, {"0s": 3.0, "5m": 3.0, "90s": 1.0, "Never": 1.0}) if "after" in maker.features else "0s"
    disruption: Object = {"consolidationPolicy": weighted(rng, policies), "consolidateAfter": after}
    budgets = _budgets(maker)
    if budgets is not None:
        disruption["budgets"] = budgets
    manifest: Object = {"template": {"metadata": {}, "spec": spec}, "disruption": disruption}
    if maker.chance("weights", 0.6):
        manifest["weight"] = rng.choice((1, 10, 10, 50))
    if maker.chance("limits", 0.6):
        manifest["limits"] = rng.choice(
            ({"cpu": str(rng.randint(10, 200))}, {"memory": "100Gi"}, {"nodes": str(rng.randint(1, 9))})
        )
    metadata = {"name": name, "uid": f"uid-pool-{name}", "creationTimestamp": BORN}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": metadata, "spec": manifest}


def _requirements(maker: Maker) -> list[Object]:
    rng = maker.rng
    sold = maker.words.labels[CAPACITY_TYPE]
    kinds = [["on-demand"], *([["spot", "on-demand"], ["spot", "on-demand"], ["spot"]] if "spot" in maker.features else [])]
    allowed = [*rng.choice(kinds), *(["reserved"] if "reserved" in sold and rng.random() < 0.7 else [])]
    requirements: list[Object] = []
    if rng.random() < 0.85:
        requirements.append({"key": CAPACITY_TYPE, "operator": "In", "values": allowed})
    if rng.random() < 0.3:
        requirements.append({"key": ZONE, "operator": "In", "values": rng.sample(maker.words.zones, 2)})
    if maker.chance("minvalues", 0.7):
        requirements.append({"key": INSTANCE_TYPE, "operator": "Exists", "minValues": rng.choice((2, 3, 4, 17))})
    elif rng.random() < 0.2:
        types = some(rng, maker.words.labels[INSTANCE_TYPE], 3)
        requirements.append({"key": INSTANCE_TYPE, "operator": "NotIn", "values": types})
    return requirements


def _budgets(maker: Maker) -> list[Object] | None:
    """Budgets of a pool; None for the default."""
    rng = maker.rng
    budgets = []
    if maker.chance("windows", 0.8):
        for _ in range(rng.choice((1, 1, 2))):
            window = {"schedule": rng.choice(SCHEDULES), "duration": rng.choice(DURATIONS)}
            budgets.append({"nodes": rng.choice(("0", "1", "30%")), **window})
    if maker.chance("budgets", 0.8):
        kind = rng.random()
        if kind < 0.15:
            return budgets or None
        if kind < 0.3:
            return budgets
        nodes = rng.choice(("0", "1", "2", "3", "10%", "34%", "50%", "99%"))
        budgets.append({"nodes": nodes, **({"reasons": some(rng, REASONS, 2)} if rng.random() < 0.4 else {})})
    return budgets or [{"nodes": "100%"}]


# --- the cluster


def _cluster(maker: Maker, made: Object, known: Sequence[App]) -> None:
    rng, settings = maker.rng, made["disruption"]
    count = rng.choice((9, 12, 16)) if "many" in maker.features else rng.choice((1, 2, 3, 4, 5, 6, 8))
    names = [f"n-{i:02d}" for i in range(count)]
    rng.shuffle(names)
    pods = 0
    for name in names:
        state, objects = node_objects(maker, name, rng.choice(made["nodePools"]))
        made["objects"] += objects
        if state != "claim only":
            loaded = load(maker, objects[-1], known, pods)
            pods += len(loaded)
            made["objects"] += loaded
        if state == "up":
            _remember(maker, name, settings)


def _remember(maker: Maker, name: str, settings: Object) -> None:
    if maker.chance("nominated", 0.2):
        settings.setdefault("nominated", {})[name] = f"2026-01-05T11:59:{maker.rng.randint(30, 59)}Z"
    elif maker.chance("marked", 0.2):
        settings.setdefault("marked", []).append(name)
    elif maker.chance("queued", 0.3):
        settings.setdefault("queued", []).append(name)
    elif maker.chance("buffered", 0.4):
        settings.setdefault("bufferPods", {})[name] = maker.rng.randint(1, 2)


def _pending(maker: Maker, known: Sequence[App]) -> list[Object]:
    if "pending" not in maker.features:
        return []
    sizes = (0.1, 0.5, 1, 2, 3, 7, 20, 40)
    pods = [
        pod(maker, f"pending-{i}", maker.rng.choice(known), maker.rng.choice(sizes))
        for i in range(maker.rng.choice((1, 1, 2, 3)))
    ]
    return [{"pod": one} for one in pods]


# --- what happens


def _happenings(maker: Maker, made: Object) -> None:
    settings = made["disruption"]
    if "conditions" in maker.features:
        settings["computeConditions"] = True
    if "during" in maker.features:
        settings["during"] = _change(maker, made, marking=True)
    elif "steps" in maker.features and "static" not in maker.features:  # asked about static drift, Karpenter reserves nodes
        # Either commands are executed or conditions are judged: the NodeClaims of commands have random names.
        settings["steps"] = [_step(maker, made) for _ in range(maker.rng.choice((1, 2, 3)))]
        acting = any(step.get("execute") for step in settings["steps"])
        deleted: set[str] = set()
        for step in settings["steps"]:
            step.pop("computeConditions" if acting else "", None)
            step["delete"] = [d for d in step.get("delete", ()) if d["name"] not in deleted]
            deleted |= {d["name"] for d in step["delete"]}


def _change(maker: Maker, made: Object, *, marking: bool) -> Object:
    rng = maker.rng
    pods = [o for o in made["objects"] if o["kind"] == "Pod"]
    nodes = [o["metadata"]["name"] for o in made["objects"] if o["kind"] == "Node"]
    change: Object = {}
    gone = rng.sample(pods, min(len(pods), rng.choice((0, 0, 1, 2))))
    if gone:
        change["delete"] = [{"kind": "Pod", "namespace": "default", "name": p["metadata"]["name"]} for p in gone]
    if pods and rng.random() < 0.4:
        held = rng.choice(pods)
        if held not in gone:
            annotations = {**held["metadata"].get("annotations", {}), DO_NOT_DISRUPT: "true"}
            change["apply"] = [{**held, "metadata": {**held["metadata"], "annotations": annotations}}]
    if marking and nodes and rng.random() < 0.3:
        change["nominated"] = rng.sample(nodes, 1)
    elif marking and nodes and rng.random() < 0.3:
        change["marked"] = rng.sample(nodes, 1)
    return change


def _step(maker: Maker, made: Object) -> Object:
    rng = maker.rng
    step: Object = _change(maker, made, marking=False) if rng.random() < 0.4 else {}
    if rng.random() < 0.6:
        step["execute"] = True
        if rng.random() < 0.7:
            step["replacements"] = rng.choice(("initialized", "initialized", "deleted"))
    if rng.random() < 0.7:
        step["advance"] = rng.choice(("10s", "1m", "4m", "5m", "11m", "3h"))
    if rng.random() < 0.4:
        step["queue"] = True
    if rng.random() < 0.3:
        step["computeConditions"] = True
    return step


__all__ = ["FEATURES", "scenario"]
