"""Requirement sets by number: each distinct set of a pass is stored once, and a combination once made is looked up."""

from __future__ import annotations

from typing import Final

from cutlist.core.requirements import Conflict, Requirements, Undefined

EMPTY: Final = 0  # the number of the set without requirements


class RequirementSpace:
    """Numbers requirement sets and remembers which of them agree.

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
        """The number of a set; equal sets have one."""
        found = self._numbers.get(requirements)
        if found is None:
            found = self._numbers[requirements] = len(self.sets)
            self.sets.append(requirements)
        return found

    def join(self, held: int, added: int) -> int:
        """The combination of two sets, whether they agree or not."""
        if added == EMPTY or held == added:
            return held
        found = self._joined.get((held, added))
        if found is None:
            found = self._joined[held, added] = self.number(self.sets[held] & self.sets[added])
        return found

    def meet(self, held: int, incoming: int) -> int | None:
        """The combination of a claim's set and an incoming one, or None where they are incompatible."""
        if incoming == EMPTY:
            return held
        pair = (held, incoming)
        if pair not in self._met:
            fits = self.sets[held].compatible(self.sets[incoming], self.well_known)
            self._met[pair] = self.join(held, incoming) if fits else None
        return self._met[pair]

    def clash(self, held: int, incoming: int) -> Undefined | list[Conflict]:
        """Why an incoming set may not go where a claim's set holds; empty when it may."""
        pair = (held, incoming)
        if pair not in self._clashes:
            self._clashes[pair] = self.sets[held].incompatibility(self.sets[incoming], self.well_known)
        return self._clashes[pair]

    def min_values(self, number: int) -> tuple[tuple[str, int], ...]:
        """The labels of which a set asks for a number of distinct values, with that number."""
        found = self._min_values.get(number)
        if found is None:
            wanted = ((r.key, r.min_values) for r in self.sets[number].values())
            found = self._min_values[number] = tuple((key, least) for key, least in wanted if least is not None)
        return found

    def negated(self, number: int) -> frozenset[str]:
        """The labels that a set defines by what they must not be."""
        found = self._negated.get(number)
        if found is None:
            found = self._negated[number] = frozenset(r.key for r in self.sets[number].values() if r.is_negative)
        return found
