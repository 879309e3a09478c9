"""What is known about a subscription in a location: the rest of its quotas, and offerings that failed (spec: azure 6.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from cutlist.catalog.sizes import Size

SPOT_QUOTA: Final = "lowPriorityCores"
"""Azure's name for the quota of a location's spot vCPUs."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """Offerings that count as unavailable for a number of seconds.

    They are `size` and the larger sizes of its quota family, in one zone and capacity type; an empty `zone` means all zones, an
    empty `size` all sizes.
    """

    capacity_type: str
    size: str = ""
    zone: str = ""
    family: str = ""
    vcpus: int = 0
    seconds: int = 0

    def covers(self, size: Size, zone: str, capacity_type: str) -> bool:
        """Tell whether an offering is among them."""
        if self.capacity_type != capacity_type or self.zone not in ("", zone):
            return False
        sister = bool(self.family) and self.family.lower() == size.family.lower() and size.vcpus >= self.vcpus
        return not self.size or self.size == size.name or sister


@dataclass(frozen=True, slots=True)
class Observed:
    """The state of subscription and controller. By default, nothing is known, and there are no quotas. `quota_left` are vCPUs
    by quota family, ignoring the case of its name; a missing family has no limit.
    """

    quota_left: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    blocked: tuple[Blocked, ...] = ()

    def __post_init__(self) -> None:
        # Azure itself uses upper and lower case inconsistently.
        in_one_case = {name.lower(): left for name, left in self.quota_left.items()}
        object.__setattr__(self, "quota_left", MappingProxyType(in_one_case))

    def left(self, family: str) -> int | None:
        """Return how many vCPUs of a family may still be started, or None if unknown."""
        return self.quota_left.get(family.lower()) if self.quota_left else None


NOTHING_OBSERVED: Final = Observed()
