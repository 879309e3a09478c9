"""The whole plan: nodes, pods that stay pending, notes, totals, and its form in JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.catalog.prices import HOURS_PER_MONTH
from cutlist.core.errors import InputError, Place, QuantityError
from cutlist.core.notes import Note
from cutlist.planning.model.launch import Launch
from cutlist.planning.model.nodes import LOWEST_PRICE, FilledNode, PlannedNode, PodSize, fill
from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.model.spelling import price_number

VERSION: Final = 1  # of the JSON form; raised when a key changes its meaning or goes away


@dataclass(frozen=True, slots=True)
class PendingPods:
    """Pods of a workload that get no node: `reason` is the one sentence that matters, `by_node_pool` why each pool refused.

    `remedy` is the smallest single change found that would give one of them a node; empty when there is none.
    """

    workload: str
    count: int
    reason: str
    by_node_pool: tuple[tuple[str, str], ...] = ()
    remedy: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        pools = [{"nodePool": pool, "reason": reason} for pool, reason in self.by_node_pool]
        common = {"workload": self.workload, "count": self.count, "reason": self.reason}
        return {**common, "byNodePool": pools, "remedy": self.remedy}

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> PendingPods:
        """Back from `to_dict`."""
        pools = tuple((p["nodePool"], p["reason"]) for p in raw["byNodePool"])
        return PendingPods(raw["workload"], raw["count"], raw["reason"], pools, raw["remedy"])


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over a plan.

    `pods` are placed ones, `pending` the others. `price_per_hour` sums the known prices, None when there are nodes and none has
    a price; `unpriced_nodes` are left out of it. Fills are parts of what all nodes together have, None without nodes.
    """

    nodes: int
    pods: int
    pending: int
    price_per_hour: float | None
    unpriced_nodes: int
    cpu_fill: float | None
    memory_fill: float | None

    @property
    def price_per_month(self) -> float | None:
        """USD for 730 hours."""
        return None if self.price_per_hour is None else self.price_per_hour * HOURS_PER_MONTH

    @staticmethod
    def of(nodes: Sequence[PlannedNode], pending: Sequence[PendingPods], existing: Sequence[FilledNode] = ()) -> Totals:
        """The sums of some nodes, pending pods and nodes that exist; of the last only the pods count."""
        priced = [(n.price, n.count) for n in nodes if n.price is not None]
        count = sum(n.count for n in nodes)
        return Totals(
            nodes=count,
            pods=sum(n.count * n.pods_each for n in nodes) + sum(s.count for n in existing for s in n.pods),
            pending=sum(p.count for p in pending),
            price_per_hour=price_number(round(math.fsum(p * c for p, c in priced), 10)) if priced or not count else None,
            unpriced_nodes=count - sum(c for _, c in priced),
            cpu_fill=fill(nodes, "cpu"),
            memory_fill=fill(nodes, "memory"),
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; fills to four places."""
        return {
            "nodes": self.nodes,
            "pods": self.pods,
            "pending": self.pending,
            "pricePerHour": price_number(self.price_per_hour),
            "pricePerMonth": None if self.price_per_month is None else round(self.price_per_month, 2),
            "unpricedNodes": self.unpriced_nodes,
            "cpuFill": None if self.cpu_fill is None else round(self.cpu_fill, 4),
            "memoryFill": None if self.memory_fill is None else round(self.memory_fill, 4),
        }


@dataclass(frozen=True, slots=True)
class Plan(NotebookValue):
    """Which nodes a set of workloads will get in a region, what stays pending, and what had to be assumed.

    `existing` are nodes that are there already and take pods; `passes` is how often Karpenter has to look before all pods that
    wait for others have their turn. `launches` are the requests that the nodes lead to, empty unless they were asked for.
    `pod_sizes` are of the workloads on the new nodes, by name; nodes' prices are shared out by them.
    """

    region: str
    nodes: tuple[PlannedNode, ...] = ()
    pending: tuple[PendingPods, ...] = ()
    assumptions: tuple[Note, ...] = ()
    warnings: tuple[Note, ...] = ()
    existing: tuple[FilledNode, ...] = ()
    passes: int = 1
    launches: tuple[Launch, ...] = ()
    pod_sizes: tuple[PodSize, ...] = ()

    @property
    def totals(self) -> Totals:
        """The sums, worked out anew at each call."""
        return Totals.of(self.nodes, self.pending, self.existing)

    @property
    def may_cost_more(self) -> bool:
        """Whether the price is a lower bound: the cloud chooses among types of some node, or the price of one is not known."""
        return any(n.certainty == LOWEST_PRICE or n.price is None for n in self.nodes)

    @property
    def has_estimates(self) -> bool:
        """Whether the price of some node is an estimate."""
        return any(n.is_estimated for n in self.nodes)

    def to_dict(self) -> dict[str, Any]:
        """Plain data in a stable order; `totals` are in it for readers and follow from the rest."""
        return {
            "version": VERSION,
            "region": self.region,
            "totals": self.totals.to_dict(),
            "passes": self.passes,
            "nodes": [n.to_dict() for n in self.nodes],
            "launches": [launch.to_dict() for launch in self.launches],
            "podSizes": [s.to_dict() for s in self.pod_sizes],
            "existing": [n.to_dict() for n in self.existing],
            "pending": [p.to_dict() for p in self.pending],
            "assumptions": [{"code": n.code, "text": n.text} for n in self.assumptions],
            "warnings": [{"code": n.code, "text": n.text} for n in self.warnings],
        }

    def to_json(self) -> str:
        """`to_dict` as indented ASCII JSON that ends in a newline, byte-identical for equal plans."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n"

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> Plan:
        """Back from `to_dict`. Raises InputError for data that is no plan or of another version of the form."""
        if not isinstance(raw, Mapping) or raw.get("version") != VERSION:
            found = raw.get("version") if isinstance(raw, Mapping) else type(raw).__name__
            raise InputError.one(Place(path="version"), f"not a plan that can be read: version {found!r}", allowed=str(VERSION))
        try:
            return Plan(
                region=raw["region"],
                nodes=tuple(PlannedNode.from_dict(n) for n in raw["nodes"]),
                existing=tuple(FilledNode.from_dict(n) for n in raw["existing"]),
                pending=tuple(PendingPods.from_dict(p) for p in raw["pending"]),
                assumptions=tuple(Note(n["code"], n["text"]) for n in raw["assumptions"]),
                warnings=tuple(Note(n["code"], n["text"]) for n in raw["warnings"]),
                passes=raw["passes"],
                launches=tuple(Launch.from_dict(launch) for launch in raw.get("launches") or ()),
                pod_sizes=tuple(PodSize.from_dict(s) for s in raw.get("podSizes") or ()),
            )
        except KeyError as missing:
            raise InputError.one(Place(), f"not a plan: {missing} is missing") from None
        except (TypeError, ValueError, AttributeError, QuantityError) as wrong:
            raise InputError.one(Place(), f"not a plan: {wrong}") from None
