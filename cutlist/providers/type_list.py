"""Lists of instance types whose members are made when something reads them.

Hundreds of node classes differ in a few figures alone. What their types have in common is there once, as columns: one entry a
type, in the order of the list. Amounts are integers in nano-units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol, overload

from cutlist.core.bits import bits
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType, Offering


class Column:
    """The amounts of a resource by type; lists of types share the object. It equals no other."""

    __slots__ = ("amounts",)

    def __init__(self, amounts: tuple[int, ...]) -> None:
        self.amounts = amounts


class Amounts(NamedTuple):
    """The amounts of a resource by type: those of a column, each less the same amount."""

    column: Column
    less: int = 0

    def by_type(self) -> Iterator[int]:
        """Yield the amounts in the order of the types."""
        return (amount - self.less for amount in self.column.amounts)


class TypeAmounts(Protocol):
    """The amounts of the types of a list, by resource; a resource that no type has is 0 everywhere."""

    @property
    def resources(self) -> tuple[str, ...]:
        """Return all resources that the types have, those of which they have 0 included."""

    def capacity(self, resource: str) -> Amounts:
        """Return what the machines have."""

    def allocatable(self, resource: str) -> Amounts:
        """Return what pods may use of it."""


class SoldTypeList:
    """What lists of types share that are sold alike: names, labels, and offerings, none of them reserved."""

    def __init__(
        self,
        names: tuple[str, ...],
        labels: tuple[Requirements, ...],
        offerings: Callable[[], tuple[tuple[Offering, ...], ...]],
    ) -> None:
        """Make it of the names and labels of all types, in order; `offerings` returns theirs when something asks for them."""
        self.names = names
        self.labels = labels
        self._offerings = offerings
        self._labels_of: dict[int, tuple[Requirements, ...]] = {}

    @cached_property
    def offerings(self) -> tuple[tuple[Offering, ...], ...]:
        """Return the offerings of each type."""
        return self._offerings()

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Return the places of the types by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def by_name(self) -> tuple[int, ...]:
        """Return the places of the types in the order of their names."""
        return tuple(sorted(range(len(self.names)), key=self.names.__getitem__))

    def labels_of(self, mask: int) -> tuple[Requirements, ...]:
        """Return the labels of some types: the same object for the same types."""
        if mask not in self._labels_of:
            self._labels_of[mask] = tuple(self.labels[number] for number in bits(mask))
        return self._labels_of[mask]


class LateTypes(Sequence[InstanceType]):
    """The types of a node class, each made when something reads it. `sold` and `amounts` say without them what they have."""

    __slots__ = ("_made", "_make", "amounts", "sold")

    def __init__(self, sold: SoldTypeList, amounts: TypeAmounts, make: Callable[[int], InstanceType]) -> None:
        """Make the list; `make` returns the type of a number."""
        self.sold = sold
        self.amounts = amounts
        self._make = make
        self._made: dict[int, InstanceType] = {}

    def __len__(self) -> int:
        return len(self.sold.names)

    @overload
    def __getitem__(self, number: int) -> InstanceType: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[InstanceType, ...]: ...

    def __getitem__(self, number: int | slice) -> InstanceType | tuple[InstanceType, ...]:
        if isinstance(number, slice):
            return tuple(self[n] for n in range(*number.indices(len(self))))
        made = self._made.get(number)
        if made is None:
            if not -len(self) <= number < len(self):
                raise IndexError(number)
            place = number % len(self)
            made = self._made[place] = self._made.get(place) or self._make(place)
        return made

    def __iter__(self) -> Iterator[InstanceType]:
        return map(self.__getitem__, range(len(self)))


class ChosenTypes(Sequence[InstanceType]):
    """Some types of a list, as bits, each looked up when something reads it."""

    __slots__ = ("_labels", "_names", "_numbers", "listed", "mask")

    def __init__(self, listed: Sequence[InstanceType], mask: int) -> None:
        self.listed = listed
        self.mask = mask
        self._numbers: tuple[int, ...] | None = None
        self._labels: tuple[Requirements, ...] | None = None
        self._names: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return self.mask.bit_count()

    @overload
    def __getitem__(self, number: int) -> InstanceType: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[InstanceType, ...]: ...

    def __getitem__(self, number: int | slice) -> InstanceType | tuple[InstanceType, ...]:
        if self._numbers is None:
            self._numbers = tuple(bits(self.mask))
        if isinstance(number, slice):
            return tuple(self.listed[n] for n in self._numbers[number])
        return self.listed[self._numbers[number]]

    def __iter__(self) -> Iterator[InstanceType]:
        return (self.listed[number] for number in bits(self.mask))

    @property
    def labels(self) -> tuple[Requirements, ...]:
        """Return the labels of the types in order; the same object for the same types of lists that are sold alike."""
        if self._labels is None:
            if isinstance(self.listed, LateTypes):
                self._labels = self.listed.sold.labels_of(self.mask)
            else:
                self._labels = tuple(t.requirements for t in self)
        return self._labels

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the types in order."""
        if self._names is None:
            if isinstance(self.listed, LateTypes):
                self._names = tuple(self.listed.sold.names[number] for number in bits(self.mask))
            else:
                self._names = tuple(t.name for t in self)
        return self._names


def labels_of(types: Sequence[InstanceType]) -> tuple[Requirements, ...]:
    """Return the labels of types in order; the same object for lists that are sold alike."""
    if isinstance(types, LateTypes):
        return types.sold.labels
    return types.labels if isinstance(types, ChosenTypes) else tuple(t.requirements for t in types)


def offerings_of(types: Sequence[InstanceType]) -> tuple[tuple[Offering, ...], ...]:
    """Return the offerings of each type of a list; the same object for lists that are sold alike."""
    return types.sold.offerings if isinstance(types, LateTypes) else tuple(t.offerings for t in types)


def different_capacities(types: Sequence[InstanceType], resource: str) -> frozenset[int]:
    """Return the different amounts of a resource that types have; a type without it has 0."""
    if isinstance(types, ChosenTypes) and isinstance(types.listed, LateTypes):
        column, less = types.listed.amounts.capacity(resource)
        return frozenset(amount - less for amount in _different(column, types.mask))
    return frozenset(t.capacity.get(resource, 0) for t in types)


@lru_cache(maxsize=256)
def _different(column: Column, mask: int) -> frozenset[int]:
    return frozenset(column.amounts[number] for number in bits(mask))


@lru_cache(maxsize=256)
def least_of(column: Column, mask: int) -> int:
    """Return the smallest amount that some types have in a column, 0 for none."""
    return min(_different(column, mask), default=0)
