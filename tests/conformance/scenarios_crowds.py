"""Puts many equal pods and limits that bind into random scenarios, beside everything else that they have."""

from __future__ import annotations

import copy
from random import Random
from typing import Final

from tests.conformance.scenario_words import ZONE, Object

CROWDS: Final = "crowds"
"""The feature of scenarios with many equal pods."""
_SHARE: Final = 0.12
_SPREAD, _NEAR = 0.2, 0.15
"""The parts of kinds that are spread over zones, and that follow each other."""
_CPU: Final = ("50m", "200m", "350m", "500m", "900m", "1500m", "3")
_MEMORY: Final = ("32Mi", "300Mi", "1Gi", "3Gi")
_LIMITS: Final = {"cpu": ("30", "77", "150", "400"), "memory": ("60Gi", "200Gi", "700Gi"), "nodes": ("7", "40")}


def has_crowds(seed: int) -> bool:
    """Tell whether the scenario of a seed has many equal pods, where it may."""
    return _random(seed).random() < _SHARE


def with_crowds(scenario: Object, seed: int) -> Object:
    """Return the scenario with a few kinds of up to 300 equal pods and with limits, the same for the same seed."""
    rng = _random(seed)
    rng.random()  # which has decided that there are any
    asked = copy.deepcopy(scenario)
    asked["about"] = f"{asked['about']}; crowds"
    pods = [_kind(rng, f"c{number}") for number in range(rng.choice((1, 2, 2, 3)))]
    asked["pods"] = [*asked.get("pods", ()), *pods]
    for pool in asked["nodePools"]:
        if rng.random() < 0.7 and "replicas" not in pool["spec"]:
            chosen = rng.sample(sorted(_LIMITS), rng.choice((1, 1, 2, 3)))
            pool["spec"]["limits"] = {resource: rng.choice(_LIMITS[resource]) for resource in chosen}
    return asked


def _kind(rng: Random, name: str) -> Object:
    requests = {"cpu": rng.choice(_CPU), "memory": rng.choice(_MEMORY)}
    spec: Object = {"containers": [{"name": "c", "resources": {"requests": requests}}]}
    of_kind = {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": name}}}
    rule = rng.random()
    if rule < _SPREAD:
        spec["topologySpreadConstraints"] = [
            {**of_kind, "maxSkew": rng.choice((1, 1, 2)), "whenUnsatisfiable": "DoNotSchedule"}
        ]
    elif rule < _SPREAD + _NEAR:
        terms = [{"weight": 1, "podAffinityTerm": of_kind}]
        spec["affinity"] = {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": terms}}
    return {"count": rng.randint(40, 300), "pod": {"metadata": {"name": name, "labels": {"app": name}}, "spec": spec}}


def _random(seed: int) -> Random:
    return Random(f"cutlist crowds {seed}")  # noqa: S311 - it has to be the same every time
