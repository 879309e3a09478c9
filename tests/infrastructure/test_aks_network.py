"""AksNetwork: a virtual network made or taken, its subnets one after the other, and what is refused before any of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.azure_stand_in import CLUSTER, GATEWAY, GROUP, NETWORK, NETWORK_ID, SUBNET, one, run
from tests.infrastructure.graph import Graph
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
from pulumi_cutlist.azure import AksNetwork

network = AksNetwork("net", args)
pulumi.export("network", network.network_id)
pulumi.export("subnets", network.subnet_ids)
pulumi.export("nodes", network.node_subnet_id)
"""
ADDRESS = "azure-native:network:PublicIPAddress"


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, **args: Any) -> Recording:
        return run(tmp_path, PROGRAM, mode, args={"cluster": CLUSTER, **args})

    return make


@pytest.mark.parametrize("mode", Mode)
def test_a_network_without_wishes_has_one_subnet_whose_id_is_known_at_once(record, mode):
    recording = record(mode)
    assert one(recording, NETWORK).inputs["addressSpace"] == {"addressPrefixes": ["10.224.0.0/16"]}
    subnet = one(recording, SUBNET).inputs
    assert (subnet["subnetName"], subnet["virtualNetworkName"], subnet["addressPrefix"]) == ("nodes", "shop", "10.224.0.0/18")
    assert recording.exports == {
        "network": NETWORK_ID,
        "subnets": {"nodes": f"{NETWORK_ID}/subnets/nodes"},
        "nodes": f"{NETWORK_ID}/subnets/nodes",
    }
    assert not any(has_unknowns(r) for r in recording.resources.values())


def test_subnets_are_made_one_after_the_other(record):
    """Azure changes one subnet of a network at a time."""
    recording = record(own={"subnets": {"nodes": "10.224.0.0/20", "batch": "10.224.16.0/20", "gpu": "10.224.32.0/20"}})
    graph = Graph.of(recording)
    for later, earlier in (("batch", "nodes"), ("gpu", "batch")):
        assert graph.reaches(one(recording, SUBNET, f"net-{later}"), one(recording, SUBNET, f"net-{earlier}"))
    assert all("subnets" in r.request.ignoreChanges for r in recording.of_type(NETWORK))


def test_a_nat_gateway_is_there_before_the_subnets_that_it_serves(record):
    recording = record(own={"nat_gateway": True}, tags={"team": "shop"})
    gateway, subnet = one(recording, GATEWAY), one(recording, SUBNET)
    assert subnet.inputs["natGateway"] == {"id": "net-nat-id"}
    assert gateway.inputs["sku"] == one(recording, ADDRESS).inputs["sku"] == {"name": "Standard"}
    assert gateway.inputs["tags"] == {"team": "shop"}
    assert Graph.of(recording).reaches(subnet, [gateway, one(recording, ADDRESS)])


@pytest.mark.parametrize("mode", Mode)
def test_a_network_that_is_there_is_used_and_not_touched(record, mode):
    given = f"{GROUP.replace('rg-shop', 'rg-net')}/providers/Microsoft.Network/virtualNetworks/hub"
    recording = record(mode, adopted={"network_id": given, "subnets": {"a": {"cidr": "10.1.0.0/20"}}}, node_subnet="a")
    assert recording.exports["nodes"] == f"{given}/subnets/a"
    assert [r.type for r in recording.resources.values() if r.type.startswith("azure-native:")] == []


def test_everything_wrong_is_reported_together_and_nothing_is_made(record):
    wrong = {"cidr": "10.224.0.0/16", "subnets": {"nodes": "10.1.0.0/20", "batch": "10.224.0.0/33"}, "nat": True}
    with pytest.raises(InputError) as caught:
        record(cluster={**CLUSTER, "location": "Japan East"}, own=wrong)
    assert [str(problem.place) for problem in caught.value.problems] == [
        "cluster.location",
        "own.nat",
        "own.subnets.batch",
        "own.subnets.nodes",
    ]


def test_a_network_is_either_made_or_taken(record):
    with pytest.raises(InputError, match="own: both own and adopted; allowed: one of them"):
        record(own={}, adopted={"network_id": NETWORK_ID, "subnets": {"nodes": {}}})
