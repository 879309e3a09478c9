"""Objects of earlier versions of `resource.k8s.io`, brought into the form of v1, in which the API server checks them (spec:
W-84).

v1beta2 has the form of v1. In v1beta1 and v1alpha3 the fields of a request for devices stand in the request itself and not
under `exactly`, and those of a device under `basic`; v1alpha3 writes a capacity without its member `value`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

Manifest = Mapping[str, Any]
_WITHOUT_VALUE: Final = "v1alpha3"
_OLDER: Final = ("v1beta1", _WITHOUT_VALUE)
_OF_REQUEST: Final = ("name", "firstAvailable")
_WHOLE_OF_SLICE: Final = ("nodeName", "allNodes")


def in_v1(manifest: Manifest) -> Manifest:
    """Return an object in the form of v1: itself, if it has that form or nothing in it differs."""
    version = str(manifest.get("apiVersion") or "").rpartition("/")[2]
    change, spec = _CHANGES.get(str(manifest.get("kind"))), manifest.get("spec")
    return {**manifest, "spec": change(spec, version)} if spec and version in _OLDER and change is not None else manifest


def _claim(spec: Manifest, _version: str) -> Manifest:
    devices = spec.get("devices") or {}
    return {**spec, "devices": {**devices, "requests": [_request(r) for r in devices.get("requests") or ()]}}


def _template(spec: Manifest, version: str) -> Manifest:
    return {**spec, "spec": _claim(spec["spec"], version)} if spec.get("spec") else spec


def _request(raw: Manifest) -> Manifest:
    """Return a request, of which what it asks for stands in `exactly`, if it is not one of alternatives alone."""
    kept = {name: value for name, value in raw.items() if name in _OF_REQUEST}
    asked = {name: value for name, value in raw.items() if name not in _OF_REQUEST and value not in (None, "", 0)}
    return {**kept, "exactly": asked} if asked else kept


def _slice(spec: Manifest, version: str) -> Manifest:
    """Return the spec of a slice, in which no node and not all nodes mean the same as leaving them out."""
    kept = {name: value for name, value in spec.items() if value or name not in _WHOLE_OF_SLICE}
    devices = spec.get("devices")
    return kept if devices is None else {**kept, "devices": [_device(device, version) for device in devices]}


def _device(raw: Manifest, version: str) -> Manifest:
    device = {**(raw.get("basic") or {}), **{name: value for name, value in raw.items() if name != "basic"}}
    if version == _WITHOUT_VALUE:
        device["capacity"] = {name: {"value": amount} for name, amount in (device.get("capacity") or {}).items()}
    return device


_CHANGES: Final[Mapping[str, Callable[[Manifest, str], Manifest]]] = {
    "ResourceClaim": _claim,
    "ResourceClaimTemplate": _template,
    "ResourceSlice": _slice,
}
