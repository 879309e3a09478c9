"""What is kept about nodes between two looks at a cluster changes nothing about the second one."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.disruption.budgets import remaining
from cutlist.disruption.candidates import DisruptionClass, by_savings_ratio
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory
from cutlist.disruption.consolidation import is_consolidatable
from cutlist.disruption.emptiness import is_empty
from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.known_candidates import KnownCandidates
from cutlist.disruption.methods import Method, with_candidates
from cutlist.state.statenode import CONSOLIDATABLE, DRIFTED, StateNode
from tests.examples import examples
from tests.unit.disruption.builders import cluster, guard, guarded, node, pool, runs
from tests.unit.disruption.claims import NOON

PODS = {
    "none": (),
    "web": (runs("web"),),
    "held": (runs("held", do_not_disrupt="true"),),
    "held for a while": (runs("held", do_not_disrupt="2h", started=NOON - 3600),),
    "daemon": (runs("agent", "1", "DaemonSet"),),
}
NODE = st.tuples(
    st.sampled_from(sorted(PODS)),
    st.sampled_from(((), (CONSOLIDATABLE,), (DRIFTED,))),
    st.sampled_from(({}, {DO_NOT_DISRUPT: "true"})),
    st.sampled_from(("default", "default", "gone")),
    st.booleans(),
    st.booleans(),
)
GRACE = {True: "5m", False: None}
LOOK = st.tuples(
    st.dictionaries(st.integers(0, 3), st.none() | NODE, max_size=4),
    st.sampled_from((0, 1, 30, 7200)),
    st.sets(st.integers(0, 3)),
    st.sets(st.integers(0, 3)),
    st.sampled_from((None, 0, 1)),
)


def drawn_node(number: int, drawn) -> StateNode:
    pods, conditions, annotations, of_pool, removed, is_bounded = drawn
    fields = {"removed": removed, "termination_grace_period": GRACE[is_bounded], "initialized": not (removed and is_bounded)}
    return node(f"n{number}", *PODS[pods], conditions=conditions, annotations=annotations, pool=of_pool, **fields)


def looks_at(drawn) -> list[ClusterState]:
    """Return a cluster at several instants; nodes that have not changed are the same objects."""
    nodes: dict[int, StateNode] = {}
    states, now, budgets = [], NOON, {n: guarded(guard(n)) for n in (0, 1)}
    for changed, later, nominated, queued, allowed in drawn:
        now += later
        nodes |= {number: drawn_node(number, fields) for number, fields in changed.items() if fields is not None}
        nodes = {number: of for number, of in nodes.items() if number not in changed or changed[number] is not None}
        memory = ControllerMemory({f"n{n}": now - 10 * n for n in nominated}, frozenset(f"n{n}" for n in queued))
        fields = {} if allowed is None else {"evictions": budgets[allowed]}
        present = [nodes[number] for number in sorted(nodes)]
        states.append(replace(cluster(*present, pools=[pool()], controller_memory=memory, **fields), now=now))
    return states


@examples(0.5)
@given(st.lists(LOOK, min_size=2, max_size=4), st.booleans())
def test_candidates_are_the_same_whether_or_not_nodes_are_known(drawn, is_noted):
    changed: set[str] = set()
    known, before = KnownCandidates(changed if is_noted else None), set()
    for state in looks_at(drawn):
        objects = {(n.name, id(n)) for n in state.nodes}
        changed |= {name for name, _ in before ^ objects}
        before = objects
        plain = MethodInputs.of(state)
        for kind, expected in ((DisruptionClass.GRACEFUL, plain.graceful), (DisruptionClass.EVENTUAL, plain.eventual)):
            kept = known.of(state, kind)
            assert (kept.by_name, kept.blocked) == (expected.by_name, expected.blocked)
        for reason in state.reasons:
            assert remaining(state, reason, known.of(state).counts) == remaining(state, reason)
        kept = replace(plain, graceful=known.of(state), known=known)
        for method in (Method.EMPTINESS, Method.STATIC_DRIFT, Method.DRIFT, Method.SINGLE):
            present, expected = with_candidates(method, kept), with_candidates(method, plain)
            assert list(present.candidates) == by_savings_ratio(expected.candidates)
            assert {skipped.node: skipped for skipped in present.skipped} == {s.node: s for s in expected.skipped}


def test_a_candidate_is_judged_once():
    state, known, asked = cluster(node("a", runs())), KnownCandidates(), []

    def counted(candidate, of):
        asked.append(candidate.name)
        return is_consolidatable(candidate, of)

    def look(of: ClusterState) -> None:
        accepted, _ = known.accepted(counted, DisruptionClass.GRACEFUL, of)
        assert [c.name for c in accepted] == ["a"]

    look(state)
    look(replace(state, now=state.now + 1))
    assert asked == ["a"]
    look(cluster(node("a", runs("other"))))
    assert asked == ["a", "a"]


def test_a_cost_that_is_no_number_leaves_others_in_order():
    known = KnownCandidates()
    strange = [runs("nan", deletion_cost="nan")]
    names = {"a", "b", "c"}
    for number in range(4):
        nodes = [node(name, *(strange if name == "b" else ()), runs(f"{name}-{number}")) for name in sorted(names)]
        accepted, _ = known.accepted(is_consolidatable, DisruptionClass.GRACEFUL, cluster(*nodes))
        assert {c.name for c in accepted} == names


def test_virtual_pods_that_come_and_go_are_noticed():
    """A node without pods is empty unless it holds pods of a CapacityBuffer."""
    known, alone = KnownCandidates(), node("a")
    for count, expected in ((0, ["a"]), (2, []), (0, ["a"])):
        memory = ControllerMemory(buffered={"a": count} if count else {})
        accepted, _ = known.accepted(is_empty, DisruptionClass.GRACEFUL, cluster(alone, controller_memory=memory))
        assert [c.name for c in accepted] == expected
