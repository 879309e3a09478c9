"""Sequences in which the same object follows itself many times, at the cost of one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from typing import TypeVar, overload

V = TypeVar("V")


class Runs(Sequence[V]):
    """Objects, each with how often it follows itself.

    >>> nodes = Runs([("m5.large", 2), ("c5.large", 1)])
    >>> list(nodes), len(nodes), nodes[1], nodes == ["m5.large", "m5.large", "c5.large"]
    (['m5.large', 'm5.large', 'c5.large'], 3, 'm5.large', True)
    """

    __slots__ = ("_ends", "runs")

    def __init__(self, runs: Iterable[tuple[V, int]]) -> None:
        self.runs = tuple(runs)
        self._ends = list(accumulate(count for _, count in self.runs))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[V]:
        return chain.from_iterable(repeat(of, count) for of, count in self.runs)

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[V]: ...
    def __getitem__(self, place: int | slice) -> V | Sequence[V]:
        if isinstance(place, slice):
            return tuple(self)[place]
        number = range(len(self))[place]
        return self.runs[bisect_right(self._ends, number)][0]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as that of a list

    def __repr__(self) -> str:
        return f"Runs({list(self.runs)})"


def in_runs(objects: Sequence[V]) -> Iterable[tuple[V, int]]:
    """Return the objects of a sequence in order, each with how often it follows itself, as far as the sequence knows that.

    >>> list(in_runs(Runs([("m5.large", 1_000_000)]))), list(in_runs(["m5.large", "m5.large"]))
    ([('m5.large', 1000000)], [('m5.large', 1), ('m5.large', 1)])
    """
    return objects.runs if isinstance(objects, Runs) else ((of, 1) for of in objects)


def different(objects: Sequence[V]) -> list[tuple[V, int]]:
    """Return the different objects of a sequence in the order in which they first occur, each with how often it does.

    >>> small, large = ["m5.large"], ["m5.4xlarge"]
    >>> different([small, large, small]), different(Runs([(small, 1_000_000)]))
    ([(['m5.large'], 2), (['m5.4xlarge'], 1)], [(['m5.large'], 1000000)])
    """
    found: dict[int, tuple[V, int]] = {}
    for of, count in in_runs(objects):
        found[id(of)] = of, found.get(id(of), (of, 0))[1] + count
    return list(found.values())
