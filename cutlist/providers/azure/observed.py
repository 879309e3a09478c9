"""What only subscription and controller know: vCPUs left of quotas, and what failed to launch (spec: azure 6.1, 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from cutlist.catalog import Size

SPOT_QUOTA: Final = "lowPriorityCores"
"""The name under which Azure counts the spot vCPUs of a location."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """Offerings that are taken to be unavailable for so many seconds.

    `size` and its larger sisters of the quota family in one zone and capacity type; an empty `zone` stands for all of them, an
    empty `size` for all sizes.
    """

    capacity_type: str
    size: str = ""
    zone: str = ""
    family: str = ""
    vcpus: int = 0
    seconds: int = 0

    def covers(self, size: Size, zone: str, capacity_type: str) -> bool:
        """Whether an offering is among them."""
        if self.capacity_type != capacity_type or self.zone not in ("", zone):
            return False
        sister = bool(self.family) and self.family.lower() == size.family.lower() and size.vcpus >= self.vcpus
        return not self.size or self.size == size.name or sister


@dataclass(frozen=True, slots=True)
class Observed:
    """The state of subscription and controller. The default is one of which nothing is known, where quotas are no limit.

    `quota_left` are vCPUs by quota family, given in any case of letters; a family that is not there is not limited.
    """

    quota_left: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    blocked: tuple[Blocked, ...] = ()

    def __post_init__(self) -> None:
        in_one_case = {name.lower(): left for name, left in self.quota_left.items()}  # Azure itself is not consistent
        object.__setattr__(self, "quota_left", MappingProxyType(in_one_case))

    def left(self, family: str) -> int | None:
        """How many vCPUs of a family may still be started; None when unknown."""
        return self.quota_left.get(family.lower()) if self.quota_left else None


NOTHING_OBSERVED: Final = Observed()
