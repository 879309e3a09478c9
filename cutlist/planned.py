"""What a plan says, as data: the frozen values that scheduling results become and that every view reads (design: floor "plan").

Nothing here decides anything. Amounts are nano-units as everywhere in the core and become Kubernetes texts in `to_dict`; prices
are USD per hour, None when unknown, never zero for unknown. Equal plans give byte-identical JSON: there is no time stamp, no
order that depends on a hash, and no number with two spellings.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.errors import InputError, Place, QuantityError
from cutlist.requirements import Expression
from cutlist.resources import Format, Quantity, amounts

HOURS_PER_MONTH: Final = 730  # what AWS and Azure use in their own calculators
VERSION: Final = 1  # of the JSON form; raised when a key changes its meaning or goes away

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
            "pricePerHour": _price(self.price),
            "capacityType": self.capacity_type,
            "zones": list(self.zones),
        }

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> Candidate:
        """Back from `to_dict`."""
        return Candidate(raw["instanceType"], _price(raw["pricePerHour"]), raw["capacityType"], tuple(raw["zones"]))


@dataclass(frozen=True, slots=True)
class PodShare:
    """How many pods of `workload` one node takes: `deployment/web`, or `shop/deployment/web` outside namespace `default`."""

    workload: str
    count: int


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """`count` nodes that are alike in everything.

    `instance_type`, `allocatable`, `price` (of one node) and `price_source` are of the cheapest candidate; `certainty` tells
    whether that type is certain (`determined`), the lowest of what EC2 may choose (`lowest price`) or without a price
    (`unknown price`). `capacity_types` are all that the claim allows and that are offered, `capacity_type` is the cheapest
    candidate's. `requests` include DaemonSets, `pods` do not. `candidates` are cheapest first; `requirements` are the claim's.
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
            "pricePerHour": _price(self.price),
            "priceSource": self.price_source,
            "requests": amount_texts(self.requests),
            "allocatable": amount_texts(self.allocatable),
            "pods": [{"workload": s.workload, "count": s.count} for s in self.pods],
            "candidates": [c.to_dict() for c in self.candidates],
            "requirements": [e.manifest() for e in self.requirements],
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
            price=_price(raw["pricePerHour"]),
            price_source=raw["priceSource"],
            requests=amounts(raw["requests"]),
            allocatable=amounts(raw["allocatable"]),
            pods=tuple(PodShare(s["workload"], s["count"]) for s in raw["pods"]),
            candidates=tuple(Candidate.from_dict(c) for c in raw["candidates"]),
            requirements=tuple(Expression.read(e) for e in raw["requirements"]),
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
class Note:
    """An assumption, warning or finding; `code` is stable and kebab-case (`spot-price-estimated`), `text` is for people."""

    code: str
    text: str


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
            price_per_hour=_price(round(math.fsum(p * c for p, c in priced), 10)) if priced or not count else None,
            unpriced_nodes=count - sum(c for _, c in priced),
            cpu_fill=_fill(nodes, "cpu"),
            memory_fill=_fill(nodes, "memory"),
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; fills to four places."""
        return {
            "nodes": self.nodes,
            "pods": self.pods,
            "pending": self.pending,
            "pricePerHour": _price(self.price_per_hour),
            "pricePerMonth": None if self.price_per_month is None else round(self.price_per_month, 2),
            "unpricedNodes": self.unpriced_nodes,
            "cpuFill": None if self.cpu_fill is None else round(self.cpu_fill, 4),
            "memoryFill": None if self.memory_fill is None else round(self.memory_fill, 4),
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """Which nodes a set of workloads will get in a region, what stays pending, and what had to be assumed.

    `existing` are nodes that are there already and take pods; `passes` is how often Karpenter has to look before all pods that
    wait for others have their turn.
    """

    region: str
    nodes: tuple[PlannedNode, ...] = ()
    pending: tuple[PendingPods, ...] = ()
    assumptions: tuple[Note, ...] = ()
    warnings: tuple[Note, ...] = ()
    existing: tuple[FilledNode, ...] = ()
    passes: int = 1

    @property
    def totals(self) -> Totals:
        """The sums, worked out anew at each call."""
        return Totals.of(self.nodes, self.pending, self.existing)

    def to_dict(self) -> dict[str, Any]:
        """Plain data in a stable order; `totals` are in it for readers and follow from the rest."""
        return {
            "version": VERSION,
            "region": self.region,
            "totals": self.totals.to_dict(),
            "passes": self.passes,
            "nodes": [n.to_dict() for n in self.nodes],
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
            )
        except KeyError as missing:
            raise InputError.one(Place(), f"not a plan: {missing} is missing") from None
        except (TypeError, ValueError, AttributeError, QuantityError) as wrong:
            raise InputError.one(Place(), f"not a plan: {wrong}") from None


@dataclass(frozen=True, slots=True)
class TypeRow:
    """An instance type that a NodePool allows: cpu and memory as sold, `allocatable` what pods may use, all in nano-units.

    `on_demand` and `spot` are the lowest prices over the allowed zones. `price_source` and `estimated` speak of the on-demand
    price, and of the spot price too unless `spot_source` says otherwise.
    """

    name: str
    cpu: int
    memory: int
    allocatable: Mapping[str, int] = field(hash=False)
    zones: tuple[str, ...]
    on_demand: float | None
    spot: float | None
    price_source: str
    estimated: bool
    spot_source: str = ""
    spot_estimated: bool = False

    @property
    def is_spot_estimated(self) -> bool:
        """Whether the spot price is an estimate."""
        return self.spot is not None and (self.spot_estimated if self.spot_source else self.estimated)

    @property
    def is_on_demand_estimated(self) -> bool:
        """Whether the on-demand price is an estimate."""
        return self.on_demand is not None and self.estimated

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "instanceType": self.name,
            "cpu": amount_text_exact("cpu", self.cpu),
            "memory": amount_text_exact("memory", self.memory),
            "allocatable": amount_texts(self.allocatable),
            "zones": list(self.zones),
            "onDemandPerHour": _price(self.on_demand),
            "onDemandSource": self.price_source,
            "onDemandEstimated": self.is_on_demand_estimated,
            "spotPerHour": _price(self.spot),
            "spotSource": self.spot_source or self.price_source,
            "spotEstimated": self.is_spot_estimated,
        }


@dataclass(frozen=True, slots=True)
class PoolTypes:
    """The instance types that a NodePool allows, cheapest first; `total` counts them all, also those not in `types`."""

    node_pool: str
    types: tuple[TypeRow, ...]
    total: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"nodePool": self.node_pool, "total": self.total, "types": [t.to_dict() for t in self.types]}


def amount_texts(values: Mapping[str, int]) -> dict[str, str]:
    """A resource list by name, each amount as the exact Kubernetes text."""
    return {name: amount_text_exact(name, values[name]) for name in sorted(values)}


def amount_text_exact(resource: str, nanos: int) -> str:
    """An amount that reads back as the same number: binary suffixes for bytes, decimal ones for everything else."""
    bytes_ = resource in ("memory", "ephemeral-storage", "storage") or resource.startswith("hugepages-")
    return Quantity(nanos, Format.BINARY_SI if bytes_ else Format.DECIMAL_SI).canonical()


def _price(value: float | None) -> float | None:
    # 1 and 1.0, 0.0 and -0.0 are equal and must not print differently.
    return None if value is None else float(value) + 0.0


def _fill(nodes: Iterable[PlannedNode], resource: str) -> float | None:
    requested = total = 0
    for node in nodes:
        amount = node.allocatable.get(resource, 0)
        if amount > 0:
            requested += node.count * node.requests.get(resource, 0)
            total += node.count * amount
    return requested / total if total else None
