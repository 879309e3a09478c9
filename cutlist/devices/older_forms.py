"""Objects of earlier versions of `resource.k8s.io`, brought into the form of v1.

v1beta2 has the form of v1. In v1beta1 and v1alpha3 the fields of a request for devices stand in the request itself and not
under `exactly`, and those of a device under `basic`; v1alpha3 writes a capacity without its member `value`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

Manifest = Mapping[str, Any]
V1ALPHA3: Final = "v1alpha3"
_OLDER: Final = ("v1beta1", V1ALPHA3)
_OF_REQUEST: Final = ("name", "firstAvailable")


def in_v1(manifest: Manifest) -> Manifest:
    """Return an object in the form of v1: itself, if it has that form."""
    version = str(manifest.get("apiVersion") or "").rpartition("/")[2]
    change = _CHANGES.get(str(manifest.get("kind")))
    if version not in _OLDER or change is None:
        return manifest
    return {**manifest, "spec": change(manifest.get("spec") or {}, version)}


def _claim(spec: Manifest, _version: str) -> Manifest:
    devices = spec.get("devices") or {}
    return {**spec, "devices": {**devices, "requests": [_request(r) for r in devices.get("requests") or ()]}}


def _template(spec: Manifest, version: str) -> Manifest:
    return {**spec, "spec": _claim(spec.get("spec") or {}, version)}


def _request(raw: Manifest) -> Manifest:
    if raw.get("firstAvailable"):
        return {name: raw[name] for name in _OF_REQUEST if name in raw}
    return {"name": raw.get("name"), "exactly": {name: value for name, value in raw.items() if name not in _OF_REQUEST}}


def _slice(spec: Manifest, version: str) -> Manifest:
    return {**spec, "devices": [_device(d, version) for d in spec.get("devices") or ()]}


def _device(raw: Manifest, version: str) -> Manifest:
    device = {**(raw.get("basic") or {}), "name": raw.get("name")}
    if version == V1ALPHA3:
        device["capacity"] = {name: {"value": amount} for name, amount in (device.get("capacity") or {}).items()}
    return device


_CHANGES: Final[Mapping[str, Callable[[Manifest, str], Manifest]]] = {
    "ResourceClaim": _claim,
    "ResourceClaimTemplate": _template,
    "ResourceSlice": _slice,
}
