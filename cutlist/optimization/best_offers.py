"""NodePools whose nodes are no better than another's: as dear, with no more room, for the same pods.

Node classes that sell the same machines differ in what every node has less. A quick bound ignores what is dominated, so such
NodePools need not be listed for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from operator import le
from typing import TypeVar

from cutlist.optimization.supply import Market
from cutlist.providers.type_list import TypeList, least_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Comparable:
    """What nodes of the same kind differ in: the less each figure is, the better. Only those of equal `kind` are compared."""

    kind: Hashable
    figures: tuple[float, ...]

    @staticmethod
    def of(types: TypeList, mask: int, kind: Hashable, disks: float, market: Market, daemons: Mapping[str, int]) -> Comparable:
        """Return the figures of some types of a list: the price of their disks, and what they all have less of each resource.
        `daemons` are the requests of all daemons together, in nano-units."""
        amounts = types.amounts
        columns = tuple((amounts.capacity(r).column, amounts.allocatable(r).column) for r in amounts.resources(mask))
        figures = [disks]
        for place, resource in enumerate(market.resources):
            column, less = amounts.allocatable(resource)
            everything = sum(d.count * of[place] for d, of in zip(market.demands, market.requests, strict=True))
            # Beyond room for all pods there is nothing to gain.
            suffices = least_of(column, mask) - less - daemons.get(resource, 0) >= everything
            figures.append(-inf if suffices else less)
        return Comparable((kind, columns), tuple(figures))


def best_offers(offers: Iterable[T], compared: Callable[[T], Comparable | None]) -> list[T]:
    """Return the offers, in order, without those that another of the same kind is at least as good as; of equal ones the first
    stays."""
    every = list(offers)
    if len(every) < 2:
        return every
    by_kind: dict[Hashable, list[tuple[tuple[float, ...], int]]] = {}
    kept = set[int]()
    for number, offer in enumerate(every):
        of = compared(offer)
        if of is None:
            kept.add(number)
        else:
            by_kind.setdefault(of.kind, []).append((of.figures, number))
    for alike in by_kind.values():
        kept.update(_best(alike))
    return [offer for number, offer in enumerate(every) if number in kept]


def _best(alike: Iterable[tuple[tuple[float, ...], int]]) -> list[int]:
    """Return the numbers of those that no other is at least as good as."""
    best: list[tuple[tuple[float, ...], int]] = []
    # In this order, whatever is as good as another comes before it.
    for figures, number in sorted(alike):
        if not any(all(map(le, better, figures)) for better, _ in best):
            best.append((figures, number))
    return [number for _, number in best]
