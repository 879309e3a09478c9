"""What may be different between two plans: nodes that are bought alike, pods on nodes that exist, pods that wait."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from cutlist.core.records import HIDDEN, Count, Key, computed
from cutlist.planning.model.spelling import ExactPrice

SAME_PRICE: Final = 5e-7
"""USD per hour below which two prices are the same: less than what any view prints."""


class Change(StrEnum):
    """What became of something."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"

    @staticmethod
    def of(before: int, after: int) -> Change:
        """Return what became of something that was there `before` times and is there `after` times."""
        if not before:
            return Change.ADDED
        return Change.CHANGED if after else Change.REMOVED


@dataclass(frozen=True, slots=True)
class Bought:
    """Nodes of one plan that are bought alike: how many, what all of them cost, where they may be.

    `price` is USD per hour, None when that of one of the nodes is unknown. `zones` and `types` are by name.
    """

    count: Count = 0
    price: Annotated[ExactPrice, Key("pricePerHour")] = 0.0
    zones: tuple[str, ...] = ()
    types: Annotated[tuple[str, ...], HIDDEN] = ()

    def is_like(self, other: Bought) -> bool:
        """Tell whether nothing that a reader sees tells the two apart."""
        mine, theirs = (self.count, self.zones, self.types), (other.count, other.zones, other.types)
        return mine == theirs and _same_price(self.price, other.price)


@dataclass(frozen=True, slots=True)
class NodeChange:
    """Nodes of a NodePool that are bought alike, before and after; none of them on one side when they come or go."""

    node_pool: str
    instance_type: str
    capacity_type: str
    before: Bought
    after: Bought

    @property
    @computed(after="")
    def kind(self) -> Annotated[Change, Key("change")]:
        """Return what became of it: added, removed, or changed in number, price, zones or types."""
        return Change.of(self.before.count, self.after.count)

    @property
    @computed(after="after")
    def price_change(self) -> Annotated[ExactPrice, Key("pricePerHourChange")]:
        """Return how much more these nodes cost in USD per hour; None when either price is unknown."""
        return _more(self.before.price, self.after.price)

    @property
    @computed(after="price_change")
    def new_types(self) -> tuple[str, ...]:
        """Return the types that the nodes may become now and could not before."""
        return _only_in(self.after.types, self.before.types)

    @property
    @computed(after="new_types")
    def lost_types(self) -> tuple[str, ...]:
        """Return the types that the nodes could become before and may not now."""
        return _only_in(self.before.types, self.after.types)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Pods of a workload that get no node in one plan, and why, the reason of most of them first."""

    count: Count = 0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A workload whose pods start or stop waiting, or wait in another number or for another reason."""

    workload: str
    before: Waiting
    after: Waiting

    @property
    @computed(after="")
    def kind(self) -> Annotated[Change, Key("change")]:
        """Return what became of it: added when pods start to wait, removed when none waits any more."""
        return Change.of(self.before.count, self.after.count)


@dataclass(frozen=True, slots=True)
class ExistingChange:
    """A node that exists and takes other pods: how many pods of a workload it took before, and takes now."""

    node: str
    workload: str
    before: Count
    after: Count

    @property
    @computed(after="")
    def kind(self) -> Annotated[Change, Key("change")]:
        """Return what became of it: added when the node took none of these pods before."""
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
