"""Drifted nodes one after the other: in which order they go, and how long that takes at least."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cutlist import Budget
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import DRAIN, Rollout, Turn, rollout
from cutlist.state.statenode import CONSOLIDATABLE, Condition
from tests.unit.disruption.builders import cluster, drifted, guard, guarded, node, pool, runs
from tests.unit.disruption.claims import DAY, HOUR, MINUTE, NOON

ONE_BY_ONE = (Budget(nodes="1"),)


def waves(of: ClusterState) -> list[tuple[float, list[str]]]:
    """The nodes that begin together, with the seconds since the start."""
    by_start: dict[float, list[str]] = {}
    for turn in rollout(of).turns:
        if turn.starts is not None:
            by_start.setdefault(turn.starts - of.now, []).append(turn.node)
    return list(by_start.items())


def only(of: ClusterState) -> Turn:
    (turn,) = rollout(of).turns
    return turn


def minutes(made: Rollout) -> float | None:
    return None if made.done is None else (made.done - made.started) / MINUTE


def many(count: int, **fields: Any) -> list[Any]:
    return [drifted(f"n{number:02d}", runs(f"p{number}"), **fields) for number in range(count)]


# D-25
def test_empty_nodes_go_first_then_those_that_drifted_first():
    """One at a time: the node without pods, then the longer drifted, then by name."""
    of = cluster(
        drifted("a", runs("p1")),
        drifted("b", runs("p2")),
        drifted("c", runs("p3"), since=NOON - HOUR),
        drifted("d"),
        pools=[pool(budgets=ONE_BY_ONE)],
    )
    assert [turn.node for turn in rollout(of).turns] == ["d", "c", "a", "b"]


# D-28 D-37
def test_a_budget_of_one_replaces_one_node_after_the_other():
    """A launch takes a minute; while the old node drains its replacement counts, but one is still all that may be away."""
    of = cluster(*many(3), pools=[pool(budgets=ONE_BY_ONE)])
    assert waves(of) == [(0, ["n00"]), (MINUTE + DRAIN, ["n01"]), (2 * (MINUTE + DRAIN), ["n02"])]
    assert minutes(rollout(of)) == pytest.approx(3 * (1 + DRAIN / MINUTE))


# D-27
def test_a_percentage_counts_the_replacement_while_the_old_node_drains():
    """A tenth of ten is one; with the replacement there are eleven, of which two may be away: the next begins meanwhile."""
    of = cluster(*many(10), pools=[pool(budgets=(Budget(nodes="10%"),))])
    assert waves(of)[:3] == [(0, ["n00"]), (MINUTE, ["n01"]), (2 * MINUTE, ["n02"])]


# D-28
def test_a_node_that_is_not_ready_uses_up_the_budget_until_it_is_replaced_itself():
    """Two may be away and one is: of the others one may go, and the sick one takes none of the budget a second time."""
    of = cluster(*many(2), drifted("sick", runs("p9"), ready="False"), pools=[pool(budgets=(Budget(nodes="2"),))])
    assert waves(of)[0] == (0, ["n00"])
    assert {turn.node for turn in rollout(of).turns} == {"n00", "n01", "sick"}
    alone = cluster(
        node("well", runs("p1")), drifted("sick", runs("p9"), ready="False"), pools=[pool(budgets=(Budget(nodes="2"),))]
    )
    assert only(alone).starts == NOON


# D-32
def test_a_window_makes_the_nodes_wait():
    """Nothing may go from nine to five: at noon the first node waits for five hours."""
    closed = Budget(nodes="0", schedule="0 9 * * *", duration="8h")
    of = cluster(*many(2), pools=[pool(budgets=(closed, *ONE_BY_ONE))])
    assert waves(of) == [(5 * HOUR, ["n00"]), (5 * HOUR + MINUTE + DRAIN, ["n01"])]


def test_a_budget_that_never_opens_leaves_the_nodes_to_their_age():
    """Nodes that no budget lets go are replaced when they expire, and never where they do not."""
    shut = [pool(budgets=(Budget(nodes="0"),))]
    turn = only(cluster(*many(1, expire_after="720h"), pools=shut))
    assert (turn.starts, turn.expires) == (NOON - DAY + 720 * HOUR, True)
    turn = only(cluster(*many(1), pools=shut))
    assert (turn.starts, turn.why) == (None, "no budget of NodePool default allows its removal within a year")
    assert rollout(cluster(*many(1), pools=shut)).done is None


# D-12
def test_a_protected_node_has_no_turn_unless_its_claim_has_a_grace_period():
    """A disruption budget of pods blocks drift; with a termination grace period it only makes the end later."""
    blocked = cluster(drifted("a", runs()), evictions=guarded(guard()))
    assert only(blocked).starts is None
    assert only(blocked).why == "Pdb prevents pod evictions (PodDisruptionBudget=[default/guard])"
    ended = only(cluster(drifted("a", runs(), termination_grace_period="1h"), evictions=guarded(guard())))
    assert (ended.starts, ended.latest) == (NOON, NOON + MINUTE + HOUR)


# D-7
def test_an_annotation_that_holds_a_pod_for_a_while_makes_its_node_wait_for_so_long():
    """Two hours from the pod's start, of which one is over."""
    turn = only(cluster(drifted("a", runs(do_not_disrupt="2h"))))
    assert (turn.starts, turn.why) == (NOON + HOUR, f'Pod has "{DO_NOT_DISRUPT}" annotation (Pod=default/web)')


def test_a_node_whose_pods_fit_nowhere_has_no_turn():
    """Karpenter does not begin with a node as long as its pods would have no place."""
    turn = only(cluster(drifted("a", runs(cpu="64"))))
    assert turn.starts is None
    assert turn.why.startswith("Not all pods would schedule, default/web => ")


def test_an_empty_node_that_may_be_consolidated_goes_as_empty():
    """Emptiness comes before drift and has a budget of its own."""
    old = drifted("a")
    assert old.claim is not None
    ripe = replace(old.claim, conditions={**old.claim.conditions, CONSOLIDATABLE: Condition("True")})
    shut = pool(budgets=(Budget(nodes="0", reasons=("Drifted",)),))
    turn = only(cluster(replace(old, claim=ripe), pools=[shut]))
    assert (turn.reason, turn.starts) == (Reason.EMPTY, NOON)


# D-73
def test_a_static_pool_without_room_never_replaces_its_nodes():
    """A limit on nodes that equals the replicas leaves no headroom; one node more lets them go one by one."""
    nodes = many(2)
    full = cluster(*nodes, pools=[pool(replicas=2, limits={"nodes": 2})])
    assert {turn.why for turn in rollout(full).turns} == {"limits.nodes of NodePool default leaves no room for a replacement"}
    roomy = cluster(*nodes, pools=[pool(replicas=2, limits={"nodes": 3})])
    assert waves(roomy) == [(0, ["n00"]), (MINUTE + DRAIN, ["n01"])]


# D-35
def test_a_node_that_is_past_its_expiry_goes_at_once():
    """No budget is asked."""
    turn = only(cluster(*many(1, expire_after="1h"), pools=[pool(budgets=(Budget(nodes="0"),))]))
    assert (turn.starts, turn.expires) == (NOON, True)


def test_pools_do_not_wait_for_each_other():
    """Each pool has its own budget."""
    of = cluster(
        drifted("a", runs("p1")),
        drifted("b", runs("p2"), pool="other"),
        pools=[pool(budgets=ONE_BY_ONE), pool("other", budgets=ONE_BY_ONE)],
    )
    assert waves(of) == [(0, ["a", "b"])]


def test_without_drift_there_is_nothing_to_do():
    """The end is the beginning."""
    result = rollout(cluster(node("a", runs())))
    assert (result.turns, result.done) == ((), NOON)
