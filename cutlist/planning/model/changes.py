"""What may be different between two plans: nodes that are bought alike, pods on nodes that exist, pods that wait."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from cutlist.planning.model.spelling import price_number

SAME_PRICE: Final = 5e-7
"""USD per hour below which two prices are the same: less than what any view prints."""


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
