"""Puts devices and ResourceClaims into random scenarios of Karpenter 1.15, beside everything else that they have."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.conformance.scenario_claims import ClaimMaker, device_classes
from tests.conformance.scenario_devices import DeviceMaker, names_in
from tests.conformance.scenario_words import HOSTNAME, INSTANCE_TYPE, NAMESPACES, ZONE, Object, some

DEVICES: Final = "devices"
"""The feature of scenarios that have devices."""
MOST_TYPES: Final = 60
NOW: Final = "2026-01-01T00:00:00Z"
_CLAIMS: Final = ("claim-0", "claim-1", "claim-2")
_TEMPLATES: Final = ("made-0", "made-1", "made-2")


def with_devices(scenario: Object, seed: int, vectors: Path, *, may_remove: bool = True) -> Object:
    """Return the scenario with devices, the same for the same seed. With `may_remove` some ask what would be without nodes."""
    rng = Random(f"cutlist devices {seed}")  # noqa: S311 - it has to be the same every time
    asked: Object = copy.deepcopy(scenario)
    asked["about"] = f"{asked['about']}; devices"
    asked.setdefault("options", {})["ignoreDRARequests"] = rng.random() < 0.15
    types = _types(asked.get("instanceTypes"), vectors)
    maker = DeviceMaker(rng, _labels(types))
    by_type = {t["name"]: maker.of_type(t["name"]) for t in types}
    asked["instanceTypes"] = [{**t, "dynamicResources": by_type[t["name"]]} if by_type[t["name"]] else t for t in types]
    if len(types) > MOST_TYPES:
        asked["instanceTypes"] = rng.sample(asked["instanceTypes"], MOST_TYPES)
    asked["deviceClasses"] = device_classes(rng)
    slices = [s for n in range(rng.choice((0, 0, 0, 1, 1, 2))) for s in maker.network(n)]
    for node in _of_kind(asked, "Node"):
        name, labels = node["metadata"]["name"], node["metadata"].get("labels") or {}
        slices += maker.slices_of_node(name, labels, by_type.get(labels.get(INSTANCE_TYPE, ""), {}))
    rng.shuffle(slices)
    asked["resourceSlices"] = slices
    _claims(rng, asked, ClaimMaker(rng, maker), names_in(slices), maker.labels)
    nodes = [n["metadata"]["name"] for n in _of_kind(asked, "Node") if _may_move(asked, n)]
    if may_remove and nodes and rng.random() < 0.4:
        asked["candidates"] = rng.sample(nodes, min(len(nodes), rng.choice((1, 1, 2))))
        asked.pop("detail", None)
        for pod in _of_kind(asked, "Pod"):  # disruption looks at the age of pods, which API servers always write
            pod["metadata"].setdefault("creationTimestamp", asked.get("now", NOW))
    devices = json.dumps([asked["resourceSlices"], asked["resourceClaims"]])
    if any(zone in devices for zone in maker.labels[ZONE]):
        asked.pop("symmetric", None)
    return {k: v for k, v in asked.items() if v not in ({}, [])}


def _types(named: Any, vectors: Path) -> list[Object]:
    if not isinstance(named, str):
        return list(named or [])
    content = json.loads((vectors / named).read_text())
    return list(content["instanceTypes"] if isinstance(content, dict) else content)


def _labels(types: Sequence[Object]) -> dict[str, list[str]]:
    values: dict[str, dict[str, None]] = {}
    for part in (r for t in types for r in t["requirements"]):
        values.setdefault(part["key"], {}).update(dict.fromkeys(part.get("values") or ()))
    return {key: list(of) for key, of in values.items()}


def _of_kind(asked: Object, kind: str) -> list[Object]:
    return [o for o in asked.get("objects") or () if o["kind"] == kind]


def _may_move(asked: Object, node: Object) -> bool:
    """Tell whether disruption may take a node: it is initialised, and nothing marks it."""
    labels, name = node["metadata"].get("labels") or {}, node["metadata"]["name"]
    pools = {p["metadata"]["name"]: p for p in asked.get("nodePools") or ()}
    pool = pools.get(labels.get("karpenter.sh/nodepool", ""), {})
    classes = (pool.get("spec") or {}).get("template", {}).get("spec", {}).get("nodeClassRef") or {}
    ready = not (pool.get("status") or pool.get("metadata", {}).get("deletionTimestamp") or "replicas" in pool.get("spec", {}))
    needed = {INSTANCE_TYPE, "karpenter.sh/capacity-type", ZONE, HOSTNAME}
    return (
        labels.get("karpenter.sh/initialized") == "true"
        and needed <= labels.keys()
        and name not in (asked.get("markedForDeletion") or ())
        and bool(pool)
        and ready
        and classes.get("group") == "example.com"
    )


def _claims(rng: Random, asked: Object, maker: ClaimMaker, found: Sequence[Object], labels: Any) -> None:
    """Put claims and templates into a scenario, and names of them into pods."""
    zones = labels[ZONE]
    namespaces = ["default", *(n for n in NAMESPACES if rng.random() < 0.7)]
    templates = {name: maker.spec() for name in _TEMPLATES}
    asked["resourceClaimTemplates"] = [
        {"metadata": {"name": name, "namespace": space}, "spec": {"spec": spec}}
        for name, spec in templates.items()
        for space in namespaces
    ]
    claims = [
        {"metadata": {"name": name, "namespace": space}, "spec": maker.spec()} for name in _CLAIMS for space in namespaces
    ]
    asked["resourceClaims"] = claims
    waiting = [e["pod"] for e in asked.get("pods") or ()]
    waiting += [o["template"] for o in _of_kind(asked, "PodTemplate")]
    waiting += [o["spec"]["template"] for o in _of_kind(asked, "DaemonSet") if rng.random() < 0.2]
    for pod in waiting:
        if rng.random() < 0.6:
            pod["spec"]["resourceClaims"] = _named(rng)
    taken: set[int] = set()
    for pod in _of_kind(asked, "Pod"):
        if pod["spec"].get("nodeName") and rng.random() < 0.6:
            _let_hold(rng, asked, maker, pod, [d for i, d in enumerate(found) if i not in taken], zones)
    for claim in claims:
        if rng.random() < 0.2:
            claim["status"] = {"allocation": maker.allocation(found, zones)}
            if rng.random() < 0.4:
                claim["status"]["reservedFor"] = [{"resource": "pods", "name": "gone", "uid": "uid-of-nobody"}]


def _named(rng: Random) -> list[Object]:
    found: list[Object] = []
    for name in some(rng, ("a", "b", "c"), 2 if rng.random() < 0.3 else 1):
        if rng.random() < 0.75:
            found.append({"name": name, "resourceClaimTemplateName": rng.choice((*_TEMPLATES, *_TEMPLATES, "no-template"))})
        else:
            found.append({"name": name, "resourceClaimName": rng.choice((*_CLAIMS, *_CLAIMS, "no-claim"))})
    return found


def _let_hold(
    rng: Random, asked: Object, maker: ClaimMaker, pod: Object, found: Sequence[Object], zones: Sequence[str]
) -> None:
    """Give a pod that runs a claim of its own, or one that another has already; mostly on devices of its node."""
    metadata = pod["metadata"]
    uid = metadata.setdefault("uid", f"uid-of-{metadata['name']}")
    reserved = {"resource": "pods", "name": metadata["name"], "uid": uid}
    space = metadata.get("namespace", "default")
    held = [
        c for c in asked["resourceClaims"] if c["metadata"]["name"].startswith("held-") and c["metadata"]["namespace"] == space
    ]
    if held and rng.random() < 0.3:
        claim = rng.choice(held)
        claim["status"]["reservedFor"].append(reserved)
    else:
        owned = [d for d in found if d["pool"] == pod["spec"]["nodeName"]] or list(found)
        name = f"held-{metadata['name']}"
        consumers = [reserved]
        if rng.random() < 0.1:
            consumers.append({"apiGroup": "example.com", "resource": "jobs", "name": "j", "uid": "j"})
        status = {"allocation": maker.allocation(owned, zones), "reservedFor": consumers}
        claim = {"metadata": {"name": name, "namespace": space}, "spec": maker.spec(), "status": status}
        asked["resourceClaims"].append(claim)
    if rng.random() < 0.6:
        pod["spec"]["resourceClaims"] = [{"name": "held", "resourceClaimName": claim["metadata"]["name"]}]
    else:
        pod["spec"]["resourceClaims"] = [{"name": "held", "resourceClaimTemplateName": rng.choice(_TEMPLATES)}]
        status = {"name": "held", "resourceClaimName": claim["metadata"]["name"]}
        pod.setdefault("status", {})["resourceClaimStatuses"] = [status]
