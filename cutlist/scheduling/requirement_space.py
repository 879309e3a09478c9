"""Requirement sets by number: each distinct set of a pass is stored once, and combinations are cached."""

from __future__ import annotations

from typing import Final

from cutlist.core.requirements import Conflict, Requirements, Undefined

EMPTY: Final = 0  # the number of the set without requirements


class RequirementSpace:
    """Numbers requirement sets and caches which of them are compatible.

    `well_known` are the keys that a node which does not exist yet may leave undefined (spec 2.6).
    """

    __slots__ = ("_clashes", "_joined", "_met", "_min_values", "_negated", "_numbers", "sets", "well_known")

    def __init__(self, well_known: frozenset[str]) -> None:
        self.well_known = well_known
        self.sets: list[Requirements] = [Requirements()]
        self._numbers: dict[Requirements, int] = {self.sets[EMPTY]: EMPTY}
        self._met: dict[tuple[int, int], int | None] = {}
        self._joined: dict[tuple[int, int], int] = {}
        self._clashes: dict[tuple[int, int], Undefined | list[Conflict]] = {}
        self._min_values: dict[int, tuple[tuple[str, int], ...]] = {}
        self._negated: dict[int, frozenset[str]] = {}

    def number(self, requirements: Requirements) -> int:
        """Return the number of a set; equal sets have the same number."""
        cached = self._numbers.get(requirements)
        if cached is None:
            cached = self._numbers[requirements] = len(self.sets)
            self.sets.append(requirements)
        return cached

    def join(self, held: int, added: int) -> int:
        """Return the combination of two sets, compatible or not."""
        if added == EMPTY or held == added:
            return held
        cached = self._joined.get((held, added))
        if cached is None:
            cached = self._joined[held, added] = self.number(self.sets[held] & self.sets[added])
        return cached

    def meet(self, held: int, incoming: int) -> int | None:
        """Return the combination of a claim's set and an incoming one, or None if they are incompatible."""
        if incoming == EMPTY:
            return held
        pair = (held, incoming)
        if pair not in self._met:
            fits = self.sets[held].compatible(self.sets[incoming], self.well_known)
            self._met[pair] = self.join(held, incoming) if fits else None
        return self._met[pair]

    def clash(self, held: int, incoming: int) -> Undefined | list[Conflict]:
        """Return why an incoming set is incompatible with a claim's set, or an empty list if it is compatible."""
        pair = (held, incoming)
        if pair not in self._clashes:
            self._clashes[pair] = self.sets[held].incompatibility(self.sets[incoming], self.well_known)
        return self._clashes[pair]

    def min_values(self, number: int) -> tuple[tuple[str, int], ...]:
        """Return the labels for which a set demands a number of distinct values, with that number."""
        cached = self._min_values.get(number)
        if cached is None:
            wanted = ((r.key, r.min_values) for r in self.sets[number].values())
            cached = self._min_values[number] = tuple((key, least) for key, least in wanted if least is not None)
        return cached

    def negated(self, number: int) -> frozenset[str]:
        """Return the labels that a set defines only by excluding values."""
        cached = self._negated.get(number)
        if cached is None:
            cached = self._negated[number] = frozenset(r.key for r in self.sets[number].values() if r.is_negative)
        return cached
