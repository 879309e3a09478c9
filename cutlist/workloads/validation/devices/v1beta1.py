"""Objects of `resource.k8s.io/v1beta1` in the form of v1, in which the API server checks them (W-84)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.setting import Advice
from cutlist.workloads.validation.refusals import Refusals

Manifest = Mapping[str, Any]

VERSION: Final = "resource.k8s.io/v1beta1"
_EXACTLY: Final = re.compile(r"(?<=\])\.exactly\b")
_OF_DEVICE: Final = re.compile(r"^(spec\.devices\[\d+\])\.(?!name\b)")
_OF_REQUEST: Final = ("name", "firstAvailable")
_WHOLE_OF_SLICE: Final = ("nodeName", "allNodes")


@dataclass(frozen=True, slots=True)
class WrittenRefusals(Refusals):
    """Collects refusals of an object in the form of v1 at the paths of v1beta1, which its file has. The API server names some
    by the one, some by the other path."""

    def add(self, path: str, message: str, allowed: str | Advice = "", meant: str = "") -> None:
        """Add a mistake at a path of v1."""
        Refusals.add(self, _written(path), message, allowed, meant)

    def add_at(self, written: str, path: str, message: str, allowed: str = "", meant: str = "") -> None:
        """Add a mistake whose path the API server shortens."""
        Refusals.add_at(self, _written(written), _written(path), message, allowed, meant)


def _written(path: str) -> str:
    """Return the path in v1beta1 of a path in v1."""
    return _OF_DEVICE.sub(r"\1.basic.", _EXACTLY.sub("", path))


def in_v1(manifest: Manifest) -> Manifest:
    """Return an object in the form of v1: requests have `exactly`, and members of devices stand in the device itself."""
    spec = manifest.get("spec")
    if manifest.get("apiVersion") != VERSION or not spec:
        return manifest
    of_kind = {"ResourceClaim": _claim_spec, "ResourceClaimTemplate": _template_spec, "ResourceSlice": _slice_spec}
    change = of_kind.get(str(manifest.get("kind")))
    return manifest if change is None else {**manifest, "spec": change(spec)}


def _template_spec(spec: Manifest) -> Manifest:
    return {**spec, "spec": _claim_spec(spec["spec"])} if spec.get("spec") else spec


def _claim_spec(spec: Manifest) -> Manifest:
    devices = spec.get("devices") or {}
    requests = [_request(request) for request in devices.get("requests") or ()]
    return {**spec, "devices": {**devices, "requests": requests}}


def _request(request: Manifest) -> Manifest:
    """Return a request, of which what it asks for stands in `exactly`, if it is not one of alternatives alone."""
    kept = {name: value for name, value in request.items() if name in _OF_REQUEST}
    asked = {name: value for name, value in request.items() if name not in _OF_REQUEST and value not in (None, "", 0)}
    return {**kept, "exactly": asked} if asked else kept


def _slice_spec(spec: Manifest) -> Manifest:
    """Return the spec of a slice, in which no node and not all nodes mean the same as leaving them out."""
    kept = {name: value for name, value in spec.items() if value or name not in _WHOLE_OF_SLICE}
    devices = spec.get("devices")
    return kept if devices is None else {**kept, "devices": [_device(device) for device in devices]}


def _device(device: Manifest) -> Manifest:
    return {**(device.get("basic") or {}), **{name: value for name, value in device.items() if name != "basic"}}
