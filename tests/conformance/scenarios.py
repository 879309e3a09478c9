"""Random scheduling scenarios: the same seed and features always make the same scenario."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from random import Random
from typing import Final

from tests.conformance import scenario_cluster as cluster
from tests.conformance.scenario_entries import entry
from tests.conformance.scenario_pods import PodMaker
from tests.conformance.scenario_pools import daemon_set, node_overlay, node_pools
from tests.conformance.scenario_words import (
    APPS,
    CAPACITY_TYPE,
    HOSTNAME,
    NAMESPACES,
    TYPE_FILES,
    ZONE,
    Object,
    weighted,
    words,
)

FEATURES: Final[Mapping[str, float]] = {
    "affinity": 0.5,
    "preferences": 0.35,
    "taints": 0.4,
    "pools": 0.5,
    "limits": 0.25,
    "minvalues": 0.2,
    "daemons": 0.35,
    "ports": 0.15,
    "spread": 0.4,
    "podaffinity": 0.35,
    "namespaces": 0.2,
    "odd": 0.2,
    "many": 0.15,
    "policies": 0.3,
    "strange": 0.15,
    "states": 0.12,
    "mixed": 0.1,
    "nodes": 0.35,
    "volumes": 0.12,
    "deleting": 0.15,
    "reservations": 0.1,
    "overlays": 0.12,
    "buffers": 0.08,
    "launch": 0.3,
}
"""What a scenario may have, with the share of scenarios that do."""

BASIC: Final = frozenset(FEATURES) - {"nodes", "volumes", "deleting", "reservations", "overlays", "buffers", "launch"}
"""Features without anything that exists before the pass."""


def scenario(seed: int, vectors: Path, allowed: Collection[str] = tuple(FEATURES)) -> Object:
    """Return the scenario of a seed, with some of the allowed features. `vectors` is the folder with the type files."""
    rng = Random(f"cutlist {seed}")  # noqa: S311 - it has to be the same every time
    features = {name for name, share in FEATURES.items() if rng.random() < share and name in allowed}
    file = "reserved" if "reservations" in features else weighted(rng, TYPE_FILES)
    known = words(vectors, file)
    maker = PodMaker(rng, known, features)
    pools = node_pools(maker)
    members: Object = {
        "name": f"random-{seed}",
        "about": f"seed {seed}: {', '.join(sorted(features)) or 'plain pods'} on {file} types",
        "provider": known.provider,
        "instanceTypes": f"types/{file}.json",
        "options": _options(maker),
        "nodePools": pools,
        "objects": [],
        "pods": _pods(maker),
    }
    _objects(maker, members, [p["metadata"]["name"] for p in pools])
    if "mixed" in features and len(pools) > 1 and known.provider == "example":
        members["instanceTypesByNodePool"] = {
            pools[0]["metadata"]["name"]: f"types/{rng.choice(('tiny', 'skewed', 'gpu', 'odd'))}.json"
        }
    if "launch" in features:
        members["detail"] = True
    if known.symmetric and "instanceTypesByNodePool" not in members and not _mentions(members, known.zones):
        members["symmetric"] = {ZONE: list(known.zones)}
    return {k: v for k, v in members.items() if v not in ({}, [])}


def _mentions(members: Object, zones: Collection[str]) -> bool:
    text = json.dumps(members)
    return any(zone in text for zone in zones)


def _options(maker: PodMaker) -> Object:
    options: Object = {}
    if maker.chance("policies", 0.5):
        options["preferencePolicy"] = "Ignore"
    if maker.chance("policies", 0.5) or maker.chance("minvalues", 0.4):
        options["minValuesPolicy"] = "BestEffort"
    gates = {}
    if "overlays" in maker.features:
        gates["nodeOverlay"] = True
    if "buffers" in maker.features:
        gates["capacityBuffer"] = True
    if maker.chance("reservations", 0.1):
        gates["reservedCapacity"] = False
    return {**options, "featureGates": gates} if gates else options


def _pods(maker: PodMaker) -> list[Object]:
    rng = maker.rng
    most = rng.choice((1, 3, 6, 12))
    entries: list[Object] = []
    for i in range(rng.choice((1, 2, 3, 4, 6, 9))):
        entries.append(entry(maker, f"g{i}", most, entries))
    if "many" in maker.features:
        entries += [_apart(maker, f"m{i}") for i in range(rng.choice((1, 1, 2)))]
    if "volumes" in maker.features:
        for pods in entries:
            if rng.random() < 0.5:
                pods["pod"]["spec"]["volumes"] = cluster.volumes_of(maker)
    return entries


def _apart(maker: PodMaker, name: str) -> Object:
    """Return pods that need 13 to 80 claims, one each: then the order in which claims are tried is no longer obvious."""
    pod = maker.pod(name)
    app = pod["metadata"]["labels"]["app"] = maker.rng.choice((name, *APPS))
    selector = {"matchLabels": {"app": app}}
    term = {"topologyKey": HOSTNAME, "labelSelector": selector}
    if maker.rng.random() < 0.6:
        affinity = pod["spec"].setdefault("affinity", {})
        affinity["podAntiAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    else:
        spread = {"maxSkew": maker.rng.choice((1, 2)), "topologyKey": HOSTNAME, "whenUnsatisfiable": "DoNotSchedule"}
        pod["spec"]["topologySpreadConstraints"] = [{**spread, "labelSelector": selector}]
    return {"count": maker.rng.randint(13, 80), "pod": pod}


def _objects(maker: PodMaker, members: Object, pools: list[str]) -> None:
    rng, objects = maker.rng, members["objects"]
    if "namespaces" in maker.features:
        objects += [
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": n, "labels": {"team": rng.choice(("red", "blue"))}}}
            for n in NAMESPACES
        ]
    if "daemons" in maker.features:
        objects += [daemon_set(maker, f"daemon-{i}") for i in range(rng.choice((1, 1, 2, 3)))]
    if "overlays" in maker.features:
        objects += [node_overlay(maker, f"overlay-{i}") for i in range(rng.choice((1, 2, 3)))]
    if "volumes" in maker.features:
        objects += cluster.storage(maker)
    if "buffers" in maker.features:
        objects += cluster.buffers(maker)
    if "nodes" in maker.features:
        cluster.nodes(maker, pools, members)


__all__ = ["BASIC", "CAPACITY_TYPE", "FEATURES", "scenario"]
