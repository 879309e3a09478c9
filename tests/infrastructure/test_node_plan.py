"""What a NodePlan carries: a plan in few words, made for diffs."""

from __future__ import annotations

import dataclasses

from pulumi_cutlist.plan import digest

from cutlist.catalog.prices import Price
from cutlist.core.quantity import NANO
from cutlist.planning.model import DETERMINED, PendingPods, Plan, PlannedNode, PodShare


def node(**changes: object) -> PlannedNode:
    base = PlannedNode(
        node_pool="general",
        count=3,
        instance_type="m7g.large",
        certainty=DETERMINED,
        capacity_type="on-demand",
        capacity_types=("on-demand",),
        zones=("us-west-2a",),
        price=Price(0.08, "AWS price list"),
        requests={"cpu": NANO},
        allocatable={"cpu": 2 * NANO},
        pods=(PodShare("deployment/web", 4),),
        candidates=(),
        requirements=(),
    )
    return dataclasses.replace(base, **changes)


def test_nodes_and_price_by_pool():
    """A pool says how many nodes of which type and capacity type, a line each, and in another line what they cost."""
    carried = digest(Plan("us-west-2", (node(), node(node_pool="zeta", count=1))))
    assert carried["nodePools"] == {
        "general": {"nodes": {"m7g.large on-demand": 3}, "pods": 12, "price": "$0.2400/h, $175.20/month"},
        "zeta": {"nodes": {"m7g.large on-demand": 1}, "pods": 4, "price": "$0.0800/h, $58.40/month"},
    }


def test_nodes_of_one_type_are_counted_together():
    """Nodes that differ in their pods alone are one entry; others have their own, by type."""
    nodes = (node(), node(count=2, pods=()), node(count=1, instance_type="c7g.xlarge", capacity_type="spot"))
    [pool] = digest(Plan("us-west-2", nodes))["nodePools"].values()
    assert list(pool["nodes"].items()) == [("c7g.xlarge spot", 1), ("m7g.large on-demand", 5)]


def test_an_unknown_price_is_never_zero():
    """Without any price the pool says so; with some, how many nodes are left out."""
    unknown = node(price=None, count=2)
    assert digest(Plan("us-west-2", (unknown,)))["nodePools"]["general"]["price"] == "unknown"
    mixed = digest(Plan("us-west-2", (node(), unknown)))["nodePools"]["general"]["price"]
    assert mixed == "$0.2400/h, $175.20/month, without 2 unpriced nodes"


def test_pending_pods_carry_their_reason():
    """A workload without a node is in the diff with its one reason."""
    plan = Plan("us-west-2", (), (PendingPods("deployment/web", 3, "no instance type has 400 cpu"),))
    assert digest(plan)["pending"] == {"deployment/web": "3 pods: no instance type has 400 cpu"}


def test_what_does_not_move_nodes_does_not_show():
    """Other candidates and sources of prices come and go without a diff."""
    one, other = node(price=Price(0.08, "2026-01-01")), node(price=Price(0.08, "2026-02-01"), zones=("us-west-2b",))
    assert digest(Plan("us-west-2", (one,))) == digest(Plan("us-west-2", (other,)))


def test_no_text_is_longer_than_an_engine_shows():
    """An engine cuts a text after 150 characters, so a pool of many kinds of nodes must not be one text."""
    kinds = [node(instance_type=f"m7i-flex.{size}xlarge", count=size) for size in range(1, 40)]
    [pool] = digest(Plan("us-west-2", tuple(kinds)))["nodePools"].values()
    assert len(pool["nodes"]) == 39
    assert max(len(str(text)) for text in (*pool["nodes"], *pool["nodes"].values(), pool["price"])) < 150
