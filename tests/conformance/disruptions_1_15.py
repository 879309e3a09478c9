"""What Karpenter 1.15 adds, put into random disruption scenarios: terminate-first, repair, reboots, ranks, costs of pods."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.conformance.disruption_maker import condition
from tests.conformance.disruption_pods import DELETION_COST
from tests.conformance.scenario_words import CAPACITY_TYPE, Object, some, weighted
from tests.conformance.scenarios_1_15 import KARPENTER, maybe_full

DISRUPTION_COST: Final = "karpenter.sh/disruption-cost"
DO_NOT_REPAIR: Final = "karpenter.sh/do-not-repair"
LATER_FEATURES: Final = {
    "terminate-first": 0.4,
    "repair": 0.5,
    "rebooting": 0.25,
    "reboot": 0.3,
    "ranks": 0.3,
    "costs": 0.3,
    "full": 0.5,
}
"""What is added, with the share of scenarios that have it."""

CONDITIONS: Final = (("Ready", "False"), ("Ready", "Unknown"), ("BadNode", "True"), ("DiskHealthy", "False"))
REASONS: Final = ("DiskFull", "KernelDeadlock", "XID48", "XID640", "")
EXPRESSIONS: Final = ("^Disk", "XID(48|64)", ".*", "Kernel", "^$")
TOLERATIONS: Final = ("0s", "30s", "10m", "30m", "2h")
BOUNDS: Final = ("0s", "30s", "10m", "2h")
COSTS: Final = ("0", "5", "-3", "1.5", "1e3", "134217728", "2147483647", "2147483648", "-2147483648", "many", " 7", "+9", "")


def with_later_disruption(scenario: Object, seed: int, vectors: Path) -> Object:
    """Return the scenario for Karpenter 1.15, the same for the same seed."""
    rng = Random(f"disruption 1.15 {seed}")  # noqa: S311 - it has to be the same every time
    features = {name for name, share in LATER_FEATURES.items() if rng.random() < share}
    asked: Object = {**copy.deepcopy(scenario), "karpenter": KARPENTER}
    asked["about"] = f"{asked['about']}; {', '.join(sorted(features)) or 'nothing new'}"
    asked.setdefault("objects", [])
    if "terminate-first" in features:
        _gates(asked).update(terminateFirstDrift=rng.random() < 0.8, terminateFirstRepair=rng.random() < 0.8)
    if "full" in features:
        _fill_reservations(rng, asked, vectors)
    if "repair" in features:
        _repair(rng, asked)
    if "rebooting" in features:
        _reboot_some(rng, asked)
    if "reboot" in features:
        asked["disruption"]["reboot"] = _reboot(rng, asked)
    if "ranks" in features:
        asked["disruption"]["deletionCosts"] = True
    if "costs" in features:
        _gates(asked)["podDeletionCostManagement"] = rng.random() < 0.3
        _cost_some(rng, asked)
    return asked


def _gates(asked: Object) -> dict[str, Any]:
    gates: dict[str, Any] = asked["options"].setdefault("featureGates", {})
    return gates


def _fill_reservations(rng: Random, asked: Object, vectors: Path) -> None:
    content = json.loads((vectors / asked["instanceTypes"]).read_text())
    types = content["instanceTypes"] if isinstance(content, dict) else content
    if any(_is_reserved(r) for t in types for o in t["offerings"] for r in o["requirements"]):
        asked["instanceTypes"] = [{**t, "offerings": [maybe_full(rng, o) for o in t["offerings"]]} for t in types]


def _is_reserved(requirement: Object) -> bool:
    return requirement["key"] == CAPACITY_TYPE and requirement.get("values") == ["reserved"]


def _of_kind(asked: Object, kind: str) -> list[Object]:
    return [o for o in asked["objects"] if o["kind"] == kind]


# --- repair


def _repair(rng: Random, asked: Object) -> None:
    settings = asked["disruption"]
    settings["repairPolicies"] = _policies(rng)
    if rng.random() < 0.1:
        _gates(asked)["nodeRepair"] = rng.random() < 0.5
    if rng.random() < 0.12:
        asked["options"]["legacyNodeRepair"] = True
    for pool in asked["nodePools"]:
        budgets = pool["spec"]["disruption"].get("budgets") or []
        if budgets and rng.random() < 0.3:
            budgets.append({"nodes": rng.choice(("0", "1", "50%")), "reasons": some(rng, ("Unhealthy", "Drifted"), 2)})
    sick = rng.choice((0.15, 0.3, 0.6))
    for node in _of_kind(asked, "Node"):
        if rng.random() < sick:
            _make_sick(rng, node)
        if rng.random() < 0.1:
            node["metadata"].setdefault("annotations", {})[DO_NOT_REPAIR] = rng.choice(("true", "true", "false"))
    named = [n["metadata"]["name"] for n in _managed(asked)]
    if named and rng.random() < 0.4:
        times = ("2026-01-05T11:00:00Z", "2026-01-05T02:00:00Z", "2026-01-04T12:00:00Z", "2026-01-04T11:00:00Z")
        chosen = rng.sample(named, min(len(named), 2))
        settings["reboots"] = {name: sorted(rng.sample(times, rng.choice((1, 2, 3)))) for name in chosen}


def _managed(asked: Object) -> list[Object]:
    """Return the Nodes that have a NodeClaim."""
    named = {claim["status"].get("nodeName") for claim in _of_kind(asked, "NodeClaim")}
    return [node for node in _of_kind(asked, "Node") if node["metadata"]["name"] in named]


def _policies(rng: Random) -> list[Object]:
    policies = [_policy(rng, rng.choice(EXPRESSIONS)) for _ in range(rng.choice((0, 1, 2, 3, 4)))]
    fallbacks = rng.choices((1, 0, 2), (40, 1, 1))[0]
    for _ in range(fallbacks):
        policy = _policy(rng, "")
        if rng.random() < 0.95:
            policy.pop("action", None)
        policies.insert(rng.randint(0, len(policies)), policy)
    return policies or [_policy(rng, "")]


def _policy(rng: Random, expression: str) -> Object:
    kind, status = rng.choice(CONDITIONS)
    policy: Object = {"type": kind, "status": status, "toleration": rng.choice(TOLERATIONS)}
    if expression:
        policy["reasonRegex"] = expression
    if rng.random() < 0.5:
        policy["terminationGracePeriod"] = rng.choice(BOUNDS)
    if rng.random() < 0.5:
        policy["priority"] = rng.choice((0, 10, 50, 100))
    if rng.random() < 0.5:
        policy["action"] = rng.choice(("ReplaceNode", "RebootNode", "RebootNode"))
    return policy


def _make_sick(rng: Random, node: Object) -> None:
    conditions = node["status"]["conditions"]
    for kind, status in rng.sample(CONDITIONS, rng.choice((1, 1, 2))):
        conditions[:] = [c for c in conditions if c["type"] != kind]
        since = f"2026-01-05T{rng.choice((9, 11)):02d}:{rng.choice((0, 30, 50, 59)):02d}:00Z"
        conditions.append({**condition(kind, status, since=since), "reason": rng.choice(REASONS)})


# --- reboots


def _reboot_some(rng: Random, asked: Object) -> None:
    """Let some nodes be rebooting, and let reboots of others have ended."""
    joined = {node["metadata"]["name"] for node in _of_kind(asked, "Node")}
    for claim in _of_kind(asked, "NodeClaim"):
        if claim["status"].get("nodeName") not in joined:  # Karpenter reboots nodes, and breaks off without one
            continue
        state = weighted(rng, {"": 5.0, "True": 2.0, "False": 1.0})
        if not state:
            continue
        reason = rng.choice(("RebootRequested", "RebootIssued")) if state == "True" else "RebootSucceeded"
        since = f"2026-01-05T11:{rng.choice((20, 50, 59)):02d}:00Z"
        claim["status"]["conditions"].append(condition("Rebooting", state, reason=reason, since=since))
        if state == "True" and rng.random() < 0.5:
            bound = rng.choice(("0s", "10s", "10m", "10m0s", "long"))
            claim["metadata"]["annotations"]["karpenter.sh/reboot-termination-grace-period"] = bound
        if state == "True":
            _mark_node(rng, asked, claim)


def _mark_node(rng: Random, asked: Object, claim: Object) -> None:
    """Let the Node of a rebooting NodeClaim be somewhere on its way."""
    for node in _of_kind(asked, "Node"):
        if node["metadata"]["name"] != claim["status"].get("nodeName"):
            continue
        node["status"].setdefault("nodeInfo", {})["bootID"] = "boot-2"
        if rng.random() < 0.6:
            node["spec"].setdefault("taints", []).append({"key": "karpenter.sh/rebooting", "effect": "NoSchedule"})
        if rng.random() < 0.4:
            node["metadata"]["labels"].pop("karpenter.sh/initialized", None)
        if rng.random() < 0.4:
            claim["metadata"]["annotations"]["karpenter.sh/reboot-pre-boot-id"] = rng.choice(("boot-1", "boot-2"))


def _reboot(rng: Random, asked: Object) -> Object:
    said = ("ok", "notImplemented", "failed", "notFound", "transient")
    nodes = [n["metadata"]["name"] for n in _managed(asked)]
    reboot: Object = {"provider": {name: rng.choice(said) for name in nodes if rng.random() < 0.6}}
    if rng.random() < 0.7:
        reboot["waits"] = ["0s", *(rng.choice(("5s", "10s", "1m", "6m", "25m")) for _ in range(rng.choice((1, 2, 3))))]
    return reboot


# --- costs of pods


def _cost_some(rng: Random, asked: Object) -> None:
    for pod in _of_kind(asked, "Pod"):
        annotations = pod["metadata"].setdefault("annotations", {})
        if rng.random() < 0.3:
            annotations[DISRUPTION_COST] = rng.choice(COSTS)
        if rng.random() < 0.3:
            annotations[DELETION_COST] = rng.choice(COSTS)
