"""Pools that AKS does not scale: where the cluster's own software runs, and what cannot be combined with node provisioning."""

from __future__ import annotations

import pytest

from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.pools import AgentPool, PoolRules, check_pools, zones_of
from tests.unit.infrastructure.aks.facts import mistakes


def checked(*pools: AgentPool, **rules: object) -> AksNotes:
    notes = AksNotes()
    check_pools(pools, PoolRules(**rules), notes)
    return notes


def test_a_pool_without_wishes_is_three_system_nodes_with_the_taint():  # Z-6
    pool = AgentPool()
    assert (pool.mode, pool.count, pool.taints) == ("System", 3, ("CriticalAddonsOnly=true:NoSchedule",))
    assert (mistakes(checked(pool)), checked(pool).texts) == ([], ())


def test_there_has_to_be_a_system_pool():  # Z-6
    [text] = mistakes(checked(AgentPool(mode="User")))
    assert text.startswith("pools: no pool with mode System")
    assert mistakes(checked()) == [text]


def test_a_cluster_of_sku_automatic_brings_its_own():  # Z-6
    assert mistakes(checked(automatic=True)) == []


def test_system_nodes_that_other_pods_may_use_are_warned_of():  # Z-6
    [text] = checked(AgentPool(shared=True)).texts
    assert text.startswith("pools: ordinary pods fit on every system pool")
    assert checked(AgentPool(shared=True), AgentPool(name="other")).texts == ()
    assert checked(AgentPool(shared=True), provisioned=False).texts == ()


@pytest.mark.parametrize("mode", ["System", "User"])
def test_the_cluster_autoscaler_does_not_go_with_node_provisioning(mode):  # Z-5
    pools = AgentPool(), AgentPool(name="other", mode=mode, auto_scaling=True, min_count=1, max_count=5)
    [text] = mistakes(checked(*pools))
    assert text.startswith("pools[1].autoScaling: the cluster autoscaler cannot be combined with node provisioning")
    assert mistakes(checked(*pools, provisioned=False)) == []
    assert mistakes(checked(*pools, autoscaler_beside=True)) == []


@pytest.mark.parametrize(
    ("pool", "message"),
    [
        (
            AgentPool(os_type="Windows"),
            "pools[0].osType: a pool of Windows cannot be combined with node provisioning; allowed: Linux",
        ),
        (
            AgentPool(pod_subnet_id="subnet"),
            "pools[0].podSubnetId: a subnet for pods (dynamic allocation of addresses) cannot be combined",
        ),
    ],
)
def test_what_node_provisioning_does_not_take_is_refused_with_it_alone(pool, message):  # Z-4
    [text] = mistakes(checked(pool))
    assert text.startswith(message)
    assert mistakes(checked(pool, provisioned=False)) == []


def test_zones_are_those_of_the_location():
    assert zones_of(AgentPool(), None) == ("1", "2", "3")
    assert zones_of(AgentPool(), ["1", "2"]) == ("1", "2")
    assert zones_of(AgentPool(), []) == ()
    assert zones_of(AgentPool(zones=["2"]), None) == ("2",)


@pytest.mark.parametrize(
    ("pool", "rules", "message"),
    [
        (
            AgentPool(zones=["3"]),
            {"location_zones": ["1", "2"]},
            "pools[0].zones[0]: zone '3' is not one of the location's; allowed: 1, 2",
        ),
        (
            AgentPool(zones=["1"]),
            {"location_zones": []},
            "pools[0].zones[0]: zone '1' is not one of the location's; allowed: none: the",
        ),
        (
            AgentPool(zones=["japaneast-1"]),
            {},
            "pools[0].zones[0]: zone 'japaneast-1' is not one of the location's; allowed: 1, 2, 3",
        ),
        (AgentPool(zones=["1", "1"]), {}, "pools[0].zones[1]: zone '1' appears twice"),
        (AgentPool(name="System-1"), {}, "pools[0].name: pool name 'System-1'"),
        (AgentPool(name="abcdefghijklm"), {}, "pools[0].name: pool name 'abcdefghijklm'; allowed: at most 12"),
        (AgentPool(count=0), {}, "pools[0].count: 0 nodes; allowed: 1 to 1000"),
        (AgentPool(vm_size="d2s_v5"), {}, "pools[0].vmSize: 'd2s_v5' is not the name of a size"),
        (AgentPool(max_pods=9), {}, "pools[0].maxPods: 9 pods a node; allowed: 10 to 250"),
    ],
)
def test_a_pool_that_aks_refuses_is_reported(pool, rules, message):
    [text] = mistakes(checked(pool, **rules))
    assert text.startswith(message)


def test_the_size_that_was_meant_is_named():
    [text] = mistakes(checked(AgentPool(vm_size="standard_d2s_v5")))
    assert text.endswith("did you mean Standard_D2s_v5?")


@pytest.mark.parametrize("size", ["Standard_D2s_v5", "Standard_B2ms", "Standard_E4-2s_v3", "Standard_NC24ads_A100_v4"])
def test_names_of_sizes_are_taken(size):
    assert mistakes(checked(AgentPool(vm_size=size))) == []


def test_a_size_that_the_location_is_not_known_to_sell_is_warned_of():
    sold = {"Standard_D2s_v5", "Standard_D2s_v6"}
    assert checked(AgentPool(), sizes=sold).texts == checked(AgentPool(vm_size="Standard_X9_v9"), sizes=None).texts == ()
    notes = checked(AgentPool(vm_size="Standard_D2s_v7"), sizes=sold)
    assert mistakes(notes) == []
    [text] = notes.texts
    assert text.startswith(
        "pools[0].vmSize: size Standard_D2s_v7 is not known to be sold in the location; did you mean Standard_D2s"
    )


def test_one_system_node_alone_is_warned_of():
    [text] = checked(AgentPool(count=1)).texts
    assert text.startswith("pools[0].count: one system node")


@pytest.mark.parametrize(
    ("pool", "path"),
    [
        (AgentPool(auto_scaling=True), "count"),
        (AgentPool(auto_scaling=True, min_count=4, max_count=5), "count"),
        (AgentPool(auto_scaling=True, min_count=1, max_count=2), "count"),
        (AgentPool(min_count=1), "autoScaling"),
    ],
)
def test_bounds_of_the_autoscaler_hold_the_count(pool, path):
    [text] = mistakes(checked(pool, provisioned=False))
    assert text.startswith(f"pools[0].{path}: ")


def test_two_pools_have_two_names():
    [text] = mistakes(checked(AgentPool(), AgentPool()))
    assert text == "pools[1].name: pool system appears twice"
