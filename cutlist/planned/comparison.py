"""Two plans side by side: which nodes come, go or change, what that costs, and whose pods start or stop waiting.

Plans count nodes and do not name them, so nodes are told apart by how they are bought: NodePool, instance type, capacity type.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from cutlist.planned.nodes import PlannedNode
from cutlist.planned.plan import Note, Plan, notes_in_order
from cutlist.planned.shown import Shown
from cutlist.planned.spelling import price_number

SAME_PRICE: Final = 5e-7
"""USD per hour below which two prices are the same: less than what any view prints."""

COMPARISON_VERSION: Final = 1
"""Of the JSON form of a comparison; raised when a key changes its meaning or goes away."""


class Change(StrEnum):
    """What became of something."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"

    @staticmethod
    def of(before: int, after: int) -> Change:
        """What became of something that was there `before` times and is there `after` times."""
        if not before:
            return Change.ADDED
        return Change.CHANGED if after else Change.REMOVED


@dataclass(frozen=True, slots=True)
class Bought:
    """Nodes of one plan that are bought alike: how many, what all of them cost, where they may be, what they may become.

    `price` is USD per hour, None when that of one of the nodes is unknown. `zones` and `types` are by name.
    """

    count: int = 0
    price: float | None = 0.0
    zones: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def is_like(self, other: Bought) -> bool:
        """Whether nothing that a reader sees tells the two apart."""
        mine, theirs = (self.count, self.zones, self.types), (other.count, other.zones, other.types)
        return mine == theirs and _same_price(self.price, other.price)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; the types are told where they differ."""
        return {"count": self.count, "pricePerHour": price_number(self.price), "zones": list(self.zones)}


@dataclass(frozen=True, slots=True)
class NodeChange:
    """Nodes of a NodePool that are bought alike, before and after; none of them on one side when they come or go."""

    node_pool: str
    instance_type: str
    capacity_type: str
    before: Bought
    after: Bought

    @property
    def kind(self) -> Change:
        """Added, removed, or changed in number, price, zones or types."""
        return Change.of(self.before.count, self.after.count)

    @property
    def price_change(self) -> float | None:
        """USD per hour that these nodes cost more; None when either price is unknown."""
        return _more(self.before.price, self.after.price)

    @property
    def new_types(self) -> tuple[str, ...]:
        """Types that the nodes may become now and could not before."""
        return _only_in(self.after.types, self.before.types)

    @property
    def lost_types(self) -> tuple[str, ...]:
        """Types that the nodes could become before and may not now."""
        return _only_in(self.before.types, self.after.types)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "change": str(self.kind),
            "nodePool": self.node_pool,
            "instanceType": self.instance_type,
            "capacityType": self.capacity_type,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "pricePerHourChange": price_number(self.price_change),
            "newTypes": list(self.new_types),
            "lostTypes": list(self.lost_types),
        }


@dataclass(frozen=True, slots=True)
class Waiting:
    """Pods of a workload that get no node in one plan, and why, the reason of most of them first."""

    count: int = 0
    reasons: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"count": self.count, "reasons": list(self.reasons)}


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A workload whose pods start or stop waiting, or wait in another number or for another reason."""

    workload: str
    before: Waiting
    after: Waiting

    @property
    def kind(self) -> Change:
        """Added when pods start to wait, removed when none waits any more."""
        return Change.of(self.before.count, self.after.count)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        sides = {"before": self.before.to_dict(), "after": self.after.to_dict()}
        return {"change": str(self.kind), "workload": self.workload, **sides}


@dataclass(frozen=True, slots=True)
class ExistingChange:
    """A node that exists and takes other pods: how many pods of a workload it took before, and takes now."""

    node: str
    workload: str
    before: int
    after: int

    @property
    def kind(self) -> Change:
        """Added when the node took none of these pods before."""
        return Change.of(self.before, self.after)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        what = {"change": str(self.kind), "node": self.node, "workload": self.workload}
        return {**what, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class Comparison(Shown):
    """What is different between two plans.

    In an order that depends on nothing but names: `nodes` by NodePool, type and capacity type; `existing` by node and workload;
    `pending` by workload; notes by code and text. `new_notes` are warnings and assumptions that only the second plan has,
    `gone_notes` those that only the first had.
    """

    before: Plan
    after: Plan
    nodes: tuple[NodeChange, ...]
    existing: tuple[ExistingChange, ...]
    pending: tuple[PendingChange, ...]
    new_notes: tuple[Note, ...]
    gone_notes: tuple[Note, ...]

    @staticmethod
    def of(before: Plan, after: Plan) -> Comparison:
        """Compare two plans."""
        first, second = _notes(before), _notes(after)
        return Comparison(
            before,
            after,
            nodes=_node_changes(_bought(before), _bought(after)),
            existing=_existing_changes(_taken(before), _taken(after)),
            pending=_pending_changes(_waiting(before), _waiting(after)),
            new_notes=notes_in_order(second - first),
            gone_notes=notes_in_order(first - second),
        )

    @property
    def is_same(self) -> bool:
        """Whether all pods get the same nodes at the same price, or wait for the same reasons; notes play no part."""
        return not (self.nodes or self.existing or self.pending)

    @property
    def price_change(self) -> float | None:
        """USD per hour that the second plan costs more; None when nodes that change have no known price.

        Nodes of unknown price that both plans have are taken to cost the same in both.
        """
        changes = [change.price_change for change in self.nodes]
        known = [change for change in changes if change is not None]
        if len(known) < len(changes):
            return None
        total = math.fsum(known)
        return 0.0 if abs(total) < SAME_PRICE else round(total, 10)

    def to_dict(self) -> dict[str, Any]:
        """Plain data in a stable order, without the plans themselves."""
        return {
            "version": COMPARISON_VERSION,
            "same": self.is_same,
            "before": {"region": self.before.region, "totals": self.before.totals.to_dict()},
            "after": {"region": self.after.region, "totals": self.after.totals.to_dict()},
            "pricePerHourChange": price_number(self.price_change),
            "nodes": [change.to_dict() for change in self.nodes],
            "existing": [change.to_dict() for change in self.existing],
            "pending": [change.to_dict() for change in self.pending],
            "newNotes": [{"code": n.code, "text": n.text} for n in self.new_notes],
            "goneNotes": [{"code": n.code, "text": n.text} for n in self.gone_notes],
        }


_Key = tuple[str, str, str]
_NONE: Final = Bought()
_NOBODY: Final = Waiting()


def _same_price(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=SAME_PRICE)


def _more(before: float | None, after: float | None) -> float | None:
    if before is None or after is None:
        return None
    return 0.0 if _same_price(before, after) else after - before


def _only_in(these: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(set(these).difference(others)))


def _bought(plan: Plan) -> Mapping[_Key, Bought]:
    alike: dict[_Key, list[PlannedNode]] = {}
    for node in plan.nodes:
        if node.count:
            alike.setdefault((node.node_pool, node.instance_type, node.capacity_type), []).append(node)
    return {key: _together(nodes) for key, nodes in alike.items()}


def _together(nodes: Sequence[PlannedNode]) -> Bought:
    prices = [node.count * node.price for node in nodes if node.price is not None]
    lists = {id(node.candidates): node.candidates for node in nodes}  # many nodes share theirs
    return Bought(
        count=sum(node.count for node in nodes),
        price=math.fsum(prices) if len(prices) == len(nodes) else None,
        zones=tuple(sorted({zone for node in nodes for zone in node.zones})),
        types=tuple(sorted({candidate.instance_type for candidates in lists.values() for candidate in candidates})),
    )


def _node_changes(first: Mapping[_Key, Bought], second: Mapping[_Key, Bought]) -> tuple[NodeChange, ...]:
    changes = (NodeChange(*key, first.get(key, _NONE), second.get(key, _NONE)) for key in sorted({*first, *second}))
    return tuple(change for change in changes if not change.before.is_like(change.after))


def _taken(plan: Plan) -> Counter[tuple[str, str]]:
    taken: Counter[tuple[str, str]] = Counter()
    for node in plan.existing:
        for share in node.pods:
            taken[node.name, share.workload] += share.count
    return taken


def _existing_changes(first: Counter[tuple[str, str]], second: Counter[tuple[str, str]]) -> tuple[ExistingChange, ...]:
    return tuple(
        ExistingChange(*key, first[key], second[key]) for key in sorted({*first, *second}) if first[key] != second[key]
    )


def _waiting(plan: Plan) -> Mapping[str, Waiting]:
    reasons: dict[str, Counter[str]] = {}
    for one in plan.pending:
        if one.count:
            reasons.setdefault(one.workload, Counter())[one.reason] += one.count
    return {workload: Waiting(counts.total(), _most_first(counts)) for workload, counts in reasons.items()}


def _most_first(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda reason: (-counts[reason], reason)))


def _pending_changes(first: Mapping[str, Waiting], second: Mapping[str, Waiting]) -> tuple[PendingChange, ...]:
    changes = (PendingChange(name, first.get(name, _NOBODY), second.get(name, _NOBODY)) for name in sorted({*first, *second}))
    return tuple(change for change in changes if change.before != change.after)


def _notes(plan: Plan) -> set[Note]:
    return {*plan.warnings, *plan.assumptions}
