"""The labels of an instance type as requirements (spec: AWS 1).

Most follow from the machine alone and are made once for it. The others come from the NodeClass and are shared by all machines
that get the same ones.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from cutlist.catalog.machines import Gpu, InferenceAccelerator, Machine, Neuron
from cutlist.core import labels
from cutlist.core.labels import AWS_GROUP
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.capacity import architecture
from cutlist.providers.aws.families import AmiFamily
from cutlist.providers.aws.zones import UsableZones
from cutlist.providers.label_terms import absent, flag, is_in, one_of

RESERVATION_ID: Final = f"{AWS_GROUP}/capacity-reservation-id"
RESERVATION_TYPE: Final = f"{AWS_GROUP}/capacity-reservation-type"
RESERVATION_INTERRUPTIBLE: Final = f"{AWS_GROUP}/capacity-reservation-interruptible"
RESERVATION_LABELS: Final = (RESERVATION_ID, RESERVATION_TYPE, RESERVATION_INTERRUPTIBLE)
NO_RESERVATION: Final = absent(*RESERVATION_LABELS)
PLACEMENT_GROUP: Final = f"{AWS_GROUP}/placement-group-id"
PLACEMENT_PARTITION: Final = f"{AWS_GROUP}/placement-group-partition"

_OWN: Final = f"{AWS_GROUP}/instance-"

_TENANCY: Final = _OWN + "tenancy"
_CPU: Final = _OWN + "cpu"
_MEMORY: Final = _OWN + "memory"
_HYPERVISOR: Final = _OWN + "hypervisor"
_ENCRYPTION: Final = _OWN + "encryption-in-transit-supported"
_CPU_MAKER: Final = _OWN + "cpu-manufacturer"
_CLOCK_SPEED: Final = _OWN + "cpu-sustained-clock-speed-mhz"
_LOCAL_NVME: Final = _OWN + "local-nvme"
_EBS_BANDWIDTH: Final = _OWN + "ebs-bandwidth"
_NETWORK_BANDWIDTH: Final = _OWN + "network-bandwidth"
_SIZE: Final = _OWN + "size"

HARDWARE_LABELS: Final = frozenset(
    (
        _CPU,
        _MEMORY,
        _HYPERVISOR,
        _ENCRYPTION,
        _CPU_MAKER,
        _CLOCK_SPEED,
        _LOCAL_NVME,
        _EBS_BANDWIDTH,
        _NETWORK_BANDWIDTH,
        *(_OWN + f"gpu-{what}" for what in ("count", "manufacturer", "memory", "name")),
        *(_OWN + f"accelerator-{what}" for what in ("count", "manufacturer", "name")),
    )
)
"""The labels that describe a machine's hardware beyond those that its name determines."""

# The parts are a category, perhaps a size in terabytes (which is not a generation), then the generation: u7in-16tb, u-6tb1.
_FAMILY: Final = re.compile(r"([a-z]+)(?:-[0-9]+tb)?([0-9]+)")


@lru_cache(maxsize=8192)
def machine_labels(machine: Machine) -> tuple[Requirement, ...]:
    """Return the labels that the machine has under any NodeClass."""
    family, dot, size = machine.name.partition(".")
    has_both = bool(dot) and "." not in size
    return (
        *_general(machine),
        *_of_family(family, named=has_both),
        one_of(_SIZE, size if has_both else None),
        *_of_gpus(machine.gpus),
        *_of_accelerators(machine.neuron, machine.inference),
    )


@dataclass(frozen=True, slots=True, eq=False)
class AddedLabels:
    """The labels that NodeClasses add to machines; classes that add the same labels share the resulting requirements."""

    requirements: tuple[Requirement, ...]
    _by_machine: dict[Machine, Requirements] = field(default_factory=dict, init=False)

    def of(self, machine: Machine) -> Requirements:
        """Return a machine's own labels together with these."""
        cached = self._by_machine.get(machine)
        if cached is None:
            cached = self._by_machine[machine] = Requirements((*machine_labels(machine), *self.requirements))
        return cached


@lru_cache(maxsize=1024)
def added_labels(requirements: tuple[Requirement, ...]) -> AddedLabels:
    """Return one object for equal labels."""
    return AddedLabels(requirements)


@lru_cache(maxsize=64)
def operating_system(machine_architecture: str, family: AmiFamily) -> tuple[Requirement, ...]:
    """Return OS and Windows build; Windows does not run on arm64, which leaves the OS empty (A-19)."""
    runs = not family.is_windows or machine_architecture == "amd64"
    build = (family.windows_build,) if family.is_windows else ()
    return (is_in(labels.OS, *((family.os,) if runs else ())), is_in(labels.WINDOWS_BUILD, *build))


def _general(machine: Machine) -> tuple[Requirement, ...]:
    return (
        is_in(labels.INSTANCE_TYPE, machine.name),
        is_in(labels.ARCH, architecture(machine)),
        is_in(_TENANCY, "default", "dedicated"),
        is_in(_CPU, str(machine.vcpus)),
        is_in(_MEMORY, str(machine.memory_mib)),
        is_in(_HYPERVISOR, machine.hypervisor),
        is_in(_ENCRYPTION, flag(machine.encryption_in_transit)),
        is_in(_CPU_MAKER, _lower(machine.cpu_maker)),
        # half away from zero, as the controller rounds; a missing speed is 0, not absent
        is_in(_CLOCK_SPEED, str(math.floor((machine.cpu_ghz or 0) * 1000 + 0.5))),
        one_of(_LOCAL_NVME, machine.disk_gb if machine.disk_nvme != "unsupported" else None),
        one_of(_EBS_BANDWIDTH, machine.ebs_mbps if machine.ebs_optimized == "default" else None),
        one_of(_NETWORK_BANDWIDTH, machine.network_mbps),
    )


def name_parts(name: str) -> dict[str, str]:
    """Return the labels that a machine's name determines: family, size, category and generation (spec: AWS 1.2)."""
    family, _, size = name.partition(".")
    parts = {r.key: r for r in _of_family(family, named=True)}
    values = {key: next(iter(r.values)) for key, r in parts.items() if r.values and not key.endswith("-flex")}
    return {**values, _SIZE: size} if size else values


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
    """Return the labels of GPUs; only a single kind of GPU is named."""
    gpu = gpus[0] if len(gpus) == 1 else None
    return (
        _own("gpu-name", _lower(gpu.name) if gpu else None),
        _own("gpu-manufacturer", _lower(gpu.manufacturer) if gpu else None),
        _own("gpu-count", gpu.count if gpu else None),
        _own("gpu-memory", gpu.memory_mib if gpu else None),
    )


@lru_cache(maxsize=256)
def _of_accelerators(neuron: tuple[Neuron, ...], inference: tuple[InferenceAccelerator, ...]) -> tuple[Requirement, ...]:
    """Return the labels of accelerators: a single kind of Neuron device is named, or else a single kind of
    inference accelerator."""
    name = manufacturer = count = None
    if len(neuron) == 1:
        name, manufacturer, count = _lower(neuron[0].name), "aws", neuron[0].count
    elif not neuron and len(inference) == 1:
        name, manufacturer, count = _lower(inference[0].name), _lower(inference[0].manufacturer), inference[0].count
    return (_own("accelerator-name", name), _own("accelerator-manufacturer", manufacturer), _own("accelerator-count", count))


def _own(name: str, value: str | int | None) -> Requirement:
    """Return one of the provider's instance labels by its short name."""
    return one_of(_OWN + name, value)


@lru_cache(maxsize=4096)
def where_sold(region: str, offered: tuple[str, ...], usable: UsableZones) -> tuple[Requirement, ...]:
    """Return region, zones and zone ids; zone ids are left out, not empty, when no zone fits (A-15, A-16)."""
    fitting = [(name, zone_id) for name, zone_id in usable.zones if name in offered]
    requirements = [is_in(labels.REGION, region), is_in(labels.ZONE, *(name for name, _ in fitting))]
    if fitting:
        requirements.append(is_in(labels.ZONE_ID, *(zone_id for _, zone_id in fitting)))
    return tuple(requirements)


@lru_cache(maxsize=256)
def _lower(text: str) -> str:
    return text.lower().replace(" ", "-")
