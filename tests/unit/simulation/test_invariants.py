"""Laws of every simulation, whatever its workloads want."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cutlist import Budget
from cutlist.core.labels import HOSTNAME
from cutlist.core.quantity import Quantity
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.simulation import SimulatedPass as Placement
from cutlist.disruption.simulation import Simulator
from cutlist.providers.node_repair import AWS_DISRUPTION_REPAIR_POLICIES
from cutlist.simulation.events import HOUR, SECOND
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.kubescheduler import KnownPreferences
from cutlist.simulation.node_scores import NodeScores
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.pod_preferences import PodPreferences
from cutlist.simulation.pod_rules import PodCounts
from cutlist.simulation.simulation import Simulation
from cutlist.state.pods import RunningPod
from cutlist.workloads.default_selectors import SelectorSources
from cutlist.workloads.pods import PodTerm
from tests.examples import examples
from tests.unit.disruption.builders import cluster, guard, guarded, pool
from tests.unit.scheduling.builders import selecting, spread
from tests.unit.simulation.builders import Watched, group, inputs, settings
from tests.unit.simulation.outside_events import TIMES, outside_events, with_editions

GROUPS = (
    group("web", cpu="700m"),
    group("api", cpu="1500m"),
    group("even", cpu="300m", spread=(spread(),)),
    group("small", cpu="100m", grace=0, preferred_anti_affinity=(PodTerm(HOSTNAME, selecting(app="api"), weight=5),)),
)
WANTED = st.lists(
    st.tuples(st.integers(0, 3600), st.sampled_from(GROUPS), st.integers(0, 9)).map(
        lambda s: ReplicasSet(s[0] * SECOND, s[1].workload, s[2])
    ),
    max_size=12,
).map(lambda events: sorted(events, key=lambda e: e.at))


def watched(of: SimulationInputs, demand, look) -> Simulation:
    run = Watched(of, demand, settings(1.5))
    run.look = look
    run.run(run.world.settings.until)
    return run


@examples(0.2)
@given(WANTED)
def test_pods_are_where_there_is_room_and_none_is_lost(demand):
    of = inputs(*GROUPS, of=cluster(pools=[pool(budgets=[Budget(nodes="1")])], evictions=guarded(guard(minAvailable="50%"))))
    wanted: dict[str, int] = {}

    def look(run: Simulation) -> None:
        check_pods(run, demand, wanted)
        assert sum(n.state.removed for n in run.world.cluster.nodes.values()) <= 1

    check_money(watched(of, demand, look))


@examples(0.2)
@given(WANTED, st.lists(outside_events(TIMES), max_size=8))
def test_the_same_holds_whatever_happens_from_outside(demand, events):
    """Images, edits of NodePools, one of them static, failures with repair, interruptions, missing capacity."""
    gates, policies = FeatureGates(node_repair=True), AWS_DISRUPTION_REPAIR_POLICIES
    state = cluster(evictions=guarded(guard(minAvailable="50%")), feature_gates=gates, repair_policies=policies)
    wanted: dict[str, int] = {}
    everything = sorted((*demand, *events), key=lambda e: e.at)
    run = watched(with_editions(inputs(*GROUPS, of=state)), everything, lambda run: check_pods(run, demand, wanted))
    check_money(run)
    fixed = run.world.cluster.base.pools.get("fixed")
    staying = sum(n.pool == "fixed" and not n.state.removed for n in run.world.cluster.nodes.values())
    assert staying >= ((fixed.replicas or 0) if fixed is not None else 0)


def check_pods(run: Simulation, demand: list[ReplicasSet], wanted: dict[str, int]) -> None:
    """Each pod is in one place where there is room for it, and there are as many as are wanted, which is kept from look to
    look."""
    state = run.world.cluster
    on_nodes = [p.name for n in state.nodes.values() for p in n.pods]
    assert len(on_nodes) == len(set(on_nodes))
    assert {*on_nodes, *(state.pods[key].name for key in state.pending)} == {p.name for p in state.pods.values()}
    assert all(amount >= 0 for n in state.nodes.values() for amount in n.state.available.values())
    for n in state.nodes.values():
        used = sum(p.pod.requests["cpu"] for p in n.pods)
        assert n.state.available["cpu"] + used == n.state.capacity["cpu"]
    wanted.update((e.workload, e.replicas) for e in demand if e.at <= run.world.now)
    active = [state.workload_of[key] for key, p in state.pods.items() if not p.terminating]
    assert all(active.count(g.workload) == wanted.get(g.workload, 0) for g in GROUPS)


def check_money(run: Simulation) -> None:
    """It is the sum over nodes of the hours that they ran, times their prices."""
    result, until = run.result(), run.world.now
    cost = math.fsum(
        life.price * ((until if life.ended is None else life.ended) - life.started) / HOUR for life in result.lives
    )
    assert math.isclose(result.totals.usd, cost, abs_tol=1e-9)
    assert math.isclose(sum(usd for hour in result.series for usd in hour.usd.values()), cost, abs_tol=1e-9)


@examples(0.1)
@given(WANTED)
def test_nothing_is_launched_beyond_limits(demand):
    def look(run: Simulation) -> None:
        nodes = run.world.cluster.nodes.values()
        assert sum(n.state.capacity["cpu"] for n in nodes if not n.state.removed) <= Quantity.parse("8").nanos

    watched(inputs(*GROUPS, of=cluster(pools=[pool(limits={"cpu": "8"})])), demand, look)


@examples(0.05)
@given(WANTED)
def test_what_is_kept_from_pass_to_pass_is_what_would_be_computed_anew(demand):
    """Each second look asks first about the node that the look before asked about last."""
    looks = count()

    def look(run: Simulation) -> None:
        is_next = (number := next(looks)) % 10 == 1
        if number % 10 > 1:
            return
        state = run.world.cluster.state()
        kept, fresh = run.world.cluster.simulator(state), Simulator(state)
        for node in state.nodes[2::-1] if is_next else state.nodes[:3]:
            assert reported(kept.without([node], resting=True)) == reported(fresh.without([node], resting=True))

    watched(inputs(*GROUPS), demand, look)


@examples(0.05)
@given(WANTED, st.lists(outside_events(TIMES), max_size=8))
def test_scores_that_are_kept_are_those_of_nodes_as_they_are(demand, events):
    """Those by room, and those that look at other pods."""

    def look(run: Simulation) -> None:
        for of in GROUPS:
            running, scores = RunningPod("next", of.pod, controller=of.controller), NodeScores(run.world.cluster)
            fresh = KnownPreferences(run.world.cluster, SOURCES, scores, PodCounts()).of(running)
            assert run._scheduler._scores.of(of.pod) == scores.of(of.pod)
            kept = run._scheduler._preferences.of(running)
            room, _ = scores.of(of.pod)
            assert scored(kept, room) == scored(fresh, room)

    of = replace(with_editions(inputs(*GROUPS)), selectors=SOURCES)
    watched(of, sorted((*demand, *events), key=lambda e: e.at), look)


def manifest(name: str) -> dict[str, Any]:
    """A Deployment that selects the pods of a workload."""
    selector = {"matchLabels": {"app": name}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": {"selector": selector}}


SOURCES = SelectorSources.of(manifest(of.name) for of in GROUPS)


def scored(preferences: PodPreferences, names: Iterable[str]) -> object:
    """Return the scores of nodes because of other pods."""
    if not preferences.is_concerned:
        return {}
    places = {name: preferences.place(name) for name in names}
    numbers = Counter(places.values())
    spread, affinity = preferences.spread_scores(numbers), preferences.affinity_scores(numbers)
    return {name: (spread[place], affinity[place]) for name, place in places.items()}


def reported(placement: Placement) -> object:
    """Return what a placement says, as something that can be compared."""
    claims = [(c.node_pool, c.pods, c.requirements, c.requests, c.candidates.types) for c in placement.claims]
    return placement.batches, placement.moves, placement.errors, placement.running, claims


@examples(0.1)
@given(WANTED, st.integers(1, 5400))
def test_a_run_that_stops_and_goes_on_is_the_run_in_one(demand, cut):
    of = inputs(*GROUPS)
    whole, parts = (Simulation(of, demand, settings(1.5)) for _ in range(2))
    whole.run(whole.world.settings.until)
    parts.run(cut * SECOND)
    parts.run(parts.world.settings.until)
    assert parts.result() == whole.result()
