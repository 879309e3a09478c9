"""Tests of why drifted and unhealthy nodes, and those that expire, are as they are in the forecast."""

from __future__ import annotations

from cutlist import Budget
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.forecast import DisruptionVerdict, NodeForecast, forecast
from cutlist.scheduling.inputs import SchedulerOptions
from tests.unit.disruption.builders import cluster, drifted, node, pool, runs
from tests.unit.disruption.claims import HOUR, NOON
from tests.unit.disruption.test_repair import OLD, sick, state

WHEN_EMPTY = pool(policy="WhenEmpty", budgets=(Budget(nodes="1"),))
BREAKER = 'more than 20% of nodes in nodepool "default" are unhealthy'


def of(cluster_now: ClusterState) -> dict[str, NodeForecast]:
    return {each.name: each for each in forecast(cluster_now).nodes}


def verdict(cluster_now: ClusterState, name: str) -> tuple[DisruptionVerdict, str]:
    each = of(cluster_now)[name]
    return each.verdict, each.why


def test_the_breaker_of_repair_is_the_reason_of_each_node_that_it_spares() -> None:
    """It also says when repair goes on."""
    # V15-50
    of_sick = state(*(sick(name, conditions=()) for name in "abc"))
    expected = f"unhealthy, and not repaired: {BREAKER}; repair resumes once at most 2 of 8 nodes are unhealthy"
    assert verdict(of_sick, "a") == (DisruptionVerdict.BLOCKED, expected)


def test_the_breaker_of_the_old_controller_is_named_too() -> None:
    of_sick = state(*(sick(name, conditions=()) for name in "abc"), options=SchedulerOptions(karpenter=OLD))
    said = verdict(of_sick, "a")
    assert said[0] is DisruptionVerdict.BLOCKED
    assert said[1].startswith("unhealthy, and not repaired: more than 20% nodes are unhealthy in the nodepool; repair resumes")


def test_an_unhealthy_node_whose_time_is_not_up_says_when_it_is() -> None:
    of_sick = state(sick("a", since=NOON - 60, conditions=()))  # V15-45: ten minutes
    assert verdict(of_sick, "a") == (
        DisruptionVerdict.LATER,
        "unhealthy; repair is due 2026-01-05T12:09:00Z unless it recovers",
    )


def test_the_second_of_two_nodes_is_repaired_after_the_first() -> None:
    of_sick = state(sick("a", since=NOON - 2 * HOUR), sick("b"))
    assert verdict(of_sick, "b") == (DisruptionVerdict.LATER, "is repaired later, because Karpenter runs one command at a time")


def test_a_drifted_node_waits_for_the_budget_and_not_for_its_consolidation_policy() -> None:
    of_drifted = cluster(drifted("a", runs("x")), drifted("b", runs("y")), pools=[WHEN_EMPTY])
    said = verdict(of_drifted, "b")
    budget = "is replaced once the budgets of NodePool default allow another node for the reason Drifted"
    assert said == (DisruptionVerdict.LATER, budget)


def test_a_drifted_node_whose_budget_has_room_waits_for_its_turn() -> None:
    of_drifted = cluster(drifted("a", runs("x")), drifted("b", runs("y")))
    said = "is replaced later, because Karpenter runs one command at a time"
    assert verdict(of_drifted, "b") == (DisruptionVerdict.LATER, said)


def test_a_drifted_node_under_a_closed_budget_is_blocked_by_it() -> None:
    closed = pool(policy="WhenEmpty", budgets=(Budget(nodes="0"),))
    said = verdict(cluster(drifted("a", runs("x")), pools=[closed]), "a")
    assert said[0] is DisruptionVerdict.BLOCKED
    assert said[1].startswith("is replaced once the budgets of NodePool default allow another node")


def test_a_static_pool_at_its_limit_says_that_the_limit_blocks_its_drift() -> None:
    """The limit equals the replicas."""
    # D-73
    static = pool(replicas=1, limits={"nodes": 1})
    said = verdict(cluster(drifted("a", runs("x")), pools=[static]), "a")
    assert said[0] is DisruptionVerdict.BLOCKED
    assert said[1].endswith("limits.nodes is 1 with 1 replicas, so raise it above these")


def test_a_node_whose_time_is_up_is_going_although_it_could_not_be_consolidated() -> None:
    # D-74
    old = node("a", runs("x", "4"), created=NOON - 2 * HOUR, expire_after="1h", termination_grace_period="10m")
    assert verdict(cluster(old, pools=[WHEN_EMPTY]), "a") == (
        DisruptionVerdict.GOING,
        "expired: its removal begins now, regardless of budgets",
    )


def test_what_the_drain_of_an_expired_node_waits_for_without_a_limit_is_named() -> None:
    kept = runs("x", do_not_disrupt="true")
    said = verdict(cluster(node("a", kept, created=NOON - 2 * HOUR, expire_after="1h")), "a")
    assert said[0] is DisruptionVerdict.GOING
    assert "waits without a time limit: Pod has" in said[1]
    assert said[1].endswith("terminationGracePeriod would be one")


def test_the_forecast_counts_the_nodes_that_repair_spares() -> None:
    assert forecast(state(*(sick(name, conditions=()) for name in "abc"))).not_repaired == 3
    assert forecast(state(sick("a", conditions=()))).not_repaired == 0
