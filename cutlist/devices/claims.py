"""ResourceClaims: what pods ask for, and what they have been given (spec: R-7 to R-56)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from cutlist.core.requirements import Requirements
from cutlist.devices.device import DeviceID

MOST_DEVICES: Final = 32
"""The most devices that one claim may have (R-15)."""


class AllocationMode(StrEnum):
    """Whether a request is for a number of devices or for all that match."""

    EXACT_COUNT = "ExactCount"
    ALL = "All"


@dataclass(frozen=True, slots=True)
class DeviceClass:
    """A class that administrators define. `selectors` are CEL expressions, None in place of one of another kind."""

    name: str
    selectors: tuple[str | None, ...] = ()
    extended_resource: str = ""


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """A request for devices, or one alternative of it. `capacity` are amounts in nano-units of shared devices.

    A request with `alternatives` is for the first of them that can be had; its other fields mean nothing.
    """

    name: str
    device_class: str = ""
    selectors: tuple[str | None, ...] = ()
    mode: str = AllocationMode.EXACT_COUNT
    count: int = 1
    capacity: Mapping[str, int] = field(default_factory=dict)
    alternatives: tuple[DeviceRequest, ...] = ()
    admin_access: bool = False


@dataclass(frozen=True, slots=True)
class DeviceConstraint:
    """What the devices of some requests have in common, all of the claim's if `requests` is empty.

    `attribute` must have the same value for all devices; with `distinct`, a different one for each. None for a constraint of
    another kind.
    """

    attribute: str | None
    requests: frozenset[str] = frozenset()
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class ClaimSpec:
    """What a claim asks for."""

    requests: tuple[DeviceRequest, ...] = ()
    constraints: tuple[DeviceConstraint, ...] = ()


@dataclass(frozen=True, slots=True)
class AllocatedDevice:
    """A device of an allocation. `consumed` are amounts of a shared device, None for one that is not shared."""

    id: DeviceID
    request: str = ""
    consumed: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Allocation:
    """Devices that a claim has been given. `terms` are those of its node selector, None without one (R-52, R-54)."""

    devices: tuple[AllocatedDevice, ...] = ()
    terms: tuple[Requirements, ...] | None = None


@dataclass(frozen=True, slots=True)
class Consumer:
    """Something that a claim is reserved for."""

    name: str
    uid: str
    is_pod: bool = True


@dataclass(frozen=True, slots=True)
class ResourceClaim:
    """A claim of a namespace. One without a name is made for each pod from a template; `of_pod` is the pod's name for it."""

    namespace: str
    name: str
    spec: ClaimSpec
    of_pod: str = ""
    allocation: Allocation | None = None
    consumers: tuple[Consumer, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Return its namespace and name."""
        return self.namespace, self.name

    @property
    def shared(self) -> bool:
        """Tell whether several pods may name it."""
        return bool(self.name)

    def held_only_by(self, pods: frozenset[str]) -> bool:
        """Tell whether it is reserved, and for nothing but these pods, by UID (R-79)."""
        return bool(self.consumers) and all(c.is_pod and c.uid in pods for c in self.consumers)
