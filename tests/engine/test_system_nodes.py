"""System nodes on a real engine: a change that replaces them makes their successors first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.aws import Cluster

from tests.engine.engine import Engine

pytestmark = pytest.mark.xdist_group("engine-system-nodes")

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
CONTROL_PLANE = {
    "cluster_name": "shop",
    "region": "eu-west-1",
    "account_id": "111122223333",
    "version": "1.34",
    "karpenter_version": "1.14.1",
    "subnet_ids": ["subnet-a", "subnet-b"],
    "zones": ["eu-west-1a", "eu-west-1b"],
    "admins": {"me": "arn:aws:iam::111122223333:role/admin"},
}


def _program(**system_nodes: Any) -> Callable[[], None]:
    def run() -> None:
        Cluster("main", {"control_plane": CONTROL_PLANE, "system_nodes": system_nodes})

    return run


def test_new_system_nodes_are_there_before_the_old_ones_go(engine: Engine, tmp_path: Path):  # I-10
    """The controller and CoreDNS run on them, and nothing else can start nodes."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    stack = engine.stack("system-nodes", tmp_path, _program())
    stack.up(color="never")
    engine.done()
    for change in (
        {"instance_types": ["m8g.large", "m7g.large"]},
        {"subnet_ids": ["subnet-c", "subnet-d"], "zones": ["eu-west-1b", "eu-west-1c"]},
        {"ami_type": "AL2023_ARM_64_STANDARD"},
    ):
        stack.workspace.program = _program(**change)
        stack.up(color="never")
        steps = [operation for operation, urn in engine.done() if f"::{NODE_GROUP}::" in urn or f"${NODE_GROUP}::" in urn]
        assert steps == ["create", "delete"]
    stack.destroy(color="never")
