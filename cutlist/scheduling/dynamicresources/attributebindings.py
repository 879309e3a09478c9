"""Devices of an instance type that are bound in an attribute whose value is not known yet (spec: R-40 to R-43)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from cutlist.devices.device import DeviceID
from cutlist.devices.slices import DynamicResources

Groups = Mapping[str, Mapping[DeviceID, int]]
"""By attribute the group of each device that is bound, as a number."""


@lru_cache(maxsize=4096)
def binding_groups(resources: DynamicResources) -> Groups:
    """Return the groups of bound devices. Those with a device in common join (R-41); a single device is no group (R-43)."""
    groups: dict[str, dict[DeviceID, int]] = {}
    for number, binding in enumerate(resources.bindings):
        if len(binding.devices) < 2:
            continue
        of_attribute = groups.setdefault(binding.attribute, {})
        met = {of_attribute[device] for device in binding.devices if device in of_attribute}
        of_attribute.update({device: number for device, group in of_attribute.items() if group in met})
        of_attribute.update(dict.fromkeys(binding.devices, number))
    return groups
