"""Claims that come with pods: who creates them, where their volumes lie, and when they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.csi import EBS
from cutlist.core.labels import ZONE
from cutlist.core.requirement import Expression, Operator
from cutlist.simulation.demand.rollouts import Rollout
from cutlist.simulation.events import HOUR, MINUTE, SECOND, Event
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.simulation import Simulation
from cutlist.simulation.storage import SimulatedStorage, provisioner_offset
from cutlist.state.volumes import Storage
from cutlist.workloads.objects import PersistentVolume, PersistentVolumeClaim, StorageClass
from cutlist.workloads.pods import Volume
from tests.examples import examples
from tests.unit.disruption.builders import LARGE, cluster, node, pool
from tests.unit.simulation.builders import Watched, group, inputs, settings, simulation
from tests.unit.simulation.outside_events import TIMES, outside_events

LATE = StorageClass("disk", EBS, "WaitForFirstConsumer")
DATA = Volume("data", storage_class="disk", per_replica=True)
DB = group("db", kind="StatefulSet", cpu="900m", volumes=(DATA,))
SCRATCH = group("web", volumes=(Volume("scratch", storage_class="disk", ephemeral=True),))
NAME = "statefulset/db"


def of(*groups, rollout: Rollout | None = None, at_once: bool = False, nodes=(), **storage) -> SimulationInputs:
    state = replace(cluster(*nodes, pools=[pool()]), storage=Storage(classes={"disk": LATE}, **storage))
    rollouts = {NAME: rollout or Rollout(None, is_ordered=True)}
    return replace(inputs(*groups, of=state), rollouts=rollouts, at_once=frozenset({"disk"} if at_once else ()))


def zones(run: Simulation) -> dict[str, str]:
    """Return the zone of each volume by its claim, empty for a claim without one."""
    storage = run.world.cluster.storage
    volumes = {claim.name: storage.volumes.get(claim.volume) for claim in storage.claims.values()}
    return {name: volume.terms[0][0].values[0] if volume and volume.terms else "" for name, volume in volumes.items()}


def running(run: Simulation) -> dict[str, str]:
    """Return the zone of each pod that runs."""
    state = run.world.cluster
    return {p.name: n.zone for n in state.nodes.values() for p in n.pods if not p.terminating}


def replicas(*steps: tuple[int, int]) -> list[ReplicasSet]:
    return [ReplicasSet(at * MINUTE, NAME, count) for at, count in steps]


def test_scale_up_creates_the_claims_and_each_volume_lies_in_the_zone_of_its_pod():
    # C-37, C-40
    run = simulation(of(DB), replicas((0, 2), (20, 5)))
    assert sorted(running(run)) == [f"db-{n}" for n in range(5)]
    assert zones(run) == {f"data-{name}": zone for name, zone in running(run).items()}
    assert not run.result().unplaced


def test_a_pod_that_comes_back_meets_the_zone_of_its_volume():
    """The claim outlives its pod, so a later pod of the ordinal can run only there."""
    # C-37, C-38
    bound = {("default", "data-db-0"): PersistentVolumeClaim("data-db-0", storage_class="disk").bound_to("old")}
    old = PersistentVolume("old", ((Expression(ZONE, Operator.IN, ("zone-c",)),),), driver=EBS)
    run = simulation(of(DB, claims=bound, volumes={"old": old}), replicas((0, 1), (20, 0), (40, 1)))
    assert running(run) == {"db-0": "zone-c"}
    assert len(run.result().lives) == 2


def test_claims_stay_unless_the_retention_policy_deletes_them():
    # C-38
    demand = replicas((0, 3), (20, 1))
    assert sorted(zones(simulation(of(DB), demand))) == ["data-db-0", "data-db-1", "data-db-2"]
    dropping = of(DB, rollout=Rollout(None, is_ordered=True, drops_claims=True))
    run = simulation(dropping, demand)
    assert sorted(zones(run)) == ["data-db-0"]
    assert len(run.world.cluster.storage.volumes) == 1


def test_a_claim_of_an_ephemeral_volume_ends_with_its_pod():
    # C-39
    demand = [ReplicasSet(0, "deployment/web", 3), ReplicasSet(20 * MINUTE, "deployment/web", 1)]
    run = simulation(of(SCRATCH), demand)
    assert sorted(zones(run)) == [f"{name}-scratch" for name in sorted(running(run))]
    assert len(running(run)) == 1


def test_immediate_binding_takes_the_zones_of_the_nodes_in_turn():
    # C-40
    nodes = [node(f"n-{zone}", of=LARGE, zone=zone) for zone in ("zone-a", "zone-b", "zone-c")]
    # Unlike a volume that waits for its pod, each is where the ordinal puts it, in another zone than the one before.
    run = simulation(of(DB, at_once=True, nodes=nodes), replicas((0, 4)))
    in_turn = list(zones(run).values())
    assert set(in_turn[:3]) == {"zone-a", "zone-b", "zone-c"}
    assert in_turn[3] == in_turn[0]
    assert {f"data-{name}": zone for name, zone in running(run).items()} == zones(run)


def test_an_immediate_class_keeps_to_its_zones_and_without_nodes_to_where_the_pod_can_run():
    # C-40
    only_b = replace(LATE, topologies=((Expression(ZONE, Operator.IN, ("zone-b",)),),))
    storage = SimulatedStorage(Storage(classes={"disk": only_b}), {"disk"})
    storage.pod_created(DB.pod, "db-0", ())
    storage.pod_created(DB.pod, "db-1", {"zone-a"})
    assert {v.terms[0][0].values for v in storage.volumes.values()} == {("zone-b",)}
    run = simulation(of(DB, at_once=True), replicas((0, 1)))
    assert zones(run) == {"data-db-0": running(run)["db-0"]}


@pytest.mark.parametrize(
    ("key", "zone"),
    [
        ("topology.ebs.csi.aws.com/zone", "zone-b"),
        ("topology.disk.csi.azure.com/zone", "zone-b"),
        ("example.com/zone", "zone-a"),
    ],
)
def test_only_labels_of_zones_say_where_a_class_makes_volumes(key: str, zone: str) -> None:
    """A label of another domain that ends in `/zone` does not: its values are of something else."""
    only = replace(LATE, topologies=((Expression(key, Operator.IN, ("zone-b",)),),))
    storage = SimulatedStorage(Storage(classes={"disk": only}), {"disk"})
    storage.pod_created(DB.pod, "db-0", {"zone-a"})
    assert {v.terms[0][0].values for v in storage.volumes.values()} == {(zone,)}


def test_the_provisioner_hashes_the_set_and_adds_the_ordinal():
    """FNV-1 of the part before the ordinal, as the external provisioner computes it."""
    # C-40
    assert provisioner_offset("data-db-0") == provisioner_offset("logs-db-0") == _fnv1("db")
    assert provisioner_offset("data-db-7") == _fnv1("db") + 7
    assert provisioner_offset("cache") == _fnv1("cache")


def _fnv1(text: str) -> int:
    number = 2166136261
    for letter in text.encode():
        number = (number * 16777619 & 0xFFFFFFFF) ^ letter
    return number


def test_a_claim_takes_a_volume_that_is_reserved_for_it():
    reserved = {"spec": {"claimRef": {"name": "data-db-0", "namespace": "default"}, "storageClassName": "disk"}}
    kept = PersistentVolume("kept", ((Expression(ZONE, Operator.IN, ("zone-b",)),),), driver=EBS, raw=reserved)
    run = simulation(of(DB, volumes={"kept": kept}), replicas((0, 1)))
    assert running(run) == {"db-0": "zone-b"}


def test_pods_that_share_a_claim_meet_in_the_zone_of_the_first():
    shared = group("cms", volumes=(Volume("media"),))
    claim = {("default", "media"): PersistentVolumeClaim("media", storage_class="disk")}
    nodes = [node(f"n-{zone}", of=LARGE, zone=zone) for zone in ("zone-a", "zone-b")]
    run = simulation(of(shared, nodes=nodes, claims=claim), [ReplicasSet(0, "deployment/cms", 9)])
    assert len(running(run)) == 9
    assert set(running(run).values()) == {zones(run)["media"]}


def test_the_next_pod_in_order_waits_for_the_one_before():
    # C-32, C-37
    run = Watched(of(DB), replicas((0, 3)), settings(1, pod_start=20 * SECOND))
    seen = []

    def look(now: Simulation) -> None:
        claims = len(now.world.cluster.storage.claims)
        ready = sum(key.startswith("default/db-") for key in now.world.ready)
        if not seen or seen[-1] != (claims, ready):
            seen.append((claims, ready))

    run.look = look
    run.run(run.world.settings.until)
    assert seen == [(1, 0), (2, 1), (3, 2), (3, 3)]


STEPS = st.lists(st.tuples(st.integers(0, 3600), st.integers(0, 4)), max_size=8).map(
    lambda steps: [ReplicasSet(at * SECOND, NAME, count) for at, count in sorted(steps)]
)


@examples(0.2)
@given(STEPS, st.lists(outside_events(TIMES), max_size=4), st.booleans(), st.booleans())
def test_each_pod_runs_where_its_volume_is_and_none_waits_for_a_claim(
    steps: Sequence[ReplicasSet], events: Sequence[Event], at_once: bool, ordered: bool
):
    """Whatever happens from outside. A volume never moves, and a claim ends only by its policy."""
    # C-37, C-38, C-40
    first: dict[str, str] = {}
    demand = sorted((*steps, *(e for e in events if type(e).__name__ != "ClusterEdited")), key=lambda e: e.at)
    run = Watched(of(DB, rollout=Rollout(None, is_ordered=ordered), at_once=at_once), demand, settings(1.5))

    def look(now: Simulation) -> None:
        state = now.world.cluster
        for key in state.pods:
            assert ("default", f"data-{key.rpartition('/')[2]}") in state.storage.claims
        for name, zone in zones(now).items():
            assert not zone or first.setdefault(name, zone) == zone
        for name, zone in running(now).items():
            assert first.get(f"data-{name}") == zone
        assert not any("claim" in reason for reason in now.world.ledger.refusals.values())

    run.look = look
    run.run(run.world.settings.until)
    assert run.world.now == round(1.5 * HOUR)
    assert set(zones(run)) >= set(first)
