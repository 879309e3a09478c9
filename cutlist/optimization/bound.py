"""A price below which no packing of a plan's pods is possible under its NodePools, proven in one of several ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import floor, fsum
from typing import Final

from cutlist.optimization.dual_ascent import quick_bound
from cutlist.optimization.supply import Market
from cutlist.settings.suggest import BOUND, BoundKind

WHOLE_PODS: Final = 8_000
"""The most pairs of a demand and an option for which whole pods are counted: with more, it takes seconds and proves no more."""
_WHOLE_NODES: Final = 4_000
"""The most pairs for which whole nodes are counted, each with the number of branches of the search."""
_FEW_NODES: Final = 12
"""The most nodes of fractions for which whole nodes are counted: of more, rounding them adds next to nothing."""
_FEW_PAIRS: Final = 300
"""The most pairs for which they are counted however many nodes there are: that takes hundredths of a second."""
_BRANCHES: Final = 200
_MOSTLY: Final = 0.5
"""The part of all pods from which whole nodes in each zone replace whole nodes in any: they prove more."""

_PARTS: Final = 1_000_000
_ROUNDING: Final = 1e-9
"""A fraction above the relative error of any floating-point sum."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The USD/hour that every packing costs at least, and the worth of one pod of each demand by it, in the order of a
    market."""

    price: float
    worth: tuple[float, ...]


def bound_of(market: Market, kind: BoundKind = BOUND.default, may_go_on: Callable[[], bool] | None = None) -> Bound:
    """Return the bound of a market, rounded down to a millionth of a dollar: prices of plans are rounded themselves.

    Each kind is at least as high as those before it. All except the quick one need the extra `optimize`. The searches for
    whole nodes and for a strong one end when `may_go_on` returns False, with what is proven by then.
    """
    price, worth = quick_bound(market)
    if kind != "quick" and market.demands:
        solved, worth = _solved(market, may_go_on, is_strong=kind == "strong")
        price = max(price, solved)
    return Bound(rounded_down(market.fixed + price), worth)


def _solved(market: Market, may_go_on: Callable[[], bool] | None, *, is_strong: bool) -> tuple[float, tuple[float, ...]]:
    """Return the bound by linear programmes: of fractions of nodes and, for a small market, of whole pods on them, and of whole
    nodes if they are few. A strong one also uses fillings of nodes with whole pods.
    """
    # The solver is an extra, and its import takes longer than most plans.
    from cutlist.optimization.covering import Programme
    from cutlist.optimization.dominance import without_dominated
    from cutlist.optimization.node_fillings import bound_by_fillings

    # Fractions of nodes may be shared out, so an option loses to a cheaper one per dollar; with whole pods it may still be the
    # one that a pod fits.
    shared = Programme.of(market, without_dominated(market.options, shared=True), whole_pods=False).solve()
    apart = without_dominated(market.options, shared=False)
    pairs = sum(option.suits.bit_count() for option in apart)
    bounds = [shared.bound]
    if pairs <= WHOLE_PODS:
        programme = Programme.of(market, apart, whole_pods=True)
        whole = programme.solve()
        bounds.append(whole.bound)
        if pairs <= (_WHOLE_NODES if shared.nodes <= _FEW_NODES else _FEW_PAIRS):
            bounds += _in_zones(market, whole.worth, may_go_on)
            if _spread_part(market, whole.worth) < _MOSTLY:
                bounds.append(programme.bound_of_whole_nodes(whole, _BRANCHES, may_go_on))
    if is_strong:
        bounds.append(bound_by_fillings(market, apart, shared, may_go_on or (lambda: True)))
    # The worth of pods is that of the first programme, whatever the bound: it exists for every market, so the search's order
    # does not depend on its size.
    return max(bounds), shared.worth


def _spread_part(market: Market, worth: tuple[float, ...]) -> float:
    """Return which part of the worth of all pods is that of pods that are certain in some zone."""
    zones = len(market.in_zones)
    certain = fsum(zones * of.in_each_zone * one for of, one in zip(market.demands, worth, strict=True))
    return certain / (fsum(of.count * one for of, one in zip(market.demands, worth, strict=True)) or 1.0)


def _in_zones(market: Market, worth: tuple[float, ...], may_go_on: Callable[[], bool] | None) -> Iterator[float]:
    """Yield the bound of pods that are spread over zones: the sum of the bounds of all zones.

    Each zone has its part of the spread pods. Any other pod may be in each of them, where its `worth` is subtracted, and all of
    them are paid once (Lagrange's relaxation): with p pods of a demand in a zone, its nodes cost at least the bound of the zone
    plus p times the worth.
    """
    import numpy as np

    from cutlist.optimization.covering import Programme
    from cutlist.optimization.dominance import without_dominated

    if not market.in_zones:
        return
    fixed = np.array([float(of.in_each_zone) for of in market.demands])
    free = np.array([float(of.count) for of in market.demands]) - len(market.in_zones) * fixed
    in_one = [replace(of, count=of.in_each_zone + int(more)) for of, more in zip(market.demands, free, strict=True)]
    reward = np.array(worth)
    total = float(free @ reward)
    # Where nodes cost the same in every zone, the zones are equal.
    for options, zones in Counter(market.in_zones).items():
        apart = without_dominated(options, shared=False)
        zone = Programme.of(replace(market, demands=tuple(in_one), options=options), apart, whole_pods=True)
        certain = replace(zone, counts=np.minimum(zone.counts, fixed), optional=free, reward=reward)
        total += zones * certain.bound_of_whole_nodes(certain.solve(), _BRANCHES, may_go_on)
    yield total


def rounded_down(bound: float) -> float:
    """Return a bound less any error of a sum, as a multiple of a millionth of a dollar."""
    # A bound may only ever err downward.
    return max(0.0, floor((bound - _ROUNDING * (1 + bound)) * _PARTS) / _PARTS)
