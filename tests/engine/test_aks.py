"""A cluster of AKS with its nodes on a real engine: made in order, refused and warned in a preview, and undone in order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi.automation import CommandError, Stack

from tests.engine.engine import Engine, copied, program

pytestmark = pytest.mark.xdist_group("engine-aks")
NAMES = {
    "name": "shop",
    "resource_group": "rg-shop",
    "location": "japaneast",
    "subscription": "11111111-2222-3333-4444-555555555555",
}
CLOSED = {"authorized_ip_ranges": ["198.51.100.0/24"]}


def environment(location: str = "japaneast", **settings: Any) -> None:
    """A cluster with one NodePool, whose class lives in a subnet of its own."""
    from pulumi_cutlist.azure import AksNodeProvisioning  # large, and needed where there is an engine only

    from cutlist import AKSNodeClass, NodeClassRef, NodePool

    reference = NodeClassRef(group="karpenter.azure.com", kind="AKSNodeClass", name="batch")
    AksNodeProvisioning(
        "shop",
        {
            "cluster": {**NAMES, "location": location},
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
    return engine.stack("shop", tmp_path, environment)


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
    with pytest.raises(CommandError, match=r"cluster\.location: 'japaneast' becomes 'japanwest', another cluster"):
        stack.preview(color="never", program=lambda: environment("japanwest"))
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


def protected() -> None:
    """A cluster of production by itself, and an object in it."""
    import pulumi_kubernetes as kubernetes
    from pulumi_cutlist.azure import AksCluster, kubernetes_provider

    windows = {"nodeImages": {"start_time": "02:00", "day_of_week": "Sunday"}}
    cluster = AksCluster("shop", {"cluster": NAMES, "settings": {**CLOSED, "production": True, "windows": windows}})
    options = pulumi.ResourceOptions(provider=kubernetes_provider("shop", cluster))
    kubernetes.core.v1.Namespace("team", opts=options)


def test_a_protected_cluster_by_itself_keeps_all_that_it_has(engine: Engine, tmp_path: Path):
    """Its window among it. What others put into it is removed before the refusal, as the page on AKS says."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    stack = engine.stack("protected", tmp_path, protected)
    stack.up(color="never")
    assert sorted(in_order(engine, "create")) == ["MaintenanceConfiguration", "ManagedCluster", "Namespace"]
    with pytest.raises(CommandError, match="::shop-protection"):
        stack.destroy(color="never")
    assert in_order(engine, "delete") == ["Namespace"]


def test_a_protected_stack_loses_nothing_to_a_destroy(engine: Engine, tmp_path: Path):
    """NodePools, classes and rights stay with the cluster; once an update lifts the protection, everything goes."""
    project = copied(tmp_path)
    file = project / "stacks" / "Pulumi.aks.yaml"
    file.write_text(file.read_text().replace("    settings:\n", "    settings:\n      production: true\n"))
    stack = engine.stack("aks", project, program(project))
    stack.up(color="never")
    made = {urn for _, urn in engine.done()}
    assert {urn.split("::")[2].rpartition(":")[2] for urn in made} >= {"ManagedCluster", "NodePool", "RoleAssignment"}
    with pytest.raises(CommandError, match="::aks-protection"):
        stack.destroy(color="never")
    assert engine.done() == []

    file.write_text(file.read_text().replace("production: true", "production: false"))
    stack.up(color="never")
    assert engine.done() == []
    stack.destroy(color="never")
    assert {urn for _, urn in engine.done()} == made
