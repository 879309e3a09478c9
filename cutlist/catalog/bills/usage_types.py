"""The usage types of EC2, such as `USW2-SpotUsage:m5.large`: what they say besides the instance type."""

from __future__ import annotations

from typing import Final

from cutlist.catalog.bills.charges import Reason

_DEDICATED: Final = ("DedicatedUsage", "HostUsage", "HostBoxUsage", "DedicatedRes")
_MACHINES: Final = ("BoxUsage", "SpotUsage", "Reservation")
_OF_OTHERS: Final = (
    "EBSOptimized",
    "CPUCredits",
    "LoadBalancer",
    "NatGateway",
    "ElasticIP",
    "PublicIPv4",
    "VolumeUsage",
    "EBS:",
)


def tenancy_reason(usage_type: str) -> Reason | None:
    """Return why a row of EC2 is not an hour of a machine with shared tenancy, or None if it may be one."""
    if any(word in usage_type for word in _DEDICATED):
        return Reason.DEDICATED
    if any(word in usage_type for word in _OF_OTHERS):
        return Reason.SERVICES
    return None


def is_machine(usage_type: str) -> bool:
    """Tell whether a usage type of EC2 counts hours of machines."""
    return any(word in usage_type for word in _MACHINES)


def is_unused(usage_type: str) -> bool:
    """Tell whether a usage type is for a capacity reservation that nothing uses."""
    return "UnusedBox" in usage_type or "UnusedDed" in usage_type
