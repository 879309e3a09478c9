"""Azure VM sizes: the SKU service's record of a size, or what its name implies if there is no record.

An empty cell in a catalogue file is unknown, and is derived from the name (spec: azure A.3 to A.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.catalog import size_capabilities, size_hardware
from cutlist.catalog.cells import cell_text, listed, maybe_bool, maybe_float, maybe_int
from cutlist.catalog.format import Source, write_table
from cutlist.catalog.rows import Rows
from cutlist.catalog.size_names import SizeName, size_name

X64: Final = "x64"
ARM64: Final = "Arm64"
DISKS: Final = "disks"


@dataclass(frozen=True, slots=True, eq=False)
class Size:
    """A VM size. Compared by identity: a catalogue has each once.

    `family` is that of the quota, empty when unknown. `architecture` is `x64` or `Arm64`, empty where Azure names none.
    `generations` are those of Hyper-V. The local disks are in GiB, NVMe in MiB; `placements` say where an ephemeral OS disk may
    be. `derived` names the fields that follow only from the name, `disks` for all fields of disks.
    """

    name: str
    parts: SizeName | None
    family: str
    vcpus: int
    memory_gib: float
    architecture: str
    gpus: int
    generations: tuple[str, ...]
    premium_io: bool
    accelerated_networking: bool
    encryption_at_host: bool
    trusted_launch: bool
    spot: bool
    ephemeral_os_disk: bool
    placements: tuple[str, ...]
    cache_gib: float
    temporary_mib: int
    nvme_mib: int
    derived: frozenset[str]
    source: str = ""


COLUMNS: Final = (
    "type",
    "family",
    "vcpus",
    "memory_gib",
    "architecture",
    "gpus",
    "generations",
    "premium_io",
    "accelerated_networking",
    "encryption_at_host",
    "trusted_launch",
    "spot",
    "ephemeral_os_disk",
    "placements",
    "cache_gib",
    "temporary_mib",
    "nvme_mib",
    "source",
)


class Sizes(Rows[Size]):
    """The sizes of a file by name, each read from its row when first needed."""

    __slots__ = ()

    COLUMNS = COLUMNS

    def _read_row(self, row: Sequence[str]) -> Size:
        return read_size(dict(zip(COLUMNS, row, strict=True)))


def read_size(cells: Mapping[str, str]) -> Size:
    """Return a size from its known cells. Raises ValueError if neither the cells nor the name give vCPUs and memory."""
    known = _Known(cells)
    parts = size_name(cells["type"])
    generations = known.take("generations", listed, size_capabilities.generations, ())
    memory = known.take("memory_gib", maybe_float, size_hardware.memory_gib, None)
    cores = known.take("vcpus", maybe_int, size_hardware.vcpus, None)
    if memory is None or cores is None:
        raise ValueError("neither the file nor the name gives its vCPUs and memory")
    return Size(
        name=cells["type"],
        parts=parts,
        family=known.take("family", str, size_capabilities.quota_family, ""),
        vcpus=cores,
        memory_gib=memory,
        architecture=known.take("architecture", str, lambda n: ARM64 if n.is_arm else X64, ""),
        gpus=known.take("gpus", maybe_int, size_hardware.gpus, 0) or 0,
        generations=generations,
        premium_io=known.take("premium_io", maybe_bool, lambda n: n.is_premium, False),
        accelerated_networking=known.take(
            "accelerated_networking", maybe_bool, size_capabilities.accelerated_networking, False
        ),
        encryption_at_host=known.take("encryption_at_host", maybe_bool, size_capabilities.encryption_at_host, False),
        trusted_launch=known.take(
            "trusted_launch", maybe_bool, lambda n: size_capabilities.trusted_launch(n, generations), False
        ),
        spot=known.take("spot", maybe_bool, size_capabilities.spot, False),
        **known.disks(parts),
        derived=frozenset(known.derived),
        source=cells.get("source", ""),
    )


class _Known:
    """The cells of a row, and the names of derived ones."""

    def __init__(self, cells: Mapping[str, str]) -> None:
        self._cells = cells
        self._parts = size_name(cells["type"])
        self.derived: list[str] = []

    def take(self, column: str, read: Any, derive: Any, otherwise: Any) -> Any:
        """Return the value of a cell; if it is empty, the value derived from the name; `otherwise` for a name of an unknown
        form."""
        cell = self._cells.get(column, "")
        if cell:
            return read(cell)
        self.derived.append(column)
        return derive(self._parts) if self._parts is not None else otherwise

    def disks(self, parts: SizeName | None) -> dict[str, Any]:
        """Return all fields of local disks: from the record if there is one, else from the name."""
        cell = self._cells.get("ephemeral_os_disk", "")
        if cell:
            return {
                "ephemeral_os_disk": maybe_bool(cell),
                "placements": listed(self._cells.get("placements", "")),
                "cache_gib": maybe_float(self._cells.get("cache_gib", "")) or 0.0,
                "temporary_mib": maybe_int(self._cells.get("temporary_mib", "")) or 0,
                "nvme_mib": maybe_int(self._cells.get("nvme_mib", "")) or 0,
            }
        self.derived.append(DISKS)
        disks = size_capabilities.disks(parts) if parts is not None else size_capabilities.Disks()
        return {
            "ephemeral_os_disk": disks != size_capabilities.Disks(),
            "placements": ("NvmeDisk",) if disks.nvme_mib else (),
            "cache_gib": disks.cache_gib,
            "temporary_mib": round(disks.temporary_gib * 1024),
            "nvme_mib": disks.nvme_mib,
        }


def write_sizes(sizes: Iterable[Size], header: Mapping[str, str], sources: Mapping[str, Source]) -> str:
    """Return the text of a sizes file; derived values stay empty, so that the file contains only records."""
    return write_table(header, sources, COLUMNS, ([_cell(size, column) for column in COLUMNS] for size in sizes))


_DISK_COLUMNS: Final = ("ephemeral_os_disk", "placements", "cache_gib", "temporary_mib", "nvme_mib")


def _cell(size: Size, column: str) -> str:
    if column in size.derived or (DISKS in size.derived and column in _DISK_COLUMNS):
        return ""
    return cell_text(getattr(size, "name" if column == "type" else column))
