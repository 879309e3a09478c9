"""Pods that claim devices in simulations: nodes publish theirs, pods hold them, and give them back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.requirements import Requirements
from cutlist.devices.inventory import DeviceInventory
from cutlist.devices.read import read_dynamic_resources
from cutlist.scheduling.dynamicresources.running import (
    claims_held,
    published_slices,
    with_held,
    with_slices,
    without_consumers,
)
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.simulation.events import HOUR, MINUTE
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.workloads.pods import PodClaim
from tests.unit.disruption.builders import LARGE, cluster
from tests.unit.scheduling.builders import pod
from tests.unit.simulation.builders import commands, group, inputs, simulation

DRIVER = "gpu.example.com"
TWO = read_dynamic_resources(
    {"resourceSliceTemplates": [{"driver": DRIVER, "pool": "gpus", "devices": [{"name": "gpu", "count": 2}]}]}
)
REQUEST = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "any"}}]}}
OBJECTS = (
    {"kind": "DeviceClass", "metadata": {"name": "any"}},
    {"kind": "ResourceClaimTemplate", "metadata": {"name": "one", "namespace": "default"}, "spec": {"spec": REQUEST}},
    {"kind": "ResourceClaim", "metadata": {"name": "shared", "namespace": "default"}, "spec": REQUEST},
)
INVENTORY = DeviceInventory.of(OBJECTS)
OWN = {"uses_dynamic_resources": True, "resource_claims": (PodClaim("gpu", template="one"),)}
SHARED = {"uses_dynamic_resources": True, "resource_claims": (PodClaim("gpu", claim="shared"),)}


def gpu_cluster(**fields: object):
    """A cluster without nodes whose only instance type has two GPUs and room for eight pods."""
    options = SchedulerOptions(ignore_dra_requests=False)
    return cluster(types=(replace(LARGE, dynamic_resources=TWO),), devices=INVENTORY, options=options, **fields)


def test_pods_wait_for_nodes_with_devices_and_hold_one_each() -> None:
    """Three pods of one GPU need two nodes of two, though one node had room for all of them."""
    run = simulation(inputs(group(count=3, **OWN), of=gpu_cluster()))
    assert [life.instance_type for life in run.result().lives] == ["large", "large"]
    devices = [(row[4], row[5]) for _, rows in run.world.cluster.devices.held.values() for row in rows]
    assert len(devices) == len(set(devices)) == 3
    assert run.result().totals.pending == 0


def test_an_ended_pod_gives_its_device_back() -> None:
    """The next pod takes it, without another node."""
    demand = [
        ReplicasSet(0, "deployment/web", 2),
        ReplicasSet(20 * MINUTE, "deployment/web", 1),
        ReplicasSet(40 * MINUTE, "deployment/web", 2),
    ]
    run = simulation(inputs(group(**OWN), of=gpu_cluster()), demand)
    assert [life.instance_type for life in run.result().lives] == ["large"]
    assert len(run.world.cluster.devices.held) == 2


def test_nodes_with_devices_are_consolidated_where_devices_are_free() -> None:
    """Two nodes with a pod each become one, since a node has two GPUs."""
    demand = [ReplicasSet(0, "deployment/web", 4), ReplicasSet(20 * MINUTE, "deployment/web", 2)]
    run = simulation(inputs(group(**OWN), of=gpu_cluster()), demand, hours=2)
    nodes = [life for life in run.result().lives if life.ended is None]
    assert len(nodes) == 1
    assert len({row[5] for _, rows in run.world.cluster.devices.held.values() for row in rows}) == 2
    assert commands(run)


def test_pods_share_the_devices_of_a_claim() -> None:
    """They are on one node, and the claim is held by both."""
    run = simulation(inputs(group(count=2, **SHARED), of=gpu_cluster()))
    (claim,) = (c for c in run.world.cluster.devices.inventory.claims.values() if c.name == "shared")
    assert len(claim.consumers) == 2
    assert claim.allocation is not None
    assert len({p.node for p in run.world.cluster.pods.values()}) == 1


def test_a_resumed_simulation_goes_on_with_the_same_devices() -> None:
    """What is saved of devices is enough to make the objects again."""
    whole = simulation(inputs(group(count=3, **OWN), of=gpu_cluster()))
    devices = whole.world.cluster.devices
    saved = devices.nodes, devices.held
    again = simulation(inputs(group(**OWN), of=gpu_cluster())).world.cluster.devices
    again.nodes, again.held = saved
    again._copy = None
    assert again.inventory.claims == devices.inventory.claims
    assert [(s.name, s.pool) for s in again.inventory.slices] == [(s.name, s.pool) for s in devices.inventory.slices]


@pytest.mark.parametrize("count", [1, 2])
def test_a_node_gives_each_device_once(count: int) -> None:
    """The third pod gets none."""
    devices = with_slices(INVENTORY, published_slices("n", TWO))
    known = frozenset[str]()
    given = []
    for number in range(3):
        held = claims_held(devices, "n", Requirements(), pod("1", **OWN), f"p{number}", f"u{number}", known)
        given += [d.id.device for claim in held for d in claim.devices]
        devices = with_held(devices, held)
    assert given == ["gpu-0", "gpu-1"]
    left = without_consumers(devices, {f"u{n}" for n in range(count)})
    assert sum(c.allocation is None for c in left.claims.values()) == count + 1  # the shared one never had any


def test_a_day_with_claims_ends() -> None:
    """An hour has as many nodes at its end as pods need."""
    demand = [ReplicasSet(n * MINUTE, "deployment/web", n % 5) for n in range(50)]
    run = simulation(inputs(group(**OWN), of=gpu_cluster()), demand)
    assert run.world.now == HOUR
    assert run.result().totals.pending == 0
