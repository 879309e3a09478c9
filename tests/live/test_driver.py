"""The stand-in for drivers of devices: which ResourceSlices it publishes, for which nodes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live.api import CONFLICT, ApiError
from tests.live.driver import devices_of, publish, slices_of, templates
from tests.live.scenarios.builders import INSTANCE_TYPE, instance_type, offering
from tests.live.state import as_oracle_type

GPUS = {"driver": "gpu.example.com", "pool": "g", "devices": [{"name": "gpu", "count": 2, "capacity": {}}, {"name": "one"}]}
COUNTERS = {"driver": "gpu.example.com", "pool": "g", "sharedCounters": [{"name": "whole", "counters": {}}]}
LATE = {"driver": "late.example.com", "pool": "g", "devices": [{"name": "late"}], "isPublished": False}


def a_type(*slices: dict[str, Any]) -> dict[str, Any]:
    return instance_type("g", "4", "16Gi", offering("test-zone-a", "on-demand", 1), slices=slices)


def node(*, ready: str = "True", **metadata: Any) -> dict[str, Any]:
    own = {"name": "n", "uid": "u", "labels": {INSTANCE_TYPE: "g"}, **metadata}
    return {"metadata": own, "status": {"conditions": [{"type": "Ready", "status": ready}]}}


class Server:
    """An API server that keeps what is created, and refuses what it has."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def create(self, manifest: dict[str, Any]) -> None:
        if manifest["metadata"]["name"] in self.names:
            raise ApiError(CONFLICT, "it exists")
        self.names.append(manifest["metadata"]["name"])


def test_slices_belong_to_their_node_and_those_of_a_driver_are_a_pool():
    """Devices that are counted become so many, and counters a slice of their own, as the API server wants it."""
    by_type = templates([a_type(COUNTERS, GPUS, LATE)])
    counters, devices = slices_of(node(), by_type["g"])
    pool = {"name": "n", "generation": 1, "resourceSliceCount": 2}
    assert (counters["spec"]["pool"], devices["spec"]["pool"]) == (pool, pool)
    assert "devices" not in counters["spec"]
    assert [each["name"] for each in devices["spec"]["devices"]] == ["gpu-0", "gpu-1", "one"]
    assert devices["metadata"]["ownerReferences"] == [{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"}]
    assert [each["name"] for each in devices_of([{"name": "a", "count": 1}])] == ["a-0"]


@pytest.mark.parametrize(
    ("each", "published"),
    [
        (node(), 1),
        (node(ready="False"), 0),
        (node(deletionTimestamp="2026-01-05T00:00:00Z"), 0),
        (node(labels={INSTANCE_TYPE: "other"}), 0),
    ],
)
def test_a_node_that_is_ready_and_stays_gets_its_slices_once(each: dict[str, Any], published: int):
    """A node that is seen again has them already."""
    server: Any = Server()
    for _ in range(2):
        publish(server, each, templates([a_type(GPUS, LATE)]))
    assert len(server.names) == published


def test_the_oracle_is_asked_about_the_same_devices():
    """The form of a type is that of the KWOK provider's file and of the oracle at once."""
    assert as_oracle_type(a_type(GPUS))["dynamicResources"] == {"resourceSliceTemplates": [GPUS]}
    assert "dynamicResources" not in as_oracle_type(a_type())
