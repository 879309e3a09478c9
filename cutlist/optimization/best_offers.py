"""NodePools whose nodes are no better than another's: as dear, with no more room, for the same pods.

Node classes that sell the same machines differ in what every node has less. A quick bound ignores what is dominated, so such
NodePools need not be listed for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from operator import le
from typing import TypeVar

from cutlist.optimization.supply import Market
from cutlist.providers.type_list import TypeList, least_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Comparable:
    """What nodes that are otherwise alike differ in: the less each figure is, the better. Only those of equal `columns` are
    compared."""

    columns: Hashable
    figures: tuple[float, ...]

    @staticmethod
    def of(types: TypeList, mask: int, disks: float, market: Market, daemons: Mapping[str, int]) -> Comparable:
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
        return Comparable(columns, tuple(figures))


def best_offers(offers: Sequence[T], alike: Callable[[T], Hashable], compared: Callable[[T], Comparable | None]) -> list[T]:
    """Return the offers, in order, without those that another one is at least as good as; of equal ones the first stays. Those
    are compared of which `alike` says the same."""
    by_kind: dict[Hashable, list[int]] = {}
    for number, offer in enumerate(offers):
        by_kind.setdefault(alike(offer), []).append(number)
    kept = set[int]()
    for numbers in by_kind.values():
        kept.update(numbers if len(numbers) == 1 else _best_of([(compared(offers[n]), n) for n in numbers]))
    return [offer for number, offer in enumerate(offers) if number in kept]


def _best_of(offers: Iterable[tuple[Comparable | None, int]]) -> Iterator[int]:
    """Yield the numbers of offers that no other is at least as good as, and of those that cannot be compared."""
    by_columns: dict[Hashable, list[tuple[tuple[float, ...], int]]] = {}
    for of, number in offers:
        if of is None:
            yield number
        else:
            by_columns.setdefault(of.columns, []).append((of.figures, number))
    for alike in by_columns.values():
        yield from _best(alike)


def _best(alike: Iterable[tuple[tuple[float, ...], int]]) -> list[int]:
    """Return the numbers of those that no other is at least as good as."""
    best: list[tuple[tuple[float, ...], int]] = []
    # In this order, whatever is as good as another comes before it.
    for figures, number in sorted(alike):
        if not any(all(map(le, better, figures)) for better, _ in best):
            best.append((figures, number))
    return [number for _, number in best]
