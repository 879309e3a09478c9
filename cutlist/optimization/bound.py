"""The least that any packing of a plan's pods costs under its NodePools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import floor
from typing import Final

from cutlist.optimization.covering import Programme
from cutlist.optimization.demand import Demand
from cutlist.optimization.dominance import without_dominated
from cutlist.optimization.pool_supply import pool_options
from cutlist.optimization.supply import Market, existing_options, merged, static_options
from cutlist.planning.pass_inputs import PassInputs

WHOLE_PODS: Final = 60_000
"""Up to how many pairs of a demand and an option whole pods are counted: beyond that it takes minutes and tells little."""

_PARTS: Final = 1_000_000
_ROUNDING: Final = 1e-9
"""More than all errors of floating-point sums come to, as a part of them."""


def market_of(parts: Sequence[PassInputs], demands: Sequence[Demand]) -> Market:
    """Return what the NodePools of all controllers offer for demands, beside the nodes that exist."""
    empty = Market.of(demands)
    fixed, options = 0.0, list(existing_options(parts[0], empty))
    for part in parts:
        paid, static = static_options(part, empty)
        fixed += paid
        options += (*static, *merged(pool_options(part, empty)))
    return replace(empty, options=tuple(options), fixed=fixed)


def bounds_of(market: Market) -> tuple[float, tuple[float, ...]]:
    """Return USD/hour that no packing of the demands costs less than, and what one pod of each demand is worth by it.

    The bound is rounded down to a millionth of a dollar: prices of plans are rounded themselves.
    """
    if not market.demands:
        return _rounded_down(market.fixed), ()
    shared = Programme.of(market, without_dominated(market.options, shared=True), whole_pods=False).solve()
    apart = without_dominated(market.options, shared=False)
    is_small = sum(option.suits.bit_count() for option in apart) <= WHOLE_PODS
    whole = Programme.of(market, apart, whole_pods=True).solve().bound if is_small else 0.0
    return _rounded_down(market.fixed + max(shared.bound, whole)), shared.worth


def _rounded_down(bound: float) -> float:
    return max(0.0, floor((bound - _ROUNDING * (1 + bound)) * _PARTS) / _PARTS)
