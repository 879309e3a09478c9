"""Every number in the rules of disruption, at the limit and one step beyond."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cutlist import Budget
from cutlist.core.labels import CAPACITY_TYPE, SPOT
from cutlist.disruption.budget_calendar import HOURS, budget_calendar
from cutlist.disruption.candidates import candidates
from cutlist.disruption.cluster_state import MOST_AHEAD, ClusterState, ControllerMemory, odd_times
from cutlist.disruption.conditions import is_settling, with_pod_event
from cutlist.disruption.evaluation import MethodOutcome
from cutlist.disruption.interruption import SOLD_OUT_FOR, SoldOut, while_sold_out
from cutlist.disruption.methods import Method
from cutlist.disruption.multinodeconsolidation import MOST_TOGETHER
from cutlist.disruption.node_repair import repair
from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import rollout
from cutlist.disruption.simulation import Simulator
from cutlist.disruption.termination import deadline, deleted, longest_life
from cutlist.disruption.timeline import timeline
from cutlist.providers.node_repair import RepairPolicy
from cutlist.state.statenode import CLAIM_INITIALIZED, Condition, StateNode
from tests.unit.disruption.builders import LARGE, MEDIUM, cluster, command, drifted, node, outcome_of, pool, runs, sold
from tests.unit.disruption.claims import DAY, HOUR, MINUTE, NOON, UP, claim, state_node

MILLISECOND = 0.001


def ended(outcome: MethodOutcome) -> list[str]:
    """Return the nodes that the commands of a method end."""
    return [c.name for x in outcome.commands for c in x.candidates]


# --- waiting


@pytest.mark.parametrize(("after", "length"), [("1s", 1), ("5m", 300), ("1h30m", 5400)])
@pytest.mark.parametrize("event", [NOON, None], ids=["pod event", "initialization"])
def test_consolidate_after_ends_in_its_last_second(after: str, length: int, event: float | None):
    """A node settles until just before the end, and no more at the end itself."""
    # D-16
    conditions = {**UP, CLAIM_INITIALIZED: Condition("True", NOON)}
    subject, of = claim(last_pod_event=event, conditions=conditions), pool(after=after)
    assert is_settling(subject, of, NOON + length - MILLISECOND)
    assert not is_settling(subject, of, NOON + length)


@pytest.mark.parametrize(("passed", "moved"), [(9, False), (10 - MILLISECOND, False), (10, True), (11, True)])
def test_pod_events_within_ten_seconds_are_one(passed: float, moved: bool):
    """The clock of consolidateAfter moves again from the tenth second on."""
    # D-17
    before = claim(last_pod_event=NOON)
    assert (with_pod_event(before, NOON + passed) is not before) is moved


@pytest.mark.parametrize(("ago", "nominated"), [(20 - MILLISECOND, True), (20, False), (20 + MILLISECOND, False)])
def test_a_nomination_lasts_twenty_seconds(ago: float, nominated: bool):
    """At the twentieth second the node is a candidate again."""
    # D-13
    of = cluster(node("a"), controller_memory=ControllerMemory(nominated={"a": NOON - ago}))
    assert ("a" not in candidates(of).by_name) is nominated


@pytest.mark.parametrize(("ago", "held"), [(30 * MINUTE - MILLISECOND, True), (30 * MINUTE, False)])
def test_an_annotation_holds_for_its_duration(ago: float, held: bool):
    """At exactly thirty minutes after its start a pod protects its node no more."""
    # D-7
    of = cluster(node("a", runs("web", do_not_disrupt="30m", started=NOON - ago)))
    assert ("a" not in candidates(of).by_name) is held


# --- budgets


@pytest.mark.parametrize(
    ("share", "count", "most"),
    [
        ("10%", 1, 1),
        ("10%", 10, 1),
        ("10%", 11, 2),
        ("10%", 20, 2),
        ("10%", 21, 3),
        ("1%", 100, 1),
        ("1%", 101, 2),
        ("100%", 3, 3),
        ("0%", 9, 0),
        ("2", 1, 1),
        ("2", 2, 2),
        ("2", 3, 2),
    ],
)
def test_shares_of_nodes_round_up(share: str, count: int, most: int):
    """One node more than a whole share allows one more; a plain number allows just as many."""
    # D-27
    empties = [node(f"n-{i:03d}") for i in range(count)]
    assert len(ended(outcome_of(Method.EMPTINESS, cluster(*empties, pools=[pool(budgets=[Budget(nodes=share)])])))) == most


def at(instant: float) -> ClusterState:
    """Return a cluster at an instant with an empty node, whose budget is closed from nine to five."""
    closed = Budget(nodes="0", schedule="0 9 * * *", duration="8h")
    return cluster(node("a"), pools=[pool(budgets=[closed])], now=instant)


@pytest.mark.parametrize(
    ("instant", "gone"),
    [(-3 * HOUR - 1, ["a"]), (-3 * HOUR, []), (5 * HOUR - 1, []), (5 * HOUR, ["a"])],
    ids=["08:59:59", "09:00:00", "16:59:59", "17:00:00"],
)
def test_a_window_has_its_first_second_and_not_its_last(instant: float, gone: list[str]):
    """It is active at nine to the second, and no more at five."""
    # D-32
    assert ended(outcome_of(Method.EMPTINESS, at(NOON + instant))) == gone


def test_a_week_has_one_hundred_and_sixty_eight_hours():
    """The hour in which a window opens is closed, the one at whose start it ends is open."""
    # D-32
    own = at(NOON).pools["default"]
    week = budget_calendar(own, 10, NOON - 12 * HOUR)
    hours = [not limit.is_closed for limit in week.by_hour(Reason.EMPTY)]
    assert len(hours) == HOURS == 168
    assert hours[:24] == [True] * 9 + [False] * 8 + [True] * 7
    assert week.spans[-1].end == week.start + 7 * DAY


# --- consolidation


@pytest.mark.parametrize(("price", "approved"), [(0.5, True), (0.501, False), (0.499, True)])
def test_balanced_wants_half_the_price_of_a_uniform_pool(price: float, approved: bool):
    """A score of just 0.5 is approved."""
    # D-64
    big, cheaper = sold("big", 4, 1.0), sold("cheaper", 4, price)
    nodes = [node(f"n-{i}", *(runs(f"p-{i}-{k}") for k in range(4)), of=big) for i in range(4)]
    of = cluster(*nodes, pools=[pool(policy="Balanced")], types=[big, cheaper])
    assert bool(outcome_of(Method.SINGLE, of).commands) is approved


@pytest.mark.parametrize(("count", "together"), [(2, 2), (100, 100), (101, 101), (102, 101)])
def test_at_most_a_hundred_and_one_nodes_go_together(count: int, together: int):
    """Of a hundred and two candidates the last one stays."""
    # D-59, D-60
    wide = sold("wide", 32, 1.5, capacity={"pods": "400"})
    group = [node(f"n-{i:03d}", runs(f"web-{i}", "100m", deletion_cost=str(i * 10**6))) for i in range(count)]
    assert len(command(Method.MULTI, cluster(*group, types=[wide, MEDIUM])).candidates) == together
    assert MOST_TOGETHER == 100


@pytest.mark.slow
@pytest.mark.parametrize(("count", "listed"), [(599, 599), (600, 600), (601, 600)])
def test_a_replacement_lists_the_six_hundred_cheapest_types(count: int, listed: int):
    """The most expensive of six hundred and one is left out."""
    types = [LARGE, *(sold(f"t-{i:03d}", 4, 1.0 + i / 1000) for i in range(count))]
    (replacement,) = command(Method.SINGLE, cluster(node("a", runs("web"), of=LARGE), types=types)).replacements
    assert [t.name for t in replacement.types] == [f"t-{i:03d}" for i in range(listed)]


@pytest.mark.parametrize(("price", "gone"), [(2.0 - MILLISECOND, ["a"]), (2.0, [])])
def test_a_replacement_costs_less(price: float, gone: list[str]):
    """The same price is no reason to move."""
    # D-46
    of = cluster(node("a", runs("web", "3"), of=MEDIUM), types=[MEDIUM, sold("other", 4, price)])
    assert ended(outcome_of(Method.SINGLE, of)) == gone


@pytest.mark.parametrize(("deletion_cost", "gone"), [("-134217728", ["a"]), ("-134217727", []), ("-134217729", ["a"])])
def test_a_pod_that_costs_nothing_leaves_its_node_empty(deletion_cost: str, gone: list[str]):
    """A deletion cost of just minus 2^27 makes up for the cost of any pod."""
    # D-19, D-20
    assert ended(outcome_of(Method.EMPTINESS, cluster(node("a", runs("web", deletion_cost=deletion_cost))))) == gone


@pytest.mark.parametrize(("passed", "taken"), [(5 * MINUTE - 1, False), (5 * MINUTE, True)])
def test_a_settling_node_takes_no_pods(passed: float, taken: bool):
    """From the end of its consolidateAfter on it does; a pod moves there instead of to a new node."""
    # D-56
    nodes = node("a", runs("web")), node("b", of=MEDIUM, last_pod_event=NOON)
    of = cluster(*nodes, pools=[pool(after="5m")], now=NOON + passed)
    assert bool(Simulator(of).without([of.nodes[0]], resting=True).moves) is taken


# --- expiry, grace and repair


@pytest.mark.parametrize(("now", "overdue"), [(NOON + HOUR - 1, False), (NOON + HOUR, True)])
def test_a_claim_expires_at_its_age(now: float, overdue: bool):
    """At creation plus expireAfter, to the second; a drifted node without budget is replaced then."""
    # D-74
    old = node("a", created=NOON, expire_after="1h")
    (removal,) = timeline([old], now)
    assert (removal.at <= now) is overdue
    shut = pool(budgets=[Budget(nodes="0")])
    (turn,) = rollout(cluster(drifted("a", created=NOON, expire_after="1h"), pools=[shut], now=now)).turns
    assert (turn.starts, turn.expires) == (NOON + HOUR, True)


def test_the_grace_period_is_added_to_the_instant_of_deletion():
    """A grace of zero ends at once; the longest life is age and grace together, to the second."""
    # D-76
    assert deadline(deleted(claim(termination_grace_period="0s"), NOON)) == NOON
    assert deadline(deleted(claim(termination_grace_period="1s"), NOON)) == NOON + 1
    assert longest_life(claim(expire_after="24h", termination_grace_period="1s")) == DAY + 1


def sick_pool(sick: int, count: int) -> Sequence[StateNode]:
    """Return the nodes of a pool of which so many are sick for ten minutes."""
    return [
        state_node(f"n-{i:02d}", conditions={"Ready": Condition("False", NOON - 10 * MINUTE)} if i < sick else {})
        for i in range(count)
    ]


@pytest.mark.parametrize(
    ("sick", "count", "repairs"), [(1, 1, 1), (1, 5, 1), (2, 5, 0), (2, 6, 2), (2, 10, 2), (3, 10, 0), (3, 11, 3)]
)
def test_repair_goes_on_while_a_fifth_is_sick(sick: int, count: int, repairs: int):
    """A fifth is rounded up; one node more and none is repaired."""
    # D-77
    assert len(repair(sick_pool(sick, count), [RepairPolicy("Ready", "False", 10 * MINUTE)], NOON).now) == repairs


@pytest.mark.parametrize(("toleration", "repairs"), [(10 * MINUTE, 1), (10 * MINUTE + 1, 0)])
def test_a_node_is_repaired_when_its_toleration_is_over(toleration: int, repairs: int):
    """At the end to the second; before it, it is known when."""
    # D-77
    outcome = repair(sick_pool(1, 5), [RepairPolicy("Ready", "False", toleration)], NOON)
    assert (len(outcome.now), len(outcome.later)) == (repairs, 1 - repairs)


# --- others


@pytest.mark.parametrize(("passed", "available"), [(SOLD_OUT_FOR - 1, False), (SOLD_OUT_FOR, True)])
def test_an_offering_is_sold_out_for_three_minutes(passed: float, available: bool):
    """At the end of the third minute it is bought again."""
    # D-78
    gone = SoldOut(zone="zone-a", capacity_type=SPOT, until=NOON + SOLD_OUT_FOR)
    (left,) = while_sold_out([sold("t", 4, 1.0, 0.4)], [gone], NOON + passed)
    (offering,) = [o for o in left.offerings if (o.zone, o.capacity_type) == ("zone-a", SPOT)]
    assert offering.available is available
    assert SOLD_OUT_FOR == 180
    assert CAPACITY_TYPE in offering.requirements


@pytest.mark.parametrize(("ahead", "odd"), [(MOST_AHEAD, 0), (MOST_AHEAD + 1, 1)])
def test_a_clock_may_run_ahead_for_a_day(ahead: float, odd: int):
    """A node whose newest time is more than a day after those of all others is called odd."""
    nodes = [node("a", last_pod_event=NOON), node("b", last_pod_event=NOON + ahead)]
    assert len(odd_times(nodes, NOON + 2 * DAY)) == odd
