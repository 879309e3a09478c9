"""Fields behind feature gates: the API server drops those whose gate is off before it looks at an object (W-84)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Manifest = Mapping[str, Any]

BETA: Final = 36
"""The first minor version that has partitions, shared capacity, taints, binding conditions and extended resources on."""

_PARTITIONS: Final = ("sharedCounters", "perDeviceNodeSelection")
_OF_DEVICES: Final = (
    *("consumesCounters", "nodeName", "nodeSelector", "allNodes", "taints", "bindsToNode", "bindingConditions"),
    *("bindingFailureConditions", "allowMultipleAllocations"),
)
_LISTS: Final = ("ints", "bools", "strings", "versions")
_ALPHA: Final = ("partitionTypeAttribute", "skipNodeOperations")


def slice_spec(spec: Manifest, minor: int) -> Manifest:
    """Return the spec of a ResourceSlice with the fields that an API server of this minor version keeps."""
    gone = _ALPHA if minor >= BETA else (*_ALPHA, *_PARTITIONS)
    kept = _without(spec, gone)
    if spec.get("devices"):
        kept["devices"] = [_device(device, minor) for device in spec["devices"]]
    return kept


def _device(device: Manifest, minor: int) -> Manifest:
    kept = _without(device, ("nodeAllocatableResources", *(() if minor >= BETA else _OF_DEVICES)))
    attributes = kept.get("attributes")
    if attributes:
        kept["attributes"] = {name: _without(value or {}, _LISTS) for name, value in attributes.items()}
    if minor < BETA and kept.get("capacity"):
        kept["capacity"] = {name: _without(value or {}, ("requestPolicy",)) for name, value in kept["capacity"].items()}
    return kept


def asked(request: Manifest, minor: int) -> Manifest:
    """Return what a request asks for with the fields that an API server of this minor version keeps."""
    return _without(request, ("derivedAttributes", *(() if minor >= BETA else ("tolerations", "capacity"))))


def constraint(written: Manifest, minor: int) -> Manifest:
    """Return a constraint with the fields that an API server of this minor version keeps."""
    return _without(written, () if minor >= BETA else ("distinctAttribute",))


def _without(value: Manifest, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: member for name, member in value.items() if name not in names}
