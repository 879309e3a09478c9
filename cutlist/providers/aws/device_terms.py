"""Which devices the types of a NodeClass have; few have any, since the gates for them are off by default."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cutlist.api.gpu_sharing import SHARING
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.devices.slices import NO_DEVICES, DynamicResources

if TYPE_CHECKING:
    from cutlist.api import EC2NodeClass


@dataclass(frozen=True, slots=True)
class DeviceTerms:
    """What decides about the devices of a NodeClass' types: the provider's release, its gates, and how GPUs are shared."""

    release: KarpenterVersion
    gates: frozenset[str]
    sharing: str = ""

    @staticmethod
    def of(node_class: EC2NodeClass, gates: frozenset[str]) -> DeviceTerms | None:
        """Return the terms of a NodeClass, or None if no gate gives its types any device."""
        if not gates:
            return None
        return DeviceTerms(node_class.karpenter.aws_release, gates, node_class.annotations.get(SHARING, ""))


@lru_cache(maxsize=4096)
def devices_of(instance_type: str, terms: DeviceTerms | None) -> DynamicResources:
    """Return the devices of an instance type; types share the object if they have none."""
    if terms is None:
        return NO_DEVICES
    from cutlist.devices.read import read_dynamic_resources  # both only where a gate is on
    from cutlist.providers.aws.devices import dynamic_resources

    raw = dynamic_resources(instance_type, terms.release, terms.gates, {SHARING: terms.sharing})
    return read_dynamic_resources(raw) if raw else NO_DEVICES
