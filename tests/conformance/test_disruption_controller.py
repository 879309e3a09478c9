"""The controller from loop to loop: which method acts, what it remembers, and what happens to its commands."""

from __future__ import annotations

from dataclasses import replace

from cutlist import Budget
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.methods import Method, methods_of
from cutlist.state.statenode import CONSOLIDATABLE, Condition, StateNode
from tests.conformance.disruption_controller import MEMORY_LASTS, Controller, Phase
from tests.unit.disruption.builders import (
    LARGE,
    MEDIUM,
    candidate_names,
    cluster,
    drifted,
    names,
    node,
    outcome_of,
    pool,
    runs,
)
from tests.unit.disruption.claims import NOON

EMPTY = node("empty")
FIXED = drifted("fixed", pool="static")
OLD = drifted("old", runs("o"))
PAIR = node("p-1", runs("x"), of=LARGE), node("p-2", runs("y"), of=LARGE)
POOLS = [pool(), pool("static", replicas=1)]


def controller() -> Controller:
    return Controller(changed=NOON)


def acts(*nodes: StateNode) -> Method | None:
    """The method that does something in a loop."""
    state = cluster(*nodes, pools=POOLS, feature_gates=FeatureGates(static_capacity=True))
    outcomes = controller().outcomes(MethodInputs.of(state))
    return next((method for method, outcome in outcomes.items() if outcome.commands), None)


def ends(outcome: MethodOutcome | None) -> list[list[str]]:
    return [names(c.candidates) for c in outcome.commands] if outcome else []


def test_a_claim_that_is_being_launched_pauses_everything():
    """Also of another pool; once it has an instance the loop goes on."""
    # D-15
    state = cluster(EMPTY, launching=["new"])
    assert not state.synced
    assert controller().loop(state) is None
    assert ends(controller().loop(replace(state, launching=()))) == [["empty"]]


def test_methods_are_asked_in_order():
    """Emptiness, drift of static pools, drift, several nodes, one node."""
    # D-36
    assert list(methods_of(cluster(EMPTY))) == ["emptiness", "staticDrift", "drift", "multi", "single"]
    assert acts(EMPTY, FIXED, OLD, *PAIR) == Method.EMPTINESS
    assert acts(FIXED, OLD, *PAIR) == Method.STATIC_DRIFT
    assert acts(OLD, *PAIR) == Method.DRIFT
    assert acts(*PAIR) == Method.MULTI
    assert acts(PAIR[0]) == Method.SINGLE


def test_one_method_acts_in_a_loop():
    """The next one waits for the next loop."""
    # D-36
    state, running = cluster(EMPTY, OLD), controller()
    assert ends(running.loop(state)) == [["empty"]]
    assert [r.names for r in running.running] == [("empty",)]
    assert ends(running.loop(state)) == [["old"]]
    assert [r.names for r in running.running] == [("empty",), ("old",)]


def test_nodes_of_a_command_are_tainted_and_left_alone():
    """They are not candidates any longer, and going."""
    running = controller()
    running.loop(cluster(EMPTY, node("other", runs())))
    seen = running.view(cluster(EMPTY, node("other", runs())))
    assert running.tainted == {"empty"}
    assert candidate_names(seen) == ["other"]


def test_places_that_pods_are_expected_at_are_nominated():
    """For twenty seconds nobody touches them."""
    running, state = controller(), cluster(node("a", runs("x")), node("b", runs("y"), conditions=()))
    running.loop(state)
    assert running.nominated == {"b": NOON}
    assert candidate_names(running.view(replace(state, now=NOON + 19))) == []
    assert candidate_names(running.view(replace(state, now=NOON + 20))) == ["b"]


# --- what is remembered

STUCK = node("a", runs("x", "3"))
ROOM = node("z", conditions=(), of=LARGE)


def single(running: Controller, given: ClusterState) -> MethodOutcome:
    return running.outcomes(MethodInputs.of(given))[Method.SINGLE]


def test_a_method_that_found_nothing_stays_silent_for_five_minutes():
    """Though there is room now; and looks again as soon as something is noticed."""
    # D-42
    running = controller()
    assert single(running, cluster(STUCK)).skipped
    better = cluster(STUCK, ROOM)
    assert not single(running, better).commands
    assert not single(running, replace(better, now=NOON + MEMORY_LASTS - 1)).commands
    assert single(running, replace(better, now=NOON + MEMORY_LASTS)).commands
    running = controller()
    single(running, cluster(STUCK))
    running.notice(NOON + 1)
    assert single(running, replace(better, now=NOON + 1)).commands


def test_becoming_consolidatable_is_not_noticed():
    """The node is a candidate at once, and yet nothing happens until the memory ends."""
    # D-42
    waiting = node("b", runs("y", "2"), conditions=())
    running = controller()
    single(running, cluster(STUCK, waiting))
    claim = waiting.claim
    assert claim is not None
    ready = replace(waiting, claim=replace(claim, conditions={**claim.conditions, CONSOLIDATABLE: Condition("True", NOON)}))
    outcome = single(running, replace(cluster(STUCK, ready), now=NOON + 1))
    assert names(outcome.candidates) == ["a", "b"]
    assert not outcome.commands
    assert outcome_of(Method.SINGLE, cluster(STUCK, ready)).commands


def test_nothing_is_remembered_where_a_budget_held_a_candidate():
    """It may open at any moment."""
    # D-41
    closed, opened = (cluster(STUCK, ROOM, pools=[pool(budgets=[Budget(nodes=n)])]) for n in ("0", "1"))
    running = controller()
    assert single(running, closed).constrained
    assert single(running, replace(opened, now=NOON + 1)).commands


def test_a_method_that_stays_silent_still_says_whom_it_does_not_want():
    """The filter of candidates comes before the memory."""
    # D-42
    running, state = (
        controller(),
        cluster(STUCK, node("n", runs("y", "4"), pool="never"), pools=[pool(), pool("never", after="Never")]),
    )
    first, second = single(running, state), single(running, replace(state, now=NOON + 1))
    assert {s.node for s in first.skipped} == {"a", "n"}
    assert [(s.node, s.text) for s in second.skipped] == [("n", 'NodePool "never" has consolidation disabled')]


def test_nothing_is_remembered_after_a_command_that_did_not_hold():
    """The method had something to do; a moment later it is asked again."""
    # D-40, D-41
    running, now = controller(), cluster(STUCK, ROOM)
    held = node("a", runs("x", "3", do_not_disrupt="true"))
    outcome = running.outcomes(MethodInputs.of(now, cluster(held, ROOM)))[Method.SINGLE]
    assert not outcome.commands
    assert single(running, replace(now, now=NOON + 1)).commands


def test_drift_remembers_nothing():
    """It is asked again in every loop."""
    lost = drifted("a", runs("x", "9"))
    running = controller()
    for moment in (0, 1):
        outcome = running.outcomes(MethodInputs.of(cluster(lost, now=NOON + moment)))[Method.DRIFT]
        assert [s.node for s in outcome.skipped] == ["a"]


# --- what happens to commands


def replacing() -> tuple[Controller, ClusterState]:
    """A controller that is replacing a large node."""
    running, state = controller(), cluster(node("a", runs("x"), of=LARGE))
    running.loop(state)
    assert len(running.created) == 1
    return running, state


def test_a_replacement_pauses_the_loop_until_it_has_an_instance():
    """It is a claim that is being launched."""
    # D-15
    running, state = replacing()
    assert not running.view(state).synced
    running.replacements_are(Phase.INITIALIZED, NOON + 60)
    assert running.view(state).synced
    assert len(running.view(state).nodes) == 2


def test_nodes_end_when_their_replacements_are_up():
    """Not before."""
    running, state = replacing()
    running.work_queue(NOON + 30)
    assert not running.ended
    running.replacements_are(Phase.INITIALIZED, NOON + 60)
    running.work_queue(NOON + 61)
    assert running.ended == {"a": NOON + 61}
    assert not running.running
    (gone,) = (m for m in running.view(state).nodes if m.name == "a")
    assert gone.claim is not None
    assert gone.claim.deleted == NOON + 61


def test_a_replacement_may_vanish_after_it_was_initialized():
    """It is not a node then any longer, and what was done for it stays done."""
    # D-43
    running, state = replacing()
    running.replacements_are(Phase.INITIALIZED, NOON + 60)
    running.work_queue(NOON + 61)
    assert len(running.view(state).nodes) == 2
    running.replacements_are(Phase.GONE, NOON + 120)
    assert [m.name for m in running.view(state).nodes] == ["a"]
    assert running.ended == {"a": NOON + 61}


def test_a_replacement_that_vanishes_ends_the_command_at_once():
    """The nodes stay, without the taint, and may be disrupted again."""
    # D-43
    running, state = replacing()
    running.replacements_are(Phase.GONE, NOON + 5)
    running.work_queue(NOON + 5)
    assert not running.running
    assert not running.tainted
    assert not running.ended
    assert candidate_names(running.view(state)) == ["a"]


def test_a_command_has_ten_minutes():
    """And is given up a moment later."""
    # D-43
    running, _ = replacing()
    running.work_queue(NOON + 600)
    assert running.running
    running.work_queue(NOON + 600.1)
    assert not running.running
    assert not running.tainted


def test_a_command_that_can_be_finished_late_is_finished_and_failed():
    """Its nodes are deleted; the taint is taken away as from those of any command that took too long."""
    # D-43
    running, _ = replacing()
    running.replacements_are(Phase.INITIALIZED, NOON + 60)
    running.work_queue(NOON + 10_000)
    assert running.ended == {"a": NOON + 10_000}
    assert not running.tainted
    assert not running.running


def test_many_nodes_have_more_time():
    """80 milliseconds each, an hour at most."""

    # D-43
    def lasts(count: int, seconds: float) -> bool:
        running, _ = replacing()
        (one,) = running.running
        many = replace(one.command, candidates=one.command.candidates * count)
        running.running = [replace(one, command=many)]
        running.work_queue(NOON + seconds)
        return bool(running.running)

    assert lasts(10_000, 800)
    assert not lasts(10_000, 801)
    assert lasts(1_000_000, 3600)
    assert not lasts(1_000_000, 3601)


def test_a_method_that_fails_ends_the_loop():
    """Without a pool that may launch nothing can be simulated: emptiness goes first anyway."""
    none = [pool(replicas=1), pool("gone", replicas=1)]
    assert controller().loop(cluster(drifted("a", pool="other"), pools=[*none, pool("other")])) is not None
    assert controller().loop(cluster(node("a", runs(), of=MEDIUM), pools=none)) is None
