"""Which devices differ in nothing but their names, as far as a search can tell: trying one then tells about the others."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any

from cutlist.devices.device import Device, DeviceID
from cutlist.scheduling.dynamicresources.allocation import NodeID
from cutlist.scheduling.dynamicresources.allocationtracker import AllocationTracker
from cutlist.scheduling.dynamicresources.attributebindings import Groups
from cutlist.scheduling.dynamicresources.pool import OfferedDevice


class AlikeDevices:
    """The kinds of devices for one instance type of a node. `matched` is what selectors said of them on other types (R-29)."""

    __slots__ = ("_groups", "_kinds", "_matched", "_node", "_tracker", "_type")

    def __init__(
        self,
        node: NodeID,
        instance_type: str,
        tracker: AllocationTracker,
        groups: Groups,
        matched: Mapping[tuple[DeviceID, bool, Any], bool],
    ) -> None:
        self._node = node
        self._type = instance_type
        self._tracker = tracker
        self._groups = groups
        self._kinds: dict[tuple[DeviceID, bool], Hashable] = {}
        # What this search adds follows from the devices themselves.
        self._matched = dict(matched)

    def kind(self, offered: OfferedDevice) -> Hashable:
        """Return what tells a device from others: its content, its place, how much of it is taken, and how it is bound."""
        key = offered.id, offered.of_type
        found = self._kinds.get(key)
        if found is None:
            found = self._kinds[key] = self._kind(offered)
        return found

    def _kind(self, offered: OfferedDevice) -> Hashable:
        tracker, device = self._tracker, offered.device
        taken: Hashable = device.shared or tracker.is_taken(offered, self._node, self._type)
        if device.shared:
            taken = tuple(tracker.used_of(offered, name, self._node, self._type) for name in sorted(device.capacity))
        said = frozenset((at, chosen) for (name, own, at), chosen in self._matched.items() if (name, own) == key_of(offered))
        bound = tuple((attribute, of.get(offered.id)) for attribute, of in self._groups.items())
        return offered.pool, offered.of_type, offered.requirements, _content(device), taken, said, bound


def key_of(offered: OfferedDevice) -> tuple[DeviceID, bool]:
    """Return what names a device: a pool may have published devices and those of a type under one name."""
    return offered.id, offered.of_type


@lru_cache(maxsize=65536)
def _content(device: Device) -> Hashable:
    """Return a device without its name."""
    parts = (device.attributes, device.capacity, device.consumes)
    return device.shared, *(frozenset(part.items()) for part in parts)
