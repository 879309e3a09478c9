"""What two plans cost a month, to the cent: together, and by NodePool, with what the nodes became."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final

from cutlist.catalog.prices import HOURS_PER_MONTH
from cutlist.catalog.ranges import PriceRange
from cutlist.core.money import decimal_of, money_of, whole_cents
from cutlist.core.records import HIDDEN, Count, Key, about, computed, converted, schema_of
from cutlist.core.records import Price as PriceForm
from cutlist.core.remainders import whole_parts
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.nodes import deviations

_CENTS: Final = 100  # of a dollar


def cent_parts(parts: Iterable[Fraction], total: int) -> tuple[int, ...]:
    """Return parts in USD as whole cents that add up to a total in cents."""
    return whole_parts([_CENTS * part for part in parts], total)


def in_usd(amount: int | None) -> float | None:
    """Return an amount in whole cents as USD."""
    return None if amount is None else amount / _CENTS


Cents = Annotated[int | None, converted(schema_of(PriceForm), in_usd, lambda usd: None if usd is None else whole_cents(usd))]
"""Whole cents, in JSON USD."""


@dataclass(frozen=True, slots=True)
class ChangeRanges:
    """The ranges of two prices per hour and of their difference; None for what is no estimate with a known error."""

    before: PriceRange | None = None
    after: PriceRange | None = None
    difference: PriceRange | None = None

    @staticmethod
    def of(before: Sequence[PlannedNode], after: Sequence[PlannedNode]) -> ChangeRanges:
        """Return the ranges of what some nodes cost before and after."""
        first, second = deviations(before), deviations(after)
        prices = [money_of((n.count, n.price_with_disks or 0.0) for n in nodes) for nodes in (before, after)]
        return ChangeRanges(
            first.around(prices[0]), second.around(prices[1]), second.minus(first).around(prices[1] - prices[0])
        )


@dataclass(frozen=True, slots=True)
class MonthlyPrice:
    """What all new nodes cost a month before and after a change, with the ranges an hour. None if no node has a known price,
    and the difference is None if nodes that change have none."""

    before: Cents
    after: Cents
    is_known: Annotated[bool, Key("known"), about("Whether all nodes that change have a price.")] = True
    ranges: Annotated[ChangeRanges, HIDDEN] = ChangeRanges()
    currency: Annotated[str, HIDDEN] = "USD"

    @property
    @computed(after="after")
    def difference(self) -> Cents:
        """Return how much more they cost."""
        return None if not self.is_known or self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class BoughtNodes:
    """How many nodes of a type and capacity type a NodePool has."""

    count: Count
    instance_type: str
    capacity_type: str


@dataclass(frozen=True, slots=True)
class PoolPrice:
    """What the new nodes of a NodePool cost a month before and after, and what they are: most of them first."""

    node_pool: str
    before: Cents
    after: Cents
    nodes_before: tuple[BoughtNodes, ...] = ()
    nodes_after: tuple[BoughtNodes, ...] = ()
    is_estimated: Annotated[bool, Key("priceEstimated")] = False

    @property
    @computed(after="after")
    def difference(self) -> Cents:
        """Return how much more they cost."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def is_same(self) -> bool:
        """Tell whether its nodes and their price are as before."""
        return (self.before, self.nodes_before) == (self.after, self.nodes_after)


def monthly_price(comparison: Comparison) -> MonthlyPrice:
    """Return what the nodes of two plans cost a month."""
    before, after = (month_of(plan) for plan in (comparison.before, comparison.after))
    return MonthlyPrice(
        None if before is None else whole_cents(before),
        None if after is None else whole_cents(after),
        comparison.price_change is not None,
        ChangeRanges.of(comparison.before.nodes, comparison.after.nodes),
        comparison.currency,
    )


def pool_prices(comparison: Comparison) -> tuple[PoolPrice, ...]:
    """Return the NodePools with new nodes in either plan, the largest difference first. Their prices add up to those of the
    plans."""
    sides = [_by_pool(plan) for plan in (comparison.before, comparison.after)]
    prices = [_in_cents(plan, side) for plan, side in zip((comparison.before, comparison.after), sides, strict=True)]
    rows = [
        PoolPrice(
            pool,
            prices[0].get(pool, 0),
            prices[1].get(pool, 0),
            _bought(sides[0].get(pool, ())),
            _bought(sides[1].get(pool, ())),
            any(node.is_estimated for side in sides for node in side.get(pool, ())),
        )
        for pool in sorted({*sides[0], *sides[1]})
    ]
    return tuple(sorted(rows, key=lambda row: (row.difference is not None, row.is_same, -abs(row.difference or 0))))


def month_of(plan: Plan, *, without_disks: bool = False) -> Fraction | None:
    """Return what the new nodes of a plan cost in USD a month, or None if no price is known."""
    totals = plan.totals
    if totals.price_per_hour is None:
        return None
    disks = totals.disk_price_per_hour or 0.0 if without_disks else 0.0
    return (Fraction(decimal_of(totals.price_per_hour)) - Fraction(decimal_of(disks))) * HOURS_PER_MONTH


def _by_pool(plan: Plan) -> Mapping[str, Sequence[PlannedNode]]:
    pools: dict[str, list[PlannedNode]] = {}
    for node in plan.nodes:
        if node.count:
            pools.setdefault(node.node_pool, []).append(node)
    return pools


def _in_cents(plan: Plan, pools: Mapping[str, Sequence[PlannedNode]]) -> dict[str, int | None]:
    """Return what the nodes of each pool cost, None if no price is known, so that the sum is that of the plan."""
    exact: dict[str, Fraction] = {}
    for pool, nodes in pools.items():
        known = [node.count * Fraction(decimal_of(price)) for node in nodes if (price := node.price_with_disks) is not None]
        if known:
            exact[pool] = sum(known, start=Fraction(0)) * HOURS_PER_MONTH
    total = month_of(plan)
    whole = cent_parts(exact.values(), whole_cents(total or 0))
    return dict.fromkeys(pools) | dict(zip(exact, whole, strict=True))


def _bought(nodes: Iterable[PlannedNode]) -> tuple[BoughtNodes, ...]:
    counts = Counter[tuple[str, str]]()
    for node in nodes:
        counts[node.instance_type, node.capacity_type] += node.count
    return tuple(BoughtNodes(count, *key) for key, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
