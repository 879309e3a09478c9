"""The labels of an instance type as requirements (spec: AWS 1).

Most follow from the machine alone and are made once for it; the rest comes from the NodeClass and is shared by all machines to
which it says the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from cutlist import labels
from cutlist.catalog import Gpu, InferenceAccelerator, Machine, Neuron
from cutlist.labels import AWS_GROUP
from cutlist.providers.aws.capacity import architecture
from cutlist.providers.aws.families import AmiFamily
from cutlist.providers.aws.zones import UsableZones
from cutlist.requirements import Requirement, Requirements

RESERVATION_ID: Final = f"{AWS_GROUP}/capacity-reservation-id"
RESERVATION_TYPE: Final = f"{AWS_GROUP}/capacity-reservation-type"
RESERVATION_INTERRUPTIBLE: Final = f"{AWS_GROUP}/capacity-reservation-interruptible"
RESERVATION_LABELS: Final = (RESERVATION_ID, RESERVATION_TYPE, RESERVATION_INTERRUPTIBLE)
PLACEMENT_GROUP: Final = f"{AWS_GROUP}/placement-group-id"
PLACEMENT_PARTITION: Final = f"{AWS_GROUP}/placement-group-partition"

_OWN: Final = f"{AWS_GROUP}/instance-"

HARDWARE_LABELS: Final = frozenset(
    _OWN + name
    for name in (
        "accelerator-count",
        "accelerator-manufacturer",
        "accelerator-name",
        "cpu",
        "cpu-manufacturer",
        "cpu-sustained-clock-speed-mhz",
        "ebs-bandwidth",
        "encryption-in-transit-supported",
        "gpu-count",
        "gpu-manufacturer",
        "gpu-memory",
        "gpu-name",
        "hypervisor",
        "local-nvme",
        "memory",
        "network-bandwidth",
    )
)
"""The labels that say what a machine is made of, beyond what its name tells."""

# Category, perhaps a size in terabytes, which is no generation, then the generation: u7in-16tb, u-6tb1.
_FAMILY: Final = re.compile(r"([a-z]+)(?:-[0-9]+tb)?([0-9]+)")


@cache
def is_in(key: str, *values: str) -> Requirement:
    """`key In values`, one object for equal arguments; without values DoesNotExist."""
    return Requirement(key, False, frozenset(values))


@lru_cache(maxsize=8192)
def machine_labels(machine: Machine) -> tuple[Requirement, ...]:
    """The labels that the machine has under any NodeClass."""
    family, dot, size = machine.name.partition(".")
    has_both = bool(dot) and "." not in size
    return (
        *_general(machine),
        *_of_family(family, named=has_both),
        _own("size", size if has_both else None),
        *_of_gpus(machine.gpus),
        *_of_accelerators(machine.neuron, machine.inference),
    )


@lru_cache(maxsize=65536)
def requirements(machine: Machine, rest: tuple[Requirement, ...]) -> Requirements:
    """A machine's labels with those that a NodeClass adds."""
    return Requirements((*machine_labels(machine), *rest))


@lru_cache(maxsize=64)
def operating_system(machine_architecture: str, family: AmiFamily) -> tuple[Requirement, ...]:
    """OS and Windows build; Windows does not run on arm64, which leaves the OS empty (A-19)."""
    runs = not family.is_windows or machine_architecture == "amd64"
    build = (family.windows_build,) if family.is_windows else ()
    return (is_in(labels.OS, *((family.os,) if runs else ())), is_in(labels.WINDOWS_BUILD, *build))


def _general(machine: Machine) -> Iterator[Requirement]:
    yield is_in(labels.INSTANCE_TYPE, machine.name)
    yield is_in(labels.ARCH, architecture(machine))
    yield is_in(_OWN + "tenancy", "default", "dedicated")
    yield _own("cpu", machine.vcpus)
    yield _own("memory", machine.memory_mib)
    yield _own("hypervisor", machine.hypervisor)
    yield _own("encryption-in-transit-supported", flag(machine.encryption_in_transit))
    yield _own("cpu-manufacturer", _lower(machine.cpu_maker))
    # half away from zero, as the controller rounds; a missing speed is 0 and not absent
    yield _own("cpu-sustained-clock-speed-mhz", math.floor((machine.cpu_ghz or 0) * 1000 + 0.5))
    yield _own("local-nvme", machine.disk_gb if machine.disk_nvme != "unsupported" else None)
    yield _own("ebs-bandwidth", machine.ebs_mbps if machine.ebs_optimized == "default" else None)
    yield _own("network-bandwidth", machine.network_mbps)


def name_parts(name: str) -> dict[str, str]:
    """The labels that follow from a machine's name alone: family, size, category and generation (spec: AWS 1.2)."""
    family, _, size = name.partition(".")
    parts = {r.key: r for r in _of_family(family, named=True)}
    found = {key: next(iter(r.values)) for key, r in parts.items() if r.values and not key.endswith("-flex")}
    return {**found, _OWN + "size": size} if size else found


@lru_cache(maxsize=2048)
def _of_family(family: str, *, named: bool) -> tuple[Requirement, ...]:
    match = _FAMILY.match(family)
    category, generation = match.groups() if match else (None, None)
    return (
        _own("category", category),
        _own("generation", generation),
        _own("family", family if named else None),
        _own("capability-flex", flag("-flex" in family)),
    )


@lru_cache(maxsize=256)
def _of_gpus(gpus: tuple[Gpu, ...]) -> tuple[Requirement, ...]:
    """Only a single kind of GPU is named."""
    gpu = gpus[0] if len(gpus) == 1 else None
    return (
        _own("gpu-name", _lower(gpu.name) if gpu else None),
        _own("gpu-manufacturer", _lower(gpu.manufacturer) if gpu else None),
        _own("gpu-count", gpu.count if gpu else None),
        _own("gpu-memory", gpu.memory_mib if gpu else None),
    )


@lru_cache(maxsize=256)
def _of_accelerators(neuron: tuple[Neuron, ...], inference: tuple[InferenceAccelerator, ...]) -> tuple[Requirement, ...]:
    """A single kind of Neuron device is named, or where there is none a single kind of inference accelerator."""
    name = manufacturer = count = None
    if len(neuron) == 1:
        name, manufacturer, count = _lower(neuron[0].name), "aws", neuron[0].count
    elif not neuron and len(inference) == 1:
        name, manufacturer, count = _lower(inference[0].name), _lower(inference[0].manufacturer), inference[0].count
    return (_own("accelerator-name", name), _own("accelerator-manufacturer", manufacturer), _own("accelerator-count", count))


def _own(name: str, value: str | int | None) -> Requirement:
    """One of the provider's instance labels; a value of None leaves it DoesNotExist."""
    return is_in(_OWN + name) if value is None else is_in(_OWN + name, str(value))


def flag(value: bool) -> str:
    """A truth value as labels write it."""
    return "true" if value else "false"


@lru_cache(maxsize=4096)
def where_sold(region: str, offered: tuple[str, ...], usable: UsableZones) -> tuple[Requirement, ...]:
    """Region, zones and zone ids; zone ids are left out, not empty, when no zone fits (A-15, A-16)."""
    fitting = [(name, zone_id) for name, zone_id in usable.zones if name in offered]
    found = [is_in(labels.REGION, region), is_in(labels.ZONE, *(name for name, _ in fitting))]
    if fitting:
        found.append(is_in(labels.ZONE_ID, *(zone_id for _, zone_id in fitting)))
    return tuple(found)


@lru_cache(maxsize=1)
def no_reservation() -> tuple[Requirement, ...]:
    """The reservation labels of what is not reserved."""
    return tuple(is_in(key) for key in RESERVATION_LABELS)


def _lower(text: str) -> str:
    return text.lower().replace(" ", "-")
