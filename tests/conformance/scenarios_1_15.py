"""What Karpenter 1.15 adds, put into random scenarios: attach limits, full reservations, default spread constraints."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.conformance.scenario_cluster import DRIVER
from tests.conformance.scenario_words import APPS, CAPACITY_TYPE, HOSTNAME, ZONE, Object

KARPENTER: Final = "1.15.0"


def with_later_features(scenario: Object, seed: int, vectors: Path) -> Object:
    """Return the scenario for Karpenter 1.15, the same for the same seed; about half have something new in them."""
    rng = Random(f"cutlist 1.15 {seed}")  # noqa: S311 - it has to be the same every time
    asked: Object = {**copy.deepcopy(scenario), "karpenter": KARPENTER}
    if rng.random() < 0.4:
        asked["options"] = {**asked.get("options", {}), "schedulerConfig": _configuration(rng)}
        asked["objects"] = [*asked.get("objects", []), *_sources(rng)]
        _control_some(rng, asked.get("pods", []))
        asked.pop("symmetric", None)  # constraints name zones by key only, but a minimum number of them may not
    has_volumes = any(o.get("kind") == "PersistentVolumeClaim" for o in asked.get("objects", []))
    reserved = asked.get("instanceTypes") == "types/reserved.json"
    if isinstance(asked.get("instanceTypes"), str) and (has_volumes or (reserved and rng.random() < 0.7)):
        content = json.loads((vectors / asked["instanceTypes"]).read_text())
        types = content["instanceTypes"] if isinstance(content, dict) else content
        asked["instanceTypes"] = [_changed(rng, t) for t in types]
    return asked


def _changed(rng: Random, instance_type: Object) -> Object:
    offerings = [maybe_full(rng, o) for o in instance_type.get("offerings", [])]
    limits = {"volumeAttachmentLimits": {DRIVER: rng.choice((0, 1, 1, 2, 3))}} if rng.random() < 0.7 else {}
    return {**instance_type, "offerings": offerings, **limits}


def maybe_full(rng: Random, offering: Object) -> Object:
    """Return an offering; half of those of reservations are full."""
    kinds = [r.get("values") for r in offering["requirements"] if r["key"] == CAPACITY_TYPE]
    full = kinds == [["reserved"]] and rng.random() < 0.5
    return {**offering, "available": True, "reservationCapacity": 0} if full else offering


def _configuration(rng: Random) -> Object:
    keys = rng.sample((ZONE, HOSTNAME), rng.choice((1, 1, 2)))
    return {"podTopologySpread": {"defaultConstraints": [_constraint(rng, key) for key in keys]}}


def _constraint(rng: Random, key: str) -> Object:
    constraint: dict[str, Any] = {
        "maxSkew": rng.choice((1, 1, 2, 3)),
        "topologyKey": key,
        "whenUnsatisfiable": rng.choice(("DoNotSchedule", "ScheduleAnyway")),
    }
    if constraint["whenUnsatisfiable"] == "DoNotSchedule" and rng.random() < 0.2:
        constraint["minDomains"] = rng.choice((1, 2, 3))
    return constraint


def _sources(rng: Random) -> list[Object]:
    """Return Services and controllers whose selectors meet the labels of some pods."""
    objects: list[Object] = []
    for number in range(rng.choice((0, 1, 2, 3))):
        spec: Object = {"ports": [{"port": 80}], "selector": {"app": rng.choice(APPS)}}
        objects.append({"apiVersion": "v1", "kind": "Service", "metadata": {"name": f"service-{number}"}, "spec": spec})
    for kind in ("ReplicaSet", "StatefulSet"):
        labels = {"app": rng.choice(APPS)}
        spec = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": {"containers": []}}}
        name = f"{kind.lower()}-0"
        objects.append({"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "uid": name}, "spec": spec})
    return objects


def _control_some(rng: Random, entries: list[Object]) -> None:
    for entry in entries:
        if rng.random() < 0.4 and not entry["pod"]["metadata"].get("ownerReferences"):
            kind = rng.choice(("ReplicaSet", "StatefulSet"))
            name = rng.choice((f"{kind.lower()}-0", "gone"))
            metadata = entry["pod"]["metadata"]
            # Karpenter knows owners by their uids, which no two objects of a cluster share.
            uid = f"{metadata['namespace']}-{name}" if "namespace" in metadata else name
            owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": uid, "controller": True}
            metadata["ownerReferences"] = [owner]
