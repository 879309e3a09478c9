"""The amounts that a node's agents reserve, by profile: AWS publishes no figures, and two nodes were observed (spec:
api-objects 8.4)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from cutlist.core.errors import InputError, Place, nearest
from cutlist.core.quantity import MEBI, NANO, nanos
from cutlist.providers.aws.overhead import kube_reserved_cpu
from cutlist.providers.instance_types import CPU, EPHEMERAL_STORAGE, MEMORY
from cutlist.settings.planning import OVERHEAD_PROFILE

_EVICTION_MEMORY: Final = 100 * MEBI
_DISK: Final = nanos("1Gi")


@dataclass(frozen=True, slots=True)
class OverheadProfile:
    """The share of the built-in agents, and the source of the figures. Amounts in nano-units.

    `disk_share` is the eviction threshold's share of the disk. `rounds_up` says that a fraction of a byte is rounded up, as in
    a controller's estimate; a kubelet rounds down.
    """

    name: str
    agents_cpu: int
    agents_memory: int
    disk_share: Fraction
    rounds_up: bool
    source: str

    def overhead(self, vcpus: int, pods: int, disk: int) -> dict[str, int]:
        """Return the amounts that pods cannot use on a machine with this many vCPUs, pods and nano-bytes of disk."""
        share = (disk // NANO) * self.disk_share
        return {
            CPU: kube_reserved_cpu(vcpus) + self.agents_cpu,
            MEMORY: (255 + 11 * pods) * MEBI + _EVICTION_MEMORY + self.agents_memory,
            EPHEMERAL_STORAGE: _DISK + (math.ceil(share) if self.rounds_up else math.floor(share)) * NANO,
        }


_FLOAT32_TENTH: Final = Fraction(13_421_773, 2**27)  # one tenth, as the kubelet holds percentages

PROFILES: Final[Mapping[str, OverheadProfile]] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            OverheadProfile(
                "2024-estimate",
                nanos("450m"),
                nanos("437Mi"),
                Fraction(1, 10),
                True,
                "a NodeClaim of a c5a.large, Kubernetes 1.31, December 2024",
            ),
            OverheadProfile(
                "2025-node",
                nanos("150m"),
                nanos("75Mi"),
                _FLOAT32_TENTH,
                False,
                "a node of 8 vCPU and 32 GiB, Kubernetes 1.32, Bottlerocket (EKS Auto) 2025.4.19",
            ),
        )
    }
)
DEFAULT_PROFILE: Final[str] = OVERHEAD_PROFILE.default
"""Reproduces a published NodeClaim exactly and errs on the safe side."""


def overhead_profile(name: str) -> OverheadProfile:
    """Return a profile by name. Raises InputError, with the nearest name, for an unknown one."""
    if name not in PROFILES:
        text = f"overhead profile {name!r} is not known"
        raise InputError.one(Place.of(OVERHEAD_PROFILE), text, ", ".join(PROFILES), nearest(name, PROFILES))
    return PROFILES[name]
