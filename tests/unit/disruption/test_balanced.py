"""The policy Balanced: what is saved against what is disrupted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import NODEPOOL, ZONE
from cutlist.core.requirements import Requirements
from cutlist.disruption.balanced import PoolTotals, Score, scores, totals, worth_trying
from cutlist.disruption.candidates import candidates
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.methods import Method
from cutlist.disruption.reasons import Reason
from cutlist.state.statenode import StateNode
from tests.unit.disruption.builders import (
    MEDIUM,
    SMALL,
    cluster,
    drifted,
    ended,
    full,
    launched,
    node,
    outcome_of,
    pool,
    runs,
    sold,
)

EVEN = pool(policy="Balanced")


def loaded(name: str, pods: int = 4, cpu: str = "1", **fields) -> StateNode:
    return node(name, *(runs(f"{name}-{i}", cpu) for i in range(pods)), **fields)


def uniform(*, price: float) -> ClusterState:
    """Four full nodes for one dollar with four pods each, and a type for this price that would do for one of them."""
    types = [sold("unit", 4, 1.0), sold("cheaper", 4, price)]
    return cluster(*(loaded(f"n-{i}", of=types[0]) for i in range(4)), pools=[EVEN], types=types)


def totals_of(of: ClusterState) -> dict[str, PoolTotals]:
    return totals(of, candidates(of).by_name)


def replacing(of: ClusterState, *names: str, price: float = 0.0) -> Command:
    """A command that ends nodes of a cluster, for something at a price."""
    by_name = candidates(of).by_name
    comes = (Replacement("default", Requirements(), prices=(price,)),) if price else ()
    return Command(Reason.UNDERUTILIZED, tuple(by_name[n] for n in names), comes)


def test_the_totals_of_a_pool():
    """All it costs, and all it would cost to disrupt: one a node and one a pod."""
    assert totals_of(uniform(price=0.4)) == {"default": PoolTotals(4.0, 20.0)}


@pytest.mark.parametrize(("price", "value", "approved"), [(0.4, 0.6, True), (0.6, 0.4, False), (0.5, 0.5, True)])
def test_in_a_uniform_pool_half_the_price_has_to_be_saved(price, value, approved):
    """Sixty percent is worth it, forty is not, and just half is."""
    # D-64
    state = uniform(price=price)
    (score,) = scores(replacing(state, "n-0", price=price), totals_of(state))
    assert score.value == pytest.approx(value)
    assert score.approved is approved
    assert [launched(c) for c in outcome_of(Method.SINGLE, state).commands] == ([[["cheaper"]]] if approved else [])


def test_the_approval_is_reported():
    """Of a node by itself on the node."""
    # D-64
    text = "score 0.60 >= threshold 0.50 (k: 2, savings 15.0%, disruption 25.0%)"
    assert ("Node/n-0", "ConsolidationApproved", text) in outcome_of(Method.SINGLE, uniform(price=0.4)).notes


def test_a_node_with_most_of_the_pods_is_not_even_tried():
    """Nine of twelve pods on a quarter of the price: its end alone would score 0.4."""
    heavy = loaded("a", 9, "200m")
    state = cluster(heavy, *(loaded(f"b-{i}", 1, "200m") for i in range(3)), pools=[EVEN])
    by_name, of = candidates(state).by_name, totals_of(state)
    assert of == {"default": PoolTotals(8.0, 16.0)}
    assert not worth_trying(by_name["a"], of)
    assert worth_trying(by_name["b-0"], of)
    assert not any(s.node == "a" for s in outcome_of(Method.SINGLE, state).skipped)


def test_pools_with_another_policy_do_not_vote():
    """There is nothing to approve."""
    state = cluster(loaded("a"), pools=[pool()])
    assert totals_of(state) == {}
    assert scores(replacing(state, "a", price=1.9), {}) == []
    assert worth_trying(candidates(state).by_name["a"], {})


def two_pools(*, both: bool) -> ClusterState:
    """A node of each of two pools, of which one or both are Balanced; the second is much harder to disrupt."""
    other = pool("other", policy="Balanced" if both else "WhenEmptyOrUnderutilized")
    easy, hard = loaded("a", 1, of=MEDIUM), loaded("b", 1, of=SMALL, pool="other")
    more = [full("c"), full("d", pool="other")]
    return cluster(easy, hard, *more, pools=[EVEN, other])


def test_savings_are_shared_by_the_price_of_what_goes():
    """Of a dollar and a half a dollar is the first pool's: its node costs twice as much."""
    # D-65
    state = two_pools(both=True)
    mine, theirs = scores(replacing(state, "a", "b", price=1.5), totals_of(state))
    of = totals_of(state)
    assert mine.savings == pytest.approx(1.0 / of["default"].price)
    assert theirs.savings == pytest.approx(0.5 / of["other"].price)


def test_every_balanced_pool_has_to_approve():
    """One that does not is enough to keep all; one without the policy has no say."""
    # D-65
    of = {"default": PoolTotals(1.0, 100.0), "other": PoolTotals(1000.0, 2.0)}
    both = scores(replacing(two_pools(both=True), "a", "b", price=1.5), of)
    assert [s.approved for s in both] == [True, False]
    alone = scores(replacing(two_pools(both=False), "a", "b", price=1.5), {"default": of["default"]})
    assert [s.approved for s in alone] == [True]


def test_a_move_across_pools_that_one_does_not_approve_is_not_made():
    """The pool whose node is cheap and hard to disrupt says no; without its vote both go."""

    # D-65
    def merged(policy: str) -> list[list[str]]:
        pools = [EVEN, pool("other", policy=policy)]
        dear = loaded("a", 1, of=sold("dear", 4, 10.0))
        cheap = loaded("b", 3, "500m", of=sold("cheap", 4, 1.0), pool="other")
        rest = node("c", conditions=(), pool="other", of=sold("rich", 4, 50.0), removed=True)
        types = [sold("dear", 4, 10.0), sold("cheap", 4, 1.0), sold("rich", 4, 50.0), sold("tiny", 4, 0.9)]
        return ended(Method.MULTI, cluster(dear, cheap, rest, pools=pools, types=types))

    assert merged("WhenEmptyOrUnderutilized") == [["a", "b"]]
    assert merged("Balanced") == []


def test_emptiness_and_drift_are_not_scored():
    """An empty node goes however little it saves, a drifted one though it costs more afterwards."""
    # D-66
    rich = loaded("z", 0, of=sold("rich", 4, 1000.0), conditions=())
    types = [SMALL, MEDIUM, sold("rich", 4, 1000.0), sold("free", 4, 0.0)]
    assert ended(Method.EMPTINESS, cluster(node("a", of=sold("free", 4, 0.0)), rich, pools=[EVEN], types=types)) == [["a"]]
    moved = cluster(drifted("a", runs(), of=sold("free", 4, 0.0)), full("z"), pools=[EVEN], types=types[1:3])
    (only,) = outcome_of(Method.DRIFT, moved).commands
    assert only.savings <= 0
    assert not any(event == "ConsolidationApproved" for _, event, _ in outcome_of(Method.DRIFT, moved).notes)


def test_claims_without_a_whole_set_of_labels_have_no_price():
    """Then that of the candidates is taken; what the Node has lost its claim still says."""
    short = loaded("a")
    assert short.claim is not None
    labels = {k: v for k, v in short.claim.labels.items() if k != ZONE}
    short = replace(short, claim=replace(short.claim, labels=labels))
    assert totals_of(cluster(short, loaded("b"), pools=[EVEN]))["default"].price == 2.0
    assert totals_of(cluster(short, loaded("b", without=[ZONE]), pools=[EVEN]))["default"].price == 2.0
    assert totals_of(cluster(short, pools=[EVEN]))["default"].price == 2.0  # that of the candidate
    assert totals_of(cluster(loaded("b"), loaded("c", without=[NODEPOOL]), pools=[EVEN]))["default"].price == 4.0


def test_approvals_of_a_move_that_another_pool_forbids_are_reported():
    """The pool that was for it says so, though nothing comes of it."""
    # D-65
    pools = [EVEN, pool("other", policy="Balanced")]
    types = [sold("dear", 4, 10.0), sold("cheap", 4, 1.0), sold("rich", 4, 50.0), sold("tiny", 4, 0.9)]
    dear, cheap = loaded("a", 1, of=types[0]), loaded("b", 3, "500m", of=types[1], pool="other")
    rest = node("c", conditions=(), pool="other", of=types[2], removed=True)
    outcome = outcome_of(Method.MULTI, cluster(dear, cheap, rest, pools=pools, types=types))
    assert outcome.commands == []
    assert [about for about, event, _ in outcome.notes if event == "ConsolidationApproved"] == ["NodePool/default"]


def test_agents_are_no_disruption_and_what_is_over_neither():
    """Of nodes that are not candidates the pods are weighed that would be evicted."""
    staying = node("b", runs("x"), runs("agent", "1", "DaemonSet"), runs("old", phase="Failed"), removed=True)
    assert totals_of(cluster(loaded("a", 0), staying, pools=[EVEN]))["default"].disruption == 1 + 2


@given(st.floats(0.01, 100), st.floats(0, 1), st.floats(0.01, 1))
def test_more_savings_or_less_disruption_never_scores_less(factor, savings, disruption):
    """And nothing saved is never approved."""
    score = Score("p", savings, disruption)
    assert Score("p", savings * max(factor, 1), disruption).value >= score.value
    assert Score("p", savings, disruption / max(factor, 1)).value >= score.value
    assert not Score("p", 0.0, disruption).approved
