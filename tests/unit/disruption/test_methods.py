"""What each method would do, and in which order it goes about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import Budget
from cutlist.core.labels import ON_DEMAND, SPOT, ZONE
from cutlist.core.requirement import Expression
from cutlist.disruption import multinodeconsolidation
from cutlist.disruption.candidates import Candidate, by_savings_ratio, candidates
from cutlist.disruption.command import Command
from cutlist.disruption.consolidation import NoChange
from cutlist.disruption.methods import Method
from cutlist.disruption.multinodeconsolidation import MOST_TOGETHER
from cutlist.disruption.reasons import Reason
from cutlist.disruption.singlenodeconsolidation import interleaved
from cutlist.disruption.validation import ValidatedCommand
from cutlist.state.statenode import CONSOLIDATABLE, DRIFTED, INSTANCE_TYPE, StateNode
from cutlist.workloads.pods import Pod
from tests.examples import examples
from tests.unit.disruption.builders import (
    LARGE,
    MEDIUM,
    SMALL,
    TYPES,
    cluster,
    command,
    drifted,
    ended,
    full,
    launched,
    names,
    node,
    outcome_of,
    pool,
    runs,
    skip_texts,
    sold,
)
from tests.unit.disruption.claims import DAY, HOUR, NOON
from tests.unit.scheduling.builders import pod

PINNED = runs("pinned", of=pod("1", "128Mi", node_selector={ZONE: "zone-z"}))


def listed(*nodes: StateNode, **fields) -> list[str]:
    """Candidates in the order of emptiness and consolidation."""
    return names(by_savings_ratio(list(candidates(cluster(*nodes, **fields)).by_name.values())))


# --- order


@pytest.mark.parametrize("policy", ["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"])
def test_what_saves_most_for_its_disruption_goes_first(policy):
    """Price by cost, whatever the policy: a small node with one pod before a large one with eight."""
    # D-22
    small, large = node("small", runs(), of=SMALL), node("large", *(runs(f"web-{i}") for i in range(8)), of=LARGE)
    precious = node("precious", runs("king", of=Pod(priority=10**9)))
    assert listed(large, precious, small, pools=[pool(policy=policy)]) == ["small", "large", "precious"]


def test_every_graceful_method_goes_by_this_order():
    """With a budget for one, each takes the same node first."""
    # D-22
    one = [pool(budgets=[Budget(nodes="1")])]
    assert ended(Method.EMPTINESS, cluster(node("a", of=SMALL), node("b", of=LARGE), pools=one)) == [["b"]]
    used = node("a", runs("x"), of=SMALL), node("b", runs("y"), of=LARGE), full("c")
    assert ended(Method.SINGLE, cluster(*used))[0] == ["b"]
    assert ended(Method.MULTI, cluster(*used, types=[sold("tiny", 2, 0.1), *TYPES])) == [["b", "a"]]


def test_the_time_that_is_left_changes_no_order():
    """A node that expires in an hour is not taken before another."""
    # D-23
    young = node("a", runs("x"), expire_after="720h", created=NOON - HOUR)
    old = node("b", runs("y"), expire_after="25h", created=NOON - DAY)
    assert listed(old, young) == ["a", "b"]
    assert ended(Method.SINGLE, cluster(old, young)) == [["a"]]


def test_without_a_price_a_node_comes_last():
    """And may still be deleted when it is empty."""
    # D-24
    unknown = node("a", labels={INSTANCE_TYPE: "gone"})
    assert listed(unknown, node("b", of=SMALL)) == ["b", "a"]
    assert ended(Method.EMPTINESS, cluster(unknown, node("b", of=SMALL))) == [["b", "a"]]


def test_a_node_without_a_price_is_never_replaced_alone():
    """No price is negative; when its pods fit elsewhere it may go."""
    # D-24
    unpriced = node("a", runs("x"), zone="zone-x")
    assert skip_texts(Method.SINGLE, cluster(unpriced)) == {"a": "Can't replace with a cheaper node"}
    assert ended(Method.SINGLE, cluster(unpriced, node("b", conditions=()))) == [["a"]]


def test_pools_take_turns():
    """The first of each, then the second of each."""
    nodes = [node("a-1", of=LARGE), node("a-2", of=LARGE), node("b-1", of=SMALL, pool="other")]
    listed = candidates(cluster(*nodes, pools=[pool(), pool("other")])).by_name.values()
    assert names(interleaved(by_savings_ratio(list(listed)))) == ["a-1", "b-1", "a-2"]


# --- emptiness


def test_all_empty_nodes_go_at_once():
    """In one command, without a look at where anything could go."""
    # D-37
    decision = command(Method.EMPTINESS, cluster(node("a"), node("b"), node("c", runs())))
    assert (names(decision.candidates), decision.decision, decision.reason) == (["a", "b"], "delete", Reason.EMPTY)
    assert decision.simulation is None


def test_pods_that_cost_nothing_leave_a_node_empty():
    """They are evicted though they fit nowhere else; nobody asks."""
    # D-20
    worthless = node("a", runs(of=PINNED.pod, deletion_cost="-134217728"))
    assert ended(Method.EMPTINESS, cluster(worthless)) == [["a"]]
    assert not outcome_of(Method.SINGLE, cluster(worthless)).candidates


def test_a_short_budget_takes_the_dearest_of_the_empty_nodes():
    """And the method knows that it could not do all."""
    outcome = outcome_of(Method.EMPTINESS, cluster(node("a", of=SMALL), node("b"), pools=[pool(budgets=[Budget(nodes="1")])]))
    assert [names(c.candidates) for c in outcome.commands] == [["b"]]
    assert outcome.constrained


def test_emptiness_goes_by_the_budget_for_empty_nodes():
    """One for other reasons does not hold it."""
    # D-34
    budgets = [Budget(nodes="0", reasons=("Underutilized", "Drifted"))]
    assert ended(Method.EMPTINESS, cluster(node(), pools=[pool(budgets=budgets)])) == [["a"]]


# --- drift


def test_drift_takes_one_node_at_a_time():
    """However many may go."""
    # D-37
    assert ended(Method.DRIFT, cluster(drifted("a"), drifted("b"))) == [["a"]]


def test_drift_goes_by_age_after_what_has_nothing_to_move():
    """Nodes without pods of their own come first, then those that drifted first; to the second."""
    # D-25
    busy_old = drifted("a", runs("x"), since=NOON - 300)
    busy_new = drifted("b", runs("y"), since=NOON - 30)
    free_new = drifted("c", runs("agent", "1", "DaemonSet"), since=NOON - 10)
    assert ended(Method.DRIFT, cluster(busy_old, busy_new, free_new)) == [["c"]]
    assert ended(Method.DRIFT, cluster(busy_old, busy_new)) == [["a"]]
    assert ended(
        Method.DRIFT, cluster(drifted("a", runs("x"), since=NOON - 30), drifted("b", runs("y"), since=NOON - 300))
    ) == [["b"]]


def test_pods_that_cost_nothing_have_to_move_all_the_same():
    """What drift calls a node with nothing to move is not what is called empty."""
    # D-25
    cheap = drifted("a", runs("x", deletion_cost="-134217728"), since=NOON - 300)
    assert ended(Method.DRIFT, cluster(cheap, drifted("b", since=NOON - 10))) == [["b"]]


def test_drift_may_launch_several_nodes_and_more_expensive_ones():
    """What the pods need, at any price."""
    # D-72
    together = drifted("a", runs("x", "3"), runs("y", "3"), of=sold("huge", 16, 0.1))
    decision = command(Method.DRIFT, cluster(together, types=[sold("medium", 4, 2.0)]))
    assert launched(decision) == [["medium"], ["medium"]]
    assert decision.savings < 0


def test_drift_leaves_a_node_whose_pods_fit_nowhere():
    """It says so and goes to the next."""
    stuck, free = drifted("a", PINNED, since=NOON - 300), drifted("b", runs("y"))
    outcome = outcome_of(Method.DRIFT, cluster(stuck, free))
    assert [names(c.candidates) for c in outcome.commands] == [["b"]]
    (skipped,) = outcome.skipped
    assert (skipped.node, skipped.event) == ("a", "DisruptionBlocked")
    assert skipped.text.startswith("Not all pods would schedule, default/pinned => ")


def test_drift_asks_neither_policy_nor_consolidate_after():
    """A pool that never consolidates still replaces what has drifted."""
    # D-18
    lazy = pool(policy="WhenEmpty", after="Never")
    assert ended(Method.DRIFT, cluster(drifted("a", runs()), pools=[lazy])) == [["a"]]


def test_drift_skips_pools_without_budget():
    """And remembers that it did."""
    budgets = [Budget(nodes="0", reasons=("Drifted",))]
    both = cluster(drifted("a", since=NOON - 300), drifted("b", pool="other"), pools=[pool(budgets=budgets), pool("other")])
    outcome = outcome_of(Method.DRIFT, both)
    assert [names(c.candidates) for c in outcome.commands] == [["b"]]
    assert outcome.constrained


# --- consolidation of several nodes


def group(count: int, **fields) -> list[StateNode]:
    """Nodes with one small pod each, in the order of their names."""
    return [node(f"n-{i:03d}", runs(f"web-{i}", "100m", deletion_cost=str(i * 10**6)), **fields) for i in range(count)]


def sizes_tried(monkeypatch: pytest.MonkeyPatch, count: int, works: Callable[[int], bool]) -> tuple[list[int], list[int]]:
    """Of so many candidates the sizes of prefixes that are tried where just some sizes work, and that of the command."""
    tried: list[int] = []

    def decide(found: Sequence[Candidate], _: object) -> Command | NoChange:
        tried.append(len(found))
        return Command(Reason.UNDERUTILIZED, tuple(found)) if works(len(found)) else NoChange("no")

    monkeypatch.setattr(multinodeconsolidation.consolidation, "decide", decide)
    monkeypatch.setattr(multinodeconsolidation, "still_consolidates", lambda found, *_: ValidatedCommand(found))
    return tried, [len(c.candidates) for c in outcome_of(Method.MULTI, cluster(*group(count))).commands]


def test_several_nodes_become_one():
    """The longest prefix of the order that works."""
    # D-59
    decision = command(Method.MULTI, cluster(*group(4)))
    assert names(decision.candidates) == ["n-000", "n-001", "n-002", "n-003"]
    assert launched(decision) == [["small"]]


@pytest.mark.parametrize(
    ("works", "sizes", "found"),
    [
        (range(11), [6, 8, 9, 10], [10]),
        (range(5), [6, 3, 4, 5], [4]),
        ((4,), [6, 3, 2], []),
        ((2,), [6, 3, 2], [2]),
    ],
    ids=["all", "up to four", "only four", "only two"],
)
def test_of_ten_candidates_six_are_tried_first(monkeypatch, works, sizes, found):
    """Then more of them or fewer, by halves; what works only in between may be missed."""
    # D-59
    assert sizes_tried(monkeypatch, 10, lambda n: n in works) == (sizes, found)


def test_only_prefixes_are_tried():
    """The second and third would go together, but the first fits nowhere: nothing is done."""
    # D-59
    first = node("a", runs("pinned", of=PINNED.pod, deletion_cost="-1000"))
    outcome = outcome_of(Method.MULTI, cluster(first, *group(2)))
    assert names(outcome.candidates) == ["a", "n-000", "n-001"]
    assert outcome.commands == []


def test_one_candidate_is_not_several():
    """Nothing is tried with less than two."""
    # D-59
    outcome = outcome_of(Method.MULTI, cluster(*group(1), full("z")))
    assert outcome.commands == []
    assert outcome.notes == []


def test_a_hundred_and_one_nodes_are_the_most():
    """Of a hundred and fifty that may go."""
    # D-60
    wide = sold("wide", 32, 1.5, capacity={"pods": "400"})
    decision = command(Method.MULTI, cluster(*group(150), types=[wide, MEDIUM]))
    assert len(decision.candidates) == MOST_TOGETHER + 1 == 101


def test_underused_nodes_share_a_budget_whether_replaced_or_deleted():
    """The word is the same for one node and for several."""
    # D-34
    closed = [pool(budgets=[Budget(nodes="0", reasons=("Underutilized",))])]
    deleting, replacing = cluster(*group(2), node("z"), pools=closed), cluster(*group(3), pools=closed)
    for method in (Method.MULTI, Method.SINGLE):
        for state in (deleting, replacing):
            outcome = outcome_of(method, state)
            assert outcome.candidates
            assert outcome.commands == []
            assert outcome.constrained
    assert ended(Method.EMPTINESS, deleting) == [["z"]]


def test_a_budget_is_laid_over_the_list_before_the_search():
    """Of four nodes the first two may go, and only these are tried."""
    outcome = outcome_of(Method.MULTI, cluster(*group(4), pools=[pool(budgets=[Budget(nodes="2")])]))
    assert [names(c.candidates) for c in outcome.commands] == [["n-000", "n-001"]]
    assert outcome.constrained


def test_prefixes_that_were_only_tried_are_reported_as_well():
    """Each candidate of each replacement that was found."""
    outcome = outcome_of(Method.MULTI, cluster(*group(2)))
    text = "Consolidation candidate: replace: [n-000] (part of 2-node consolidation) (savings: $3.00)"
    assert ("Node/n-000", "ConsolidationCandidate", text) in outcome.notes


# --- consolidation of one node


def test_one_node_goes_when_its_pods_fit_elsewhere():
    """The first in turn that works; the others wait for the next loop."""
    decision = command(Method.SINGLE, cluster(node("a", runs("x")), node("b", runs("y"))))
    assert (names(decision.candidates), decision.decision) == (["a"], "delete")


def test_one_node_is_replaced_by_a_cheaper_one():
    """And what that saves is reported."""
    outcome = outcome_of(Method.SINGLE, cluster(node("a", runs("x"), of=LARGE)))
    assert launched(outcome.commands[0]) == [["small", "medium"]]
    text = "Consolidation candidate: replace: [a] -> [1 replacement] (savings: $3.00)"
    assert outcome.notes == [("Node/a", "ConsolidationCandidate", text)]


def test_nodes_that_stay_say_why():
    """Each for itself, until one goes."""
    stuck = node("a", PINNED, of=SMALL)
    outcome = outcome_of(Method.SINGLE, cluster(stuck, node("b", runs("y", "2"), of=SMALL)))
    assert outcome.commands == []
    assert [s.node for s in outcome.skipped] == ["a", "b"]
    assert outcome.skipped[0].text.startswith("Not all pods would schedule, default/pinned => ")
    assert outcome.skipped[1].text == "Can't replace with a cheaper node"


# --- laws

CLUSTERS = st.lists(
    st.tuples(st.sampled_from([SMALL, MEDIUM, LARGE]), st.sampled_from([ON_DEMAND, SPOT]), st.integers(0, 7)), max_size=6
)


@examples(0.4)
@given(CLUSTERS, st.sampled_from(list(Method)), st.integers(0, 3))
def test_methods_end_only_their_candidates_within_the_budget(sizes, method, most):
    """Each node once, no more than allowed, and only those that the method may touch; graceful commands save money."""
    nodes = [
        node(f"n-{i}", *(runs(f"p-{i}-{k}", "250m") for k in range(pods)), of=of, kind=kind)
        for i, (of, kind, pods) in enumerate(sizes)
    ]
    outcome = outcome_of(method, cluster(*nodes, pools=[pool(kinds=(ON_DEMAND, SPOT), budgets=[Budget(nodes=str(most))])]))
    gone = [name for c in outcome.commands for name in names(c.candidates)]
    assert len(gone) == len(set(gone)) <= most
    assert set(gone) <= set(names(outcome.candidates))
    assert all(c.savings > 0 for c in outcome.commands)


# --- pools that may launch nothing


@pytest.mark.parametrize(("method", "conditions"), [(Method.DRIFT, (DRIFTED,)), (Method.SINGLE, (CONSOLIDATABLE,))])
def test_a_pool_that_may_launch_nothing_is_reported_with_every_simulation(method, conditions):
    """Karpenter makes a scheduler for each, which says so of the pool; once is enough here."""
    nothing = pool("nothing", requirements=[Expression(INSTANCE_TYPE, "In", ("none",))])
    many = pool("many", requirements=[Expression(ZONE, "Exists", min_values=50)])
    there = [node(name, runs(f"web-{name}"), conditions=conditions) for name in ("a", "b")]
    notes = outcome_of(method, cluster(*there, pools=[pool(), nothing, many])).notes
    text = "NodePool requirements filtered out all compatible available instance types"
    assert sorted(note for note in notes if note[1] == "NoCompatibleInstanceTypes") == [
        ("NodePool/many", "NoCompatibleInstanceTypes", f"{text} due to minValues incompatibility"),
        ("NodePool/nothing", "NoCompatibleInstanceTypes", text),
    ]


def test_emptiness_makes_no_scheduler():
    """So it says nothing of pools."""
    nothing = pool("nothing", requirements=[Expression(INSTANCE_TYPE, "In", ("none",))])
    assert outcome_of(Method.EMPTINESS, cluster(node(), pools=[pool(), nothing])).notes == []
