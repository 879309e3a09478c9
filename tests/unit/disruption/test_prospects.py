"""What is called hopeless without a simulation is hopeless in one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import CAPACITY_TYPE, HOSTNAME, INSTANCE_TYPE, SPOT
from cutlist.core.requirement import Expression
from cutlist.core.taints import PREFER_NO_SCHEDULE, Taint
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.candidates_without_room import CandidatesWithoutRoom
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.consolidation import ConsolidationOption, decide
from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.known_candidates import KnownCandidates
from cutlist.disruption.known_pods import KnownPods
from cutlist.disruption.machines import Machines
from cutlist.disruption.methods import METHODS, Method, evaluate
from cutlist.disruption.prospects import Prospects
from cutlist.disruption.room_left import PodSize, RoomLeft
from cutlist.disruption.simulation import Simulator
from cutlist.scheduling.firstfit import FirstFit, LeftOver, Placed, PodsOfKind
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch
from cutlist.workloads.objects import EvictionBudgets
from cutlist.workloads.pods import Preference
from tests.examples import examples
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL, cluster, node, outcome_of, pool, runs, sold
from tests.unit.disruption.claims import NOON
from tests.unit.scheduling.builders import pod, spread

SIZES = ("300m", "700m", "1", "1500m", "3")
KINDS = ("plain", "plain", "plain", "plain", "assigned", "ruled", "preferring")
NODES = st.lists(
    st.tuples(
        st.sampled_from((SMALL, MEDIUM, LARGE)),
        st.sampled_from(("on-demand", SPOT)),
        st.lists(st.tuples(st.sampled_from(SIZES), st.sampled_from(KINDS)), max_size=5),
        st.sampled_from(("steady", "steady", "steady", "removed", "starting", "resting")),
    ),
    min_size=1,
    max_size=6,
)
RULES = {
    "ruled": {"spread": (spread(),), "labels": {"app": "web"}},
    "preferring": {"preferred": (Preference(1, (Expression(CAPACITY_TYPE, "In", (SPOT,)),)),)},
}


def state(drawn, waiting=(), *, gate: bool = False, tainted: bool = False, **fields) -> ClusterState:
    """Return nodes with pods as far as they fit; some are being removed, are not initialized or accept no pods that run.

    Where they are tainted, pods avoid them if they can.
    """
    nodes, taints = [], (Taint("team", PREFER_NO_SCHEDULE),) if tainted else ()
    for number, (machine, kind, written, phase) in enumerate(drawn):
        pods, left = [], machine.capacity["cpu"]
        for at, (size, pod_kind) in enumerate(written):
            assigned = {"phase": "Pending"} if pod_kind == "assigned" else {}
            running = runs(f"p{number}-{at}", of=pod(size, "128Mi", **RULES.get(pod_kind, {})), **assigned)
            if running.pod.requests["cpu"] <= left:
                left -= running.pod.requests["cpu"]
                pods.append(running)
        times = {"last_pod_event": NOON} if phase == "resting" else {}
        is_removed, is_initialized = phase == "removed", phase != "starting"
        nodes.append(node(f"n{number}", *pods, of=machine, kind=kind, removed=is_removed, initialized=is_initialized, **times))
    pending = [PodBatch(f"w{n}", pod(size, "128Mi"), uid=f"w{n}") for n, size in enumerate(waiting)]
    nodes = [replace(n, state=replace(n.state, taints=taints)) for n in nodes]
    pools = [pool(kinds=("on-demand", SPOT), after="1m", taints=taints)]
    return cluster(*nodes, pools=pools, pending=pending, feature_gates=FeatureGates(spot_to_spot=gate), **fields)


def prospects(of: ClusterState) -> Prospects:
    nodes = [replace(n.state, resting=of.is_settling(n)) for n in of.nodes]
    pods = [*(p.pod for n in of.nodes for p in n.pods), *(b.pod for b in of.pending)]
    inputs = SchedulerInputs(
        tuple(of.pools.values()), of.types, [PodBatch("p", p) for p in pods], registry=of.registry, nodes=nodes
    )
    machines = {spot: Machines.of(of, {}, spot=spot) for spot in (False, True)}
    return Prospects(of, SchedulingContext(inputs), KnownPods.among(pods), machines)


@examples(0.5)
@given(NODES, st.lists(st.sampled_from(SIZES), max_size=2), st.booleans(), st.booleans(), st.integers(1, 4))
def test_nothing_comes_of_what_is_hopeless(drawn, waiting, gate, tainted, together):
    of = state(drawn, waiting, gate=gate, tainted=tainted)
    inputs = MethodInputs.of(of)
    looks, simulator = prospects(of), Simulator(of)
    listed = list(inputs.graceful.by_name.values())
    for subset in [*([c] for c in listed), listed[:together]]:
        if subset and looks.are_hopeless(subset):
            assert not isinstance(decide(subset, simulator), Command | ConsolidationOption)


@examples(0.3)
@given(NODES)
def test_every_method_decides_the_same_with_prospects(drawn):
    of = state(drawn)
    plain = MethodInputs.of(of)
    judged = replace(plain, prospects=prospects(of))
    for method in (m for m in METHODS if m in ("multi", "single")):
        with_them, without = evaluate(method, judged).commands, evaluate(method, plain).commands
        assert [c.text for c in with_them] == [c.text for c in without]


@examples(0.5)
@given(st.lists(st.tuples(NODES, st.lists(st.sampled_from(SIZES), max_size=2)), min_size=2, max_size=4), st.booleans())
def test_what_is_kept_between_rounds_changes_no_judgement(drawn, gate):
    """Nodes that are drawn again as they were are the same objects; the others are replaced, added or removed."""
    states = rounds(drawn, gate)
    pods = [p for of in states for p in (*(p.pod for n in of.nodes for p in n.pods), *(b.pod for b in of.pending))]
    pools, types = tuple(states[0].pools.values()), states[0].types
    inputs = SchedulerInputs(pools, types, [PodBatch("p", p) for p in pods], registry=states[0].registry)
    context, machines = SchedulingContext(inputs), {spot: Machines.of(states[0], {}, spot=spot) for spot in (False, True)}
    known, known_candidates, before, first_fit = KnownPods.among(pods), KnownCandidates(), None, None
    for of in states:
        nodes = [replace(n.state, resting=of.is_settling(n)) for n in of.nodes]
        if nodes != before:
            context.change(before or [], nodes, [], [])
            before, first_fit = nodes, FirstFit.of(context.existing_nodes)
        kept = Prospects(of, context, known, machines, first_fit)
        for candidate in known_candidates.of(of).by_name.values():
            plain = Prospects(of, context, KnownPods.among(pods), machines)
            assert kept.are_hopeless([candidate]) is plain.are_hopeless([candidate])
            assert_placed_as_alone(kept, candidate)


def test_no_more_pods_are_placed_once_one_goes_to_a_node_that_is_not_initialized():
    """The larger one does, and so it does not matter where the smaller one goes."""
    of = cluster(node("from", of=SMALL), node("starts", of=MEDIUM, initialized=False), pending=[PodBatch("w", pod("1", "1Gi"))])
    pods = [pod("3", "128Mi"), pod("2", "128Mi")]
    looks = prospects(replace(of, pending=[PodBatch("p", p) for p in pods]))
    kinds = [PodsOfKind(looks._context.data_of(p), [(0, p.requests["cpu"])]) for p in pods]
    first_fit = FirstFit.of(looks._context.existing_nodes)
    assert first_fit.left_over(kinds, ["from"])[:2] == ([], True)
    assert first_fit.left_over(kinds[1:], ["from"])[:2] == ([], True)
    assert first_fit.left_over(kinds, ["from", "starts"])[:2] == ([LeftOver(k.kind, 1, 0) for k in kinds], False)


def assert_placed_as_alone(looks: Prospects, candidate: Candidate) -> None:
    """Assert that the pods of a candidate go where they go when nothing else has been placed before."""
    pods, names = looks._queue_of(candidate.node).pods, [candidate.name]
    if pods is not None and looks._others is not None:
        shared, alone = looks._place(pods, names), looks._first_fit.left_over(looks._with_others(pods), names)
        assert (set(shared.left), shared.on_starting) == (set(alone.left), alone.on_starting)


@pytest.mark.parametrize("created", [(100, 10), (10, 100)])
def test_pods_are_placed_again_where_they_rank_otherwise_among_those_that_wait(created):
    """There is room for one more pod: it is that of the oldest one."""
    tiny, waits = sold("tiny", 1, 0.5), PodBatch("w", pod("1", "128Mi"), uid="w", created=NOON - 50)
    movers = [node(f"n{at}", runs(f"p{at}", "1", created=NOON - age), of=tiny) for at, age in enumerate(created)]
    of = cluster(*movers, node("room", runs("r", "3"), of=MEDIUM), pending=[waits], types=[tiny, MEDIUM])
    looks = prospects(of)
    for mover, age in zip(movers, created, strict=True):
        placed = looks._place(looks._queue_of(mover).pods, [mover.name])
        assert [pods[1:] for pods in placed.left] == [(0, 1) if age == 100 else (1, 0)]


def test_pods_are_placed_again_on_a_node_that_had_taken_their_like():
    """The pod of a full node goes to the one with room, whose own pod has nowhere to go."""
    tiny = sold("tiny", 1, 0.5)
    of = cluster(node("full", runs("p", "1"), of=tiny), node("room", runs("q", "1"), of=MEDIUM), types=[tiny, MEDIUM])
    looks = prospects(of)
    for name, stranded in (("full", []), ("room", [1]), ("full", [])):
        mover = next(n for n in of.nodes if n.name == name)
        placed = looks._place(looks._queue_of(mover).pods, [name])
        assert [pods.stranded for pods in placed.left] == stranded


def rounds(drawn, gate: bool) -> list[ClusterState]:
    """Return clusters after each other, which share the nodes that stay as they are and the budgets of evictions."""
    states: list[ClusterState] = []
    for written, waiting in drawn:
        of = state(written, waiting, gate=gate)
        if states:
            known = {n.name: n for n in states[-1].nodes}
            nodes = [n if n != known.get(n.name) else known[n.name] for n in of.nodes]
            of = replace(of, nodes=nodes, evictions=states[0].evictions, now=states[-1].now + 30)
        states.append(of)
    return states


def test_pods_that_rank_alike_among_others_are_placed_once(monkeypatch):
    """Nodes with equal pods share an answer, unless one of them would take the pods of the other."""
    nodes = [node(f"n{n}", runs(f"p{n}", "1"), of=MEDIUM) for n in range(3)]
    full = [node(f"f{n}", runs(f"q{n}", "2"), of=SMALL) for n in range(3)]
    room = node("room", runs("r", "1"), of=MEDIUM)
    counts = []
    for of in (cluster(*full, room), cluster(*nodes)):
        looks, passes, place = prospects(of), [], FirstFit.left_over
        monkeypatch.setattr(FirstFit, "left_over", lambda *args, passes=passes, place=place: passes.append(1) or place(*args))
        for candidate in MethodInputs.of(of).graceful.by_name.values():
            looks.are_hopeless([candidate])
        counts.append(len(passes))
        monkeypatch.undo()
    assert counts == [2, 3]


def test_a_candidate_stays_hopeless_until_its_pods_have_more_room():
    """Room for another pod elsewhere makes it a candidate again; room on its own node, or for pods of other kinds, does not."""
    full = node("full", runs("p", "2"), of=SMALL)
    looks = [cluster(full, node("other", runs("q", size), of=MEDIUM), types=[MEDIUM]) for size in ("4", "3", "2")]
    known, states = KnownCandidates(), [replace(of, evictions=looks[0].evictions) for of in looks]
    inputs = SchedulerInputs(
        tuple(looks[0].pools.values()), looks[0].types, [PodBatch("p", p.pod) for of in looks for n in of.nodes for p in n.pods]
    )
    context = SchedulingContext(replace(inputs, registry=looks[0].registry))
    machines = {spot: Machines.of(looks[0], {}, spot=spot) for spot in (False, True)}
    pods, before, verdicts = KnownPods.among([b.pod for b in inputs.batches]), [], []
    for of in states:
        context.change(before, [n.state for n in of.nodes], [], [])
        before, first_fit = [n.state for n in of.nodes], FirstFit.of(context.existing_nodes)
        candidate = known.of(of).by_name["full"]
        was_known = not list(pods.without_room.others([candidate], of.evictions, RoomLeft(first_fit, (), machines)))
        verdicts.append((was_known, Prospects(of, context, pods, machines, first_fit).are_hopeless([candidate])))
    assert verdicts == [(False, True), (True, True), (False, False)]


def test_candidates_without_room_are_found_by_any_of_their_limits():
    """One that takes the place of another in the sets is judged by its own limits alone, also in the same round."""
    of = cluster(*(node(name, runs(f"p-{name}", "2"), of=SMALL) for name in "abc"))
    looks, kept = prospects(of), CandidatesWithoutRoom()
    a, b, c = (MethodInputs.of(of).graceful.by_name[name] for name in "abc")
    small, large = (PodSize.of(looks._context.data_of(p), looks._context.resources) for p in (pod("1", "1Mi"), pod("2", "1Mi")))
    first, second = (RoomLeft(looks._first_fit, (), {}) for _ in range(2))
    first |= {small: 3, large: 1}
    second |= {small: 4, large: 2}
    kept.keep(a, of.evictions, [(small, 3), (large, 0)], first)
    kept.keep(b, of.evictions, [(small, 2), (large, 2)], first)
    assert list(kept.others([a, b, c], of.evictions, first)) == [c]
    assert list(kept.others([a, b, c], of.evictions, second)) == [a, c]
    assert list(kept.others([a, b, c], EvictionBudgets(), second)) == [a, b, c]
    kept.forget("b")
    kept.keep(c, of.evictions, [(small, 3)], second)
    assert [kept.lacks_room(candidate, of.evictions, second) for candidate in (a, b, c)] == [False, None, False]
    kept.keep(a, of.evictions, [(large, 2)], second)
    assert list(kept.others([a, b, c], of.evictions, second)) == [b, c]


def test_full_nodes_of_the_cheapest_kind_are_hopeless():
    of = cluster(*(node(f"n{n}", runs(f"p{n}", "2"), of=SMALL) for n in range(3)))
    looks, inputs = prospects(of), MethodInputs.of(of)
    assert all(looks.are_hopeless([c]) for c in inputs.graceful.by_name.values())


def test_pods_of_equal_requests_are_counted_together():
    """Each of four nodes has room for one pod of a core; two, of two workloads, stay without a place on any other machine."""
    full = [node(f"n{n}", runs(f"p{n}", "3"), of=MEDIUM) for n in range(2)]
    web, api = (pod("1", "128Mi", labels={"app": name}) for name in ("web", "api"))
    of = cluster(*full, node("x", *(runs(f"x{n}", of=(web, api)[n % 2]) for n in range(4)), of=MEDIUM), types=[MEDIUM])
    looks, inputs = prospects(of), MethodInputs.of(of)
    assert looks.are_hopeless([inputs.graceful.by_name["x"]])


def test_a_large_pod_counts_as_many_small_ones():
    """Pods of eight cores together have three elsewhere, and the cheaper machine has four; pods of no one size show it."""
    ruled = {size: pod(size, memory, spread=(spread(),)) for size, memory in (("1", "128Mi"), ("2", "256Mi"))}
    on_x = [runs(f"x{n}", of=ruled[size]) for n, size in enumerate(("2", "2", "1", "1", "1", "1"))]
    others = [node("two", runs("t", "2"), of=MEDIUM), node("one", runs("o", "3"), of=MEDIUM)]
    for pods, expected in ((on_x, True), (on_x[1:], False)):
        of = cluster(node("x", *pods, of=LARGE), *others, types=[MEDIUM, LARGE])
        assert prospects(of).are_hopeless([MethodInputs.of(of).graceful.by_name["x"]]) is expected


def test_pods_of_nodes_that_are_being_removed_take_room_as_well():
    """Two pods find room on another node while no others need it."""
    ruled = pod("1", "128Mi", spread=(spread(),))
    mover, room = node("x", *(runs(f"x{n}", of=ruled) for n in range(2)), of=MEDIUM), node("room", runs("r", "2"), of=MEDIUM)
    for is_removed in (True, False):
        leaves = node("leaves", *(runs(f"l{n}", of=ruled) for n in range(3)), of=MEDIUM, removed=is_removed)
        of = cluster(mover, room, leaves)
        assert prospects(of).are_hopeless([MethodInputs.of(of).graceful.by_name["x"]]) is is_removed


def test_empty_nodes_may_make_way_for_a_machine_that_takes_the_pods_of_another():
    """A machine with three cores, on spot, is cheaper than both together; neither has room for the pod."""
    of = cluster(
        *(node(f"n{n}", of=SMALL) for n in range(2)),
        node("leaves", runs("p", "3"), removed=True),
        pools=[pool(kinds=("on-demand", SPOT))],
    )
    together = list(MethodInputs.of(of).graceful.by_name.values())
    assert not prospects(of).are_hopeless(together)
    assert isinstance(decide(together, Simulator(of)), ConsolidationOption)


def test_full_nodes_are_hopeless_although_pods_may_come_to_tolerate_their_taint():
    """Two cores have room on no other node; one core has, once the pod tolerates what it would rather avoid."""
    for size, expected in (("2", True), ("1", False)):
        of = state([(SMALL, SPOT, [(size, "plain")], "steady"), (MEDIUM, SPOT, [("3", "plain")], "steady")], tainted=True)
        assert prospects(of).is_hopeless(MethodInputs.of(of).graceful.by_name["n0"]) is expected


def test_of_pods_with_rules_only_the_room_is_judged():
    """Two cores have no room on full nodes, whatever their rules are; one core might have some."""
    for size, expected in (("2", True), ("1", False)):
        ruled = pod(size, "128Mi", spread=(spread(),))
        of = cluster(*(node(f"n{n}", runs(f"p{n}", of=ruled), of=SMALL) for n in range(3)))
        looks, inputs = prospects(of), MethodInputs.of(of)
        assert {looks.are_hopeless([c]) for c in inputs.graceful.by_name.values()} == {expected}


def test_a_pod_that_demands_what_a_label_is_not_leaves_others_open():
    """Such a pod makes the label known on a node, so that pods that were refused there may fit (scheduling 2.6)."""
    ruled = pod("2", "128Mi", spread=(spread(),))
    negative = pod("1", "128Mi", required=((Expression("team", "NotIn", ("a",)),),))
    of = cluster(*(node(f"n{n}", runs(f"p{n}", of=ruled), of=SMALL) for n in range(3)), pending=[PodBatch("w", negative)])
    looks, inputs = prospects(of), MethodInputs.of(of)
    assert not any(looks.are_hopeless([c]) for c in inputs.graceful.by_name.values())


@pytest.mark.parametrize(
    ("waiting", "terms", "expected"),
    [
        ("2", {}, True),
        ("500m", {}, False),
        ("100", {}, False),
        ("2", {"limits": {"cpu": "100"}}, False),
        ("2", {"requirements": [Expression(INSTANCE_TYPE, "Exists", (), 1)]}, False),
    ],
)
def test_pods_that_wait_share_the_node_that_they_certainly_get(waiting, terms, expected):
    """A pod of a core moves. With one of two cores it does not fit the cheaper machine, which has two; no machine holds the one
    of 100 cores, and with limits or minValues it is not certain that the pod gets a node."""
    of = cluster(
        node("x", runs("p", "1"), of=MEDIUM),
        pools=[pool(**terms)],
        pending=[PodBatch("w", pod(waiting, "128Mi"))],
        types=[SMALL, MEDIUM],
    )
    candidate = MethodInputs.of(of).graceful.by_name["x"]
    assert prospects(of).is_hopeless(candidate) is expected
    assert prospects(of).are_hopeless([candidate]) is expected


def test_pods_that_karpenter_ignores_take_no_room():
    """A pod may not ask for a hostname, so the only room is for the pod that moves."""
    of = cluster(
        node("x", runs("p", "1"), of=SMALL),
        node("room", runs("r", "3"), of=MEDIUM),
        pending=[PodBatch("w", pod("1", "128Mi", node_selector={HOSTNAME: "room"}))],
        types=[SMALL, MEDIUM],
    )
    candidate = MethodInputs.of(of).graceful.by_name["x"]
    assert isinstance(decide([candidate], Simulator(of)), Command)
    assert not prospects(of).is_hopeless(candidate)


def test_candidates_that_are_hopeless_count_as_tried():
    of = cluster(*(node(f"n{n}", runs(f"p{n}", "2"), of=SMALL) for n in range(3)))
    judged = replace(MethodInputs.of(of), prospects=prospects(of))
    assert evaluate(Method.SINGLE, judged).tried == outcome_of(Method.SINGLE, of).tried == 3


@pytest.mark.parametrize(("room", "age", "expected"), [(1, 50, True), (0, 50, False), (1, 150, False), (1, 75, True)])
def test_first_pods_in_the_queue_may_settle_the_matter(room, age, expected, monkeypatch):
    """Of two pods that leave and one that moves, as many as there is room for stay on nodes that are ready; then a node that
    starts takes two. They take turns, the oldest first."""
    monkeypatch.setattr(FirstFit, "left_over", lambda *_: Placed([], on_starting=False, tried=None))
    leaving = [runs(f"l{created}", created=NOON - created) for created in (100, 60)]
    of = cluster(
        node("x", runs("x", created=NOON - age), runs("y", "500m"), of=MEDIUM),
        node("leaves", *leaving, of=SMALL, removed=True),
        node("room", runs("r", str(4 - room)), of=MEDIUM),
        node("starts", of=SMALL, initialized=False),
        types=[SMALL, MEDIUM],
    )
    assert prospects(of).is_hopeless(MethodInputs.of(of).graceful.by_name["x"]) is expected


def test_pods_that_run_and_pods_that_wait_take_turns():
    """The node that rests takes a pod that waits, and none that runs."""
    pods = [runs("old", of=pod("1", "128Mi"), created=NOON - 50)]
    of = cluster(
        node("from", *pods, of=SMALL),
        node("rests", runs("r", "3"), last_pod_event=NOON),
        node("takes", runs("t", "3")),
        pools=[pool(after="1m")],
    )
    first_fit = FirstFit.of(prospects(of)._context.existing_nodes)
    kind = prospects(of)._context.data_of(pods[0].pod)
    for waits in (NOON - 60, NOON - 40):
        alike = PodsOfKind(kind, [(int(NOON) - 50, "old")], waiting=[(int(waits), "new")])
        assert first_fit.left_over([alike], ["from"])[:2] == ([], False)
    alone = PodsOfKind(kind, [(int(NOON) - 50, "old"), (int(NOON) - 49, "young")])
    assert first_fit.left_over([alone], ["from"])[:2] == ([LeftOver(kind, 1, 0)], False)
    both = PodsOfKind(kind, [(int(NOON) - 50, "old")], [(int(NOON) - 60, "a")], [(int(NOON) - 40, "b")])
    assert first_fit.left_over([both], ["from", "takes"])[:2] == ([LeftOver(kind, 1, 1)], False)
