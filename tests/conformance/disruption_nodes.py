"""Random nodes of disruption scenarios: Nodes with their NodeClaims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.conformance.disruption_maker import BORN, DO_NOT_DISRUPT, Maker, condition, cores
from tests.conformance.scenario_words import (
    CAPACITY_TYPE,
    HOSTNAME,
    INSTANCE_TYPE,
    NODE_CLASS,
    NODEPOOL,
    ZONE,
    Object,
    weighted,
)

STATES: Final[Mapping[str, float]] = {
    "up": 20,
    "uninitialized": 2,
    "deleting": 2,
    "not ready": 2,
    "unmanaged": 1,
    "claim only": 1,
    "ending": 0.5,
    "without a claim's id": 0.15,
}


def node_objects(maker: Maker, name: str, pool: Object) -> tuple[str, list[Object]]:
    """Return a state, and the objects of a node in it. Of a claim alone there is no Node for pods to run on."""
    rng, state = maker.rng, weighted(maker.rng, STATES) if "states" in maker.features else "up"
    labels, capacity = _sold(maker, pool)
    labels[NODEPOOL] = pool["metadata"]["name"]
    taints = list(pool["spec"]["template"]["spec"].get("taints") or ())
    identity = f"test:///{labels[ZONE]}/{name}"
    objects = []
    if state != "unmanaged":
        objects.append(_claim(maker, name, state, labels, pool, {"capacity": capacity, "allocatable": capacity}, identity))
    if state == "claim only":
        return state, objects
    own = {**labels, HOSTNAME: name, "karpenter.sh/registered": "true"}
    if state not in ("uninitialized", "unmanaged"):
        own["karpenter.sh/initialized"] = "true"
    if state == "unmanaged":
        own = {k: v for k, v in own.items() if not k.startswith("karpenter.sh/")}
        taints = []
    if maker.chance("strange", 0.1):
        own.pop(rng.choice((CAPACITY_TYPE, ZONE, NODEPOOL)), None)
    metadata: Object = {"name": name, "uid": f"uid-node-{name}", "creationTimestamp": BORN, "labels": own}
    if maker.chance("held", 0.1):
        metadata["annotations"] = {DO_NOT_DISRUPT: rng.choice(("true", "true", "false", "1h"))}
    ready = rng.choice(("False", "Unknown")) if state == "not ready" else "True"
    status = {"capacity": capacity, "allocatable": capacity, "conditions": [condition("Ready", ready)]}
    spec: Object = {"providerID": identity, **({"taints": taints} if taints else {})}
    objects.append({"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec, "status": status})
    return state, objects


def _sold(maker: Maker, pool: Object) -> tuple[dict[str, str], dict[str, str]]:
    """Return the labels and capacity of something that the pool may launch, mostly."""
    rng = maker.rng
    kinds = next(
        (
            r["values"]
            for r in pool["spec"]["template"]["spec"]["requirements"]
            if r["key"] == CAPACITY_TYPE and r.get("values")
        ),
        None,
    )
    fitting = [m for m in maker.words.machines if 2 <= cores(m["capacity"]["cpu"]) <= 32] or list(maker.words.machines)
    sold = rng.choice(fitting)
    offers = [
        {r["key"]: r["values"][0] for r in o["requirements"] if len(r.get("values") or ()) == 1} for o in sold["offerings"]
    ]
    offers = [o for o in offers if o.keys() >= {ZONE, CAPACITY_TYPE}] or [
        {ZONE: maker.words.zones[0], CAPACITY_TYPE: "on-demand"}
    ]
    allowed = [o for o in offers if kinds is None or o[CAPACITY_TYPE] in kinds] or offers
    labels = {r["key"]: r["values"][0] for r in sold["requirements"] if len(r.get("values") or ()) == 1}
    labels |= rng.choice(allowed)
    if maker.chance("strange", 0.1):
        labels[INSTANCE_TYPE] = "without_rule.of"
    return labels, {k: v for k, v in sold["capacity"].items() if k in ("cpu", "memory", "pods", "ephemeral-storage")}


def _claim(
    maker: Maker, name: str, state: str, labels: Mapping[str, str], pool: Object, amounts: Object, identity: str
) -> Object:
    rng = maker.rng
    conditions = [condition("Launched")]
    conditions += [condition("Registered")] if state != "claim only" else []
    conditions += [condition("Initialized")] if state not in ("claim only", "uninitialized") else []
    conditions += [condition("InstanceTerminating")] if state == "ending" else []
    after = pool["spec"].get("disruption", {}).get("consolidateAfter", "0s")
    status: Object = {"conditions": conditions, "providerID": identity, "imageID": "image-1", **amounts}
    if after not in ("0s", "Never") and rng.random() < 0.8:
        status["lastPodEventTime"] = maker.minute(12)
    quiet = {"0s": 0.95, "Never": 0.1}.get(after, 0.6)
    if "replicas" not in pool["spec"] and rng.random() < quiet and state not in ("claim only", "uninitialized"):
        conditions.append(condition("Consolidatable"))
    if maker.chance("drifted", 0.3):
        reason = rng.choice(("NodePoolDrifted", "RequirementsDrifted", "AMIDrift"))
        conditions.append(condition("Drifted", reason=reason, since=maker.minute(50)))
    if state != "claim only":
        status["nodeName"] = name
    known = dict(labels)
    if state == "without a claim's id":
        del status["providerID"]
        known = {NODEPOOL: known[NODEPOOL]}
    metadata: Object = {
        "name": f"{name}-claim",
        "uid": f"uid-claim-{name}",
        "creationTimestamp": f"2026-01-05T{rng.randint(0, 10):02d}:{rng.randint(0, 59):02d}:00Z",
        "labels": known,
        "annotations": {"karpenter.sh/nodepool-hash-version": "v3"},
        "finalizers": ["karpenter.sh/termination"],
    }
    if state == "deleting":
        metadata["deletionTimestamp"] = "2026-01-05T11:59:00Z"
    template = pool["spec"]["template"]["spec"]
    spec: Object = {"nodeClassRef": dict(NODE_CLASS), "requirements": [], "expireAfter": rng.choice(("Never", "720h", "24h"))}
    if maker.chance("held", 0.3) or maker.chance("guards", 0.2):
        spec["terminationGracePeriod"] = "1h"
    if template.get("taints"):
        spec["taints"] = template["taints"]
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": metadata, "spec": spec, "status": status}
