"""Amounts of resources by which sets of types are found: a set is one integer, whose bit i is the i-th type."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import lru_cache

from cutlist.core.bits import bits
from cutlist.core.requirements import Requirements
from cutlist.providers.type_list import Column, TypeList


class ResourceThreshold:
    """For one resource, which types have at least, or at most, a given amount."""

    __slots__ = ("_at_least", "_at_most", "amounts")

    def __init__(self, amounts: Mapping[int, int]) -> None:
        """Sort types by amount."""
        masks: dict[int, int] = {}
        for index, amount in amounts.items():
            masks[amount] = masks.get(amount, 0) | 1 << index
        self.amounts = sorted(masks)
        self._at_most, running = [0], 0
        for amount in self.amounts:
            running |= masks[amount]
            self._at_most.append(running)
        # One entry more than amounts, so that asking beyond the largest finds no type instead of failing.
        self._at_least = [running & ~below for below in self._at_most]

    def less(self, amount: int) -> ResourceThreshold:
        """Return the same types with so much less each."""
        if not amount:
            return self
        shifted = object.__new__(ResourceThreshold)
        shifted.amounts = [own - amount for own in self.amounts]
        shifted._at_most, shifted._at_least = self._at_most, self._at_least
        return shifted

    def at_least(self, amount: int) -> int:
        """Return the types that have this much or more."""
        return self._at_least[bisect_left(self.amounts, amount)]

    def at_most(self, amount: int) -> int:
        """Return the types that have this much or less."""
        return self._at_most[bisect_right(self.amounts, amount)]

    def largest(self, mask: int) -> int | None:
        """Return the largest amount among some types, or None for no types."""
        if not self._at_least[0] & mask:
            return None
        # The first amount above which no type of the mask is left; types with more only become fewer, so bisection works.
        low, high = 0, len(self.amounts) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._at_least[middle + 1] & mask else (low, middle)
        return self.amounts[low]


class AllocatableLayer:
    """Types whose offerings change their amounts, as offered with one kind of overrides (spec 6.7, S-74)."""

    __slots__ = ("_allocatable", "_thresholds", "alive", "offers")

    def __init__(self, allocatable: Mapping[int, Mapping[str, int]], offers: Mapping[Requirements, int]) -> None:
        """Make a layer of what pods may use of types, and of labels of offerings with the types that have them."""
        self._allocatable = allocatable
        self._thresholds: dict[str, ResourceThreshold] = {}
        self.offers = offers
        # A type with a negative amount has room for nothing (S-5).
        self.alive = 0
        for index, amounts in allocatable.items():
            if min(amounts.values(), default=0) >= 0:
                self.alive |= 1 << index

    def allocatable(self, index: int) -> Mapping[str, int]:
        """Return what pods may use of a type."""
        return self._allocatable[index]

    def threshold(self, resource: str) -> ResourceThreshold:
        """Return the types by how much of a resource they have; a missing resource counts as 0."""
        cached = self._thresholds.get(resource)
        if cached is None:
            cached = self._thresholds[resource] = ResourceThreshold(
                {i: a.get(resource, 0) for i, a in self._allocatable.items()}
            )
        return cached


class PlainLayer(AllocatableLayer):
    """The types as offered without overrides, which is the first layer and holds every type."""

    __slots__ = ("_relevant", "_types")

    def __init__(self, types: TypeList, relevant: int, offers: Mapping[Requirements, int]) -> None:
        """Make the layer of the relevant types, and of labels of offerings with the types that have them."""
        super().__init__({}, offers)
        self._types = types
        self._relevant = relevant
        self.alive = relevant
        for resource in types.amounts.resources(relevant):
            column, less = types.amounts.allocatable(resource)
            self.alive &= threshold_of(column, relevant).at_least(less)

    def allocatable(self, index: int) -> Mapping[str, int]:
        """Return what pods may use of a type."""
        return self._types[index].allocatable()

    def threshold(self, resource: str) -> ResourceThreshold:
        """Return the types by how much of a resource they have; a missing resource counts as 0."""
        cached = self._thresholds.get(resource)
        if cached is None:
            column, less = self._types.amounts.allocatable(resource)
            cached = self._thresholds[resource] = threshold_of(column, self._relevant).less(less)
        return cached


@lru_cache(maxsize=512)
def threshold_of(column: Column, mask: int) -> ResourceThreshold:
    """Return some types by their amounts in a column: one object for all lists that share the column."""
    return ResourceThreshold({number: column.amounts[number] for number in bits(mask)})
