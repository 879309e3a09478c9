"""Why the pods of a workload get the nodes they get, or none: the data behind `cutlist explain`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cutlist.planning.model.nodes import PlannedNode
from cutlist.planning.model.plan import PendingPods
from cutlist.planning.model.spelling import price_number


@dataclass(frozen=True, slots=True)
class Narrowing:
    """How many instance types are left of a NodePool's after a step, and what the step asks."""

    step: str
    types: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"step": self.step, "types": self.types}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a NodePool said, in the order in which Karpenter asks: how many pods it took on new nodes, or why it takes none.

    `refusal` is the first rule that is broken, with the shortfall in numbers, `karpenter` the same in Karpenter's words and
    `remedy` the smallest change that would have it take a pod; all are empty for a NodePool that would take them. `narrowing`
    tells how its types come down to those that can hold one pod.
    """

    node_pool: str
    weight: int
    took: int
    refusal: str = ""
    karpenter: str = ""
    remedy: str = ""
    narrowing: tuple[Narrowing, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "nodePool": self.node_pool,
            "weight": self.weight,
            "tookPods": self.took,
            "refusal": self.refusal or None,
            "karpenter": self.karpenter or None,
            "remedy": self.remedy or None,
            "narrowing": [n.to_dict() for n in self.narrowing],
        }


@dataclass(frozen=True, slots=True)
class RelaxedPreference:
    """Something that pods prefer and do not get, and how many of those that have a node; all that wait gave it up in vain."""

    what: str
    pods: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"what": self.what, "pods": self.pods}


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that decides about the pods of a workload under one controller.

    `nodes` are the new nodes with a pod of it, `existing` the pods on each node that is there, by name, and `refusing` why
    others of these take none, with how many they are. `spot` says where spot capacity was lost and by what, NodePool by
    NodePool. `price` is the part of the nodes' price that it causes, in USD per
    hour, and `least` what its requests would cost at least, on the types that fit them best and without any waste; None for
    unknown.
    """

    workload: str
    controller: str
    pods: int
    nodes: tuple[PlannedNode, ...]
    existing: tuple[tuple[str, int], ...]
    pending: tuple[PendingPods, ...]
    answers: tuple[Answer, ...]
    given_up: tuple[RelaxedPreference, ...] = ()
    spot: tuple[str, ...] = ()
    price: float | None = None
    least: float | None = None
    refusing: tuple[tuple[str, int], ...] = ()

    @property
    def on_existing(self) -> int:
        """How many pods find room on nodes that are there."""
        return sum(pods for _, pods in self.existing)

    @property
    def waiting(self) -> int:
        """How many pods have no node."""
        return sum(p.count for p in self.pending)

    @property
    def on_new_nodes(self) -> int:
        """How many pods get a new node."""
        return self.pods - self.on_existing - self.waiting

    @property
    def gap(self) -> float | None:
        """What the way in which pods and nodes fit together costs, in USD per hour."""
        return None if self.price is None or self.least is None else max(0.0, self.price - self.least)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "workload": self.workload,
            "controller": self.controller,
            "pods": self.pods,
            "nodes": [node.to_dict() for node in self.nodes],
            "existing": [{"name": name, "pods": pods} for name, pods in self.existing],
            "refusing": [{"reason": reason, "nodes": nodes} for reason, nodes in self.refusing],
            "pending": [one.to_dict() for one in self.pending],
            "nodePools": [answer.to_dict() for answer in self.answers],
            "givenUp": [one.to_dict() for one in self.given_up],
            "spot": list(self.spot),
            "pricePerHour": price_number(self.price),
            "leastPricePerHour": price_number(self.least),
            "gapPerHour": price_number(self.gap),
        }
