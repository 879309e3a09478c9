"""The candidates that no other one beats in everything, and which to recommend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Final

from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.search import PoolChoice

MOST: Final = 8
"""How many options an answer has."""
_NEARLY: Final = 1.02
_ALIKE: Final = 1.01
"""How much more expensive a candidate with fewer edits may be."""
_HARDLY: Final = 0.001


def pareto_front(candidates: Sequence[PoolChoice]) -> list[PoolChoice]:
    """Return the candidates of known price that no other equals or beats in everything, cheapest first; of equal ones the
    first."""
    front: list[PoolChoice] = []
    for candidate in sorted((c for c in candidates if c.figures.price is not None), key=lambda c: _aims(c.figures)):
        if not any(_covers(better.figures, candidate.figures) for better in front):
            front.append(candidate)
    return front


def spread_out(front: Sequence[PoolChoice], wanted: PoolChoice, most: int = MOST) -> list[PoolChoice]:
    """Return a few candidates, cheapest first: the ends of a front, some evenly in between, and the wanted one, which replaces
    others with the same figures."""
    others = (candidate for candidate in front if candidate.figures != wanted.figures)
    listed = sorted((*others, wanted), key=lambda c: _aims(c.figures))
    if len(listed) <= most:
        return listed
    places, place = [round(n * (len(listed) - 1) / (most - 1)) for n in range(most)], listed.index(wanted)
    if place not in places:
        nearest = min(range(1, most - 1), key=lambda n: abs(places[n] - place))
        places[nearest] = place
    return [listed[n] for n in places]


def recommended(
    front: Sequence[PoolChoice], candidates: Iterable[PoolChoice], now: CostAndRisk, edits: Callable[[PoolChoice], int]
) -> tuple[PoolChoice, str]:
    """Return the candidate to recommend, and why.

    First the nearly cheapest one of the front that loses fewest pods with a node; then, of all candidates at most 1% above its
    price that lose no more pods, the one with fewest edits. If the first saves something compared with `now`, so does the
    second.
    """
    cheapest = front[0]
    near = [c for c in front if _price(c) <= _price(cheapest) * _NEARLY]
    safest = min(near, key=lambda c: c.figures.lost_with_node)
    # Fewer edits must not cost the savings: a simpler candidate counts only if it saves something too.
    below = now.price if now.price is not None and _price(safest) < now.price else inf
    alike = [c for c in candidates if c.figures.price is not None and _is_as_good(c, safest) and c.figures.price < below]
    most = edits(safest)
    fewest, simplest = min(((edits(c), c) for c in alike), key=lambda of: (of[0], _price(of[1])), default=(most, safest))
    if fewest >= most:
        return safest, _reason(safest, cheapest)
    return simplest, _reason(simplest, cheapest, f"has {fewest:,} instead of {most:,} edits")


def _reason(chosen: PoolChoice, cheapest: PoolChoice, simpler: str = "") -> str:
    """Return in words why a candidate is recommended rather than the cheapest."""
    more = _price(chosen) / (_price(cheapest) or 1.0) - 1
    above = f"{more:.1%} above the cheapest" if more >= _HARDLY else f"within {_HARDLY:.1%} of the cheapest"
    lost, at_cheapest = chosen.figures.lost_with_node, cheapest.figures.lost_with_node
    safer = f"loses {lost:,} instead of {at_cheapest:,} pods with a node" if lost < at_cheapest else ""
    *first, last = filter(None, ("the cheapest" if chosen.figures == cheapest.figures else above, safer, simpler))
    return f"{', '.join(first)}, and {last}" if first else last


def _is_as_good(candidate: PoolChoice, other: PoolChoice) -> bool:
    """Tell whether a candidate costs hardly more than another, and loses no more pods with a node."""
    is_as_safe = candidate.figures.lost_with_node <= other.figures.lost_with_node
    return is_as_safe and _price(candidate) <= _price(other) * _ALIKE


def _price(candidate: PoolChoice) -> float:
    return candidate.figures.price or 0.0


def _aims(figures: CostAndRisk) -> tuple[float, ...]:
    return (
        # Rounded, or a difference in the last digit of a sum would make two equal plans rivals.
        round(figures.price or 0.0, 6),
        figures.lost_with_node,
        figures.lost_with_zone,
        round(figures.spot_share, 4),
        figures.nodes,
    )


def _covers(better: CostAndRisk, other: CostAndRisk) -> bool:
    return all(a <= b for a, b in zip(_aims(better), _aims(other), strict=True))
