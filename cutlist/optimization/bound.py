"""The least that any packing of a plan's pods costs under its NodePools, proven in one of several ways."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import Final

from cutlist.optimization.dual_ascent import quick_bound
from cutlist.optimization.supply import Market
from cutlist.planning.model import BoundKind

WHOLE_PODS: Final = 60_000
"""Up to how many pairs of a demand and an option whole pods are counted: beyond that it takes minutes and tells little."""

_PARTS: Final = 1_000_000
_ROUNDING: Final = 1e-9
"""More than all errors of floating-point sums come to, as a part of them."""


@dataclass(frozen=True, slots=True)
class Bound:
    """USD/hour that no packing costs less than, and what one pod of each demand is worth by it, in the order of a market."""

    price: float
    worth: tuple[float, ...]


def bound_of(market: Market, kind: BoundKind = "linear") -> Bound:
    """Return the bound of a market, rounded down to a millionth of a dollar: prices of plans are rounded themselves.

    Each kind is at least as high as those before it. All but a quick one need the extra `optimize`.
    """
    price, worth = quick_bound(market)
    if kind != "quick" and market.demands:
        solved, worth = _linear(market)
        price = max(price, solved)
    return Bound(_rounded_down(market.fixed + price), worth)


def _linear(market: Market) -> tuple[float, tuple[float, ...]]:
    """Return the bound by linear programmes: of fractions of nodes, and where it is small of whole pods on them."""
    # The solver is an extra, and takes longer to import than most plans take to make.
    from cutlist.optimization.covering import Programme
    from cutlist.optimization.dominance import without_dominated

    shared = Programme.of(market, without_dominated(market.options, shared=True), whole_pods=False).solve()
    apart = without_dominated(market.options, shared=False)
    is_small = sum(option.suits.bit_count() for option in apart) <= WHOLE_PODS
    whole = Programme.of(market, apart, whole_pods=True).solve().bound if is_small else 0.0
    return max(shared.bound, whole), shared.worth


def _rounded_down(bound: float) -> float:
    return max(0.0, floor((bound - _ROUNDING * (1 + bound)) * _PARTS) / _PARTS)
