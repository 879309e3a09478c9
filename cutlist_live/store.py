"""Writes a catalogue folder so that readers always find complete files, the old or the new, even if writing is interrupted."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

from cutlist.catalog.embedded import embedded_sources, load, load_location
from cutlist.catalog.folder import MACHINES, CatalogFolder
from cutlist.catalog.format import Source, Table, read_table, write_table
from cutlist.catalog.machines import Machine, Machines, write_machines
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import AWS_VENDOR, AZURE_VENDOR, Region, read_region
from cutlist.catalog.rows import Rows
from cutlist.catalog.services import COLUMNS as SERVICE_COLUMNS
from cutlist.catalog.services import SERVICES, read_services
from cutlist.catalog.sizes import Size, Sizes, write_sizes
from cutlist.core.errors import InputError, Place
from cutlist.documents.text.replacing import replace_file


class _Sourced(Protocol):
    @property
    def source(self) -> str: ...


M = TypeVar("M", bound=_Sourced)


@dataclass(frozen=True, slots=True)
class StoredKind(Generic[M]):
    """The machines of a vendor: how their file is read and written, its header, and the embedded regions that sell them."""

    rows: type[Rows[M]]
    write: Callable[[Iterable[M], Mapping[str, str], Mapping[str, Source]], str]
    header: Mapping[str, str]
    embedded: Callable[[str], Region[M]]


EC2_TYPES: Final[StoredKind[Machine]] = StoredKind(
    Machines,
    write_machines,
    {
        "vendor": AWS_VENDOR,
        "content": "machines",
        "about": "hardware of EC2 instance types as EC2 describes it; the same in every region",
        "bandwidth and limits": "from the embedded catalogue, where Karpenter's tables have the type",
    },
    load,
)
VM_SIZES: Final[StoredKind[Size]] = StoredKind(
    Sizes,
    write_sizes,
    {
        "vendor": AZURE_VENDOR,
        "content": "machines",
        "about": "VM sizes as Azure's SKU service describes them; the same in every location",
    },
    load_location,
)

_APART: Final = "cn- us-gov- us-iso eu-isoe us-isof eusc-"
"""Regions whose services have no general prices."""


def write_catalogue_file(path: Path, text: str, what: str = "the catalogue") -> None:
    """Replace a file of a catalogue as a whole, or leave it unchanged. Raises InputError when it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(str(path), text)
    except OSError as problem:
        raise InputError.one(Place(str(path)), f"{what} cannot be written: {problem.strerror or problem}") from None


class Store(Generic[M]):
    """A catalogue folder for writing. Raises InputError at once when its machines are damaged, so that none is lost."""

    def __init__(self, folder: CatalogFolder, kind: StoredKind[M]) -> None:
        self._folder = folder
        self._kind = kind
        self._machines()

    def before(self, region: str) -> Region[M] | None:
        """Return the region as it was last written, else the embedded one; None when neither exists."""
        with contextlib.suppress(InputError):
            return self._folder.region(region, self._machines()[0])
        with contextlib.suppress(InputError):
            return self._kind.embedded(region)
        return None

    def machine_sources(self, region: str) -> Mapping[str, Source]:
        """Return the sources of a region's machines as it was last written, else as they come with Cutlist."""
        if region in self._folder.regions():
            return self._machines()[1]
        return embedded_sources(self._kind.header["vendor"])

    def write(self, region: str, text: str, machines: Mapping[str, M], new_sources: Mapping[str, Source]) -> Path:
        """Write a region's file, merge its machines into those of the folder, and return the file's path.

        Machines are written first: a region whose machines exist already is complete, whenever writing stops.
        """
        known, sources = self._machines()
        everything = {**known, **machines}
        merged = self._kind.write(everything.values(), self._kind.header, _used(everything, {**sources, **new_sources}))
        place = Place(str(self._folder.region_file(region)))
        # A file that cannot be read back must not replace anything.
        table = read_table(merged, place)
        read_region(read_table(text, place), self._kind.rows.of_table(table, place), place)
        if not self._has_machines(table):
            write_catalogue_file(self._folder.path / MACHINES, merged)
        write_catalogue_file(self._folder.region_file(region), text)
        return self._folder.region_file(region)

    def _has_machines(self, table: Table) -> bool:
        """Tell whether the folder's file has these machines already: what a header says beside them stays."""
        if not (self._folder.path / MACHINES).exists():
            return False
        own, _ = self._folder.machine_table()
        return (own.columns, own.rows, own.sources) == (table.columns, table.rows, table.sources)

    def _machines(self) -> tuple[Rows[M], Mapping[str, Source]]:
        if not (self._folder.path / MACHINES).exists():
            return self._kind.rows({}, Place()), {}
        table, place = self._folder.machine_table()
        return self._kind.rows.of_table(table, place), table.sources


def _used(machines: Mapping[str, M], sources: Mapping[str, Source]) -> dict[str, Source]:
    codes = {machine.source for machine in machines.values()}
    return {code: source for code, source in sorted(sources.items()) if code in codes}


@dataclass(frozen=True, slots=True)
class ServiceRow:
    """A price of a service, in USD `per` hour or month."""

    item: str
    region: str
    usd: float
    per: str
    source: str


def write_services(folder: CatalogFolder, rows: Iterable[ServiceRow], region: str, date: str) -> Path:
    """Replace the prices of services in one region; those of other regions stay. Return the file's path.

    An item that is not among the rows keeps the price that the folder has for it.
    """
    rows = tuple(rows)
    path = folder.path / SERVICES
    place = Place(str(path))
    known, sources = list[tuple[str, ...]](), dict[str, Source]()
    if path.exists():
        table = read_table(path.read_text("utf-8"), place)
        read_services(table, place)
        replaced = {(row.item, region) for row in rows}
        known, sources = [row for row in table.rows if row[:2] not in replaced], dict(table.sources)
    codes = {source: code for code, source in sources.items()}
    for row in rows:
        source = Source(date, row.source)
        if source not in codes:
            codes[source] = next(code for n in count(1) if (code := f"L{n}") not in sources)
            sources[codes[source]] = source
        known.append((row.item, row.region, figure(row.usd), row.per, codes[source]))
    used = {row[-1] for row in known}
    header = {"vendor": folder.path.name, "content": "services", "apart": _APART}
    text = write_table(header, {code: s for code, s in sources.items() if code in used}, SERVICE_COLUMNS, sorted(known))
    read_services(read_table(text, place), place)
    write_catalogue_file(path, text)
    return path


class RowSources:
    """Gives a code to each source of a file that is written on a day."""

    def __init__(self, date: str) -> None:
        self._date = date
        self._kept: dict[Source, str] = {}
        self.known: dict[str, Source] = {}

    def read(self, code: str, text: str) -> str:
        """Return the code of data that was read today."""
        self.known.setdefault(code, Source(self._date, text))
        return code

    def kept(self, price: Price) -> str:
        """Return the code of a price that is kept from before, with its source and date."""
        source = Source(price.date, price.source)
        if source not in self._kept:
            self._kept[source] = f"{'e' if price.estimated else 'K'}{len(self._kept) + 1}"
            self.known[self._kept[source]] = source
        return self._kept[source]


def figure(price: float) -> str:
    """Return a price as the text of a cell."""
    return f"{price:.10f}".rstrip("0").rstrip(".")
