"""The candidates that no other one beats in everything, and the one to recommend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.search import Candidate

MOST: Final = 8
"""How many options an answer has."""
_NEARLY: Final = 1.02


def pareto_front(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates of known price that none is at least as good as in everything, cheapest first; of equal ones the
    first."""
    front: list[Candidate] = []
    for candidate in sorted((c for c in candidates if c.figures.price is not None), key=lambda c: _aims(c.figures)):
        if not any(_covers(better.figures, candidate.figures) for better in front):
            front.append(candidate)
    return front


def spread_out(front: Sequence[Candidate], most: int = MOST) -> list[Candidate]:
    """Return a few candidates of a front: the cheapest, and those that lose least with a node, evenly in between."""
    if len(front) <= most:
        return list(front)
    return [front[round(n * (len(front) - 1) / (most - 1))] for n in range(most)]


def recommended(front: Sequence[Candidate]) -> tuple[int, str]:
    """Return the place of the candidate to recommend, and why: among the nearly cheapest the one that loses fewest pods with a
    node."""
    cheapest = front[0].figures
    near = [n for n, c in enumerate(front) if (c.figures.price or 0.0) <= (cheapest.price or 0.0) * _NEARLY]
    best = min(near, key=lambda n: (front[n].figures.lost_with_node, n))
    if best == 0:
        return 0, "the cheapest"
    more = (front[best].figures.price or 0.0) / (cheapest.price or 1.0) - 1
    lost = f"{front[best].figures.lost_with_node:,} instead of {cheapest.lost_with_node:,}"
    return best, f"{more:.1%} above the cheapest, and loses {lost} pods with a node"


def _aims(figures: CostAndRisk) -> tuple[float, ...]:
    return (
        round(figures.price or 0.0, 6),
        figures.lost_with_node,
        figures.lost_with_zone,
        round(figures.spot_share, 4),
        figures.nodes,
    )


def _covers(better: CostAndRisk, other: CostAndRisk) -> bool:
    return all(a <= b for a, b in zip(_aims(better), _aims(other), strict=True))
