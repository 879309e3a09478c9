"""The candidates that no other one beats in everything, and which to recommend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from cutlist.core.wording import counted
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.judging import PoolChoice

MOST: Final = 6
"""How many options an answer has."""
ALIKE: Final = 1.01
"""How much more expensive a simpler candidate may be."""
STEADIER: Final = 1.03
"""How much more expensive a candidate may be that rests no more on spot than today's NodePools do."""
_HARDLY: Final = 0.001
_OFTENER: Final = 1.25
_SELDOM: Final = 0.01
"""How many times as many pods may be interrupted in a month, and which part of all on top, without being clearly more."""
_MORE_AT_ONCE: Final = 0.1
"""The part of the pods by which a spot pool may be larger."""

Complexity = tuple[int, int, int, int]
"""New NodePools, edits, bounds on numbers, listed values: the fewer the simpler, the first counts most."""


def pareto_front(candidates: Sequence[PoolChoice]) -> list[PoolChoice]:
    """Return the candidates of known price that no other equals or beats in everything, cheapest first; of equal ones the
    first."""
    front: list[PoolChoice] = []
    for candidate in sorted((c for c in candidates if c.figures.price is not None), key=_aims):
        if not any(_covers(better, candidate) for better in front):
            front.append(candidate)
    return front


def spread_out(front: Sequence[PoolChoice], wanted: PoolChoice, most: int = MOST) -> list[PoolChoice]:
    """Return a few candidates, cheapest first: the ends of a front, some evenly in between, and the wanted one, which replaces
    others with the same figures."""
    others = (candidate for candidate in front if candidate.figures != wanted.figures)
    listed = sorted((*others, wanted), key=_aims)
    if len(listed) <= most:
        return listed
    places, place = [round(n * (len(listed) - 1) / (most - 1)) for n in range(most)], listed.index(wanted)
    if place not in places:
        nearest = min(range(1, most - 1), key=lambda n: abs(places[n] - place))
        places[nearest] = place
    return [listed[n] for n in places]


def recommended(
    candidates: Sequence[PoolChoice],
    now: float | None,
    complexity: Callable[[PoolChoice], Complexity],
    today: CostAndRisk | None = None,
) -> tuple[PoolChoice, str]:
    """Return the candidate to recommend, and why: of all within 1% of the cheapest the simplest, then the one that loses fewest
    pods with a node. `now` is what today's NodePools cost: if the cheapest saves something, so does the recommended one.

    A candidate that rests on spot more than `today` does, clearly, gives way to one that does not and costs up to 3% more than
    the cheapest.
    """
    cheapest = min(candidates, key=_price)
    # A simpler candidate must not cost all that is saved.
    below = now if now is not None and _price(cheapest) < now else inf

    def within(part: float) -> list[PoolChoice]:
        return [c for c in candidates if _price(c) <= _price(cheapest) * part and (_price(c) < below or c is cheapest)]

    near = within(ALIKE)
    if today is not None:
        near = _steady(near, today) or _steady(within(STEADIER), today) or near
    known = {id(c): complexity(c) for c in (*near, cheapest)}
    simplest = min(near, key=lambda c: (known[id(c)], c.figures.lost_with_node, round(c.figures.at_once, 4), _price(c)))
    return simplest, _reason(simplest, cheapest, known)


def rests_more_on_spot(figures: CostAndRisk, than: CostAndRisk) -> bool:
    """Tell whether spot takes clearly more pods of a plan than of another one: in a month by all interruptions, or at once with
    the largest spot pool. Where a rate is not known, only the second counts."""
    return _is_interrupted_more(figures, than) or figures.at_once > than.at_once + _MORE_AT_ONCE


def _is_interrupted_more(figures: CostAndRisk, than: CostAndRisk) -> bool:
    if figures.evictions is None or than.evictions is None:
        return False
    return figures.evictions > than.evictions * _OFTENER + _SELDOM


def _steady(candidates: Sequence[PoolChoice], today: CostAndRisk) -> list[PoolChoice]:
    return [c for c in candidates if not rests_more_on_spot(c.figures, today)]


def _reason(chosen: PoolChoice, cheapest: PoolChoice, known: dict[int, Complexity]) -> str:
    """Return in words why a candidate is recommended rather than the cheapest."""
    if chosen is cheapest:
        return "the cheapest"
    more = _price(chosen) / (_price(cheapest) or 1.0) - 1
    above = f"{more:.1%} above the cheapest" if more >= _HARDLY else f"within {_HARDLY:.1%} of the cheapest"
    pools, edits, numbers, _ = known[id(chosen)]
    its_pools, its_edits, its_numbers, _ = known[id(cheapest)]
    lost, at_cheapest = chosen.figures.lost_with_node, cheapest.figures.lost_with_node
    reasons = [
        f"{counted(its_pools - pools, 'NodePool')} fewer" if pools < its_pools else "",
        f"{edits:,} instead of {counted(its_edits, 'edit')}" if edits < its_edits else "",
        "without bounds on numbers" if numbers < its_numbers and not numbers else "",
        f"loses {lost:,} instead of {at_cheapest:,} pods with a node" if lost < at_cheapest else "",
    ]
    if rests_more_on_spot(cheapest.figures, chosen.figures):
        reasons.insert(0, _steadier(chosen.figures, cheapest.figures))
    said = [reason for reason in reasons if reason] or ["simpler"]
    return f"{above}, {' and '.join(said[:2])}"


def _steadier(chosen: CostAndRisk, cheapest: CostAndRisk) -> str:
    """Return in words how much less a plan rests on spot than the cheapest."""
    if _is_interrupted_more(cheapest, chosen):
        return f"{chosen.evictions:.0%} instead of {cheapest.evictions:.0%} of pods interrupted in a month"
    return f"{chosen.at_once:.0%} instead of {cheapest.at_once:.0%} of pods in one spot pool"


def _price(candidate: PoolChoice) -> float:
    return candidate.figures.lasting or 0.0 if candidate.expected is None else candidate.expected


def _aims(candidate: PoolChoice) -> tuple[float, ...]:
    figures: CostAndRisk = candidate.figures
    return (
        # Rounded, or a difference in the last digit of a sum would make two equal plans rivals.
        round(_price(candidate), 6),
        figures.lost_with_node,
        figures.lost_with_zone,
        round(figures.spot_share, 4),
        round(figures.at_once, 4),
        inf if figures.evictions is None else round(figures.evictions, 3),
        figures.nodes,
    )


def _covers(better: PoolChoice, other: PoolChoice) -> bool:
    return all(a <= b for a, b in zip(_aims(better), _aims(other), strict=True))
