"""Whether a command still holds when Karpenter has waited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import Budget
from cutlist.disruption.candidates import Skipped, candidates
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory
from cutlist.disruption.methods import Method
from cutlist.state.statenode import StateNode
from tests.unit.disruption.builders import (
    LARGE,
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
from tests.unit.disruption.claims import NOON
from tests.unit.scheduling.builders import pod

LATER = NOON + 15
HELD = runs("held", "100m", do_not_disrupt="true")


def then(*nodes: StateNode, **fields) -> ClusterState:
    """The cluster after the delay."""
    return cluster(*nodes, **{"now": LATER, **fields})


def nominated(*names: str) -> ControllerMemory:
    return ControllerMemory(nominated=dict.fromkeys(names, LATER))


# --- emptiness


def test_what_is_still_empty_goes():
    """The command shrinks to the nodes that nothing has come to."""
    # D-38
    before = cluster(node("a"), node("b"), node("c"))
    assert ended(Method.EMPTINESS, before, then(node("a"), node("b", runs()), node("c"))) == [["a", "c"]]
    assert ended(Method.EMPTINESS, before, then(node("a"), node("b"), node("c"), controller_memory=nominated("c"))) == [
        ["a", "b"]
    ]


def test_emptiness_keeps_to_the_budget_of_the_moment():
    """A node that has become unready meanwhile uses it up."""
    # D-38
    two = [pool(budgets=[Budget(nodes="2")])]
    before = cluster(node("a"), node("b"), full("z"), pools=two)
    assert ended(Method.EMPTINESS, before, then(node("a"), node("b"), full("z", ready="False"), pools=two)) == [["a"]]


def test_when_nothing_is_empty_any_more_nothing_goes():
    """And emptiness is done for this loop."""
    # D-38
    assert ended(Method.EMPTINESS, cluster(node("a")), then(node("a", runs()))) == []
    assert ended(Method.EMPTINESS, cluster(node("a")), then(node("a"), controller_memory=nominated("a"))) == []
    assert ended(Method.EMPTINESS, cluster(node("a")), then(node("a"), pools=[pool(budgets=[Budget(nodes="0")])])) == []


# --- consolidation

PAIR = node("a", runs("x")), node("b", runs("y", "500m"))


def test_several_nodes_go_together_or_not_at_all():
    """One that is held keeps the other."""
    # D-38
    assert ended(Method.MULTI, cluster(*PAIR), then(*PAIR)) == [["a", "b"]]
    assert ended(Method.MULTI, cluster(*PAIR), then(PAIR[0], node("b", runs("y", "500m"), HELD))) == []
    assert outcome_of(Method.MULTI, cluster(*PAIR), then(PAIR[0], full("b"))).unfinished


@pytest.mark.parametrize(
    ("later", "why"),
    [
        (then(node("a", runs("x"), HELD, of=LARGE)), "churn"),
        (then(node("a", runs("x"), of=LARGE), controller_memory=nominated("a")), "churn"),
        (then(node("a", runs("x"), of=LARGE), pools=[pool(budgets=[Budget(nodes="0")])]), "budget"),
        (then(node("a", runs("x", of=pod("1", node_selector={"disk": "none"})), of=LARGE)), "scheduling"),
        (then(node("a", runs("x"), of=LARGE), node("z")), "scheduling"),
        (then(node("a", runs("x", "3"), of=LARGE)), "scheduling"),
    ],
    ids=["held", "nominated", "budget", "fits nowhere", "fits elsewhere", "needs more"],
)
def test_a_replacement_that_does_not_hold_is_reported(later, why):
    """By what has come between: another node, another budget, another outcome of the simulation."""
    # D-39
    outcome = outcome_of(Method.SINGLE, cluster(node("a", runs("x"), of=LARGE)), later)
    assert outcome.commands == []
    text = f"Consolidation rejected: replace: [a] -> [1 replacement], reason: {why} (savings: $3.00)"
    assert ("Node/a", "ConsolidationRejected", text) in outcome.notes


def test_the_types_have_to_be_among_those_of_the_second_look():
    """By name: that more would do now is no matter, one less is."""
    # D-39
    before, after = cluster(node("a", runs("x"), of=LARGE)), node("a", runs("x"), of=LARGE)
    more = then(after, types=[SMALL, MEDIUM, LARGE, sold("new", 4, 0.1)])
    assert [launched(c) for c in outcome_of(Method.SINGLE, before, more).commands] == [[["small", "medium"]]]
    assert outcome_of(Method.SINGLE, before, then(after, types=[MEDIUM, LARGE])).commands == []


def test_prices_are_not_looked_at_again():
    """The command stays as it was worked out."""
    # D-39
    costly = [replace(t, offerings=tuple(o._replace(price=99.0) for o in t.offerings)) for t in (SMALL, MEDIUM, LARGE)]
    before = cluster(node("a", runs("x"), of=LARGE))
    (outcome,) = outcome_of(Method.SINGLE, before, then(node("a", runs("x"), of=LARGE), types=costly)).commands
    assert outcome.savings == 3.0


def test_drift_does_not_wait():
    """What happens afterwards is no matter."""
    # D-39
    assert ended(Method.DRIFT, cluster(drifted("a", runs())), then(drifted("a", runs(), HELD))) == [["a"]]


def test_after_a_failure_no_other_node_is_tried():
    """Though the next one would do."""
    # D-40
    before = cluster(node("a", runs("x"), of=LARGE), node("b", runs("y", "6"), of=LARGE))
    later = then(node("a", runs("x"), HELD, of=LARGE), node("b", runs("y", "6"), of=LARGE))
    assert "b" in candidates(later).by_name
    outcome = outcome_of(Method.SINGLE, before, later)
    assert outcome.commands == []
    assert outcome.unfinished
    assert ended(Method.SINGLE, later) != []


def test_what_has_come_to_block_a_node_is_reported():
    """With the words of the check that it fails now."""
    # D-82
    outcome = outcome_of(Method.EMPTINESS, cluster(node("a")), then(node("a", HELD)))
    text = 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/held)'
    assert ("Node/a", "DisruptionBlocked", text) in outcome.notes


def test_a_nomination_that_ends_during_the_delay_is_enough():
    """Nothing but time has passed: the node is no longer nominated, so what its pods forbid is reported."""
    # D-83
    removed, blocked = node("a", runs("x"), of=LARGE), node("b", HELD, of=LARGE)
    memory = ControllerMemory(nominated={"b": NOON - 11})
    before, later = (of(removed, blocked, controller_memory=memory) for of in (cluster, then))
    text = 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/held)'
    outcome = outcome_of(Method.SINGLE, before, later)
    assert [c.candidates[0].name for c in outcome.commands] == ["a"]
    assert [note for note in outcome.notes if note[1] == "DisruptionBlocked"] == [("Node/b", "DisruptionBlocked", text)]


def test_a_nomination_that_outlasts_the_delay_is_reported_once():
    """At the instant of the command and 15 s later the node is nominated, so there is nothing new to say."""
    # D-83
    removed, blocked = node("a", runs("x"), of=LARGE), node("b", HELD, of=LARGE)
    memory = ControllerMemory(nominated={"b": NOON - 4})
    before, later = (of(removed, blocked, controller_memory=memory) for of in (cluster, then))
    assert [note for note in outcome_of(Method.SINGLE, before, later).notes if note[1] == "DisruptionBlocked"] == []


def test_a_node_that_the_method_no_longer_accepts_is_reported():
    """Although the command does not concern it: it was empty, and a pod came."""
    # D-82
    waits = pool("waits", policy="WhenEmpty")
    removed = node("a", runs("x"), of=LARGE)
    before = cluster(removed, node("b", of=LARGE), node("c", pool="waits"), pools=[pool(), waits])
    later = then(removed, node("b", of=LARGE), node("c", runs("y"), pool="waits"), pools=[pool(), waits])
    text = 'NodePool "waits" has consolidation policy WhenEmpty, but node is not empty'
    skipped = outcome_of(Method.SINGLE, before, later).skipped
    assert [s for s in skipped if s.node == "c"] == [Skipped("c", "Unconsolidatable", text)]
    assert [s for s in outcome_of(Method.SINGLE, before).skipped if s.node == "c"] == []
