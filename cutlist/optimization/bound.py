"""The least that any packing of a plan's pods costs under its NodePools."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Final

from cutlist.optimization.covering import Covering, Programme
from cutlist.optimization.demand import Demand
from cutlist.optimization.dominance import without_dominated
from cutlist.optimization.pool_supply import pool_options
from cutlist.optimization.supply import Market, Option, existing_options, merged, static_options
from cutlist.planning.pass_inputs import PassInputs

WHOLE_PODS: Final = 60_000
"""Up to how many pairs of a demand and an option whole pods are counted: beyond that it takes minutes and tells little."""

_PARTS: Final = 1_000_000
_ROUNDING: Final = 1e-9
"""More than all errors of floating-point sums come to, as a part of them."""


def market_of(parts: Sequence[PassInputs], demands: Sequence[Demand]) -> Market:
    """Return what the NodePools of all controllers offer for demands, beside the nodes that exist."""
    empty = Market.of(demands)
    fixed, options = 0.0, list[Option]()
    for part in parts[:1]:
        options += existing_options(part, empty)
    for part in parts:
        paid, static = static_options(part, empty)
        fixed += paid
        options += static
        options += merged(list(pool_options(part, empty)))
    return Market(empty.resources, empty.demands, tuple(options), fixed)


def bounds_of(market: Market) -> tuple[float, tuple[float, ...]]:
    """Return USD/hour that no packing of the demands costs less than, and what one pod of each demand is worth by it.

    The bound is rounded down to a millionth of a dollar: prices of plans are rounded themselves.
    """
    shared = covering(market, whole_pods=False)
    pairs = sum(option.suits.bit_count() for option in without_dominated(market.options, shared=False))
    whole = covering(market, whole_pods=True).bound if pairs <= WHOLE_PODS else 0.0
    bound = market.fixed + max(shared.bound, whole)
    return max(0.0, floor((bound - _ROUNDING * (1 + bound)) * _PARTS) / _PARTS), shared.worth


def covering(market: Market, *, whole_pods: bool) -> Covering:
    """Return the bound of a market by fractions of nodes, of whole pods or not; 0 without demands."""
    if not market.demands:
        return Covering(0.0, ())
    options = without_dominated(market.options, shared=not whole_pods)
    return Programme.of(market, options, whole_pods=whole_pods).solve()
