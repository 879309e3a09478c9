"""Static NodePools: how many drifted nodes are replaced at a time."""

from __future__ import annotations

import pytest

from cutlist import Budget
from cutlist.core.labels import NODEPOOL
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.methods import Method
from cutlist.state.statenode import StateNode
from tests.unit.disruption.builders import cluster, drifted, names, node, outcome_of, pool, runs


def replaced(*nodes: StateNode, replicas: int = 2, limit: int | None = None, budget: str = "100%") -> list[str]:
    limits = {"limits": {"nodes": str(limit)}} if limit is not None else {}
    fixed = pool(replicas=replicas, budgets=[Budget(nodes=budget)], **limits)
    outcome = outcome_of(Method.STATIC_DRIFT, cluster(*nodes, pools=[fixed], feature_gates=FeatureGates(static_capacity=True)))
    assert all(len(c.candidates) == len(c.replacements) == 1 for c in outcome.commands)
    return [name for c in outcome.commands for name in names(c.candidates)]


PAIR = drifted("a"), drifted("b", runs())


def test_each_drifted_node_is_replaced_by_a_command_of_its_own():
    """All at once where nothing limits them, with pods or without."""
    assert replaced(*PAIR) == ["a", "b"]


def test_the_replacement_is_what_the_pool_has_in_its_template():
    """Nothing is simulated: no types, no pods."""
    fixed = pool(replicas=1)
    (only,) = outcome_of(Method.STATIC_DRIFT, cluster(drifted("a", runs()), pools=[fixed])).commands
    (comes,) = only.replacements
    assert (comes.types, comes.pods, comes.list, comes.price) == ((), None, "", 0)
    assert comes.requirements[NODEPOOL].values == {"default"}
    assert only.simulation is None


@pytest.mark.parametrize(("limit", "found"), [(2, []), (3, ["a"]), (4, ["a", "b"]), (9, ["a", "b"])])
def test_replacements_need_room_below_the_limit(limit, found):
    """Where the limit equals the replicas there is none, and nothing ever happens."""
    # D-73
    assert replaced(*PAIR, limit=limit) == found


def test_the_budget_counts():
    """So many at a time."""
    assert replaced(*PAIR, budget="1") == ["a"]
    assert replaced(*PAIR, budget="0") == []


def test_a_pool_with_too_many_nodes_gives_some_up_first():
    """Until then nothing is replaced; nodes that go already are not too many, but stand in the way of the limit."""
    # D-73
    assert replaced(*PAIR, replicas=1) == []
    assert replaced(drifted("a"), node("b", removed=True), replicas=1, limit=3) == ["a"]
    assert replaced(drifted("a"), node("b", removed=True), replicas=1, limit=2) == []
