"""Machines: the hardware facts of an instance type that labels, capacity and offerings are derived from (spec: AWS 0 to 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from cutlist.catalog.format import Source, Table, write_table
from cutlist.errors import InputError, Place


@dataclass(frozen=True, slots=True)
class Gpu:
    """GPUs of one kind: names as EC2 spells them, memory in MiB each. A count of 0 is a fraction of a GPU."""

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
    """Inference accelerators of one kind that are not Neuron devices (or are listed besides them)."""

    manufacturer: str
    name: str
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """An EC2 instance type as EC2 describes it; `None` is unknown or not there. Equal by identity: a catalogue holds each once.

    `network_cards` are the interfaces that each card takes, in card order. `network_mbps` is from Karpenter's table of
    bandwidths. `limits` says which version of Karpenter's table of interface limits has the type ("" for none);
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


def _text(cell: str) -> str:
    return cell


@lru_cache(maxsize=4096)
def _maybe_int(cell: str) -> int | None:
    return int(cell) if cell else None


@lru_cache(maxsize=256)
def _maybe_float(cell: str) -> float | None:
    return float(cell) if cell else None


def _bool(cell: str) -> bool:
    if cell not in ("true", "false"):
        raise ValueError(f"{cell!r} is neither true nor false")
    return cell == "true"


@lru_cache(maxsize=1024)
def _list(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("+")) if cell else ()


@lru_cache(maxsize=1024)
def _cards(cell: str) -> tuple[int, ...]:
    runs = (run.split("x") for run in _list(cell))
    return tuple(interfaces for times, of in runs for interfaces in [int(of)] * int(times))


def _devices(kind: Callable[..., Any], cell: str) -> tuple[Any, ...]:
    """Devices as `manufacturer:name:count:...`, several joined with `+`; trailing members are numbers."""
    if not cell:  # most machines have none
        return ()
    return tuple(kind(*(int(part) if part.isdigit() else part for part in entry.split(":"))) for entry in _list(cell))


# One reader a column, in the order of Machine's fields. The file's first column is the name.
_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "type": _text,
    "usage": _list,
    "virtualization": _list,
    "architectures": _list,
    "hypervisor": _text,
    "cpu_maker": _text,
    "cpu_ghz": _maybe_float,
    "cpu_features": _list,
    "vcpus": int,
    "memory_mib": int,
    "disk_gb": _maybe_int,
    "disk_nvme": _text,
    "ebs_optimized": _text,
    "ebs_mbps": _maybe_int,
    "ebs_attachments": _maybe_int,
    "ebs_attachment_limit": _text,
    "network_mbps": _maybe_int,
    "network_cards": _cards,
    "default_card": int,
    "ipv4_per_interface": int,
    "ena": _text,
    "efa_interfaces": _maybe_int,
    "encryption_in_transit": _bool,
    "limits": _text,
    "trunk_interfaces": _maybe_int,
    "limits_ipv4": _maybe_int,
    "gpus": partial(_devices, Gpu),
    "neuron": partial(_devices, Neuron),
    "inference": partial(_devices, InferenceAccelerator),
    "burstable": _bool,
    "placement": _list,
    "nitro_enclaves": _bool,
    "source": _text,
}
COLUMNS: Final = tuple(_READ)
_FIELDS: Final = ("name", *COLUMNS[1:])
# Texts stay as they are, which spares a call a cell.
_READERS: Final = tuple((place, read) for place, read in enumerate(_READ.values()) if read is not _text)


class Machines(Mapping[str, Machine]):
    """The machines of a file by name, each read from its row when it is first asked for."""

    __slots__ = ("_place", "_read", "_rows")

    def __init__(self, rows: Mapping[str, tuple[str, ...]], place: Place) -> None:
        self._rows = rows
        self._place = place
        self._read: dict[str, Machine] = {}

    @staticmethod
    def of_table(table: Table, place: Place) -> Machines:
        """All machines of a file; InputError when its columns are not those of this version."""
        if table.columns != COLUMNS:
            odd = sorted(set(table.columns) ^ set(COLUMNS)) or ["their order"]
            raise InputError.one(place, f"the columns of machines differ: {', '.join(odd)}", allowed=", ".join(COLUMNS))
        return Machines({row[0]: row for row in table.rows}, place)

    def only(self, names: Iterable[str]) -> Machines:
        """These machines without those not named; names without a row are passed over."""
        part = Machines({name: self._rows[name] for name in names if name in self._rows}, self._place)
        part._read = self._read  # a machine is one object, however many catalogues hold it
        return part

    def __getitem__(self, name: str) -> Machine:
        row = self._rows[name]
        machine = self._read.get(name)
        if machine is None:
            machine = self._read[name] = _machine(row, self._place)
        return machine

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows


def _machine(row: Sequence[str], place: Place) -> Machine:
    cells: list[Any] = list(row)
    try:
        for at, read in _READERS:
            cells[at] = read(cells[at])
        return Machine(*cells)
    except (ValueError, TypeError, IndexError) as problem:
        raise InputError.one(place.at(row[0]), f"the machine cannot be read: {problem}") from None


def write_machines(machines: Iterable[Machine], header: Mapping[str, str], sources: Mapping[str, Source]) -> str:
    """The text of a machines file."""
    rows = (
        [_cell(column, getattr(machine, field)) for column, field in zip(COLUMNS, _FIELDS, strict=True)] for machine in machines
    )
    return write_table(header, sources, COLUMNS, rows)


def _cell(column: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    if column == "network_cards":
        return "+".join(f"{times}x{interfaces}" for interfaces, times in _runs(value))
    if isinstance(value, tuple):
        return "+".join(item if isinstance(item, str) else _device(item) for item in value)
    return str(value)


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
