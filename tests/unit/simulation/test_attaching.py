"""Nodes of a simulation attach as many volumes as their CSINode says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cutlist.simulation.events import MINUTE
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.state.volumes import Storage
from cutlist.workloads.objects import PersistentVolumeClaim, StorageClass
from cutlist.workloads.pods import Volume
from tests.unit.disruption.builders import cluster, pool
from tests.unit.simulation.builders import group, inputs, simulation

EBS = "ebs.csi.aws.com"
DB = group("db", kind="StatefulSet", cpu="100m", volumes=(Volume("data", per_replica=True),))
CLAIMS = [PersistentVolumeClaim(f"data-db-{n}", storage_class="disk") for n in range(5)]
STORAGE = Storage({("default", c.name): c for c in CLAIMS}, {}, {"disk": StorageClass("disk", EBS, "WaitForFirstConsumer")})


def pods_on_nodes(limits: Mapping[str, int], demand: list[ReplicasSet]) -> list[tuple[int, int]]:
    """How many pods and how many volumes the nodes have in the end, those with the most first."""
    of = inputs(DB, of=replace(cluster(pools=[pool(after="Never")]), storage=STORAGE))
    run = simulation(replace(of, attach_limits=lambda _pool, _type: limits), demand)
    nodes = run.world.cluster.nodes.values()
    return sorted(((len(n.pods), len(n.state.attached)) for n in nodes), reverse=True)


def test_pods_whose_volumes_do_not_fit_wait_for_further_nodes() -> None:
    """Karpenter launches one node for five pods; kube-scheduler binds as many as the node attaches volumes of."""
    # VL-6
    five = [ReplicasSet(0, "statefulset/db", 5)]
    assert pods_on_nodes({}, five) == [(5, 5)]
    assert pods_on_nodes({EBS: 2}, five) == [(2, 2), (2, 2), (1, 1)]


def test_a_pod_that_ends_gives_its_place_back() -> None:
    """Another pod may attach its volume then."""
    # S-64
    demand = [ReplicasSet(0, "statefulset/db", 2), ReplicasSet(20 * MINUTE, "statefulset/db", 1)]
    assert pods_on_nodes({EBS: 2}, demand) == [(1, 1)]
