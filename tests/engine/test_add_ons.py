"""Add-ons on a real engine: those that only Karpenter's nodes can run are made after the NodePools, and deleted before them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulumi_cutlist.aws import KarpenterCluster

from tests.engine.engine import Engine
from tests.infrastructure.joined_program import NEW, OBJECTS

pytestmark = [pytest.mark.xdist_group("engine-add-ons"), pytest.mark.slow]


def test_an_add_on_that_waits_for_nodes_is_no_deadlock(engine: Engine, tmp_path: Path):  # I-6
    """Its pods stay pending until Karpenter has a NodePool, and EKS waits for its pods."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    inputs = {**NEW, **OBJECTS, "add_ons": {"some-mesh": {}, "metrics-server": {}}}
    stack = engine.stack("add-ons", tmp_path, lambda: KarpenterCluster("shop", inputs) and None)
    stack.up(color="never")
    made = [urn.rpartition("::")[2] for operation, urn in engine.done() if operation == "create"]
    pool = next(name for name in made if "general" in name)
    order = {name: made.index(name) for name in ("shop-cluster-some-mesh", "shop-cluster-metrics-server", pool)}
    assert sorted(order, key=order.__getitem__) == ["shop-cluster-metrics-server", pool, "shop-cluster-some-mesh"]
    stack.destroy(color="never")
    gone = [urn.rpartition("::")[2] for operation, urn in engine.done() if operation == "delete"]
    assert gone.index("shop-cluster-some-mesh") < gone.index(pool) < gone.index("shop-cluster-metrics-server")
