"""What Karpenter remembers of a launch that Azure refused: offerings that it leaves alone for a while (spec: azure 6.4)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final

from cutlist.catalog.sizes import Size
from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.providers.azure.observed import Blocked
from cutlist.providers.azure.offerings import scope

_HOUR: Final = 3600
_MINUTE: Final = 60
_BOTH: Final = (SPOT, ON_DEMAND)


class Failure(Enum):
    """Why Azure made no machine, by the kinds that Karpenter tells apart."""

    OTHER = "other"
    FAMILY_QUOTA = "the family's quota of vCPUs is used up"
    NO_FAMILY_QUOTA = "the family's quota of vCPUs is 0"
    SPOT_QUOTA = "the quota of spot vCPUs is used up"
    SIZE_NOT_AVAILABLE = "the size is not available"
    ZONAL_ALLOCATION = "the zone has no capacity for the size"
    ALLOCATION = "there is no capacity for the size"
    OVERCONSTRAINED_ZONAL = "what is asked for cannot be had in the zone"
    OVERCONSTRAINED = "what is asked for cannot be had"
    NOT_OPEN = "the size is not open to the subscription"
    REGIONAL_QUOTA = "the location's quota of vCPUs is used up"


_IN_ZONE: Final = (Failure.OTHER, Failure.ZONAL_ALLOCATION, Failure.OVERCONSTRAINED_ZONAL)
_IN_SCOPE: Final = (Failure.SIZE_NOT_AVAILABLE, Failure.ALLOCATION, Failure.OVERCONSTRAINED)
_BOTH_TYPES: Final = (Failure.ZONAL_ALLOCATION, Failure.ALLOCATION, Failure.NOT_OPEN)


def blocked_by(failure: Failure, size: Size, zone: str, capacity_type: str, zones: Iterable[str]) -> tuple[Blocked, ...]:
    """Return what is left alone after a size failed to launch in a zone; `zones` are all of the location, `0` among them (Z-55,
    Z-56).

    Where the quota of the whole location is used up nothing is: no other size would help.
    """
    if failure is Failure.REGIONAL_QUOTA:
        return ()
    if failure is Failure.SPOT_QUOTA:
        return (Blocked(SPOT, seconds=_HOUR),)
    kinds = _BOTH if failure in _BOTH_TYPES else (capacity_type,)
    return tuple(
        Blocked(kind, size.name, where, size.family, size.vcpus, _seconds(failure, kind))
        for where in _where(failure, zone, zones)
        for kind in kinds
    )


def _where(failure: Failure, zone: str, zones: Iterable[str]) -> tuple[str, ...]:
    if failure in _IN_ZONE:
        return (zone,)
    if failure in _IN_SCOPE:
        return tuple(sorted({zone, *(one for one in zones if scope(one) == scope(zone))}))
    return ("",)


def _seconds(failure: Failure, capacity_type: str) -> int:
    match failure:
        case Failure.OTHER:
            return 3 * _MINUTE
        case Failure.FAMILY_QUOTA:
            return 10 * _MINUTE
        case Failure.NOT_OPEN:
            return 23 * _HOUR
        case Failure.SIZE_NOT_AVAILABLE if capacity_type == ON_DEMAND:
            return 23 * _HOUR
    return _HOUR
