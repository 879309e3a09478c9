"""The rows of a catalogue file as objects by name, each read when first needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Self, TypeVar

from cutlist.catalog.format import Table
from cutlist.core.errors import InputError, Place

M = TypeVar("M")


class Rows(Mapping[str, M]):
    """The objects of a file by name: a subclass defines the columns and what a row becomes."""

    __slots__ = ("_place", "_read", "_rows")

    COLUMNS: ClassVar[tuple[str, ...]]

    def __init__(self, rows: Mapping[str, tuple[str, ...]], place: Place) -> None:
        self._rows = rows
        self._place = place
        self._read: dict[str, M] = {}

    @classmethod
    def of_table(cls, table: Table, place: Place) -> Self:
        """Return all rows of a file. Raises InputError when its columns are not those of this version."""
        if table.columns != cls.COLUMNS:
            odd = sorted(set(table.columns) ^ set(cls.COLUMNS)) or ["their order"]
            raise InputError.one(place, f"the columns of machines differ: {', '.join(odd)}", allowed=", ".join(cls.COLUMNS))
        return cls({row[0]: row for row in table.rows}, place)

    def only(self, names: Iterable[str]) -> Self:
        """Return only the rows named; names without a row are ignored."""
        part = type(self)({name: self._rows[name] for name in names if name in self._rows}, self._place)
        part._read = self._read  # a machine is one object, however many catalogues hold it
        return part

    def _read_row(self, row: Sequence[str]) -> M:
        """Return the object that a row describes. Raises ValueError, TypeError or IndexError for a row that cannot be read."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> M:
        row = self._rows[name]
        cached = self._read.get(name)
        if cached is None:
            try:
                cached = self._read[name] = self._read_row(row)
            except (ValueError, TypeError, IndexError) as problem:
                raise InputError.one(self._place.at(row[0]), f"the machine cannot be read: {problem}") from None
        return cached

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows
