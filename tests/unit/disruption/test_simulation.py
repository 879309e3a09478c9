"""Where pods would go if nodes were removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from cutlist import NodePool
from cutlist.core.labels import HOSTNAME, NODEPOOL, ON_DEMAND, SPOT, ZONE
from cutlist.disruption.cluster_state import ClusterState, InstanceTypesByPool
from cutlist.disruption.methods import Method
from cutlist.disruption.simulation import NO_POOLS, SimulatedPass, Simulator
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.reservationmanager import ReservedOfferingMode
from cutlist.scheduling.results import Results
from cutlist.state.pods import RunningPod, TopologyPods
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import Pod, PodTerm
from tests.examples import examples
from tests.one_pass import schedule
from tests.unit.disruption.builders import (
    LARGE,
    MEDIUM,
    SMALL,
    TYPES,
    cluster,
    command,
    drifted,
    ended,
    launched,
    node,
    outcome_of,
    pool,
    runs,
    skip_texts,
    sold,
    unmanaged,
)
from tests.unit.disruption.claims import NOON
from tests.unit.scheduling.builders import pod, selecting, spread

SETTLING = [pool(after="5m")]


def without(of: ClusterState, *gone: str, resting: bool = True) -> SimulatedPass:
    return Simulator(of).without([m for m in of.nodes if m.name in gone], resting=resting)


def waiting(name: str, cpu: str) -> PodBatch:
    return PodBatch(name, pod(cpu, "128Mi"), uid=f"waiting-{name}")


def test_pods_go_to_nodes_that_stay():
    """To the first by name that has room, managed or not, static or not."""
    state = cluster(node("a", runs("x")), unmanaged("c"), node("b", runs("full", "4")))
    assert without(state, "a").moves == {"c": {0: 1}}
    assert without(state, "a").claims == ()


def test_the_static_pool_takes_pods_and_launches_nothing():
    """Its nodes are places like others."""
    pools = [pool(replicas=1)]
    assert without(cluster(node("a", runs("x")), node("b"), pools=pools), "a").error == NO_POOLS
    both = [pool(), pool("fixed", replicas=1)]
    assert without(cluster(node("a", runs("x")), node("b", pool="fixed"), pools=both), "a").moves == {"b": {0: 1}}


def test_agents_and_what_is_over_do_not_move():
    """Only what needs another place."""
    here = runs("agent", "1", "DaemonSet"), runs("mirror", "1", "Node"), runs("old", phase="Failed"), runs("x")
    assert [b.name for b in without(cluster(node("a", *here)), "a").batches] == ["x"]


# --- nodes that may never be ready


def test_a_node_that_is_coming_up_is_no_place_to_count_on():
    """The decision falls, with the reason for the pod."""
    # D-55
    coming = node("b", initialized=False, conditions=())
    state = cluster(node("a", runs("x")), coming)
    text = "Not all pods would schedule, default/x => would schedule against uninitialized nodeclaim/b, node/b"
    assert skip_texts(Method.SINGLE, state) == {"a": text}
    assert outcome_of(Method.SINGLE, state).commands == []


def test_a_pod_of_a_node_that_is_going_may_wait_there():
    """It has to go anyway."""
    # D-55
    coming = node("c", initialized=False, conditions=())
    going = node("b", runs("y", "3"), removed=True)
    state = cluster(node("a", runs("x"), of=LARGE), going, coming, types=[LARGE, MEDIUM])
    simulation = without(state, "a")
    assert simulation.stranded == [0]
    assert without(cluster(node("a"), going, coming)).errors == {}


# --- nodes that rest


def test_a_node_that_settles_takes_no_pods_of_those_that_are_considered():
    """In consolidation; for drift it is a place like any other."""
    # D-56
    busy = node("b", last_pod_event=NOON - 60, conditions=())
    state = cluster(node("a", runs("x", "3")), busy, pools=SETTLING)
    assert skip_texts(Method.SINGLE, state) == {"a": "Can't replace with a cheaper node"}
    replaced = cluster(drifted("a", runs("x", "3")), busy, pools=SETTLING)
    assert command(Method.DRIFT, replaced).simulation.moves == {"b": {0: 1}}
    over = replace(state, now=NOON + 240)
    assert ended(Method.SINGLE, over) == [["a"]]


def test_a_node_of_a_pool_that_takes_no_part_never_settles():
    """The scheduler does not know the pool's consolidateAfter then: of a pool that is not ready, or is being deleted."""
    # D-56
    busy = node("b", last_pod_event=NOON - 60, conditions=(), pool="other")
    other = pool("other", after="5m").manifest()
    unready = {**other, "status": {"conditions": [{"type": "Ready", "status": "False"}]}}
    leaving = {**other, "metadata": {**other["metadata"], "deletionTimestamp": "2026-01-05T11:00:00Z"}}
    for written, moves in ((other, {}), (unready, {"b": {0: 1}}), (leaving, {"b": {0: 1}})):
        state = cluster(node("a", runs("x", "3")), busy, pools=[pool(), NodePool.from_manifest(written)])
        assert without(state, "a").moves == moves


def test_pods_that_are_not_considered_go_where_they_like():
    """Those of nodes that go anyway, those that only start, and those that wait."""
    # D-56
    busy = node("z", last_pod_event=NOON - 60, conditions=())
    going = node("b", runs("y"), removed=True)
    starting = node("a", runs("s", phase="Pending"))
    state = cluster(starting, going, busy, pools=SETTLING, pending=[waiting("w", "1")])
    assert without(state, "a").moves == {"z": {0: 1, 1: 1, 2: 1}}


# --- pods that wait


def test_a_waiting_pod_that_fits_nowhere_blocks_nothing():
    """It waits today as well."""
    # D-57
    state = cluster(node("a", runs("x")), node("b", conditions=()), pending=[waiting("w", "99")])
    decision = command(Method.SINGLE, state)
    assert decision.decision == "delete"
    assert list(decision.simulation.errors) == [0]


def test_a_pod_of_a_going_node_that_fits_nowhere_blocks_everything():
    """Wherever its node is: neither consolidation nor drift happens."""
    # D-57
    lost = node("z", runs("lost", of=pod("1", node_selector={ZONE: "zone-z"})), removed=True)
    one, room = node("a", runs("x")), node("b", conditions=())
    assert ended(Method.SINGLE, cluster(one, room)) == [["a"]]
    assert ended(Method.SINGLE, cluster(one, room, lost)) == []
    assert ended(Method.DRIFT, cluster(drifted("a", runs("x")), room, lost)) == []
    assert ended(Method.MULTI, cluster(one, node("c", runs("y")), lost)) == []


def test_a_waiting_pod_turns_an_end_into_a_replacement():
    """The new node that it needs counts as one for the candidate."""
    # D-58
    large = sold("large", 8, 1.5)
    one, room = node("a", runs("x")), node("b", conditions=())
    state = cluster(one, room, pending=[waiting("w", "7")], types=[MEDIUM, large])
    assert ended(Method.SINGLE, replace(state, pending=())) == [["a"]]
    decision = command(Method.SINGLE, state)
    assert (decision.decision, launched(decision)) == ("replace", [["large"]])


# --- pools


def test_the_pool_with_the_higher_weight_is_taken():
    """Though another sells for less."""
    # D-62
    heavy, light = pool("heavy", weight=10), pool("light", weight=1)
    state = replace(
        cluster(node("a", runs("x"), of=LARGE, pool="heavy"), pools=[heavy, light]),
        types=InstanceTypesByPool({"heavy": [MEDIUM, LARGE], "light": [SMALL]}),
    )
    (comes,) = command(Method.SINGLE, state).replacements
    assert comes.node_pool == "heavy"
    assert [t.name for t in comes.types] == ["medium"]


def test_among_pools_of_one_weight_the_later_name_is_taken():
    """A lighter pool only when nothing else fits."""
    # D-62
    pools = [pool("alpha"), pool("omega"), pool("zero", weight=1)]
    state = cluster(node("a", runs("x"), of=LARGE, pool="alpha"), pools=pools)
    (comes,) = without(state, "a").claims
    assert comes.node_pool == "zero"
    (comes,) = without(replace(state, pools={p.name: p for p in pools[:2]}), "a").claims
    assert comes.node_pool == "omega"


def test_what_goes_makes_room_below_a_limit():
    """The nodes that would be gone use nothing of it, nor do those that are going."""
    tight = pool(limits={"cpu": 8})
    pair = node("a", runs("x"), of=LARGE), node("b", runs("y", "4"), removed=True)
    assert launched_by(without(cluster(*pair, pools=[tight]), "a")) == ["default"]
    stays, goes = node("a", runs("x", "7"), of=LARGE), node("b", runs("y", "2"), of=LARGE)
    assert without(cluster(stays, goes, pools=[tight]), "b").stranded == [0]


def launched_by(found: SimulatedPass) -> list[str]:
    return [c.node_pool for c in found.claims]


# --- laws: passes over a shared scheduling context are passes

ZONES = ("zone-a", "zone-b", "zone-c")
KEYS = st.sampled_from([ZONE, HOSTNAME])


def term(key: str, app: str) -> PodTerm:
    return PodTerm(key, selecting(app=app))


@st.composite
def shapes(draw) -> Pod:
    """A pod with a rule or two about its place."""
    app = draw(st.sampled_from(["web", "db"]))
    rules: dict[str, object] = {}
    kind = draw(st.sampled_from(["plain", "plain", "spread", "apart", "together", "zonal", "soft"]))
    key = draw(KEYS)
    if kind == "spread":
        rules["spread"] = (spread(key, draw(st.sampled_from([1, 2])), selector=selecting(app=app)),)
    elif kind == "soft":
        rules["spread"] = (spread(key, 1, selector=selecting(app=app), when_unsatisfiable="ScheduleAnyway"),)
    elif kind == "apart":
        rules["anti_affinity"] = (term(key, app),)
    elif kind == "together":
        rules["affinity"] = (term(key, draw(st.sampled_from(["web", "db"]))),)
    elif kind == "zonal":
        rules["node_selector"] = {ZONE: draw(st.sampled_from(ZONES))}
    return pod(draw(st.sampled_from(["250m", "1", "1500m"])), "128Mi", labels={"app": app}, **rules)


PODS = st.builds(
    lambda shape, owner, phase, held: (shape, owner, phase, held),
    shapes(),
    st.sampled_from(["ReplicaSet"] * 5 + ["DaemonSet"]),
    st.sampled_from(["Running"] * 6 + ["Pending", "Failed"]),
    st.sampled_from([""] * 8 + ["true"]),
)
NODES = st.tuples(
    st.sampled_from(TYPES),
    st.sampled_from(ZONES),
    st.sampled_from(["default", "default", "other", ""]),
    st.sampled_from(["up"] * 6 + ["coming", "going"]),
    st.lists(PODS, max_size=4),
)


@st.composite
def clusters(draw) -> ClusterState:
    """A few nodes with a few pods each, one or two pools, and pods that wait."""
    nodes = [draw_node(i, *parts) for i, parts in enumerate(draw(st.lists(NODES, min_size=1, max_size=5)))]
    limits = draw(st.sampled_from([None, {"cpu": 6}, {"cpu": 14}, {"nodes": 2}]))
    first = pool(kinds=draw(st.sampled_from([(ON_DEMAND,), (ON_DEMAND, SPOT)])), after="5m", limits=limits)
    pools = [first, *([pool("other", weight=7, taints=())] if draw(st.booleans()) else [])]
    pending = [PodBatch(f"w-{i}", shape, uid=f"w-{i}") for i, shape in enumerate(draw(st.lists(shapes(), max_size=2)))]
    return cluster(*nodes, pools=pools, pending=pending, options=SchedulerOptions(respect_preferences=draw(st.booleans())))


def draw_node(number: int, of, zone: str, pool_name: str, state: str, pods: Sequence[tuple]) -> StateNode:
    running = [
        runs(f"p-{number}-{i}", "1", owner, of=shape, phase=phase, do_not_disrupt=held)
        for i, (shape, owner, phase, held) in enumerate(pods)
    ]
    fields = {"of": of, "zone": zone, "initialized": state != "coming", "removed": state == "going"}
    fields |= {"last_pod_event": NOON - 60} if number % 3 == 0 else {}
    return node(f"n-{number}", *running, pool=pool_name, **fields, without=() if pool_name else (NODEPOOL,))


def reported(found: SimulatedPass) -> tuple[object, ...]:
    """Everything that a simulation came to, by the names of pods."""
    who = [b.name for b in found.batches]
    claims = [
        (c.node_pool, {who[b]: n for b, n in c.pods.items()}, str(c.requirements), dict(c.requests), c.candidates)
        for c in found.claims
    ]
    moves = {name: {who[b]: n for b, n in pods.items()} for name, pods in found.moves.items()}
    return sorted(claims, key=lambda c: sorted(c[1])), moves, {who[b]: text for b, text in found.errors.items()}, found.error


def afresh(of: ClusterState, gone: Sequence[StateNode], *, resting: bool) -> Results:
    """A pass of its own over what is left when some nodes are removed: nothing is shared with any other."""
    names_gone = {m.name for m in gone}
    moving = [p for m in gone for p in m.pods if leaves(p)]
    leaving = [p for m in of.nodes if m.state.removed for p in m.pods if leaves(p)]
    batches = [*of.pending, *(PodBatch(p.name, p.pod, created=int(p.created), uid=p.uid) for p in (*moving, *leaving))]
    first = len(of.pending)
    left = [m for m in of.nodes if m.name not in names_gone]
    bound = [
        TopologyPods(p.pod, p.node, counted=p.active)
        for m in of.nodes
        for p in m.pods
        if not p.ended and not ((m.name in names_gone or m.state.removed) and leaves(p))
    ]
    return schedule(
        SchedulerInputs(
            pools=tuple(of.pools.values()),
            types=of.types,
            batches=batches,
            registry=of.registry,
            options=replace(of.options, reserved_mode=ReservedOfferingMode.FALLBACK),
            nodes=[
                *(replace(m.state, resting=of.is_settling(m)) for m in left),
                *(replace(m.state, removed=True) for m in gone),
            ],
            bound=bound,
            moving=frozenset(range(first, len(batches))),
            settled=frozenset(i for i, p in enumerate(moving, first) if p.phase != "Pending") if resting else frozenset(),
        )
    )


def leaves(pod: RunningPod) -> bool:
    return pod.reschedulable and not (pod.active and pod.held(NOON))


@examples(1.2)
@given(clusters(), st.data())
def test_a_simulation_is_a_pass_without_the_nodes(of, data):
    """What passes share changes nothing: claims, types, requirements and places are those of a pass made for the purpose."""
    there = [m for m in of.nodes if not m.state.removed]
    gone = data.draw(st.lists(st.sampled_from(there), unique_by=lambda m: m.name, max_size=3)) if there else []
    resting = data.draw(st.booleans())
    simulation, right = Simulator(of).without(gone, resting=resting), afresh(of, gone, resting=resting)
    who = [b.name for b in simulation.batches]
    assert sorted(map(str, claims_of(simulation.claims))) == sorted(map(str, claims_of(right.claims)))
    assert {n: dict(p) for n, p in simulation.moves.items()} == {n: dict(p) for n, p in right.existing.items()}
    unplaced = {u.batch for u in right.unplaced}
    assert unplaced <= set(simulation.errors)
    assert all("uninitialized" in simulation.errors[b] for b in simulation.errors.keys() - unplaced), who


def claims_of(claims) -> list[tuple[object, ...]]:
    return [
        (
            c.node_pool,
            sorted(c.pods.items()),
            [e.manifest() for e in c.requirements.expressions()],
            sorted(c.requests.items()),
            [t.name for t in c.candidates.types],
            c.candidates.prices,
        )
        for c in claims
    ]


@examples(0.6)
@given(clusters(), st.data())
def test_a_simulation_does_not_depend_on_those_before(of, data):
    """Whatever was asked before, the answer is that of a simulator that was never asked anything."""
    there = [m for m in of.nodes if not m.state.removed]
    questions = [pair for n in (0, 1, 2) for pair in combinations(there, n)]
    order = data.draw(st.permutations(questions[:6]))
    used = Simulator(of)
    for gone in order:
        resting = len(gone) != 1
        assert reported(used.without(gone, resting=resting)) == reported(Simulator(of).without(gone, resting=resting)), (
            names_of(gone)
        )


def names_of(gone: Sequence[StateNode]) -> list[str]:
    return [m.name for m in gone]
