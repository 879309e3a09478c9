"""When a node with devices counts as started (R-86)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.annotations import REQUESTED_DRIVERS
from cutlist.devices.slices import ResourceSlice
from cutlist.state.initialization import missing_driver

GPU = ResourceSlice("s", "gpu.example.com", "p", generation=2, slices=1, node="node-a")
WAITS_FOR = {REQUESTED_DRIVERS: "gpu.example.com, nic.example.com"}


@pytest.mark.parametrize(
    ("slices", "missing"),
    [
        ([], "gpu.example.com"),
        ([GPU], "nic.example.com"),
        ([GPU, replace(GPU, driver="nic.example.com")], None),
        ([GPU, replace(GPU, driver="nic.example.com", node="", owner="node-a")], None),
        ([GPU, replace(GPU, driver="nic.example.com", node="node-b")], "nic.example.com"),
        ([GPU, replace(GPU, driver="nic.example.com", slices=2)], "nic.example.com"),
        ([GPU, replace(GPU, driver="nic.example.com", slices=0)], "nic.example.com"),
        ([replace(GPU, all_nodes=True, node="")], "gpu.example.com"),
    ],
)
def test_each_driver_needs_a_complete_pool_on_the_node(slices, missing):
    """The first that has none is named."""
    assert missing_driver(WAITS_FOR, "node-a", slices) == missing


def test_slices_of_older_generations_do_not_count():
    """Neither for nor against."""
    old = replace(GPU, generation=1, slices=2)
    assert missing_driver({REQUESTED_DRIVERS: "gpu.example.com"}, "node-a", [old, GPU]) is None
    assert missing_driver({REQUESTED_DRIVERS: "gpu.example.com"}, "node-a", [old]) == "gpu.example.com"


def test_a_node_claim_without_the_annotation_waits_for_nothing():
    """Nor one whose annotation is empty."""
    assert missing_driver({}, "node-a", []) is None
    assert missing_driver({REQUESTED_DRIVERS: " , "}, "node-a", []) is None
