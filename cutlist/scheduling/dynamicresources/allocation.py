"""What pods with claims for devices are given: the values of an allocation, apart from the search for one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from cutlist.core.requirements import Requirements
from cutlist.devices.claims import ResourceClaim
from cutlist.devices.device import DeviceID
from cutlist.scheduling.dynamicresources.pool import OfferedDevice, Pool, joined

NodeID = Hashable
"""What tells nodes and NodeClaims of a pass apart."""
Amounts = dict[Hashable, int]


@dataclass(slots=True)
class Taken:
    """What a search has set aside for one instance type of a node. Amounts of published devices and of the type's own devices
    are apart, since a pool may have both under one name."""

    published: list[DeviceID] = field(default_factory=list)
    of_type: list[DeviceID] = field(default_factory=list)
    capacity: Amounts = field(default_factory=dict)
    type_capacity: Amounts = field(default_factory=dict)
    counters: Amounts = field(default_factory=dict)
    type_counters: Amounts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """A device of an allocation, with the request that it is for. `consumed` are amounts of a shared one, None for others."""

    request: str
    offered: OfferedDevice
    consumed: Mapping[str, int] | None = None


@dataclass(slots=True)
class ClaimAllocation:
    """What a claim is given in a pass. `devices` and `requirements` are by instance type, as far as the node may become it.

    With devices `of_type`, no pod on another node can use the claim. `batch` is the number of the pod's batch.
    """

    claim: ResourceClaim
    node: NodeID
    devices: dict[str, tuple[DeviceResult, ...]] = field(default_factory=dict)
    requirements: dict[str, Requirements] = field(default_factory=dict)
    of_type: bool = False
    batch: int = -1

    @property
    def together(self) -> Requirements:
        """Return the requirements of all types together: which of them the node becomes is not known (R-95)."""
        return joined(self.requirements.values())


@dataclass(frozen=True, slots=True)
class GivenDevices:
    """What earlier passes gave to claims of pods on a node that is being launched, as the type that was bought."""

    node: str
    instance_type: str
    allocation: ClaimAllocation


@dataclass(frozen=True, slots=True)
class Allocation:
    """Devices for the claims of a pod on a node: the types that have them, and what they add to the node's requirements.

    `taken` is by type; without it nothing has to be set aside. `pools` are those that the node reaches with the pod.
    """

    types: frozenset[str]
    requirements: Requirements
    claims: tuple[ClaimAllocation, ...] = ()
    taken: Mapping[str, Taken] = field(default_factory=dict)
    pools: tuple[Pool, ...] = ()
