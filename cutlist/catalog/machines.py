"""Machines: the hardware facts of an instance type, from which labels, capacity and offerings are derived (spec: AWS 0 to
4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from cutlist.catalog.cells import cell_text, listed, maybe_float, maybe_int, plain_text, truth
from cutlist.catalog.format import Source, write_table
from cutlist.catalog.rows import Rows

_SMALL: Final = ("medium", "large", "xlarge", "2xlarge", "4xlarge", "8xlarge")
_LARGE: Final = (*_SMALL, "12xlarge", "16xlarge")
_SIZES: Final = {"c7g-flex": _SMALL, "m7g-flex": _SMALL, "c8g-flex": _LARGE, "m8g-flex": _LARGE, "c7i": ("32xlarge",)}
UNDESCRIBED_TYPES: Final = frozenset(f"{family}.{size}" for family, sizes in _SIZES.items() for size in sizes)
"""EC2 instance types of which Karpenter knows only the limits: no public document describes their hardware, so no plan has
them.

They are in the table of interface limits of Karpenter's AWS provider 1.15.1, of 2026-08-06. On 2026-11-23, neither AWS's
specification pages nor public lists made from its API described them.
"""
UNDESCRIBED_FAMILIES: Final = frozenset(family for family in _SIZES if family.endswith("-flex"))
WHY_UNDESCRIBED: Final = (
    "Karpenter 1.15.1 lists its limits (2026-08-06), but no public document has its hardware; "
    "`cutlist catalog update` reads it from an account"
)


@dataclass(frozen=True, slots=True)
class Gpu:
    """GPUs of one kind: names as EC2 spells them, memory in MiB each. A count of 0 means a fraction of a GPU."""

    manufacturer: str
    name: str
    count: int
    memory_mib: int


@dataclass(frozen=True, slots=True)
class Neuron:
    """Neuron devices of one kind."""

    name: str
    count: int
    cores_per_device: int


@dataclass(frozen=True, slots=True)
class InferenceAccelerator:
    """Inference accelerators of one kind that are not Neuron devices (or are listed in addition to them)."""

    manufacturer: str
    name: str
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """An EC2 instance type as EC2 describes it; `None` is unknown or absent. Compared by identity: a catalogue has each once.

    `network_cards` are the numbers of interfaces that each card supports, in card order. `network_mbps` is from Karpenter's
    table of bandwidths. `limits` says which version of Karpenter's table of interface limits contains the type ("" for none);
    `trunk_interfaces` (branch interfaces if the type trunks, else 0) and `limits_ipv4` come from there.
    """

    name: str
    usage: tuple[str, ...]
    virtualization: tuple[str, ...]
    architectures: tuple[str, ...]
    hypervisor: str
    cpu_maker: str
    cpu_ghz: float | None
    cpu_features: tuple[str, ...]
    vcpus: int
    memory_mib: int
    disk_gb: int | None
    disk_nvme: str
    ebs_optimized: str
    ebs_mbps: int | None
    ebs_attachments: int | None
    ebs_attachment_limit: str
    network_mbps: int | None
    network_cards: tuple[int, ...]
    default_card: int
    ipv4_per_interface: int
    ena: str
    efa_interfaces: int | None
    encryption_in_transit: bool
    limits: str
    trunk_interfaces: int | None
    limits_ipv4: int | None
    gpus: tuple[Gpu, ...]
    neuron: tuple[Neuron, ...]
    inference: tuple[InferenceAccelerator, ...]
    burstable: bool
    placement: tuple[str, ...]
    nitro_enclaves: bool
    source: str = ""


@lru_cache(maxsize=1024)
def _cards(cell: str) -> tuple[int, ...]:
    runs = (run.split("x") for run in listed(cell))
    return tuple(interfaces for times, of in runs for interfaces in [int(of)] * int(times))


def _devices(kind: Callable[..., Any], cell: str) -> tuple[Any, ...]:
    """Return devices as `manufacturer:name:count:...`, several joined with `+`; trailing members are numbers."""
    if not cell:  # most machines have none
        return ()
    return tuple(kind(*(int(part) if part.isdigit() else part for part in entry.split(":"))) for entry in listed(cell))


# One reader per column, in the order of Machine's fields. The file's first column is the name.
_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "type": plain_text,
    "usage": listed,
    "virtualization": listed,
    "architectures": listed,
    "hypervisor": plain_text,
    "cpu_maker": plain_text,
    "cpu_ghz": maybe_float,
    "cpu_features": listed,
    "vcpus": int,
    "memory_mib": int,
    "disk_gb": maybe_int,
    "disk_nvme": plain_text,
    "ebs_optimized": plain_text,
    "ebs_mbps": maybe_int,
    "ebs_attachments": maybe_int,
    "ebs_attachment_limit": plain_text,
    "network_mbps": maybe_int,
    "network_cards": _cards,
    "default_card": int,
    "ipv4_per_interface": int,
    "ena": plain_text,
    "efa_interfaces": maybe_int,
    "encryption_in_transit": truth,
    "limits": plain_text,
    "trunk_interfaces": maybe_int,
    "limits_ipv4": maybe_int,
    "gpus": partial(_devices, Gpu),
    "neuron": partial(_devices, Neuron),
    "inference": partial(_devices, InferenceAccelerator),
    "burstable": truth,
    "placement": listed,
    "nitro_enclaves": truth,
    "source": plain_text,
}
COLUMNS: Final = tuple(_READ)
_FIELDS: Final = ("name", *COLUMNS[1:])
# Texts are not converted, which saves a call per cell.
_READERS: Final = tuple((place, read) for place, read in enumerate(_READ.values()) if read is not plain_text)


class Machines(Rows[Machine]):
    """The machines of a file by name, each read from its row when first needed."""

    __slots__ = ()

    COLUMNS = COLUMNS

    def _read_row(self, row: Sequence[str]) -> Machine:
        cells: list[Any] = list(row)
        for at, read in _READERS:
            cells[at] = read(cells[at])
        return Machine(*cells)


def write_machines(machines: Iterable[Machine], header: Mapping[str, str], sources: Mapping[str, Source]) -> str:
    """Return the text of a machines file."""
    rows = (
        [_cell(column, getattr(machine, field)) for column, field in zip(COLUMNS, _FIELDS, strict=True)] for machine in machines
    )
    return write_table(header, sources, COLUMNS, rows)


def _cell(column: str, value: Any) -> str:
    if column == "network_cards":
        return "+".join(f"{times}x{interfaces}" for interfaces, times in _runs(value))
    if isinstance(value, tuple):
        return "+".join(item if isinstance(item, str) else _device(item) for item in value)
    return cell_text(value)


def _runs(values: Iterable[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for value in values:
        if runs and runs[-1][0] == value:
            runs[-1] = (value, runs[-1][1] + 1)
        else:
            runs.append((value, 1))
    return runs


def _device(device: Gpu | Neuron | InferenceAccelerator) -> str:
    return ":".join(str(getattr(device, name)) for name in device.__slots__)
