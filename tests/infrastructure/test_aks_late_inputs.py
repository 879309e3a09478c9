"""Inputs of a cluster on Azure that other resources make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.azure_stand_in import CLUSTER, MANAGED, VAULT_ID, one, run
from tests.infrastructure.test_aks_node_provisioning import OBJECTS

PROGRAM = """
import typing, pulumi
from pulumi_cutlist.azure import AksNodeProvisioning

class Thing(pulumi.CustomResource):
    value: pulumi.Output[typing.Any]
    def __init__(self, name, value):
        super().__init__("test:index:Thing", name, {"value": value})

def late(name, value):
    thing = Thing(name, value)
    return pulumi.Output.all(thing.id, thing.value).apply(lambda both: both[1])

if make_late:
    vault["vault_id"], vault["key_url"] = late("vault", vault["vault_id"]), late("key", vault["key_url"])
    settings["admin_group_ids"] = [late("group", settings["admin_group_ids"][0])]
    settings["authorized_ip_ranges"][1] = late("office", settings["authorized_ip_ranges"][1])
AksNodeProvisioning("shop", {**args, "disk_key": vault, "settings": settings})
"""


def recorded(folder: Path, mode: Mode = Mode.UPDATE, *, is_late: bool = True, office: str = "203.0.113.0/24") -> Recording:
    given: dict[str, Any] = {
        "args": {"cluster": CLUSTER, **OBJECTS},
        "vault": {"vault_id": VAULT_ID, "key_url": "https://shop.vault.azure.net/keys/disks"},
        "settings": {"admin_group_ids": ["group-1"], "authorized_ip_ranges": ["198.51.100.0/24", office]},
        "make_late": is_late,
    }
    return run(folder, PROGRAM, mode, **given)


def registered(recording: Recording) -> dict[str, Any]:
    return {urn: one.inputs for urn, one in recording.resources.items() if one.type != "test:index:Thing"}


def test_outputs_make_the_same_cluster_as_the_values_that_they_turn_out_to_have(tmp_path: Path):
    assert registered(recorded(tmp_path)) == registered(recorded(tmp_path, is_late=False))


def test_a_preview_plans_with_what_is_known(tmp_path: Path):
    cluster = one(recorded(tmp_path, Mode.PREVIEW), MANAGED).inputs
    assert cluster["apiServerAccessProfile"]["authorizedIPRanges"][0] == "198.51.100.0/24"


@pytest.mark.parametrize(
    ("office", "message"),
    [("0.0.0.0/0", "0.0.0.0/0 is every address"), ("the office", "'the office' is not an address range")],
)
def test_a_range_that_turns_out_wrong_ends_the_update(tmp_path: Path, office: str, message: str):
    with pytest.raises(InputError) as refused:
        recorded(tmp_path, office=office)
    assert f"settings.authorizedIpRanges[1]: {message}" in str(refused.value)


NETWORK_ID = (
    "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg-net/providers/Microsoft.Network/virtualNetworks/hub"
)
IN_A_NETWORK = (
    PROGRAM.split("if make_late:")[0]
    + """
if make_late:
    adopted["network_id"] = late("network", adopted["network_id"])
network = {"adopted": adopted, "rights_on_subnets_alone": subnets_alone}
shop = AksNodeProvisioning("shop", {**args, "network": network, "class_subnets": {"general": "batch"}})
pulumi.export("subnets", shop.subnet_ids)
"""
)


def in_a_network(
    folder: Path, mode: Mode = Mode.UPDATE, *, alone: bool = False, is_late: bool = True, id_: str = ""
) -> Recording:
    adopted = {
        "network_id": id_ or NETWORK_ID,
        "subnets": {"nodes": {"cidr": "10.9.0.0/20"}, "batch": {"cidr": "10.9.16.0/20"}},
    }
    args = {"cluster": CLUSTER, "settings": {"authorized_ip_ranges": ["198.51.100.0/24"]}, **OBJECTS}
    return run(folder, IN_A_NETWORK, mode, args=args, adopted=adopted, make_late=is_late, subnets_alone=alone)


@pytest.mark.parametrize("alone", [False, True])
def test_a_network_of_other_resources_makes_the_same_cluster(tmp_path: Path, alone: bool):
    """Rights, the cluster and its node classes have the network's own id, and so has the name that is made of it."""
    late, plain = (in_a_network(tmp_path, alone=alone, is_late=is_late) for is_late in (True, False))
    assert registered(late) == registered(plain)
    assert late.exports == plain.exports
    assert "cutlist-late" not in str(registered(late))
    assert f"{NETWORK_ID}/subnets/nodes" in str(one(late, MANAGED).inputs)


def test_a_preview_does_not_know_the_network_and_shows_the_rest(tmp_path: Path):
    inputs = one(in_a_network(tmp_path, Mode.PREVIEW), MANAGED).inputs
    assert "cutlist-late" not in str(inputs)
    assert inputs["apiServerAccessProfile"]["authorizedIPRanges"] == ["198.51.100.0/24"]


def test_a_network_that_turns_out_to_be_none_ends_the_update(tmp_path: Path):
    with pytest.raises(InputError) as refused:
        in_a_network(tmp_path, id_="hub")
    assert "network.adopted.network_id: 'hub' is not the id of a virtual network" in str(refused.value)
