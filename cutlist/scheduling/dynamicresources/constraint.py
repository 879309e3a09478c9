"""Constraints between the devices of a claim, while a search adds and removes devices (spec: R-34 to R-43)."""

from __future__ import annotations

from dataclasses import dataclass, field

from cutlist.devices.device import Attribute, DeviceID
from cutlist.scheduling.dynamicresources.attributebindings import Groups
from cutlist.scheduling.dynamicresources.pool import OfferedDevice


@dataclass(slots=True)
class MatchAttributeConstraint:
    """All devices of some requests have the same value of an attribute, or are bound in it.

    `requests` are names, all requests if empty; a name covers the alternatives of its request. `taken` are the devices so far,
    which have the value `value`, or all belong to one group of bound devices if that is None.
    """

    attribute: str
    requests: frozenset[str]
    taken: list[DeviceID] = field(default_factory=list)
    value: Attribute | None = None

    def add(self, request: str, offered: OfferedDevice, groups: Groups) -> bool:
        """Add a device for a request (`parent/alternative` for an alternative) if the constraint allows that; tell whether it
        does."""
        if not self._concerns(request):
            return True
        value = offered.device.attribute(self.attribute, offered.id.driver)
        if value is None:
            allowed = self._may_be_bound(offered.id, groups)
        else:
            allowed = not self.taken or (value.kind != "" and value == self.value)
        if allowed:
            self.value = self.value if self.taken else value
            self.taken.append(offered.id)
        return allowed

    def remove(self, request: str) -> None:
        """Take back the device that was added last for a request."""
        if self._concerns(request):
            self.taken.pop()

    def reset(self) -> None:
        """Forget all devices."""
        self.taken.clear()
        self.value = None

    def state(self, groups: Groups) -> object:
        """Return what decides which devices may be added."""
        if not self.taken:
            return None
        return self.value or ("bound", groups.get(self.attribute, {}).get(self.taken[0]))

    def _may_be_bound(self, device: DeviceID, groups: Groups) -> bool:
        of_attribute = groups.get(self.attribute, {})
        if device not in of_attribute:
            return False
        # Devices with a value and devices that are bound cannot stand together.
        return not self.taken or (self.value is None and of_attribute[device] == of_attribute.get(self.taken[0]))

    def _concerns(self, request: str) -> bool:
        return not self.requests or request in self.requests or request.partition("/")[0] in self.requests
