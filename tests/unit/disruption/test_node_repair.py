"""Nodes that are sick for too long."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.labels import NODEPOOL
from cutlist.disruption.node_repair import RETRY_AFTER, allowed_sick, gives_up_at, repair
from cutlist.providers.node_repair import AWS_REPAIR_POLICIES, RepairAction, RepairPolicy
from cutlist.providers.node_repair import AZURE_REPAIR_POLICIES as ON_AZURE
from cutlist.state.statenode import Condition, StateNode
from tests.unit.disruption.claims import MINUTE, NOON, claim, state_node

POLICIES = (RepairPolicy("Disk", "False", 10 * MINUTE), RepairPolicy("Net", "Unknown", 30 * MINUTE))
LONG_AGO = NOON - 60 * MINUTE


def node(name: str, since: float | None = None, pool: str = "default", **fields: Any) -> StateNode:
    """A node whose disk is broken since an instant, or healthy."""
    conditions = {"Disk": Condition("True", 0) if since is None else Condition("False", since)}
    labels = {NODEPOOL: pool} if pool else {NODEPOOL: ""}
    return state_node(name, of=claim(name, labels=labels, **fields), conditions=conditions)


def test_a_node_is_given_up_when_its_time_is_over():
    """At the instant itself, not before."""
    # D-77
    nodes = [node("sick", NOON - 10 * MINUTE), node("well")]
    assert repair(nodes, POLICIES, NOON).now == ("sick",)
    assert repair(nodes, POLICIES, NOON - 1).later == {"sick": NOON}


def test_the_condition_that_runs_out_first_counts():
    """A node with two faults is given up for the more pressing one."""
    faults = {"Disk": Condition("False", NOON), "Net": Condition("Unknown", NOON - 25 * MINUTE), "Gpu": Condition("False", 0)}
    assert gives_up_at(faults, POLICIES) == NOON + 5 * MINUTE
    assert gives_up_at({"Disk": Condition("Unknown", 0)}, POLICIES) is None


@pytest.mark.parametrize(("nodes", "allowed"), [(1, 1), (3, 1), (5, 1), (6, 2), (10, 2), (11, 3)])
def test_a_fifth_may_be_sick(nodes: int, allowed: int):
    """Rounded up."""
    # D-77
    assert allowed_sick(nodes) == allowed


def test_too_many_sick_nodes_stop_repair():
    """One of three is repaired, of two none; the second counts however short it is sick."""
    # D-77
    one = [node("a", LONG_AGO), node("b"), node("c")]
    assert repair(one, POLICIES, NOON).now == ("a",)
    two = [node("a", LONG_AGO), node("b", NOON - 1), node("c")]
    outcome = repair(two, POLICIES, NOON)
    assert outcome.now == ()
    assert outcome.blocked == {"a": "more than 20% nodes are unhealthy in the nodepool"}
    assert outcome.later == {"a": NOON + RETRY_AFTER, "b": NOON - 1 + 10 * MINUTE}


def test_the_nodes_of_other_pools_do_not_count():
    """A pool full of sick nodes does not keep another from being repaired."""
    # D-77
    nodes = [node("a", LONG_AGO), *(node(f"other-{i}", LONG_AGO, "other") for i in range(5))]
    assert repair(nodes, POLICIES, NOON).now == ("a",)


def test_without_a_pool_the_whole_cluster_counts():
    """Karpenter says so in its own spelling."""
    # D-77
    nodes = [node("a", LONG_AGO, ""), node("b", LONG_AGO), node("c")]
    assert repair(nodes, POLICIES, NOON).blocked["a"] == "more then 20% nodes are unhealthy in the cluster"


def test_budgets_do_not_hold_repair_back():
    """Two sick nodes of ten go together."""
    # D-35
    nodes = [node(f"n{i}", LONG_AGO if i < 2 else None) for i in range(10)]
    assert repair(nodes, POLICIES, NOON).now == ("n0", "n1")


def test_what_aws_takes_for_sick():
    """A node that is not ready has half an hour, one with broken accelerators ten minutes."""
    # D-77
    assert gives_up_at({"Ready": Condition("Unknown", NOON)}, AWS_REPAIR_POLICIES) == NOON + 30 * MINUTE
    assert gives_up_at({"AcceleratedHardwareReady": Condition("False", NOON)}, AWS_REPAIR_POLICIES) == NOON + 10 * MINUTE
    assert gives_up_at({"StorageReady": Condition("Unknown", NOON)}, AWS_REPAIR_POLICIES) is None


def test_the_flag_for_the_legacy_controller_keeps_the_policies_of_1_14():
    """Seven, without a bound of the drain; each replaces the node whatever the condition's reason is."""
    # VA15-101
    assert len(AWS_REPAIR_POLICIES) == 7
    of_aws = {(p.termination_grace_period, p.reason_regex, p.action) for p in AWS_REPAIR_POLICIES}
    assert of_aws == {(None, "", RepairAction.REPLACE)}


def test_what_azure_takes_for_sick():
    """Ten minutes for a node that is not ready; at once where AKS says so, or takes a spot machine back."""
    assert gives_up_at({"Ready": Condition("False", NOON)}, ON_AZURE) == NOON + 10 * MINUTE
    assert gives_up_at({"kubernetes.azure.com/NodeHealthy": Condition("False", NOON)}, ON_AZURE) == NOON
    assert gives_up_at({"PreemptionScheduled": Condition("True", NOON)}, ON_AZURE) == NOON
    assert gives_up_at({"StorageReady": Condition("False", NOON)}, ON_AZURE) is None
