"""The images of managed nodes: their architecture, their disks and their releases (spec: aws-infrastructure 1.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from cutlist.api.account_limits import VOLUMES
from cutlist.catalog import embedded
from cutlist.core.errors import Place, Problem, nearest

AMI_TYPES: Final = ("BOTTLEROCKET_ARM_64", "BOTTLEROCKET_x86_64", "AL2023_ARM_64_STANDARD", "AL2023_x86_64_STANDARD")
"""The images on which Karpenter itself runs."""
ALL_AMI_TYPES: Final = (
    *AMI_TYPES,
    *("BOTTLEROCKET_ARM_64_FIPS", "BOTTLEROCKET_x86_64_FIPS", "BOTTLEROCKET_ARM_64_NVIDIA", "BOTTLEROCKET_x86_64_NVIDIA"),
    *("AL2023_ARM_64_NVIDIA", "AL2023_x86_64_NVIDIA", "AL2023_x86_64_NEURON"),
)
"""All images of Linux that EKS has for managed nodes, but for those of Amazon Linux 2, which has ended."""
SMALLEST_DISK: Final = 20
LARGEST_DISK: Final = VOLUMES["gp3"].gib[1]
"""The largest gp3 volume."""
ARM: Final = "arm64"
X86: Final = "x86_64"
_RELEASE: Final = re.compile(r"\d+\.\d+\.\d+-\w+", re.ASCII)
_ARM_TYPE: Final = re.compile(r"(a1|[a-z]+[0-9]+[a-z]*g[a-z]*)\..+", re.ASCII)  # a g after the generation means Graviton
_BOTTLEROCKET: Final = "BOTTLEROCKET"
_NVIDIA: Final = "NVIDIA"


def architecture_of(ami_type: str) -> str:
    """Return `arm64` or `x86_64`, according to the images."""
    return ARM if "ARM_64" in ami_type else X86


def devices_of(ami_type: str, disk_gib: int) -> Mapping[str, int | None]:
    """Return the disks by device name, with their sizes in GiB; None keeps the image's own size. `disk_gib` is that of the disk
    for images and pods."""
    if ami_type.startswith(_BOTTLEROCKET):
        return {"/dev/xvda": None, "/dev/xvdb": disk_gib}  # the system's volume, and the one for images and pods
    return {"/dev/xvda": disk_gib}


def usual_images(instance_types: Iterable[str]) -> str:
    """Return the images for the first of some instance types: Bottlerocket, with drivers for its GPUs, or Amazon Linux with
    those of Neuron devices, for which there is no Bottlerocket."""
    name = next(iter(instance_types), "")
    machine, arch = embedded.all_machines().get(name), "ARM_64" if _ARM_TYPE.fullmatch(name) else "x86_64"
    if machine is not None and machine.neuron:
        return "AL2023_x86_64_NEURON"
    has_gpu = machine is not None and any(gpu.manufacturer == _NVIDIA for gpu in machine.gpus)
    return f"{_BOTTLEROCKET}_{arch}_{_NVIDIA}" if has_gpu else f"{_BOTTLEROCKET}_{arch}"


def image_problems(instance_types: Iterable[str], ami_type: str, at: Place) -> Iterable[Problem]:
    """Yield a problem if images cannot start on some of the instance types."""
    architecture = architecture_of(ami_type)
    wrong = [name for name in instance_types if bool(_ARM_TYPE.fullmatch(name)) != (architecture == ARM)]
    if wrong:
        yield Problem(at, f"{', '.join(wrong)} cannot start images of {ami_type}", f"types of {architecture}")


def type_problems(name: str, allowed: str, at: Place) -> Iterable[Problem]:
    """Yield a problem if the family of an instance type has no such size. Other families may be newer than the catalogue."""
    machines = embedded.all_machines()
    if name in machines:
        return
    if sizes := [other for other in machines if other.partition(".")[0] == name.partition(".")[0]]:
        yield Problem(at, f"{name} is not an instance type", allowed, nearest(name, sizes))


def disk_problems(disk_gib: int, at: Place) -> Iterable[Problem]:
    """Yield a problem if a disk is too small for an image, or larger than a volume can be."""
    if not SMALLEST_DISK <= disk_gib <= LARGEST_DISK:
        yield Problem(at, f"a disk of {disk_gib} GiB", f"{SMALLEST_DISK} to {LARGEST_DISK}")


def release_problems(release: str, ami_type: str, version: str, at: Place) -> Iterable[Problem]:
    """Yield a problem if a release is not one of the images' for a version of Kubernetes: those of Amazon Linux begin with
    it."""
    is_bottlerocket = ami_type.startswith(_BOTTLEROCKET)
    allowed = "such as 1.49.0-1a2b3c4d" if is_bottlerocket else f"such as {version}.1-20251112"
    if not _RELEASE.fullmatch(release):
        yield Problem(at, f"{release!r} is not a release of images", allowed)
    elif release.startswith(f"{version}.") == is_bottlerocket:
        yield Problem(at, f"{release} is not a release of {ami_type} for Kubernetes {version}", allowed)
