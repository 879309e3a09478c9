"""AMI families: how the operating system of a node changes its capacity (spec: AWS 2.3, 2.4, 3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from cutlist.core.quantity import NANO, nanos


@dataclass(frozen=True, slots=True)
class AmiFamily:
    """One row of the table of differences.

    `default_pods` is None if network interfaces decide. `kube_memory_by_pods` says that kube-reserved memory follows the
    resolved number of pods, not the number that interfaces allow. `ephemeral_device` is the disk whose size counts, and
    `default_disk` its size (nano-bytes) when no mapping gives one; a family without such a device takes the last mapping.
    """

    name: str
    os: str = "linux"
    windows_build: str = ""
    default_pods: int | None = None
    obeys_pods_per_core: bool = True
    kube_memory_by_pods: bool = False
    ephemeral_device: str = ""
    default_disk: int = 20 * 2**30 * NANO
    runs_a1: bool = True

    @property
    def is_windows(self) -> bool:
        """Tell whether the family's nodes run Windows."""
        return self.os == "windows"


def _windows(name: str, build: str) -> AmiFamily:
    return AmiFamily(
        name,
        os="windows",
        windows_build=build,
        default_pods=110,
        kube_memory_by_pods=True,
        ephemeral_device="/dev/sda1",
        default_disk=nanos("50Gi"),
    )


CUSTOM: Final = AmiFamily("Custom")
FAMILIES: Final[Mapping[str, AmiFamily]] = MappingProxyType(
    {
        family.name: family
        for family in (
            AmiFamily("AL2", ephemeral_device="/dev/xvda"),
            AmiFamily("AL2023", ephemeral_device="/dev/xvda", runs_a1=False),
            AmiFamily("Bottlerocket", obeys_pods_per_core=False, kube_memory_by_pods=True, ephemeral_device="/dev/xvdb"),
            _windows("Windows2019", "10.0.17763"),
            _windows("Windows2022", "10.0.20348"),
            _windows("Windows2025", "10.0.26100"),
            CUSTOM,
        )
    }
)
