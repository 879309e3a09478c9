"""What is called hopeless without a simulation is hopeless in one."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import SPOT
from cutlist.disruption.cluster_state import ClusterState, FeatureGates
from cutlist.disruption.command import Command
from cutlist.disruption.consolidation import ConsolidationOption, decide
from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.methods import METHODS, evaluate
from cutlist.disruption.prospects import KnownPods, Machines, Prospects
from cutlist.disruption.simulation import Simulator
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch
from tests.examples import examples
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL, cluster, node, pool, runs
from tests.unit.scheduling.builders import pod, spread

SIZES = ("300m", "700m", "1", "1500m", "3")
NODES = st.lists(
    st.tuples(
        st.sampled_from((SMALL, MEDIUM, LARGE)),
        st.sampled_from(("on-demand", SPOT)),
        st.lists(st.sampled_from(SIZES), max_size=5),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


def state(drawn, waiting=(), *, gate: bool = False, **fields) -> ClusterState:
    """Return nodes with pods as far as they fit; one in two may be about to be removed."""
    nodes = []
    for number, (machine, kind, sizes, removed) in enumerate(drawn):
        pods, left = [], machine.capacity["cpu"]
        for at, size in enumerate(sizes):
            running = runs(f"p{number}-{at}", size)
            if running.pod.requests["cpu"] <= left:
                left -= running.pod.requests["cpu"]
                pods.append(running)
        nodes.append(node(f"n{number}", *pods, of=machine, kind=kind, removed=removed and number % 3 == 2))
    pending = [PodBatch(f"w{n}", pod(size, "128Mi"), uid=f"w{n}") for n, size in enumerate(waiting)]
    pools = [pool(kinds=("on-demand", SPOT))]
    return cluster(*nodes, pools=pools, pending=pending, feature_gates=FeatureGates(spot_to_spot=gate), **fields)


def prospects(of: ClusterState) -> Prospects:
    nodes = [n.state for n in of.nodes]
    pods = [*(p.pod for n in of.nodes for p in n.pods), *(b.pod for b in of.pending)]
    inputs = SchedulerInputs(
        tuple(of.pools.values()), of.types, [PodBatch("p", p) for p in pods], registry=of.registry, nodes=nodes
    )
    machines = {spot: Machines.of(of, {}, spot=spot) for spot in (False, True)}
    return Prospects(of, SchedulingContext(inputs), KnownPods(pods), machines)


@examples(0.5)
@given(NODES, st.lists(st.sampled_from(SIZES), max_size=2), st.booleans(), st.integers(1, 4))
def test_nothing_comes_of_what_is_hopeless(drawn, waiting, gate, together):
    of = state(drawn, waiting, gate=gate)
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


def test_full_nodes_of_the_cheapest_kind_are_hopeless():
    of = cluster(*(node(f"n{n}", runs(f"p{n}", "2"), of=SMALL) for n in range(3)))
    looks, inputs = prospects(of), MethodInputs.of(of)
    assert all(looks.are_hopeless([c]) for c in inputs.graceful.by_name.values())


def test_nothing_is_said_about_pods_with_rules():
    of = cluster(*(node(f"n{n}", runs(f"p{n}", of=pod("2", "128Mi", spread=(spread(),))), of=SMALL) for n in range(3)))
    looks, inputs = prospects(of), MethodInputs.of(of)
    assert not any(looks.are_hopeless([c]) for c in inputs.graceful.by_name.values())
