"""ResourceSlices: devices that exist, and those that nodes of an instance type will have (spec: R-8, R-74 to R-94)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.requirements import Requirements
from cutlist.devices.device import Counters, Device, DeviceID


@dataclass(frozen=True, slots=True, eq=False)
class ResourceSlice:
    """Devices that a driver has published. `owner` is the Node that the slice belongs to, empty if none.

    Who reaches it is one of: the node `node`, nodes that meet one of the `terms` of its selector (None without one), or
    `all_nodes`. `counter_sets` are the names of its shared counter sets, None without any; such a slice offers no devices.
    `has_taints` says that some device has a taint, which Karpenter does not look at (R-98).
    """

    name: str
    driver: str
    pool: str
    generation: int = 0
    slices: int = 1
    owner: str = ""
    node: str = ""
    all_nodes: bool = False
    terms: tuple[Requirements, ...] | None = None
    devices: tuple[Device, ...] = ()
    counter_sets: tuple[str, ...] | None = None
    counters: Counters = field(default_factory=dict)
    has_taints: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ResourceSliceTemplate:
    """Devices that each node of an instance type will publish, and the shared counters that they draw on (R-107)."""

    driver: str
    pool: str
    devices: tuple[Device, ...] = ()
    counters: Counters = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AttributeBinding:
    """Devices of a node that will have the same value of an attribute, which is not known before the node runs (R-40)."""

    attribute: str
    devices: tuple[DeviceID, ...]


@dataclass(frozen=True, slots=True)
class DynamicResources:
    """The devices of an instance type."""

    slices: tuple[ResourceSliceTemplate, ...] = ()
    bindings: tuple[AttributeBinding, ...] = ()

    def counts(self) -> Mapping[str, int]:
        """Return how many devices it has of each driver."""
        counts: dict[str, int] = {}
        for template in self.slices:
            counts[template.driver] = counts.get(template.driver, 0) + len(template.devices)
        return {driver: count for driver, count in counts.items() if count}


NO_DEVICES: Final = DynamicResources()
