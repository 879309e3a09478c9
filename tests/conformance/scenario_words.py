"""What random scenarios are made of: names and values that mean something together with a file of instance types."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

Object = dict[str, Any]
T = TypeVar("T")

ZONE = "topology.kubernetes.io/zone"
HOSTNAME = "kubernetes.io/hostname"
CAPACITY_TYPE = "karpenter.sh/capacity-type"
INSTANCE_TYPE = "node.kubernetes.io/instance-type"
NODEPOOL = "karpenter.sh/nodepool"
RACK, TEAM, TIER = "rack", "team", "tier"
CUSTOM: Mapping[str, Sequence[str]] = {RACK: ("r1", "r2", "r3"), TEAM: ("red", "blue"), TIER: ("1", "3", "5")}
"""Labels that only NodePools and nodes define."""

APPS = ("a", "b", "c", "d")
NAMESPACES = ("other", "third")
POOLS = ("alpha", "beta", "gamma")
SINCE = "2025-12-31T00:00:00Z"
NODE_CLASS = {"group": "example.com", "kind": "ExampleNodeClass", "name": "default"}

TYPE_FILES: Mapping[str, int] = {
    "tiny": 10,
    "skewed": 10,
    "gpu": 5,
    "odd": 4,
    "overrides": 3,
    "hugepages": 4,
    "aws-small": 3,
    "kwok": 2,
    "many": 1,
    "fake-400": 1,
}
"""Files of instance types, with how often they are used."""


@dataclass(frozen=True)
class Words:
    """The labels, values and resources that a file of instance types knows.

    `machines` are its types as written; `symmetric` says whether its zones may be exchanged.
    """

    file: str
    zones: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    resources: Mapping[str, tuple[str, ...]]
    machines: tuple[Mapping[str, Any], ...]
    symmetric: bool

    @property
    def provider(self) -> str:
        """Return which cloud provider sells these types."""
        return next((p for p in ("aws", "kwok", "fake") if self.file.startswith(p)), "example")

    @property
    def numeric(self) -> tuple[str, ...]:
        """Return labels whose values are numbers."""
        return tuple(k for k, values in self.labels.items() if values and all(v.isdigit() for v in values))


@cache
def words(vectors: Path, file: str) -> Words:
    """Return what a file in the folder `types` of the vectors knows."""
    raw = json.loads((vectors / "types" / f"{file}.json").read_text())
    machines = tuple(raw["instanceTypes"] if isinstance(raw, dict) else raw)
    labels: dict[str, dict[str, None]] = {}
    resources: dict[str, dict[str, None]] = {}
    for machine in machines:
        for r in machine["requirements"]:
            labels.setdefault(r["key"], {}).update(dict.fromkeys(r.get("values") or ()))
        amounts = [machine["capacity"], *(o.get("capacityOverride") or {} for o in machine["offerings"])]
        for name, amount in (item for part in amounts for item in part.items()):
            resources.setdefault(name, {})[amount] = None
    return Words(
        file=file,
        zones=tuple(labels[ZONE]),
        labels={k: tuple(v) for k, v in labels.items()},
        resources={k: tuple(v) for k, v in resources.items() if k not in ("cpu", "memory", "pods", "ephemeral-storage")},
        machines=machines,
        symmetric=all(_alike_everywhere(m, tuple(labels[ZONE])) for m in machines),
    )


def _alike_everywhere(machine: Mapping[str, Any], zones: Sequence[str]) -> bool:
    """Tell whether a type is sold in all zones in the same way."""
    sold: dict[str, list[str]] = {zone: [] for zone in zones}
    for offering in machine["offerings"]:
        rest = {k: v for k, v in offering.items() if k != "requirements"}
        place = [r for r in offering["requirements"] if r["key"] == ZONE]
        other = [r for r in offering["requirements"] if r["key"] != ZONE]
        if not place or len(place[0].get("values") or ()) != 1:
            return False
        sold[place[0]["values"][0]].append(json.dumps([rest, other], sort_keys=True))
    return len({tuple(sorted(offers)) for offers in sold.values()}) == 1


def weighted(rng: Random, choices: Mapping[T, float]) -> T:
    """Return one of the choices, each as often as its weight says."""
    return rng.choices(list(choices), weights=list(choices.values()))[0]


def some(rng: Random, items: Sequence[T], most: int) -> list[T]:
    """Return one to `most` different items."""
    return rng.sample(list(items), min(len(items), rng.randint(1, most)))
