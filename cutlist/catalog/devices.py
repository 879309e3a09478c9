"""The devices of instance types in the tables of Karpenter's AWS provider: GPUs of NVIDIA and network adapters for EFA.

A row counts for releases of the provider from `since` on, and below `until` where that is given: a release that changes the
devices of a type ends one row and begins another. Lists of a cell are joined with `+`, equal neighbours counted:
`2*pci0000:10+pci0000:20`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, TypeVar

from cutlist.catalog.format import Source, Table
from cutlist.catalog.own_files import own_table
from cutlist.core.errors import InputError, Place
from cutlist.core.karpenter.versions import KarpenterVersion, read_version

GPUS: Final = "gpu-devices.tsv"
ADAPTERS: Final = "efa-devices.tsv"
_RELEASES: Final = ("type", "since", "until")
GPU_COLUMNS: Final = (*_RELEASES, "product", "architecture", "brand", "compute_capability", "memory", "roots", "source")
ADAPTER_COLUMNS: Final = (*_RELEASES, "roots", "subsystems", "numa_nodes", "rdma", "source")
_VENDOR: Final = "aws"
_YES_OR_NO: Final = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Gpus:
    """The GPUs of an instance type, which are of one product. `compute_capability` is a semantic version, `memory` the quantity
    of each, and `roots` names the root of the PCIe tree that each hangs from, in their order."""

    product: str
    architecture: str
    brand: str
    compute_capability: str
    memory: str
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Adapter:
    """A network adapter for EFA. What the provider does not know of it is empty or None."""

    root: str
    subsystem: str
    numa_node: int | None
    rdma: bool


D = TypeVar("D", Gpus, tuple[Adapter, ...])


@dataclass(frozen=True, slots=True)
class Released(Generic[D]):
    """The devices of an instance type, and the releases of the AWS provider that have them."""

    since: KarpenterVersion
    until: KarpenterVersion | None
    devices: D
    source: Source


@dataclass(frozen=True, slots=True)
class DeviceTable(Generic[D]):
    """The devices of one driver in all releases, by instance type."""

    rows: Mapping[str, Sequence[Released[D]]]

    def devices(self, instance_type: str, release: KarpenterVersion) -> D | None:
        """Return the devices of an instance type in a release of the AWS provider, or None if its table lacks the type."""
        rows = self.rows.get(instance_type, ())
        return next((row.devices for row in rows if release.is_within(row.since, row.until)), None)

    def types(self, release: KarpenterVersion) -> frozenset[str]:
        """Return the instance types in a release's table."""
        return frozenset(name for name in self.rows if self.devices(name, release) is not None)


@lru_cache(maxsize=1)
def gpus() -> DeviceTable[Gpus]:
    """Return the GPUs that come with Cutlist. Raises InputError for a damaged file."""
    return read_gpus(*own_table(_VENDOR, GPUS))


@lru_cache(maxsize=1)
def adapters() -> DeviceTable[tuple[Adapter, ...]]:
    """Return the adapters that come with Cutlist. Raises InputError for a damaged file."""
    return read_adapters(*own_table(_VENDOR, ADAPTERS))


def read_gpus(table: Table, place: Place) -> DeviceTable[Gpus]:
    """Return the contents of a table of GPUs. Raises InputError for other columns and for cells that cannot be read."""
    return _device_table(table, GPU_COLUMNS, place, _gpus)


def read_adapters(table: Table, place: Place) -> DeviceTable[tuple[Adapter, ...]]:
    """Return the contents of a table of adapters, as `read_gpus` does for GPUs."""
    return _device_table(table, ADAPTER_COLUMNS, place, _adapters)


def _device_table(table: Table, columns: Sequence[str], place: Place, read: Callable[[Mapping[str, str]], D]) -> DeviceTable[D]:
    if table.columns != tuple(columns):
        raise InputError.one(place, f"the columns are {', '.join(table.columns)}", allowed=", ".join(columns))
    rows: dict[str, list[Released[D]]] = {}
    for cells in table.rows:
        row = dict(zip(columns, cells, strict=True))
        until = read_version(row["until"], place) if row["until"] else None
        try:
            devices, source = read(row), table.sources[row["source"]]
        except (KeyError, ValueError) as problem:
            raise InputError.one(place.at(row["type"]), f"the devices cannot be read: {problem}") from None
        rows.setdefault(row["type"], []).append(Released(read_version(row["since"], place), until, devices, source))
    return DeviceTable(rows)


def _gpus(row: Mapping[str, str]) -> Gpus:
    product, architecture, brand, capability, memory, roots, _ = (row[name] for name in GPU_COLUMNS[len(_RELEASES) :])
    return Gpus(product, architecture, brand, capability, memory, tuple(_list(roots)))


def _adapters(row: Mapping[str, str]) -> tuple[Adapter, ...]:
    lists = (_list(row[name]) for name in ("roots", "subsystems", "numa_nodes", "rdma"))
    return tuple(
        Adapter(root, subsystem, int(numa) if numa else None, _YES_OR_NO[rdma])
        for root, subsystem, numa, rdma in zip(*lists, strict=True)
    )


def _list(cell: str) -> Iterator[str]:
    """Yield the values of a cell: `2*a+b` has a, a and b."""
    for run in cell.split("+"):
        count, times, value = run.rpartition("*")
        yield from (value,) * (int(count) if times else 1)
