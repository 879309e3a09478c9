"""Sums over a plan: nodes, pods, price with its range, and how full the nodes are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from cutlist.catalog.prices import a_month
from cutlist.catalog.ranges import PriceRange
from cutlist.core.labels import SPOT
from cutlist.core.money import money_of, money_rounded
from cutlist.core.records import (
    NEWER,
    SPARSE,
    After,
    Count,
    Key,
    Price,
    about,
    computed,
)
from cutlist.planning.model.extended import NodeAmounts, Use, extended_use
from cutlist.planning.model.filled_groups import FilledGroup
from cutlist.planning.model.nodes import FilledNode, PlannedNode, deviations, fill
from cutlist.planning.model.pending import PendingPods
from cutlist.planning.model.spelling import Amounts, ExactPrice, RoundedPart, rounded


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over a plan, which follow from its other data.

    `pods` are placed ones, `pending` the others. `price_per_hour` sums the known prices of nodes with their disks, None when
    there are nodes and none has a price; `unpriced_nodes` are left out of it. `disk_price_per_hour` is the part of it for
    disks, None when no node's disks have a known price; those of `nodes_without_disks` are not in it. If NodeOverlays set
    prices, `overlay_price_per_hour` is the sum by these, as Karpenter sees it, else None. `estimated_part` is the fraction of
    the sum that is estimated, and `price_range` the range that follows from the ranges of estimates: None where none has one.
    `spot_part` is the fraction that is for nodes on spot, None without any. `currency` is that of all prices. Fills are
    fractions of what all nodes together have, None without nodes.
    """

    nodes: Count
    pods: Count
    pending: Count
    price_per_hour: Annotated[ExactPrice, about("USD for all nodes of known price, with their disks.")]
    disk_price_per_hour: Annotated[
        ExactPrice, about("The part of the price that is for disks; null where their prices are unknown.")
    ]
    estimated_part: Annotated[RoundedPart, about("Fraction of the price that is estimated, from 0 to 1.")]
    unpriced_nodes: Count
    nodes_without_disks: Annotated[Count, Key("nodesWithoutDiskPrice"), about("Priced nodes whose disks are not in the price.")]
    cpu_fill: RoundedPart
    memory_fill: RoundedPart
    extended_requested: Annotated[Amounts, NEWER, about("Use of accelerators and other extended resources.")] = field(
        default_factory=dict, hash=False
    )
    extended_allocatable: Annotated[Amounts, NEWER, about("What the nodes offer of these resources.")] = field(
        default_factory=dict, hash=False
    )
    overlay_price_per_hour: Annotated[
        ExactPrice,
        After("disk_price_per_hour"),
        SPARSE,
        about("The price that Karpenter assumes; only where NodeOverlays set prices."),
    ] = None
    price_range: Annotated[
        PriceRange | None,
        After("estimated_part"),
        SPARSE,
        about("What the price lies between in most cases; only where it is partly an estimate with a known error."),
    ] = None
    spot_part: Annotated[
        RoundedPart, After("price_range"), SPARSE, about("Fraction of the price for nodes on spot; only where there are any.")
    ] = None
    currency: Annotated[str | None, After("spot_part"), SPARSE, about("The currency of all prices, only if it is not USD.")] = (
        None
    )

    @property
    def extended(self) -> dict[str, Use]:
        """Return the use of accelerators and other extended resources, by name."""
        return {name: Use(amount, self.extended_allocatable[name]) for name, amount in self.extended_requested.items()}

    @property
    @computed(after="price_per_hour")
    def price_per_month(self) -> Annotated[float | None, rounded(2, Price)]:
        """Return the price in USD for 730 hours."""
        return None if self.price_per_hour is None else a_month(self.price_per_hour)

    @property
    def without_price(self) -> Totals:
        """Return the totals without any sum of money."""
        return replace(
            self,
            price_per_hour=None,
            disk_price_per_hour=None,
            overlay_price_per_hour=None,
            price_range=None,
            estimated_part=None,
            spot_part=None,
            currency=None,
        )

    @property
    def whole_price_per_hour(self) -> float | None:
        """Return USD for all nodes with their disks, or None if the price of one is unknown."""
        return None if self.unpriced_nodes else self.price_per_hour

    @staticmethod
    def of(
        nodes: Sequence[PlannedNode],
        pending: Sequence[PendingPods],
        existing: Sequence[FilledNode] = (),
        groups: Sequence[FilledGroup] = (),
    ) -> Totals:
        """Return the sums of some nodes, pending pods, existing nodes and node groups; the latter two count only with their
        pods."""
        priced = [n for n in nodes if n.price is not None]
        disks = [n for n in priced if n.disk_price is not None]
        count, priced_count = (sum(n.count for n in of) for of in (nodes, priced))
        price = _sum((n.count, n.price_with_disks) for n in priced)
        disk_price = _sum((n.count, n.disk_price.usd_per_hour) for n in nodes if n.price and n.disk_price)
        estimated = _sum((n.count, n.estimated_price) for n in priced)
        overlaid = any(n.overlay_price is not None for n in nodes)
        ranked = [(n.count, n.ranked_price + n.of_disks) for n in nodes if n.ranked_price is not None]
        extended = extended_use(NodeAmounts(n.count, n.requests, n.allocatable) for n in nodes)
        return Totals(
            nodes=count,
            pods=sum(n.count * n.pods_each for n in nodes)
            + sum(s.count for n in existing for s in n.pods)
            + sum(group.placed for group in groups),
            pending=sum(p.count for p in pending),
            price_per_hour=price if priced or not count else None,
            disk_price_per_hour=disk_price if disks or not count else None,
            estimated_part=estimated / price if price else None,
            unpriced_nodes=count - priced_count,
            nodes_without_disks=priced_count - sum(n.count for n in disks),
            cpu_fill=fill(nodes, "cpu"),
            memory_fill=fill(nodes, "memory"),
            extended_requested={name: use.requested for name, use in extended.items()},
            extended_allocatable={name: use.allocatable for name, use in extended.items()},
            overlay_price_per_hour=_sum(ranked) if overlaid else None,
            price_range=deviations(priced).around(price),
            spot_part=_part(((n.count, n.price_with_disks) for n in priced if n.capacity_type == SPOT), price),
            currency=next((n.price.foreign_currency for n in priced if n.price is not None), None),
        )


def _sum(prices: Iterable[tuple[int, float | None]]) -> float:
    return money_rounded(money_of((count, price or 0.0) for count, price in prices), 10) + 0.0


def _part(prices: Iterable[tuple[int, float | None]], whole: float) -> float | None:
    """Return the part of a sum that some prices are, None for none of it."""
    return _sum(prices) / whole or None if whole else None
