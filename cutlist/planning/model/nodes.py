"""Nodes of a plan: those that will be launched, what they may become, and those that exist and get pods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.quantity import amounts
from cutlist.core.requirements import Expression
from cutlist.planning.model.spelling import amount_texts, price_number

DETERMINED: Final = "determined"
LOWEST_PRICE: Final = "lowest price"
UNKNOWN_PRICE: Final = "unknown price"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An instance type that a node may become: `price` is of its cheapest available offering that the claim allows.

    `capacity_type` is that offering's; `zones` are all in which the type is offered for this claim.
    """

    instance_type: str
    price: float | None
    capacity_type: str
    zones: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "instanceType": self.instance_type,
            "pricePerHour": price_number(self.price),
            "capacityType": self.capacity_type,
            "zones": list(self.zones),
        }

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> Candidate:
        """Back from `to_dict`."""
        return Candidate(raw["instanceType"], price_number(raw["pricePerHour"]), raw["capacityType"], tuple(raw["zones"]))


@dataclass(frozen=True, slots=True)
class PodShare:
    """How many pods of `workload` one node takes: `deployment/web`, or `shop/deployment/web` outside namespace `default`."""

    workload: str
    count: int


@dataclass(frozen=True, slots=True)
class PodSize:
    """What one pod of a workload asks for, in nano-units; the mean where the pods of a workload differ."""

    workload: str
    requests: Mapping[str, int] = field(hash=False)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"workload": self.workload, "requests": amount_texts(self.requests)}

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> PodSize:
        """Back from `to_dict`."""
        return PodSize(raw["workload"], amounts(raw["requests"]))


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """`count` nodes that are alike in everything.

    `instance_type`, `allocatable`, `price` (of one node) and `price_source` are of the cheapest candidate; `certainty` tells
    whether that type is certain (`determined`), the lowest of what EC2 may choose (`lowest price`) or without a price
    (`unknown price`). `capacity_types` are all that the claim allows and that are offered, `capacity_type` is the cheapest
    candidate's. `requests` include DaemonSets, `pods` do not. `candidates` are cheapest first; `requirements` are the claim's.
    `launch` is the place of the node's request among the plan's launches, None where these were not asked for or are not known.
    """

    node_pool: str
    count: int
    instance_type: str
    certainty: str
    capacity_type: str
    capacity_types: tuple[str, ...]
    zones: tuple[str, ...]
    price: float | None
    price_source: str
    requests: Mapping[str, int] = field(hash=False)
    allocatable: Mapping[str, int] = field(hash=False)
    pods: tuple[PodShare, ...]
    candidates: tuple[Candidate, ...]
    requirements: tuple[Expression, ...]
    launch: int | None = None

    def fill(self, resource: str) -> float | None:
        """Which part of the node's allocatable amount is requested, 1.0 for all; None when the node has none of it."""
        total = self.allocatable.get(resource, 0)
        return self.requests.get(resource, 0) / total if total > 0 else None

    @property
    def pods_each(self) -> int:
        """Pods on one such node, DaemonSets aside."""
        return sum(share.count for share in self.pods)

    @property
    def alternatives(self) -> int:
        """How many other instance types the node may become."""
        return len({c.instance_type for c in self.candidates} - {self.instance_type})

    @property
    def is_estimated(self) -> bool:
        """Whether the price is an estimate, which its source then says."""
        return self.price is not None and "estimate" in self.price_source.lower()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "nodePool": self.node_pool,
            "count": self.count,
            "instanceType": self.instance_type,
            "certainty": self.certainty,
            "capacityType": self.capacity_type,
            "capacityTypes": list(self.capacity_types),
            "zones": list(self.zones),
            "pricePerHour": price_number(self.price),
            "priceSource": self.price_source,
            "requests": amount_texts(self.requests),
            "allocatable": amount_texts(self.allocatable),
            "pods": [{"workload": s.workload, "count": s.count} for s in self.pods],
            "candidates": [c.to_dict() for c in self.candidates],
            "requirements": [e.manifest() for e in self.requirements],
            "launch": self.launch,
        }

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> PlannedNode:
        """Back from `to_dict`."""
        return PlannedNode(
            node_pool=raw["nodePool"],
            count=raw["count"],
            instance_type=raw["instanceType"],
            certainty=raw["certainty"],
            capacity_type=raw["capacityType"],
            capacity_types=tuple(raw["capacityTypes"]),
            zones=tuple(raw["zones"]),
            price=price_number(raw["pricePerHour"]),
            price_source=raw["priceSource"],
            requests=amounts(raw["requests"]),
            allocatable=amounts(raw["allocatable"]),
            pods=tuple(PodShare(s["workload"], s["count"]) for s in raw["pods"]),
            candidates=tuple(Candidate.from_dict(c) for c in raw["candidates"]),
            requirements=tuple(Expression.read(e) for e in raw["requirements"]),
            launch=raw.get("launch"),
        )


@dataclass(frozen=True, slots=True)
class FilledNode:
    """A node that exists already, and the pods that find room on it."""

    name: str
    pods: tuple[PodShare, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"name": self.name, "pods": [{"workload": s.workload, "count": s.count} for s in self.pods]}

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> FilledNode:
        """Back from `to_dict`."""
        return FilledNode(raw["name"], tuple(PodShare(s["workload"], s["count"]) for s in raw["pods"]))


def fill(nodes: Iterable[PlannedNode], resource: str) -> float | None:
    """Which share of a resource pods ask for, over all nodes; None where they have none of it."""
    requested = total = 0
    for node in nodes:
        amount = node.allocatable.get(resource, 0)
        if amount > 0:
            requested += node.count * node.requests.get(resource, 0)
            total += node.count * amount
    return requested / total if total else None
