"""The possible differences between two plans: groups of new nodes, pods on existing nodes, waiting pods."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from cutlist.catalog.ranges import EXACT, Deviations, PriceRange
from cutlist.core.records import HIDDEN, After, Count, Key, computed
from cutlist.planning.model.spelling import ExactPrice

SAME_PRICE: Final = 5e-7
"""USD per hour below which two prices count as the same: less than any view prints."""


class Change(StrEnum):
    """The kind of a change."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"

    @staticmethod
    def of(before: int, after: int) -> Change:
        """Return the change of something that exists `before` times and then `after` times."""
        if not before:
            return Change.ADDED
        return Change.CHANGED if after else Change.REMOVED


@dataclass(frozen=True, slots=True)
class Bought:
    """Nodes of one plan with the same NodePool, type and capacity type: how many, their total price, and where they may be.

    `price` is USD per hour with their disks: None if the price of any node is unknown, an estimate if the price of any node is.
    `zones` and `types` are by name.
    """

    count: Count = 0
    price: Annotated[ExactPrice, Key("pricePerHour")] = 0.0
    zones: tuple[str, ...] = ()
    types: Annotated[tuple[str, ...], HIDDEN] = ()
    is_estimated: Annotated[bool, Key("priceEstimated"), After("price")] = False
    deviations: Annotated[Deviations, HIDDEN] = field(default=EXACT, compare=False)

    @property
    def price_range(self) -> PriceRange | None:
        """Return the range of their price, None without one."""
        return self.deviations.around(self.price or 0.0)

    def is_like(self, other: Bought) -> bool:
        """Tell whether nothing visible to a reader distinguishes the two."""
        mine, theirs = (self.count, self.zones, self.types), (other.count, other.zones, other.types)
        return mine == theirs and _same_price(self.price, other.price)


@dataclass(frozen=True, slots=True)
class NodeChange:
    """Nodes of a NodePool with the same type and capacity type, before and after; one side is empty when they are added or
    removed."""

    node_pool: str
    instance_type: str
    capacity_type: str
    before: Bought
    after: Bought

    @property
    @computed(after="")
    def kind(self) -> Annotated[Change, Key("change")]:
        """Return the kind of change: added, removed, or changed in number, price, zones or types."""
        return Change.of(self.before.count, self.after.count)

    @property
    @computed(after="after")
    def price_change(self) -> Annotated[ExactPrice, Key("pricePerHourChange")]:
        """Return how much more these nodes cost in USD per hour, or None if either price is unknown."""
        return _more(self.before.price, self.after.price)

    @property
    def price_range(self) -> PriceRange | None:
        """Return the range of the change in price, None without one."""
        more = self.price_change
        return self.after.deviations.minus(self.before.deviations).around(more) if more else None

    @property
    def is_estimated(self) -> bool:
        """Tell whether the change in price rests on an estimate."""
        return self.before.is_estimated or self.after.is_estimated

    @property
    @computed(after="price_change")
    def new_types(self) -> tuple[str, ...]:
        """Return the types that the nodes may become now but not before."""
        return _only_in(self.after.types, self.before.types)

    @property
    @computed(after="new_types")
    def lost_types(self) -> tuple[str, ...]:
        """Return the types that the nodes could become before but not now."""
        return _only_in(self.before.types, self.after.types)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Waiting pods of a workload in one plan, and why: the reason of most of them first."""

    count: Count = 0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A workload whose pods start or stop waiting, or whose number or reason changes."""

    workload: str
    before: Waiting
    after: Waiting

    @property
    @computed(after="")
    def kind(self) -> Annotated[Change, Key("change")]:
        """Return the kind of change: added when pods start to wait, removed when none waits."""
        return Change.of(self.before.count, self.after.count)


@dataclass(frozen=True, slots=True)
class ExistingChange:
    """An existing node that accepts other pods: how many pods of a workload it accepted before, and accepts now."""

    node: str
    workload: str
    before: Count
    after: Count

    @property
    @computed(after="")
    def kind(self) -> Annotated[Change, Key("change")]:
        """Return the kind of change: added when the node accepted none of these pods before."""
        return Change.of(self.before, self.after)


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
