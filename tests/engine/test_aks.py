"""A cluster of AKS with its nodes on a real engine: made in order, refused and warned in a preview, and undone in order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pulumi.automation import CommandError, Stack

from tests.engine.engine import Engine

pytestmark = pytest.mark.xdist_group("engine-aks")
NAMES = {
    "name": "shop",
    "resource_group": "rg-shop",
    "location": "japaneast",
    "subscription": "11111111-2222-3333-4444-555555555555",
}
CLOSED = {"authorized_ip_ranges": ["198.51.100.0/24"]}


def environment(**settings: Any) -> None:
    """A cluster with one NodePool, whose class lives in a subnet of its own."""
    from pulumi_cutlist.azure import AksNodeProvisioning  # large, and needed where there is an engine only

    from cutlist import AKSNodeClass, NodeClassRef, NodePool

    reference = NodeClassRef(group="karpenter.azure.com", kind="AKSNodeClass", name="batch")
    AksNodeProvisioning(
        "shop",
        {
            "cluster": NAMES,
            "network": {"own": {"subnets": {"nodes": "10.224.0.0/20", "batch": "10.224.16.0/20"}}},
            "settings": {**CLOSED, **settings},
            "node_classes": [AKSNodeClass(name="batch")],
            "node_pools": [NodePool(name="batch", node_class=reference, requirements=[])],
            "class_subnets": {"batch": "batch"},
        },
    )


@pytest.fixture
def stack(engine: Engine, tmp_path: Path) -> Stack:
    """The stack of the program, of which nothing exists."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    return engine.stack("aks", tmp_path, environment)


def in_order(engine: Engine, operation: str) -> list[str]:
    """The short types of what was made or deleted, in order."""
    return [urn.split("::")[2].rpartition(":")[2] for done, urn in engine.done() if done == operation]


def test_a_cluster_with_its_nodes_lives_and_goes(engine: Engine, stack: Stack):
    """The order of creation, a refused and a warned change, and the order of deletion, pools first and the group last."""
    stack.preview(color="never")
    stack.up(color="never")
    made = in_order(engine, "create")
    chain = ["ResourceGroup", "VirtualNetwork", "RoleAssignment", "ManagedCluster", "AKSNodeClass", "NodePool"]
    assert [made.index(kind) for kind in chain] == sorted(made.index(kind) for kind in chain)
    assert made.index("Subnet") < made.index("ManagedCluster")

    stack.up(color="never", expect_no_changes=True)
    assert engine.done() == []

    with pytest.raises(CommandError, match="outboundType goes from loadBalancer to none"):
        stack.preview(color="never", program=lambda: environment(network={"outbound_type": "none"}))
    stack.up(color="never", program=lambda: environment(default_node_pools="Auto"))
    warned = stack.preview(color="never", program=environment)
    assert "Auto becomes None: the NodePools default and system-surge may be deleted" in warned.stdout
    engine.done()

    stack.destroy(color="never")
    gone = in_order(engine, "delete")
    assert sorted(gone) == sorted(made)
    chain = ["NodePool", "AKSNodeClass", "ManagedCluster", "VirtualNetwork", "ResourceGroup"]
    assert [gone.index(kind) for kind in chain] == sorted(gone.index(kind) for kind in chain)
    assert gone.index("ManagedCluster") < min(gone.index("Subnet"), gone.index("RoleAssignment"))
    assert gone[-1] == "ResourceGroup"
