"""Objects of `resource.k8s.io`, of all versions that clusters have."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from cutlist.devices.inventory import DeviceInventory
from cutlist.devices.older_forms import in_v1

REQUEST = {
    "deviceClassName": "gpu",
    "count": 2,
    "selectors": [{"cel": {"expression": "true"}}],
    "capacity": {"requests": {"memory": "1Gi"}},
}
ALTERNATIVE = {"name": "any", "deviceClassName": "gpu"}
DEVICE = {
    "attributes": {"model": {"string": "t4"}},
    "capacity": {"memory": {"value": "16Gi"}},
    "consumesCounters": [{"counterSet": "s", "counters": {"memory": {"value": "1Gi"}}}],
}
VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha3")


def of(version: str) -> list[dict[str, Any]]:
    """A claim, a template and a slice as a version writes them; they say the same."""
    older = version in ("v1beta1", "v1alpha3")
    request = {"name": "a", **REQUEST} if older else {"name": "a", "exactly": REQUEST}
    spec = {"devices": {"requests": [request, {"name": "b", "firstAvailable": [ALTERNATIVE]}]}}
    device: dict[str, Any] = copy.deepcopy(DEVICE)
    if version == "v1alpha3":
        device["capacity"] = {"memory": "16Gi"}
    device = {"name": "gpu-0", "basic": device} if older else {"name": "gpu-0", **device}
    slice_spec = {"driver": "d", "pool": {"name": "p", "resourceSliceCount": 1}, "nodeName": "n", "devices": [device]}
    objects = [
        {"kind": "ResourceClaim", "metadata": {"name": "c"}, "spec": spec},
        {"kind": "ResourceClaimTemplate", "metadata": {"name": "t"}, "spec": {"spec": spec}},
        {"kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": slice_spec},
        {"kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {"selectors": [{"cel": {"expression": "true"}}]}},
    ]
    return [{"apiVersion": f"resource.k8s.io/{version}", **o} for o in objects]


@pytest.mark.parametrize("version", VERSIONS)
def test_all_versions_are_read_alike(version):
    """Requests, alternatives, templates and devices."""
    objects = of(version)
    before = copy.deepcopy(objects)
    read, known = DeviceInventory.of(objects), DeviceInventory.of(of("v1"))
    claim = read.claims["default", "c"]
    first, second = claim.spec.requests
    assert (first.name, first.device_class, first.count, first.selectors) == ("a", "gpu", 2, ("true",))
    assert first.capacity == {"memory": 2**30 * 10**9}
    assert [(a.name, a.device_class, a.count) for a in second.alternatives] == [("any", "gpu", 1)]
    assert read.claims == known.claims
    assert read.templates == known.templates
    (device,), (expected,) = read.slices[0].devices, known.slices[0].devices
    parts = ("name", "attributes", "capacity", "consumes", "shared")
    assert [getattr(device, p) for p in parts] == [getattr(expected, p) for p in parts]
    assert device.capacity["memory"].amount == 16 * 2**30 * 10**9
    assert objects == before


def test_a_request_of_v1_is_not_read_as_an_older_one():
    """The API server drops a class that stands in the request itself; Karpenter then finds no class."""
    (claim, *_) = of("v1beta1")
    read = DeviceInventory.of([{**claim, "apiVersion": "resource.k8s.io/v1"}]).claims["default", "c"]
    assert read.spec.requests[0].device_class == ""


def test_objects_of_v1_and_of_other_kinds_stay_the_same():
    """Nothing is copied where nothing changes."""
    objects = [*of("v1"), {"apiVersion": "v1", "kind": "Pod"}, {"apiVersion": "other.example.com/v1beta1", "kind": "X"}]
    assert all(in_v1(o) is o for o in objects)
