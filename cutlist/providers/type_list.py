"""Lists of instance types whose members are made when something reads them.

Hundreds of node classes differ in a few figures alone. What their types have in common is there once, as columns: one entry a
type, in the order of the list. A list that is given as types has columns of its own. Amounts are integers in nano-units.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, Protocol, TypeVar, cast, overload

from cutlist.core.bits import bits
from cutlist.core.identity import SameObject
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType, Offering

V = TypeVar("V")
_NONE: Final[Mapping[int, Mapping[str, int]]] = MappingProxyType({})


class PerType(Sequence[V], Generic[V]):
    """Something of each type of a list, worked out when it is read: of many types nothing is ever asked."""

    __slots__ = ("_count", "_of")

    def __init__(self, count: int, of: Callable[[int], V]) -> None:
        """Make it for so many types; `of` returns what the type of a number has."""
        self._count = count
        self._of = of

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: int) -> V: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[V, ...]: ...

    def __getitem__(self, number: int | slice) -> V | tuple[V, ...]:
        if isinstance(number, slice):
            return tuple(map(self._of, range(*number.indices(self._count))))
        if not -self._count <= number < self._count:
            raise IndexError(number)
        return self._of(number % self._count)


class Column:
    """The amounts of a resource by type; lists of types share the object. It equals no other."""

    __slots__ = ("amounts",)

    def __init__(self, amounts: Sequence[int]) -> None:
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

    def resources(self, mask: int) -> tuple[str, ...]:
        """Return all resources that some of the types have, those of which they have 0 included."""

    def capacity(self, resource: str) -> Amounts:
        """Return what the machines have."""

    def allocatable(self, resource: str) -> Amounts:
        """Return what pods may use of it."""


class SoldTypeList:
    """What lists of types share that are sold alike: names, labels, offerings, and how many volumes their nodes attach."""

    def __init__(
        self,
        names: tuple[str, ...],
        labels: tuple[Requirements, ...],
        offerings: Callable[[], Sequence[tuple[Offering, ...]]],
        *,
        reserving: Collection[int] = (),
        attach_limits: Mapping[int, Mapping[str, int]] = _NONE,
    ) -> None:
        """Make it of the names and labels of all types, in order; `offerings` returns theirs when something asks for them.
        `reserving` are the numbers of types that have reserved offerings, and `attach_limits` those that have limits."""
        self.names = names
        self.labels = labels
        self.reserving = reserving
        self.attach_limits = attach_limits
        self._offerings = offerings
        self._labels_of: dict[int, tuple[Requirements, ...]] = {}

    @cached_property
    def offerings(self) -> Sequence[tuple[Offering, ...]]:
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


class TypeList(Sequence[InstanceType]):
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

    __slots__ = ("_names", "_numbers", "listed", "mask")

    def __init__(self, listed: TypeList, mask: int) -> None:
        self.listed = listed
        self.mask = mask
        self._numbers: tuple[int, ...] | None = None
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
        return self.listed.sold.labels_of(self.mask)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the types in order."""
        if self._names is None:
            self._names = tuple(self.listed.sold.names[number] for number in bits(self.mask))
        return self._names

    def capacities(self, resource: str) -> frozenset[int]:
        """Return the different amounts of a resource that the types have; a type without it has 0."""
        column, less = self.listed.amounts.capacity(resource)
        return frozenset(amount - less for amount in _different(column, self.mask))


class _GivenAmounts:
    """The amounts of types that are given, each type looked at when something asks for its amounts."""

    def __init__(self, types: Sequence[InstanceType]) -> None:
        self._types = types
        self._columns: dict[tuple[str, bool], Column] = {}
        self._allocatable: dict[int, Mapping[str, int]] = {}

    def resources(self, mask: int) -> tuple[str, ...]:
        """Return all resources that some of the types have."""
        return tuple(sorted({resource for number in bits(mask) for resource in self._types[number].capacity}))

    def capacity(self, resource: str) -> Amounts:
        """Return what the machines have."""
        return self._column(resource, False, lambda number: self._types[number].capacity.get(resource, 0))

    def allocatable(self, resource: str) -> Amounts:
        """Return what pods may use of it."""
        return self._column(resource, True, lambda number: self._allocatable_of(number).get(resource, 0))

    def _column(self, resource: str, is_allocatable: bool, of: Callable[[int], int]) -> Amounts:
        key = resource, is_allocatable
        if key not in self._columns:
            self._columns[key] = Column(PerType(len(self._types), of))
        return Amounts(self._columns[key])

    def _allocatable_of(self, number: int) -> Mapping[str, int]:
        if number not in self._allocatable:
            self._allocatable[number] = self._types[number].allocatable()
        return self._allocatable[number]


def type_list(types: Sequence[InstanceType]) -> TypeList:
    """Return types as a list with columns: the same object for the same tuple of types."""
    return types if isinstance(types, TypeList) else _given(SameObject(tuple(types)))


@lru_cache(maxsize=256)
def _given(given: SameObject) -> TypeList:
    types = cast("tuple[InstanceType, ...]", given.of)
    sold = SoldTypeList(
        tuple(t.name for t in types),
        tuple(t.requirements for t in types),
        lambda: PerType(len(types), lambda number: types[number].offerings),
        reserving=range(len(types)),
        attach_limits={number: t.attach_limits for number, t in enumerate(types) if t.attach_limits},
    )
    return TypeList(sold, _GivenAmounts(types), types.__getitem__)


@lru_cache(maxsize=256)
def _different(column: Column, mask: int) -> frozenset[int]:
    return frozenset(column.amounts[number] for number in bits(mask))


@lru_cache(maxsize=256)
def least_of(column: Column, mask: int) -> int:
    """Return the smallest amount that some types have in a column, 0 for none."""
    return min(_different(column, mask), default=0)
